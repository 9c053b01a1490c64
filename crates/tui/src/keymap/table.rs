//! The keys that work everywhere, and those of labs, quizzes, the doctor and dialogs.
//!
//! One line a binding, and not formatted: a table is read by its columns.

use ratatui::crossterm::event::KeyCode;

use super::action::{Action, AppAction, Destination, DoctorAction, EditAction, FormAction, LabAction, Motion, PageAction, Sideways};
use super::binding::Context;
use super::common::{
    BACK, BOTTOM, CHOOSE, CUT_TO_END, CUT_TO_START, CUT_WORD, DIFF, DOWN, EDITED_DIFF, EDITED_HINT, EDITED_PANE, EDITED_PANE_DOWN,
    EDITED_PANE_UP, EDITED_RUN, EXPLAIN, FIND_PREVIOUS, FULL_PANE, GIVE_UP, HINT, LAB_WORDS, LEAVE_FIND, LINE_DOWN, LINE_UP, NEXT_HINT,
    PAGE_DOWN, PAGE_UP, PALETTE, PANE_DOWN, PANE_END, PANE_PAGE_DOWN, PANE_PAGE_UP, PANE_TOP, PANE_UP, PROGRAM_DOWN,
    PROGRAM_LEFT, PROGRAM_PAGE_DOWN, PROGRAM_PAGE_UP, PROGRAM_RIGHT, PROGRAM_UP, SAVE_SCREEN, SCREEN_DOWN, SCREEN_UP,
    SUBMIT, SURE, TEXT_END, TEXT_START, TOGGLE_ONE, TOP, UP, WORD_LEFT, WORD_RIGHT, alt, alt_code, alt_shift, bind, code, ctrl, ctrl_code, key,
    shift,
};
use warpup_lab::timeline::Zoom;

impl Context {
    /// Overlays, which the help does not cover.
    pub(super) const WITHOUT_HELP: [Self; 7] =
        [Self::CONFIRM, Self::LEAVE_PROGRAM, Self::SCROLL, Self::SEARCHING, Self::HITS, Self::PALETTE, Self::WORDS];

    /// What works on every screen.
    pub(crate) const EVERYWHERE: Self = Self::of(&[
        bind(&[key('?'), code(KeyCode::F(1))], Action::App(AppAction::Help), "the keys of this screen: search them, run them", "help"),
        PALETTE,
        bind(&[key(','), code(KeyCode::F(9))], Action::App(AppAction::Settings), "settings: theme, mouse, keys", ""),
        bind(&[key('Q'), ctrl('q')], Action::App(AppAction::Quit), "quit from anywhere", ""),
        bind(&[ctrl('c')], Action::App(AppAction::Interrupt), "stop the run; without one, ask, then quit", ""),
        bind(&[key('S')], Action::App(AppAction::SaveElsewhere), "save elsewhere, when saving fails", ""),
        bind(&[ctrl('z')], Action::App(AppAction::Suspend), "suspend; `fg` comes back", ""),
    ]);

