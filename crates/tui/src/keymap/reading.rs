//! The keys of the map, the pages, and what is opened over them: search, palette and tour.
//!
//! One line a binding, and not formatted: a table is read by its columns.

use ratatui::crossterm::event::KeyCode;

use super::action::{Action, AppAction, Destination, Motion, PageAction};
use super::binding::{Binding, Context};
use super::common::{
    BACK, BOTTOM, CUT_TO_END, CUT_TO_START, CUT_WORD, DIGIT_0, DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DOWN,
    END_SEARCH, EXPLAIN, FOLD, LEAVE, LINK, NEXT_HIT, NEXT_PAGE, PAGE_RIGHT, PAGE_UP, PREVIOUS_HIT, PREVIOUS_PAGE,
    QUIZ, RETURN, SEARCH, TEXT_END, TEXT_START, TOP, UP, WORD_LEFT, WORD_RIGHT, WORDS, bind, code, ctrl, key,
};

const OPEN_LAB: Binding = bind(&[code(KeyCode::Enter)], Action::Open, "open the lab marked ▶; a screen down where none is visible", "open");
const RUN_LAB: Binding = bind(&[key('r')], Action::Page(PageAction::RunLab), "open the lab and run it", "run");
const EDIT_LAB: Binding = bind(&[key('e')], Action::Page(PageAction::EditLab), "open the lab and edit it", "");
const NEXT_LAB: Binding = bind(&[code(KeyCode::Tab)], Action::Page(PageAction::NextLab), "next lab, on this page or a later one", "lab");
const PREVIOUS_LAB: Binding = bind(&[code(KeyCode::BackTab)], Action::Page(PageAction::PreviousLab), "previous lab, on this page or an earlier one", "");
const READ_ON: Binding = bind(&[code(KeyCode::Enter), key(' '), code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down, then the next page", "continue");
const SCREEN_ON: Binding = bind(&[code(KeyCode::PageDown), key(' ')], Action::Scroll(Motion::PageDown), "a screen down, then the next page", "");

impl Context {
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
        bind(&[key('q'), code(KeyCode::Esc)], Action::Back, "quit, when it is pressed twice", "quit"),
    ]);

    /// A page without a lab.
    pub(crate) const PAGE: Self = Self(&[
        READ_ON,
        RETURN,
        FOLD,
        NEXT_PAGE,
        QUIZ,
        PREVIOUS_PAGE,
        NEXT_LAB,
        LINK,
        DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DIGIT_0,
        SEARCH,
        WORDS,
        UP,
        DOWN,
        PAGE_UP,
        TOP,
        BOTTOM,
        BACK,
    ]);

    /// A page with a lab.
    pub(crate) const LAB_PAGE: Self = Self(&[
        OPEN_LAB,
        RETURN,
        RUN_LAB,
        FOLD,
        NEXT_PAGE,
        QUIZ,
        PREVIOUS_PAGE,
        NEXT_LAB,
        PREVIOUS_LAB,
        EDIT_LAB,
        LINK,
        DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DIGIT_0,
        SEARCH,
        WORDS,
        UP,
        DOWN,
        SCREEN_ON,
        PAGE_UP,
        TOP,
        BOTTOM,
        BACK,
    ]);

    /// A page on which a word was looked up.
    pub(crate) const WORD_PAGE: Self = Self(&[
        RETURN,
        BACK,
        bind(&[code(KeyCode::Enter), key(' '), code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down", "continue"),
        FOLD,
        NEXT_PAGE,
        PREVIOUS_PAGE,
        NEXT_LAB,
        QUIZ,
        LINK,
        DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DIGIT_0,
        SEARCH,
        WORDS,
        UP,
        DOWN,
        PAGE_UP,
        TOP,
        BOTTOM,
    ]);

    /// A page without a lab while a search is open.
    pub(crate) const PAGE_FOUND: Self = Self(&[
        NEXT_HIT,
        PREVIOUS_HIT,
        END_SEARCH,
        READ_ON,
        FOLD,
        PAGE_RIGHT,
        QUIZ,
        PREVIOUS_PAGE,
        NEXT_LAB,
        RETURN,
        LINK,
        DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DIGIT_0,
        SEARCH,
        WORDS,
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
        OPEN_LAB,
        RUN_LAB,
        FOLD,
        PAGE_RIGHT,
        QUIZ,
        PREVIOUS_PAGE,
        NEXT_LAB,
        PREVIOUS_LAB,
        EDIT_LAB,
        RETURN,
        LINK,
        DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_5, DIGIT_6, DIGIT_7, DIGIT_8, DIGIT_9, DIGIT_0,
        SEARCH,
        WORDS,
        UP,
        DOWN,
        SCREEN_ON,
        PAGE_UP,
        TOP,
        BOTTOM,
        LEAVE,
    ]);

    /// While words to search for are typed.
    pub(crate) const SEARCHING: Self = Self(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "find the words", "find"),
        bind(&[code(KeyCode::Esc)], Action::Back, "search nothing", "cancel"),
        TEXT_START,
        TEXT_END,
        WORD_LEFT,
        WORD_RIGHT,
        CUT_WORD,
        CUT_TO_START,
        CUT_TO_END,
    ]);

    /// While the palette is open.
    pub(crate) const PALETTE: Self = Self(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "go there", "go there"),
        bind(&[code(KeyCode::Down), code(KeyCode::Tab), ctrl('n')], Action::Scroll(Motion::Down), "down", "down"),
        bind(&[code(KeyCode::Up), code(KeyCode::BackTab), ctrl('p')], Action::Scroll(Motion::Up), "up", ""),
        bind(&[code(KeyCode::PageUp)], Action::Scroll(Motion::PageUp), "a screen up", ""),
        bind(&[code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down", ""),
        bind(&[code(KeyCode::Esc)], Action::Back, "stay here", "cancel"),
        TEXT_START,
        TEXT_END,
        WORD_LEFT,
        WORD_RIGHT,
        CUT_WORD,
        CUT_TO_START,
        CUT_TO_END,
    ]);

    /// While the words of the glossary are open.
    pub(crate) const WORDS: Self = Self(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "go to the word in the glossary", "glossary"),
        bind(&[key('l')], Action::Go(Destination::WordLesson), "the lesson that introduces the word", "its lesson"),
        bind(&[code(KeyCode::Down), key('j')], Action::Scroll(Motion::Down), "next word", "next word"),
        UP,
        bind(&[code(KeyCode::PageDown), key(' ')], Action::Scroll(Motion::PageDown), "to the last word", ""),
        PAGE_UP,
        TOP,
        BOTTOM,
        bind(&[code(KeyCode::Esc), key('q'), key('w'), key('K')], Action::Back, "back", "back"),
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
        if self == Self::PAGE || self == Self::WORD_PAGE {
            Self::PAGE_FOUND
        } else if self == Self::LAB_PAGE {
            Self::LAB_PAGE_FOUND
        } else {
            self
        }
    }
}
