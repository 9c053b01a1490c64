//! The keys of the map, the pages, and what is opened over them: search and palette.
//!
//! One line a binding, and not formatted: a table is read by its columns.

use ratatui::crossterm::event::KeyCode;

use super::action::{Action, AppAction, Destination, Motion, PageAction};
use super::binding::{Binding, Chord, Context};
use super::common::{
    BACK, BOTTOM, CUT_TO_END, CUT_TO_START, CUT_WORD, DOWN, PAGE_DOWN, PAGE_UP, SEARCH, TEXT_END, TEXT_START, TOP, UP,
    WORD_LEFT, WORD_RIGHT, bind, code, ctrl, key,
};
use super::difference::{Difference, before, first};

const NEXT_PAGE: Action = Action::Page(PageAction::Next);
const READ_ON: Binding = bind(&[code(KeyCode::Enter), key(' '), code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down, then the next page", "continue");
const RETURN: Binding = bind(&[code(KeyCode::Backspace)], Action::Page(PageAction::Return), "back to where you followed a link, the palette, a search, or Tab past pages", "return");
const FOLD: Binding = bind(&[key('a')], Action::Page(PageAction::Fold), "open the next folded part (▸) on the screen; again closes it", "unfold");
const QUIZ: Binding = bind(&[key('z')], Action::Go(Destination::Quiz), "take the quiz", "quiz");
const LINK: Binding = bind(&[key('1')], Action::Page(PageAction::Digit(1)), "open the link [1]; every number opens its link", "link");

const fn digit(keys: &'static [Chord], digit: usize) -> Binding {
    bind(keys, Action::Page(PageAction::Digit(digit)), "", "")
}

const NEXT_LAB: &str = "next lab, on this page or a later one";

/// A lab takes Enter, so that another key turns screens.
const WITH_LAB: Difference = &[
    first(&[bind(&[code(KeyCode::Enter)], Action::Open, "open the lab marked ▶; a screen down where none is visible", "open")]),
    before(&FOLD, &[bind(&[key('r')], Action::Page(PageAction::RunLab), "open the lab and run it", "run")]),
    before(&LINK, &[
        bind(&[code(KeyCode::Tab)], Action::Page(PageAction::NextLab), NEXT_LAB, "lab"),
        bind(&[code(KeyCode::BackTab)], Action::Page(PageAction::PreviousLab), "previous lab, on this page or an earlier one", ""),
        bind(&[key('e')], Action::Page(PageAction::EditLab), "open the lab and edit it", ""),
    ]),
    before(&PAGE_UP, &[bind(&[code(KeyCode::PageDown), key(' ')], Action::Scroll(Motion::PageDown), "a screen down, then the next page", "")]),
];

/// Who looked up a word wants to return next.
const LOOKED_UP: Difference = &[
    first(&[
        RETURN,
        BACK,
        bind(&[code(KeyCode::Enter), key(' '), code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down", "continue"),
    ]),
    before(&LINK, &[QUIZ]),
];

/// A search takes `n` and Esc.
const SEARCH_OPEN: Difference = &[
    first(&[
        bind(&[key('n')], Action::App(AppAction::NextHit), "next hit", "next hit"),
        bind(&[key('N')], Action::App(AppAction::PreviousHit), "previous hit", ""),
        bind(&[code(KeyCode::Esc)], Action::App(AppAction::EndSearch), "end the search", "end search"),
    ]),
    before(&QUIZ, &[bind(&[code(KeyCode::Right)], NEXT_PAGE, "next page; after the last one what follows", "next page")]),
    before(&LINK, &[RETURN]),
    before(&BACK, &[bind(&[key('q')], Action::Back, "back", "back")]),
];

impl Context {
    pub(crate) const MAP: Self = Self::of(&[
        bind(&[code(KeyCode::Enter), key('l')], Action::Open, "open the lesson", "read"),
        bind(&[key('c')], Action::App(AppAction::NextStep), "go on with the next step of the course", "go on"),
        bind(&[key('b')], Action::Go(Destination::Program), "back to your own program, in an app that was opened with one", "your program"),
        bind(&[key('z')], Action::Go(Destination::Quiz), "take its quiz", "quiz"),
        bind(&[key('m')], Action::Go(Destination::RetryMissed), "only the questions that you missed last time", "review"),
        bind(&[key('o')], Action::Go(Destination::Explain), "explain in your own words; nobody grades it", ""),
        SEARCH,
        bind(&[key(':'), ctrl('p')], Action::App(AppAction::Palette), "go to anything: lessons, pages, labs, words, keys", "go to"),
        UP,
        DOWN,
        TOP,
        BOTTOM,
        bind(&[key('p')], Action::Go(Destination::Problems), "problems in the course files", "problems"),
        bind(&[key('d')], Action::Go(Destination::Doctor), "the doctor: what is between a program and the card", "doctor"),
        bind(&[key('i')], Action::App(AppAction::Tour), "the tour: a first run, step by step", "tour"),
        bind(&[key('q'), code(KeyCode::Esc)], Action::Back, "quit, when it is pressed twice", "quit"),
    ]);

    /// A page without a lab.
    pub(crate) const PAGE: Self = Self::of(&[
        READ_ON,
        RETURN,
        FOLD,
        bind(&[key('n'), code(KeyCode::Right)], NEXT_PAGE, "next page; after the last one what follows", "next page"),
        QUIZ,
        bind(&[key('p'), code(KeyCode::Left)], Action::Page(PageAction::Previous), "previous page", "previous"),
        bind(&[code(KeyCode::Tab)], Action::Page(PageAction::NextLab), NEXT_LAB, ""),
        LINK,
        digit(&[key('2')], 2),
        digit(&[key('3')], 3),
        digit(&[key('4')], 4),
        digit(&[key('5')], 5),
        digit(&[key('6')], 6),
        digit(&[key('7')], 7),
        digit(&[key('8')], 8),
        digit(&[key('9')], 9),
        digit(&[key('0')], 0),
        SEARCH,
        bind(&[key('w'), key('K')], Action::App(AppAction::Words), "what the words of the glossary on the screen mean", "words"),
        UP,
        DOWN,
        PAGE_UP,
        TOP,
        BOTTOM,
        BACK,
    ]);

    /// A page with a lab.
    pub(crate) const LAB_PAGE: Self = Self::PAGE.with(&[WITH_LAB]);

    /// A page on which a word was looked up.
    pub(crate) const WORD_PAGE: Self = Self::PAGE.with(&[LOOKED_UP]);

    /// A page without a lab while a search is open.
    pub(crate) const PAGE_FOUND: Self = Self::PAGE.with(&[SEARCH_OPEN]);

    /// A page with a lab while a search is open.
    pub(crate) const LAB_PAGE_FOUND: Self = Self::PAGE.with(&[WITH_LAB, SEARCH_OPEN]);

    /// While words to search for are typed.
    pub(crate) const SEARCHING: Self = Self::of(&[
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

    /// While the hits of a search are listed.
    pub(crate) const HITS: Self = Self::of(&[
        bind(&[code(KeyCode::Enter)], Action::Open, "go to the hit; n and N go on from there", "go there"),
        bind(&[code(KeyCode::Down), key('j'), key('n')], Action::Scroll(Motion::Down), "next hit", "next"),
        bind(&[code(KeyCode::Up), key('k'), key('N')], Action::Scroll(Motion::Up), "previous hit", ""),
        SEARCH,
        PAGE_UP,
        PAGE_DOWN,
        TOP,
        BOTTOM,
        bind(&[code(KeyCode::Esc), key('q')], Action::Back, "stay here", "cancel"),
    ]);

    /// While the palette is open.
    pub(crate) const PALETTE: Self = Self::of(&[
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
    pub(crate) const WORDS: Self = Self::of(&[
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