    pub(crate) const LAB: Self = Self::of(&[
        bind(&[code(KeyCode::Enter), key('n')], Action::Open, "after a pass: read on after the lab; among findings: the page of the chosen one", "read on"),
        bind(&[key('r'), ctrl('r')], Action::Lab(LabAction::Run), "run the program", "run"),
        bind(&[key('e'), key('i')], Action::Lab(LabAction::Edit), "edit the program; Esc leaves", "edit"),
        bind(&[key('o'), code(KeyCode::Tab), code(KeyCode::F(6))], Action::Lab(LabAction::NextPane), "next pane", "pane"),
        bind(&[key('d')], Action::Lab(LabAction::Devices), "choose the device from a list", "device"),
        LINE_DOWN,
        FULL_PANE,
        PROGRAM_PAGE_DOWN,
        bind(&[key('D')], Action::Lab(LabAction::PreviousDevice), "previous device", ""),
        NEXT_HINT,
        PROGRAM_RIGHT,
        PROGRAM_LEFT,
        bind(&[key('+'), key('=')], Action::Lab(LabAction::Zoom(Zoom::In)), "zoom into the timeline", "zoom in"),
        bind(&[key('-')], Action::Lab(LabAction::Zoom(Zoom::Out)), "zoom out of the timeline", "out"),
        bind(&[key('<')], Action::Lab(LabAction::Zoom(Zoom::Earlier)), "an earlier part of the timeline", "earlier"),
        bind(&[key('>')], Action::Lab(LabAction::Zoom(Zoom::Later)), "a later part of the timeline", "later"),
        PANE_DOWN,
        LAB_WORDS,
        BACK,
        bind(&[code(KeyCode::BackTab)], Action::Lab(LabAction::PreviousPane), "previous pane", ""),
        DIFF,
        bind(&[key('s')], Action::Lab(LabAction::Solution), "solution after a pass; then other ways", ""),
        bind(&[key('E')], Action::Lab(LabAction::EditOutside), "edit the program in $VISUAL or $EDITOR", ""),
        bind(&[key('R')], Action::Lab(LabAction::Restore), "the starter program again", ""),
        SAVE_SCREEN,
        PANE_UP,
        PANE_PAGE_DOWN,
        PANE_PAGE_UP,
        PANE_TOP,
        PANE_END,
        PROGRAM_PAGE_UP,
        LINE_UP,
    ]);

