//! The table itself: for each context its keys, what they ask for, the help's words and the footer's.
//!
//! One line a binding, and not formatted: a table is read by its columns.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::action::{
    Action, AppAction, Destination, DoctorAction, EditAction, FormAction, LabAction, Motion, PageAction, TextAction,
};
use super::binding::{Binding, Chord, Context};
use crate::lab::timeline::Zoom;

const fn key(letter: char) -> Chord {
    Chord(KeyCode::Char(letter), KeyModifiers::NONE)
}

const fn ctrl(letter: char) -> Chord {
    Chord(KeyCode::Char(letter), KeyModifiers::CONTROL)
}

const fn shift(code: KeyCode) -> Chord {
    Chord(code, KeyModifiers::SHIFT)
}

const fn ctrl_code(code: KeyCode) -> Chord {
    Chord(code, KeyModifiers::CONTROL)
}

const fn code(code: KeyCode) -> Chord {
    Chord(code, KeyModifiers::NONE)
}

const fn bind(
    keys: &'static [Chord],
    action: Action,
    help: &'static str,
    short: &'static str,
) -> Binding {
    Binding {
        keys,
        action,
        help,
        short,
    }
}

const UP: Binding = bind(&[code(KeyCode::Up), key('k')], Action::Scroll(Motion::Up), "up", "");
const DOWN: Binding = bind(&[code(KeyCode::Down), key('j')], Action::Scroll(Motion::Down), "down", "");
const PAGE_UP: Binding = bind(&[code(KeyCode::PageUp), key('b')], Action::Scroll(Motion::PageUp), "a screen up", "");
const PAGE_DOWN: Binding = bind(&[code(KeyCode::PageDown), key(' ')], Action::Scroll(Motion::PageDown), "a screen down", "");
const TOP: Binding = bind(&[key('g'), code(KeyCode::Home)], Action::Scroll(Motion::Top), "to the top", "");
const BOTTOM: Binding = bind(&[key('G'), code(KeyCode::End)], Action::Scroll(Motion::Bottom), "to the end", "");
const BACK: Binding = bind(&[key('q'), code(KeyCode::Esc)], Action::Back, "back", "back");
const SUBMIT: Binding = bind(&[code(KeyCode::Enter)], Action::Form(FormAction::Submit), "answer", "answer");
const CHOOSE: Binding = bind(&[code(KeyCode::Down), key('j')], Action::Scroll(Motion::Down), "choose the next option; a number chooses its own", "choose");
const HINT: Binding = bind(&[key('h')], Action::Form(FormAction::Hint), "next hint", "hint");
const SURE: Binding = bind(&[key('s')], Action::Form(FormAction::Confidence), "mark the answer as sure, not sure, or neither; no points depend on it", "sure?");
const SCREEN_UP: Binding = bind(&[code(KeyCode::PageUp)], Action::Scroll(Motion::PageUp), "a screen up", "");
const SCREEN_DOWN: Binding = bind(&[code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down", "");
const TEXT_START: Binding = bind(&[ctrl('a')], Action::Form(FormAction::Text(TextAction::LineStart)), "to the start of the line; Home, too", "");
const TEXT_END: Binding = bind(&[ctrl('e')], Action::Form(FormAction::Text(TextAction::LineEnd)), "to the end of the line; End, too", "");
const WORD_LEFT: Binding = bind(&[ctrl_code(KeyCode::Left)], Action::Form(FormAction::Text(TextAction::WordLeft)), "a word to the left", "");
const WORD_RIGHT: Binding = bind(&[ctrl_code(KeyCode::Right)], Action::Form(FormAction::Text(TextAction::WordRight)), "a word to the right", "");
const CUT_WORD: Binding = bind(&[ctrl('w')], Action::Form(FormAction::Text(TextAction::CutWord)), "delete the word before the cursor", "");
const CUT_TO_START: Binding = bind(&[ctrl('u')], Action::Form(FormAction::Text(TextAction::CutToStart)), "delete to the start of the line", "");
const CUT_TO_END: Binding = bind(&[ctrl('k')], Action::Form(FormAction::Text(TextAction::CutToEnd)), "delete to the end of the line", "");
const EXPLAIN: Binding = bind(&[key('w')], Action::Go(Destination::Explain), "explain in your own words; nobody grades it", "own words");
const GIVE_UP: Binding = bind(&[key('x'), code(KeyCode::F(4))], Action::Form(FormAction::GiveUp), "hand in now: open questions earn nothing", "hand in");
const NEXT_PAGE: Binding = bind(&[key('n'), code(KeyCode::Right)], Action::Page(PageAction::Next), "next page; after the last one what follows", "next");
const PREVIOUS_PAGE: Binding = bind(&[key('p'), code(KeyCode::Left)], Action::Page(PageAction::Previous), "previous page", "previous");
const QUIZ: Binding = bind(&[key('z')], Action::Go(Destination::Quiz), "take the quiz", "quiz");
const SEARCH: Binding = bind(&[key('/')], Action::App(AppAction::Search), "search the page, the lesson and the course", "search");
const PALETTE: Binding = bind(&[key(':'), ctrl('p')], Action::App(AppAction::Palette), "go to anything: lessons, pages, labs, words, keys", "");
const LINK: Binding = bind(&[key('1')], Action::Page(PageAction::Digit(1)), "open the link [1]; every number opens its link", "link");
const DIGIT_2: Binding = bind(&[key('2')], Action::Page(PageAction::Digit(2)), "", "");
const DIGIT_3: Binding = bind(&[key('3')], Action::Page(PageAction::Digit(3)), "", "");
const DIGIT_4: Binding = bind(&[key('4')], Action::Page(PageAction::Digit(4)), "", "");
const DIGIT_5: Binding = bind(&[key('5')], Action::Page(PageAction::Digit(5)), "", "");
const DIGIT_6: Binding = bind(&[key('6')], Action::Page(PageAction::Digit(6)), "", "");
const DIGIT_7: Binding = bind(&[key('7')], Action::Page(PageAction::Digit(7)), "", "");
const DIGIT_8: Binding = bind(&[key('8')], Action::Page(PageAction::Digit(8)), "", "");
const DIGIT_9: Binding = bind(&[key('9')], Action::Page(PageAction::Digit(9)), "", "");
const DIGIT_0: Binding = bind(&[key('0')], Action::Page(PageAction::Digit(0)), "", "");
const RETURN: Binding = bind(&[code(KeyCode::Backspace)], Action::Page(PageAction::Return), "back to where you followed a link, the palette or a search", "return");
const NEXT_HIT: Binding = bind(&[key('n')], Action::App(AppAction::NextHit), "next hit", "next hit");
const PREVIOUS_HIT: Binding = bind(&[key('N')], Action::App(AppAction::PreviousHit), "previous hit", "");
const END_SEARCH: Binding = bind(&[code(KeyCode::Esc)], Action::App(AppAction::EndSearch), "end the search", "end search");
const PAGE_RIGHT: Binding = bind(&[code(KeyCode::Right)], Action::Page(PageAction::Next), "next page; after the last one what follows", "next");
const LEAVE: Binding = bind(&[key('q')], Action::Back, "back", "back");
const PANE_DOWN: Binding = bind(&[code(KeyCode::Down), key('j')], Action::Scroll(Motion::Down), "the pane down", "pane down");
const PANE_UP: Binding = bind(&[code(KeyCode::Up), key('k')], Action::Scroll(Motion::Up), "the pane up", "");
const PANE_TOP: Binding = bind(&[key('g'), code(KeyCode::Home)], Action::Scroll(Motion::Top), "the pane to its top", "");
const PANE_END: Binding = bind(&[key('G'), code(KeyCode::End)], Action::Scroll(Motion::Bottom), "the pane to its end", "");
const PANE_PAGE_DOWN: Binding = bind(&[key(' ')], Action::Scroll(Motion::PageDown), "the pane a screen down", "");
const PANE_PAGE_UP: Binding = bind(&[key('b')], Action::Scroll(Motion::PageUp), "the pane a screen up", "");
const PROGRAM_PAGE_DOWN: Binding = bind(&[code(KeyCode::PageDown)], Action::Lab(LabAction::Program(Motion::PageDown)), "the program a screen down", "program");
const PROGRAM_PAGE_UP: Binding = bind(&[code(KeyCode::PageUp)], Action::Lab(LabAction::Program(Motion::PageUp)), "the program a screen up", "");
const PROGRAM_DOWN: Binding = bind(&[key('J'), shift(KeyCode::Down)], Action::Lab(LabAction::Program(Motion::Down)), "the program down", "");
const PROGRAM_UP: Binding = bind(&[key('K'), shift(KeyCode::Up)], Action::Lab(LabAction::Program(Motion::Up)), "the program up", "");
const PROGRAM_RIGHT: Binding = bind(&[code(KeyCode::Right)], Action::Lab(LabAction::ProgramRight), "the program to the right", "");
const PROGRAM_LEFT: Binding = bind(&[code(KeyCode::Left)], Action::Lab(LabAction::ProgramLeft), "the program to the left", "");

impl Context {
    /// Overlays, which the help does not cover.
    pub(super) const WITHOUT_HELP: [Self; 5] =
        [Self::CONFIRM, Self::SCROLL, Self::SEARCHING, Self::PALETTE, Self::TOUR];

    /// What works on every screen.
    pub(crate) const EVERYWHERE: Self = Self(&[
        bind(&[key('?'), code(KeyCode::F(1))], Action::App(AppAction::Help), "this help", "help"),
        PALETTE,
        bind(&[key('Q'), ctrl('q')], Action::App(AppAction::Quit), "quit from anywhere", ""),
        bind(&[ctrl('c')], Action::App(AppAction::Interrupt), "stop the run; without one, ask, then quit", ""),
        bind(&[key('S')], Action::App(AppAction::SaveElsewhere), "save elsewhere, when saving fails", ""),
        bind(&[ctrl('z')], Action::App(AppAction::Suspend), "suspend; `fg` comes back", ""),
    ]);

    pub(crate) const MAP: Self = Self(&[
        bind(&[code(KeyCode::Enter), key('l')], Action::Open, "open the lesson", "read"),
        bind(&[key('c')], Action::App(AppAction::NextStep), "go on with the next step of the course", "go on"),
        bind(&[key('z')], Action::Go(Destination::Quiz), "take its quiz", "quiz"),
        bind(&[key('m')], Action::Go(Destination::RetryMissed), "only the questions that you missed last time", "review"),
        EXPLAIN,
        SEARCH,
        bind(&[key(':'), ctrl('p')], Action::App(AppAction::Palette), "go to anything: lessons, pages, labs, words, keys", "go to"),
        UP,
        DOWN,
        TOP,
        BOTTOM,
        bind(&[key('p')], Action::Go(Destination::Problems), "problems in the course files", "problems"),
        bind(&[key('d')], Action::Go(Destination::Doctor), "the doctor: what is between a program and the card", "doctor"),
        bind(&[key('i')], Action::App(AppAction::Tour), "how warpup works, in a minute", "intro"),
        bind(&[key('q'), code(KeyCode::Esc)], Action::Back, "quit", "quit"),
    ]);

    /// A page without a lab.
    pub(crate) const PAGE: Self = Self(&[
        bind(&[code(KeyCode::Enter), key(' '), code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down, then the next page", "continue"),
        NEXT_PAGE,
        QUIZ,
        PREVIOUS_PAGE,
        bind(&[code(KeyCode::Tab)], Action::Page(PageAction::NextLab), "next lab, on this page or a later one", "lab"),
        RETURN,
        LINK,
        DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DIGIT_0,
        SEARCH,
        UP,
        DOWN,
        PAGE_UP,
        TOP,
        BOTTOM,
        BACK,
    ]);

    /// A page with a lab.
    pub(crate) const LAB_PAGE: Self = Self(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "open the lab marked ▶", "open"),
        bind(&[key('r')], Action::Page(PageAction::RunLab), "open the lab and run it", "run"),
        NEXT_PAGE,
        QUIZ,
        PREVIOUS_PAGE,
        bind(&[code(KeyCode::Tab)], Action::Page(PageAction::NextLab), "next lab, on this page or a later one", "lab"),
        bind(&[code(KeyCode::BackTab)], Action::Page(PageAction::PreviousLab), "previous lab, on this page or an earlier one", ""),
        bind(&[key('e')], Action::Page(PageAction::EditLab), "open the lab and edit it", ""),
        RETURN,
        LINK,
        DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DIGIT_0,
        SEARCH,
        UP,
        DOWN,
        bind(&[code(KeyCode::PageDown), key(' ')], Action::Scroll(Motion::PageDown), "a screen down, then the next page", ""),
        PAGE_UP,
        TOP,
        BOTTOM,
        BACK,
    ]);

    /// A page without a lab while a search is open.
    pub(crate) const PAGE_FOUND: Self = Self(&[
        NEXT_HIT,
        PREVIOUS_HIT,
        END_SEARCH,
        bind(&[code(KeyCode::Enter), key(' '), code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down, then the next page", "continue"),
        PAGE_RIGHT,
        QUIZ,
        PREVIOUS_PAGE,
        bind(&[code(KeyCode::Tab)], Action::Page(PageAction::NextLab), "next lab, on this page or a later one", "lab"),
        RETURN,
        LINK,
        DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DIGIT_0,
        SEARCH,
        UP,
        DOWN,
        PAGE_UP,
        TOP,
        BOTTOM,
        LEAVE,
    ]);

    /// A page with a lab while a search is open.
    pub(crate) const LAB_PAGE_FOUND: Self = Self(&[
        NEXT_HIT,
        PREVIOUS_HIT,
        END_SEARCH,
        bind(&[code(KeyCode::Enter)], Action::Open, "open the lab marked ▶", "open"),
        bind(&[key('r')], Action::Page(PageAction::RunLab), "open the lab and run it", "run"),
        PAGE_RIGHT,
        QUIZ,
        PREVIOUS_PAGE,
        bind(&[code(KeyCode::Tab)], Action::Page(PageAction::NextLab), "next lab, on this page or a later one", "lab"),
        bind(&[code(KeyCode::BackTab)], Action::Page(PageAction::PreviousLab), "previous lab, on this page or an earlier one", ""),
        bind(&[key('e')], Action::Page(PageAction::EditLab), "open the lab and edit it", ""),
        RETURN,
        LINK,
        DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DIGIT_0,
        SEARCH,
        UP,
        DOWN,
        bind(&[code(KeyCode::PageDown), key(' ')], Action::Scroll(Motion::PageDown), "a screen down, then the next page", ""),
        PAGE_UP,
        TOP,
        BOTTOM,
        LEAVE,
    ]);

    /// While words to search for are typed.
    pub(crate) const SEARCHING: Self = Self(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "find the words", "find"),
        bind(&[code(KeyCode::Esc)], Action::Back, "search nothing", "cancel"),
    ]);

    /// While the palette is open.
    pub(crate) const PALETTE: Self = Self(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "go there", "go there"),
        bind(&[code(KeyCode::Down), code(KeyCode::Tab), ctrl('n')], Action::Scroll(Motion::Down), "down", "down"),
        bind(&[code(KeyCode::Up), code(KeyCode::BackTab), ctrl('p')], Action::Scroll(Motion::Up), "up", ""),
        bind(&[code(KeyCode::PageUp)], Action::Scroll(Motion::PageUp), "a screen up", ""),
        bind(&[code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down", ""),
        bind(&[code(KeyCode::Esc)], Action::Back, "stay here", "cancel"),
    ]);

    /// While the tour is open.
    pub(crate) const TOUR: Self = Self(&[
        bind(&[code(KeyCode::Enter), key(' '), code(KeyCode::Right), key('n')], Action::Open, "next", "next"),
        bind(&[code(KeyCode::Backspace), code(KeyCode::Left), key('p')], Action::Page(PageAction::Previous), "previous", "previous"),
        bind(&[code(KeyCode::Esc), key('q')], Action::Back, "close", "close"),
        UP,
        DOWN,
    ]);

    /// The keys of the same place while a search is open there.
    pub(crate) fn while_searching(self) -> Self {
        if self == Self::PAGE {
            Self::PAGE_FOUND
        } else if self == Self::LAB_PAGE {
            Self::LAB_PAGE_FOUND
        } else {
            self
        }
    }

    pub(crate) const LAB: Self = Self(&[
        bind(&[key('r'), ctrl('r')], Action::Lab(LabAction::Run), "run the program", "run"),
        bind(&[key('e'), key('i')], Action::Lab(LabAction::Edit), "edit the program; Esc leaves", "edit"),
        bind(&[key('d')], Action::Lab(LabAction::Devices), "choose the device from a list", "device"),
        bind(&[key('D')], Action::Lab(LabAction::PreviousDevice), "previous device", ""),
        bind(&[key('o'), code(KeyCode::Tab)], Action::Lab(LabAction::NextPane), "next pane: task, output, checks, timeline, runs, memory, plot, hints", "pane"),
        bind(&[key('h')], Action::Lab(LabAction::Hint), "next hint", "hint"),
        bind(&[key('+'), key('=')], Action::Lab(LabAction::Zoom(Zoom::In)), "the timeline closer", "closer"),
        bind(&[key('-')], Action::Lab(LabAction::Zoom(Zoom::Out)), "the timeline from farther away", "farther"),
        bind(&[key('<'), key(',')], Action::Lab(LabAction::Zoom(Zoom::Earlier)), "an earlier part of the timeline", "earlier"),
        bind(&[key('>'), key('.')], Action::Lab(LabAction::Zoom(Zoom::Later)), "a later part of the timeline", "later"),
        PROGRAM_PAGE_DOWN,
        PANE_DOWN,
        BACK,
        bind(&[code(KeyCode::BackTab)], Action::Lab(LabAction::PreviousPane), "previous pane", ""),
        bind(&[key('s')], Action::Lab(LabAction::Solution), "solution, after a pass or on giving up", ""),
        bind(&[key('E')], Action::Lab(LabAction::EditOutside), "edit the program in $VISUAL or $EDITOR", ""),
        bind(&[key('R')], Action::Lab(LabAction::Restore), "the starter program again", ""),
        PANE_UP,
        PANE_PAGE_DOWN,
        PANE_PAGE_UP,
        PANE_TOP,
        PANE_END,
        PROGRAM_PAGE_UP,
        PROGRAM_DOWN,
        PROGRAM_UP,
        PROGRAM_RIGHT,
        PROGRAM_LEFT,
    ]);

    /// The list of devices is open.
    pub(crate) const DEVICES: Self = Self(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "take the device", "take"),
        bind(&[code(KeyCode::Down), key('j'), key('d')], Action::Scroll(Motion::Down), "next device; the first follows the last", "next"),
        bind(&[code(KeyCode::Up), key('k'), key('D')], Action::Scroll(Motion::Up), "previous device", "previous"),
        BACK,
        TOP,
        BOTTOM,
    ]);

    pub(crate) const RUNNING: Self = Self(&[
        bind(&[key('c')], Action::Lab(LabAction::Cancel), "cancel the run", "cancel"),
        bind(&[key('o'), code(KeyCode::Tab)], Action::Lab(LabAction::NextPane), "next pane", "pane"),
        PROGRAM_PAGE_DOWN,
        PANE_DOWN,
        BACK,
        PANE_UP,
        PANE_PAGE_DOWN,
        PANE_PAGE_UP,
        PANE_TOP,
        PANE_END,
        PROGRAM_PAGE_UP,
        PROGRAM_DOWN,
        PROGRAM_UP,
    ]);

    pub(crate) const EDITING: Self = Self(&[
        bind(&[ctrl('r')], Action::Lab(LabAction::Run), "run the program", "run"),
        bind(&[code(KeyCode::Esc)], Action::Back, "stop editing", "stop editing"),
        bind(&[ctrl('u')], Action::Lab(LabAction::Type(EditAction::Undo)), "undo", "undo"),
        bind(&[code(KeyCode::F(6))], Action::Lab(LabAction::NextPane), "next pane, such as the task", "pane"),
        bind(&[ctrl('y')], Action::Lab(LabAction::Type(EditAction::Redo)), "redo", ""),
        bind(&[ctrl('f')], Action::Lab(LabAction::Type(EditAction::Find)), "find", "find"),
        bind(&[ctrl('x')], Action::Lab(LabAction::Type(EditAction::Cut)), "cut what Shift and arrows selected, or the line; Ctrl-C copies", ""),
        bind(&[ctrl('v')], Action::Lab(LabAction::Type(EditAction::Paste)), "paste what was cut or copied", ""),
        bind(&[ctrl('k')], Action::Lab(LabAction::Type(EditAction::CutLine)), "delete to the end of the line", ""),
        bind(&[code(KeyCode::Tab)], Action::Lab(LabAction::Type(EditAction::Indent)), "indent", ""),
        bind(&[code(KeyCode::BackTab)], Action::Lab(LabAction::Type(EditAction::Dedent)), "indent less", ""),
        // Terminals send Ctrl-7 or Ctrl-_ for Ctrl-/.
        bind(&[ctrl('/'), ctrl('7'), ctrl('_')], Action::Lab(LabAction::Type(EditAction::Comment)), "make lines comments, or comments lines", ""),
        bind(&[code(KeyCode::F(3))], Action::Lab(LabAction::Type(EditAction::FindNext)), "the next of what was searched", ""),
        bind(&[shift(KeyCode::F(3))], Action::Lab(LabAction::Type(EditAction::FindPrevious)), "the one before", ""),
        bind(&[code(KeyCode::F(2))], Action::Lab(LabAction::Hint), "next hint", ""),
        bind(&[code(KeyCode::F(7))], Action::Scroll(Motion::PageUp), "the pane a screen up", ""),
        bind(&[code(KeyCode::F(8))], Action::Scroll(Motion::PageDown), "the pane a screen down", ""),
    ]);

    /// While the learner types what is searched in the program.
    pub(crate) const FINDING: Self = Self(&[
        bind(&[code(KeyCode::Enter), code(KeyCode::Down), code(KeyCode::F(3))], Action::Lab(LabAction::Type(EditAction::FindNext)), "the next", "next"),
        bind(&[code(KeyCode::Up), shift(KeyCode::F(3))], Action::Lab(LabAction::Type(EditAction::FindPrevious)), "the one before", "previous"),
        bind(&[code(KeyCode::Esc)], Action::Lab(LabAction::Type(EditAction::LeaveFind)), "go on editing here", "edit here"),
    ]);

    pub(crate) const PREDICT_CHOICE: Self = Self(&[
        CHOOSE,
        UP,
        bind(&[code(KeyCode::Enter)], Action::Form(FormAction::Submit), "commit the prediction, and run", "commit"),
        bind(&[key('o'), code(KeyCode::Tab)], Action::Lab(LabAction::NextPane), "next pane: question, task, hints", "pane"),
        bind(&[key('h')], Action::Lab(LabAction::Hint), "next hint", "hint"),
        PROGRAM_PAGE_DOWN,
        BACK,
        bind(&[code(KeyCode::BackTab)], Action::Lab(LabAction::PreviousPane), "previous pane", ""),
        PANE_PAGE_DOWN,
        PANE_PAGE_UP,
        PANE_TOP,
        PANE_END,
        PROGRAM_PAGE_UP,
        PROGRAM_DOWN,
        PROGRAM_UP,
        PROGRAM_RIGHT,
        PROGRAM_LEFT,
    ]);

    pub(crate) const PREDICT_TYPING: Self = Self(&[
        bind(&[code(KeyCode::Enter)], Action::Form(FormAction::Submit), "commit the prediction, and run", "commit"),
        bind(&[code(KeyCode::Tab), code(KeyCode::F(6))], Action::Lab(LabAction::NextPane), "next pane: question, task, hints", "pane"),
        bind(&[code(KeyCode::F(2))], Action::Lab(LabAction::Hint), "next hint", "hint"),
        bind(&[code(KeyCode::PageDown)], Action::Lab(LabAction::Program(Motion::PageDown)), "the program a screen down", "program"),
        bind(&[code(KeyCode::Esc)], Action::Back, "back", "back"),
        TEXT_START,
        TEXT_END,
        WORD_LEFT,
        WORD_RIGHT,
        CUT_WORD,
        CUT_TO_START,
        CUT_TO_END,
        bind(&[code(KeyCode::BackTab)], Action::Lab(LabAction::PreviousPane), "previous pane", ""),
        bind(&[code(KeyCode::Down)], Action::Scroll(Motion::Down), "the pane down", ""),
        bind(&[code(KeyCode::Up)], Action::Scroll(Motion::Up), "the pane up", ""),
        bind(&[code(KeyCode::PageUp)], Action::Lab(LabAction::Program(Motion::PageUp)), "the program a screen up", ""),
        bind(&[shift(KeyCode::Down)], Action::Lab(LabAction::Program(Motion::Down)), "the program down", ""),
        bind(&[shift(KeyCode::Up)], Action::Lab(LabAction::Program(Motion::Up)), "the program up", ""),
    ]);

    pub(crate) const SINGLE: Self = Self(&[SUBMIT, CHOOSE, UP, PAGE_UP, PAGE_DOWN, SURE, HINT, GIVE_UP, BACK]);

    pub(crate) const MULTI: Self = Self(&[
        SUBMIT,
        bind(&[key(' ')], Action::Form(FormAction::Toggle), "choose or drop the option; its number does so, too", "choose"),
        UP,
        DOWN,
        SCREEN_UP,
        SCREEN_DOWN,
        SURE,
        HINT,
        GIVE_UP,
        BACK,
    ]);

    pub(crate) const TYPING: Self = Self(&[
        SUBMIT,
        bind(&[code(KeyCode::F(2)), ctrl('h')], Action::Form(FormAction::Hint), "next hint", "hint"),
        bind(&[code(KeyCode::F(3)), ctrl('s')], Action::Form(FormAction::Confidence), "mark the answer as sure, not sure, or neither; no points depend on it", "sure?"),
        bind(&[code(KeyCode::F(4))], Action::Form(FormAction::GiveUp), "hand in now: open questions earn nothing", "hand in"),
        SCREEN_UP,
        SCREEN_DOWN,
        bind(&[code(KeyCode::Esc)], Action::Back, "back", "back"),
        TEXT_START,
        TEXT_END,
        WORD_LEFT,
        WORD_RIGHT,
        CUT_WORD,
        CUT_TO_START,
        CUT_TO_END,
    ]);

    pub(crate) const ORDER: Self = Self(&[
        SUBMIT,
        bind(&[key('J'), shift(KeyCode::Down)], Action::Form(FormAction::MoveDown), "move the item down", "move down"),
        bind(&[key('K'), shift(KeyCode::Up)], Action::Form(FormAction::MoveUp), "move the item up", "move up"),
        UP,
        DOWN,
        SCREEN_UP,
        SCREEN_DOWN,
        SURE,
        HINT,
        GIVE_UP,
        BACK,
    ]);

    pub(crate) const MATCH: Self = Self(&[
        SUBMIT,
        bind(&[code(KeyCode::Right), key('l'), key(' ')], Action::Form(FormAction::Right), "next right side for this row; its letter chooses it", "change"),
        bind(&[code(KeyCode::Left)], Action::Form(FormAction::Left), "previous right side for this row", ""),
        bind(&[code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down, to the letters", "letters"),
        SCREEN_UP,
        UP,
        DOWN,
        SURE,
        HINT,
        GIVE_UP,
        BACK,
    ]);

    pub(crate) const VERDICT: Self = Self(&[
        bind(&[code(KeyCode::Enter), key('n')], Action::Open, "next question; after the last one the results", "next"),
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        TOP,
        BOTTOM,
        BACK,
    ]);

    pub(crate) const RESULTS: Self = Self(&[
        bind(&[key('n')], Action::Go(Destination::NextLesson), "next lesson", "next lesson"),
        bind(&[key('r')], Action::Go(Destination::RetryMissed), "only the missed questions again", "missed again"),
        bind(&[code(KeyCode::Enter)], Action::Open, "read again where the question points to", "read"),
        bind(&[key('a')], Action::Go(Destination::RetryAll), "all questions again", "all again"),
        EXPLAIN,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        TOP,
        BOTTOM,
        BACK,
    ]);

    pub(crate) const WRITING: Self = Self(&[
        bind(&[ctrl('s'), code(KeyCode::F(3))], Action::Form(FormAction::Submit), "keep the words and compare them; without words, the next question", "keep"),
        bind(&[code(KeyCode::Tab)], Action::Open, "next question, without comparing", "skip"),
        bind(&[code(KeyCode::F(2))], Action::Form(FormAction::Hint), "next hint", "hint"),
        SCREEN_UP,
        SCREEN_DOWN,
        bind(&[code(KeyCode::Esc)], Action::Back, "back; the words are kept", "back"),
        TEXT_START,
        TEXT_END,
        WORD_LEFT,
        WORD_RIGHT,
        CUT_WORD,
        CUT_TO_START,
        CUT_TO_END,
    ]);

    pub(crate) const COMPARING: Self = Self(&[
        bind(&[key(' ')], Action::Form(FormAction::Toggle), "tick or untick the part; its number does so, too", "tick"),
        bind(&[code(KeyCode::Enter), key('n')], Action::Open, "next question", "next"),
        UP,
        DOWN,
        bind(&[code(KeyCode::PageUp), key('b')], Action::Scroll(Motion::PageUp), "a screen up", ""),
        bind(&[code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down", ""),
        BACK,
    ]);

    pub(crate) const DOCTOR: Self = Self(&[
        bind(&[key('r')], Action::Doctor(DoctorAction::LookAgain), "look again", "look again"),
        bind(&[code(KeyCode::Enter)], Action::Doctor(DoctorAction::Details), "everything that was checked, or the short form", "details"),
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        TOP,
        BOTTOM,
        BACK,
    ]);

    pub(crate) const SCROLL: Self = Self(&[UP, DOWN, PAGE_UP, PAGE_DOWN, TOP, BOTTOM, BACK]);

    /// Before a program of somebody else's course runs.
    pub(crate) const CONSENT: Self = Self(&[
        bind(&[key('y'), key('Y')], Action::App(AppAction::Yes), "run the labs of this course", "run"),
        bind(&[key('n'), key('N'), key('q'), code(KeyCode::Esc)], Action::App(AppAction::No), "run nothing", "no"),
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        TOP,
        BOTTOM,
    ]);

    pub(crate) const CONFIRM: Self = Self(&[
        bind(&[key('y'), key('Y')], Action::App(AppAction::Yes), "yes", "yes"),
        bind(&[key('n'), key('N'), key('q'), code(KeyCode::Esc)], Action::App(AppAction::No), "no", "no"),
    ]);
}