    /// The list of devices is open.
    pub(crate) const DEVICES: Self = Self::of(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "take the device", "use it"),
        bind(&[code(KeyCode::Down), key('j'), key('d')], Action::Scroll(Motion::Down), "next device; the first follows the last", "next"),
        bind(&[code(KeyCode::Up), key('k'), key('D')], Action::Scroll(Motion::Up), "previous device", "previous"),
        BACK,
        TOP,
        BOTTOM,
    ]);

    pub(crate) const RUNNING: Self = Self::of(&[
        bind(&[key('c')], Action::Lab(LabAction::Cancel), "cancel the run", "cancel"),
        bind(&[key('o'), code(KeyCode::Tab), code(KeyCode::F(6))], Action::Lab(LabAction::NextPane), "next pane", "pane"),
        FULL_PANE,
        NEXT_HINT,
        DIFF,
        SAVE_SCREEN,
        PROGRAM_PAGE_DOWN,
        PROGRAM_RIGHT,
        PROGRAM_LEFT,
        PANE_DOWN,
        LAB_WORDS,
        BACK,
        PANE_UP,
        PANE_PAGE_DOWN,
        PANE_PAGE_UP,
        PANE_TOP,
        PANE_END,
        PROGRAM_PAGE_UP,
        LINE_DOWN,
        LINE_UP,
    ]);

    pub(crate) const EDITING: Self = Self::of(&[
        EDITED_RUN,
        bind(&[code(KeyCode::Esc)], Action::Back, "stop editing", "stop editing"),
        bind(&[ctrl('z'), alt('u')], Action::Lab(LabAction::Type(EditAction::Undo)), "undo", "undo"),
        EDITED_PANE,
        bind(&[ctrl('s')], Action::Lab(LabAction::Save), "save the program; a run and Esc do so, too", ""),
        bind(&[ctrl('y')], Action::Lab(LabAction::Type(EditAction::Redo)), "redo", ""),
        bind(&[ctrl('f')], Action::Lab(LabAction::Type(EditAction::Find)), "find; then Tab replaces", "find"),
        bind(&[ctrl('x')], Action::Lab(LabAction::Type(EditAction::Cut)), "cut what Shift and arrows or the mouse selected, or the line", ""),
        bind(&[ctrl('c')], Action::App(AppAction::Interrupt), "copy what is selected; without a selection stop the run, or ask and quit", ""),
        bind(&[ctrl('v')], Action::Lab(LabAction::Type(EditAction::Paste)), "paste what was cut or copied", ""),
        // Ctrl-A goes to the start of the line here, as in every other line that is typed.
        bind(&[alt('a')], Action::Lab(LabAction::Type(EditAction::SelectAll)), "select the whole program", ""),
        bind(&[ctrl('g'), alt('g')], Action::Lab(LabAction::Type(EditAction::AskForLine)), "go to a line by its number", ""),
        bind(&[alt_code(KeyCode::Up)], Action::Lab(LabAction::Type(EditAction::MoveUp)), "move the line, or the selected lines, up", ""),
        bind(&[alt_code(KeyCode::Down)], Action::Lab(LabAction::Type(EditAction::MoveDown)), "move the line, or the selected lines, down", ""),
        bind(&[alt_shift(KeyCode::Down)], Action::Lab(LabAction::Type(EditAction::Double)), "the line, or the selected lines, a second time", ""),
        bind(&[ctrl('d')], Action::Lab(LabAction::Type(EditAction::DeleteNext)), "delete the letter after the cursor; Delete, too", ""),
        bind(&[ctrl('w'), ctrl_code(KeyCode::Backspace), alt_code(KeyCode::Backspace)], Action::Lab(LabAction::Type(EditAction::DeleteWord)), "delete the word before the cursor", ""),
        bind(&[ctrl_code(KeyCode::Delete), alt_code(KeyCode::Delete), alt('d')], Action::Lab(LabAction::Type(EditAction::DeleteNextWord)), "delete the word after the cursor", ""),
        bind(&[ctrl('k')], Action::Lab(LabAction::Type(EditAction::CutLine)), "delete to the end of the line", ""),
        bind(&[ctrl('u')], Action::Lab(LabAction::Type(EditAction::CutToStart)), "delete to the start of the line", ""),
        bind(&[code(KeyCode::Tab)], Action::Lab(LabAction::Type(EditAction::Indent)), "indent", ""),
        bind(&[code(KeyCode::BackTab)], Action::Lab(LabAction::Type(EditAction::Dedent)), "indent less", ""),
        // Many terminals send Ctrl-7 for Ctrl-/.
        bind(&[ctrl('/'), ctrl('7')], Action::Lab(LabAction::Type(EditAction::Comment)), "comment lines out, or in again", ""),
        bind(&[code(KeyCode::F(3))], Action::Lab(LabAction::Type(EditAction::FindNext)), "the next of what was searched", ""),
        bind(&[shift(KeyCode::F(3))], Action::Lab(LabAction::Type(EditAction::FindPrevious)), "the one before", ""),
        EDITED_HINT,
        EDITED_DIFF,
        EDITED_PANE_UP,
        EDITED_PANE_DOWN,
    ]);

    /// While the learner types what is searched in the program.
    pub(crate) const FINDING: Self = Self::of(&[
        bind(&[code(KeyCode::Enter), code(KeyCode::Down), code(KeyCode::F(3))], Action::Lab(LabAction::Type(EditAction::FindNext)), "the next", "next"),
        bind(&[code(KeyCode::Tab)], Action::Lab(LabAction::Type(EditAction::AskForReplacement)), "replace what is found", "replace"),
        FIND_PREVIOUS,
        LEAVE_FIND,
        EDITED_RUN,
        EDITED_PANE,
        EDITED_HINT,
        EDITED_DIFF,
        EDITED_PANE_UP,
        EDITED_PANE_DOWN,
    ]);

    /// While the learner types what is put in place of what was searched.
    pub(crate) const REPLACING: Self = Self::of(&[
        bind(&[code(KeyCode::Enter)], Action::Lab(LabAction::Type(EditAction::Replace)), "replace this one, and go to the next", "replace"),
        bind(&[alt('a')], Action::Lab(LabAction::Type(EditAction::ReplaceAll)), "replace all", "all"),
        bind(&[code(KeyCode::Down), code(KeyCode::F(3))], Action::Lab(LabAction::Type(EditAction::FindNext)), "the next, without replacing this one", "skip"),
        LEAVE_FIND,
        bind(&[code(KeyCode::Tab)], Action::Lab(LabAction::Type(EditAction::AskForReplacement)), "back to what is searched", "find"),
        FIND_PREVIOUS,
        bind(&[ctrl('z'), alt('u')], Action::Lab(LabAction::Type(EditAction::Undo)), "undo", ""),
        EDITED_RUN,
        EDITED_PANE,
        EDITED_HINT,
        EDITED_DIFF,
        EDITED_PANE_UP,
        EDITED_PANE_DOWN,
    ]);

    /// While the learner types the number of a line.
    pub(crate) const GOING_TO_LINE: Self = Self::of(&[
        bind(&[code(KeyCode::Enter)], Action::Lab(LabAction::Type(EditAction::GoToLine)), "go to the line", "go there"),
        bind(&[code(KeyCode::Esc)], Action::Lab(LabAction::Type(EditAction::LeaveFind)), "stay at this line", "stay here"),
        EDITED_RUN,
        EDITED_PANE,
        EDITED_HINT,
        EDITED_DIFF,
        EDITED_PANE_UP,
        EDITED_PANE_DOWN,
    ]);

    pub(crate) const PREDICT_CHOICE: Self = Self::of(&[
        CHOOSE,
        UP,
        bind(&[code(KeyCode::Enter)], Action::Form(FormAction::Submit), "commit the prediction, and run", "commit"),
        bind(&[key('o'), code(KeyCode::Tab), code(KeyCode::F(6))], Action::Lab(LabAction::NextPane), "next pane: question, task, hints", "pane"),
        NEXT_HINT,
        bind(&[key('d')], Action::Lab(LabAction::Devices), "choose the device from a list; the prediction stays", "device"),
        PROGRAM_PAGE_DOWN,
        PROGRAM_RIGHT,
        PROGRAM_LEFT,
        LAB_WORDS,
        BACK,
        bind(&[code(KeyCode::BackTab)], Action::Lab(LabAction::PreviousPane), "previous pane", ""),
        PANE_PAGE_DOWN,
        PANE_PAGE_UP,
        PANE_TOP,
        PANE_END,
        PROGRAM_PAGE_UP,
        PROGRAM_DOWN,
        PROGRAM_UP,
    ]);

    pub(crate) const PREDICT_TYPING: Self = Self::of(&[
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
        bind(&[code(KeyCode::F(7))], Action::Scroll(Motion::PageUp), "the pane a screen up", ""),
        bind(&[code(KeyCode::F(8))], Action::Scroll(Motion::PageDown), "the pane a screen down", ""),
        bind(&[shift(KeyCode::Down)], Action::Lab(LabAction::Program(Motion::Down)), "the program down", ""),
        bind(&[shift(KeyCode::Up)], Action::Lab(LabAction::Program(Motion::Up)), "the program up", ""),
    ]);

    // The kinds of questions, alike: Enter, what is special to the kind, then what all have, in one order and with one key for
    // one deed. F2 to F4 do the same where letters are typed.

    pub(crate) const SINGLE: Self = Self::of(&[
        SUBMIT,
        CHOOSE,
        TOGGLE_ONE,
        UP,
        SCREEN_UP,
        SCREEN_DOWN,
        HINT,
        GIVE_UP,
        SURE,
        BACK,
    ]);

    pub(crate) const MULTI: Self = Self::of(&[
        SUBMIT,
        bind(&[key(' ')], Action::Form(FormAction::Toggle), "choose or drop the option; its number does so, too", "choose"),
        UP,
        DOWN,
        SCREEN_UP,
        SCREEN_DOWN,
        HINT,
        GIVE_UP,
        SURE,
        BACK,
    ]);

    pub(crate) const TYPING: Self = Self::of(&[
        SUBMIT,
        SCREEN_UP,
        SCREEN_DOWN,
        bind(&[code(KeyCode::F(2)), ctrl('h')], Action::Form(FormAction::Hint), "next hint", "hint"),
        bind(&[code(KeyCode::F(4))], Action::Form(FormAction::GiveUp), "hand in the quiz now: open questions earn nothing", "hand in quiz"),
        bind(&[code(KeyCode::F(3)), ctrl('s')], Action::Form(FormAction::Confidence), "mark the answer as sure, not sure, or neither; no points depend on it", "sure?"),
        bind(&[code(KeyCode::Esc)], Action::Back, "back", "back"),
        TEXT_START,
        TEXT_END,
        WORD_LEFT,
        WORD_RIGHT,
        CUT_WORD,
        CUT_TO_START,
        CUT_TO_END,
    ]);

    pub(crate) const ORDER: Self = Self::of(&[
        SUBMIT,
        bind(&[key('J'), shift(KeyCode::Down)], Action::Form(FormAction::MoveDown), "move the item down", "move down"),
        bind(&[key('K'), shift(KeyCode::Up)], Action::Form(FormAction::MoveUp), "move the item up", "move up"),
        UP,
        DOWN,
        SCREEN_UP,
        SCREEN_DOWN,
        HINT,
        GIVE_UP,
        SURE,
        BACK,
    ]);

    pub(crate) const MATCH: Self = Self::of(&[
        SUBMIT,
        bind(&[code(KeyCode::Right), key('l'), key(' ')], Action::Form(FormAction::Right), "next right side for this row; its letter chooses it", "change"),
        bind(&[code(KeyCode::Down), key('j')], Action::Scroll(Motion::Down), "next row; a letter in an empty row goes to the next empty one", "row"),
        bind(&[code(KeyCode::Left)], Action::Form(FormAction::Left), "previous right side for this row", ""),
        bind(&[code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down, to the letters", "letters"),
        SCREEN_UP,
        UP,
        HINT,
        GIVE_UP,
        SURE,
        BACK,
    ]);

    pub(crate) const VERDICT: Self = Self::of(&[
        bind(&[code(KeyCode::Enter), key('n')], Action::Open, "next question; after the last one the results", "next"),
        bind(&[key('l')], Action::Go(Destination::ReadAgain), "read again where the question points to; q comes back to the quiz", "read again"),
        bind(&[code(KeyCode::PageDown), key(' ')], Action::Scroll(Motion::PageDown), "a screen down", "more"),
        UP,
        DOWN,
        PAGE_UP,
        TOP,
        BOTTOM,
        BACK,
    ]);

    pub(crate) const RESULTS: Self = Self::of(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "after a pass the next lesson; otherwise what the question points to, to read again", "next lesson"),
        bind(&[key('n')], Action::Go(Destination::NextLesson), "next lesson", ""),
        bind(&[key('r')], Action::Go(Destination::RetryMissed), "only the missed questions again", "missed again"),
        bind(&[key('l')], Action::Go(Destination::ReadAgain), "read again where the question points to; q comes back to the results", "read again"),
        bind(&[code(KeyCode::Tab)], Action::Form(FormAction::NextMissed), "the next question that you missed", "next missed"),
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

    pub(crate) const WRITING: Self = Self::of(&[
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

    pub(crate) const COMPARING: Self = Self::of(&[
        bind(&[key(' ')], Action::Form(FormAction::Toggle), "tick or untick the part; its number does so, too", "tick"),
        bind(&[code(KeyCode::Enter), key('n')], Action::Open, "next question", "next"),
        UP,
        DOWN,
        bind(&[code(KeyCode::PageUp), key('b')], Action::Scroll(Motion::PageUp), "a screen up", ""),
        bind(&[code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down", ""),
        BACK,
    ]);

    pub(crate) const DOCTOR: Self = Self::of(&[
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

    pub(crate) const TRACE: Self = Self::of(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "the page that explains the finding", "read about it"),
        bind(&[key('o'), code(KeyCode::Tab), code(KeyCode::F(6))], Action::Lab(LabAction::NextPane), "next part: what was found, timeline, over time, tables", "part"),
        bind(&[key('n'), code(KeyCode::Right)], Action::Page(PageAction::Next), "next file, where there are several", "next file"),
        bind(&[key('p'), code(KeyCode::Left)], Action::Page(PageAction::Previous), "previous file", "previous"),
        bind(&[key('+'), key('=')], Action::Lab(LabAction::Zoom(Zoom::In)), "zoom into the timeline", "zoom in"),
        bind(&[key('-')], Action::Lab(LabAction::Zoom(Zoom::Out)), "zoom out of the timeline", "out"),
        bind(&[key('<')], Action::Lab(LabAction::Zoom(Zoom::Earlier)), "an earlier part of the timeline", "earlier"),
        bind(&[key('>')], Action::Lab(LabAction::Zoom(Zoom::Later)), "a later part of the timeline", "later"),
        bind(&[key(']')], Action::Lab(LabAction::Moment(Sideways::Right)), "the cursor in the timeline to the right: what is at that moment, and why the device is idle", "moment"),
        bind(&[key('[')], Action::Lab(LabAction::Moment(Sideways::Left)), "the cursor in the timeline to the left", ""),
        FULL_PANE,
        PROGRAM_DOWN,
        PROGRAM_UP,
        bind(&[code(KeyCode::BackTab)], Action::Lab(LabAction::PreviousPane), "previous part", ""),
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        TOP,
        BOTTOM,
        bind(&[key('q'), code(KeyCode::Esc)], Action::Back, "quit", "quit"),
    ]);

    pub(crate) const SETTINGS: Self = Self::of(&[
        bind(&[code(KeyCode::Enter), key(' ')], Action::Open, "take the choice", "take"),
        bind(&[code(KeyCode::Down), key('j')], Action::Scroll(Motion::Down), "next choice, then the keys", "next"),
        UP,
        SCREEN_DOWN,
        PAGE_UP,
        TOP,
        BOTTOM,
        BACK,
    ]);

    pub(crate) const SCROLL: Self = Self::of(&[
        UP,
        DOWN,
        PAGE_UP,
        bind(&[key(' '), code(KeyCode::PageDown), code(KeyCode::Enter)], Action::Scroll(Motion::PageDown), "a screen down", "more"),
        TOP,
        BOTTOM,
        bind(&[key('q'), code(KeyCode::Esc), code(KeyCode::Backspace)], Action::Back, "back", "back"),
    ]);

    /// Before a program of somebody else's course runs.
    pub(crate) const CONSENT: Self = Self::of(&[
        bind(&[key('y'), key('Y')], Action::App(AppAction::Yes), "run the labs of this course", "run"),
        bind(&[key('n'), key('N'), key('q'), code(KeyCode::Esc)], Action::App(AppAction::No), "run nothing", "no"),
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        TOP,
        BOTTOM,
    ]);

    pub(crate) const CONFIRM: Self = Self::of(&[
        bind(&[key('y'), key('Y')], Action::App(AppAction::Yes), "yes", "yes"),
        bind(&[key('n'), key('N'), key('q'), code(KeyCode::Esc)], Action::App(AppAction::No), "no", "no"),
    ]);

    /// Before the learner's own program is left: who wants to quit presses the key for back twice, as on the map.
    pub(crate) const LEAVE_PROGRAM: Self = Self::of(&[
        bind(&[key('y'), key('Y'), key('q')], Action::App(AppAction::Quit), "quit warpup", "yes"),
        bind(&[key('n'), key('N'), code(KeyCode::Esc)], Action::App(AppAction::No), "stay", "no"),
        bind(&[key('c'), key('C')], Action::App(AppAction::Yes), "to the course", "course"),
    ]);
}
