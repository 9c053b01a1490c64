//! The keys: one table a context, which drives dispatch, footers and the help screen alike.
//!
//! Nothing here does anything; screens decide what an [`Action`] means to them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Top,
    Bottom,
    NextPage,
    PreviousPage,
    NextLab,
    PreviousLab,
    Open,
    Back,
    Quit,
    Help,
    Quiz,
    Problems,
    Run,
    Cancel,
    Edit,
    Device,
    Hint,
    Solution,
    Restore,
    Undo,
    NextPane,
    PreviousPane,
    Toggle,
    MoveUp,
    MoveDown,
    Submit,
    GiveUp,
    RetryMissed,
    RetryAll,
    NextLesson,
    SaveElsewhere,
    Suspend,
    Yes,
    No,
}

/// Where keys are pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    Everywhere,
    Map,
    Reader,
    Lab,
    Running,
    Editing,
    PredictChoice,
    PredictTyping,
    Single,
    Multi,
    Typing,
    Order,
    Match,
    Verdict,
    Results,
    Scroll,
    Ask,
}

impl Context {
    /// Whether letters are typed here, so that only chords may act.
    pub(crate) fn types(self) -> bool {
        match self {
            Self::Editing | Self::PredictTyping | Self::Typing => true,
            Self::Everywhere
            | Self::Map
            | Self::Reader
            | Self::Lab
            | Self::Running
            | Self::PredictChoice
            | Self::Single
            | Self::Multi
            | Self::Order
            | Self::Match
            | Self::Verdict
            | Self::Results
            | Self::Scroll
            | Self::Ask => false,
        }
    }
}

/// Keys that ask for one action.
#[derive(Debug)]
pub(crate) struct Binding {
    /// Any of them; the first one stands in the footer.
    keys: &'static [Chord],
    /// What they ask for.
    pub(crate) action: Action,
    /// What the help says.
    pub(crate) help: &'static str,
    /// What the footer says; nothing for what only the help lists.
    short: &'static str,
}

impl Binding {
    /// The first key and the footer's word for it.
    pub(crate) fn footer(&self) -> Option<(String, &'static str)> {
        let first = self.keys.first()?;
        (!self.short.is_empty()).then(|| (first.name(), self.short))
    }

    /// All keys, for the help.
    pub(crate) fn names(&self) -> String {
        let names: Vec<_> = self.keys.iter().map(|it| it.name()).collect();
        names.join("  ")
    }
}

/// A key with its modifiers.
#[derive(Clone, Copy, Debug)]
struct Chord(KeyCode, KeyModifiers);

impl Chord {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    fn is(self, key: KeyEvent) -> bool {
        // Terminals disagree on whether Shift is told apart from the capital it makes.
        let modifiers = match key.code {
            KeyCode::Char(_) | KeyCode::BackTab => key.modifiers.difference(KeyModifiers::SHIFT),
            _ => key.modifiers,
        };
        self.0 == key.code && self.1 == modifiers
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    fn name(self) -> String {
        let key = match self.0 {
            KeyCode::Char(' ') => "Space".to_owned(),
            KeyCode::Char(letter) if self.1.contains(KeyModifiers::CONTROL) => {
                letter.to_uppercase().to_string()
            }
            KeyCode::Char(letter) => letter.to_string(),
            KeyCode::Up => "↑".to_owned(),
            KeyCode::Down => "↓".to_owned(),
            KeyCode::Left => "←".to_owned(),
            KeyCode::Right => "→".to_owned(),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            KeyCode::BackTab => "Shift-Tab".to_owned(),
            other => other.to_string(),
        };
        if self.1.contains(KeyModifiers::CONTROL) {
            format!("Ctrl-{key}")
        } else if self.1.contains(KeyModifiers::SHIFT) {
            format!("Shift-{key}")
        } else {
            key
        }
    }
}

const fn key(letter: char) -> Chord {
    Chord(KeyCode::Char(letter), KeyModifiers::NONE)
}

const fn ctrl(letter: char) -> Chord {
    Chord(KeyCode::Char(letter), KeyModifiers::CONTROL)
}

const fn shift(code: KeyCode) -> Chord {
    Chord(code, KeyModifiers::SHIFT)
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

const UP: Binding = bind(&[code(KeyCode::Up), key('k')], Action::Up, "up", "");
const DOWN: Binding = bind(&[code(KeyCode::Down), key('j')], Action::Down, "down", "");
const PAGE_UP: Binding = bind(
    &[code(KeyCode::PageUp), key('b')],
    Action::PageUp,
    "a screen up",
    "",
);
const PAGE_DOWN: Binding = bind(
    &[code(KeyCode::PageDown), key(' ')],
    Action::PageDown,
    "a screen down",
    "",
);
const TOP: Binding = bind(
    &[key('g'), code(KeyCode::Home)],
    Action::Top,
    "to the top",
    "",
);
const BOTTOM: Binding = bind(
    &[key('G'), code(KeyCode::End)],
    Action::Bottom,
    "to the end",
    "",
);
const BACK: Binding = bind(
    &[key('q'), code(KeyCode::Esc)],
    Action::Back,
    "back",
    "back",
);
const SUBMIT: Binding = bind(&[code(KeyCode::Enter)], Action::Submit, "answer", "answer");
const HINT: Binding = bind(&[key('h')], Action::Hint, "next hint", "hint");
const GIVE_UP: Binding = bind(
    &[key('x'), code(KeyCode::F(4))],
    Action::GiveUp,
    "hand in now: open questions earn nothing",
    "hand in",
);

/// What works on every screen.
static EVERYWHERE: &[Binding] = &[
    bind(
        &[key('?'), code(KeyCode::F(1))],
        Action::Help,
        "this help",
        "help",
    ),
    bind(
        &[key('Q'), ctrl('q')],
        Action::Quit,
        "quit from anywhere",
        "",
    ),
    bind(
        &[key('S')],
        Action::SaveElsewhere,
        "save elsewhere, when saving fails",
        "",
    ),
    bind(
        &[ctrl('z')],
        Action::Suspend,
        "suspend; `fg` comes back",
        "",
    ),
];

static MAP: &[Binding] = &[
    bind(
        &[code(KeyCode::Enter), key('l')],
        Action::Open,
        "open the lesson",
        "read",
    ),
    bind(&[key('z')], Action::Quiz, "take its quiz", "quiz"),
    UP,
    DOWN,
    TOP,
    BOTTOM,
    bind(
        &[key('p')],
        Action::Problems,
        "problems in the course files",
        "problems",
    ),
    bind(
        &[key('q'), code(KeyCode::Esc)],
        Action::Back,
        "quit",
        "quit",
    ),
];

static READER: &[Binding] = &[
    bind(
        &[key('n'), code(KeyCode::Right)],
        Action::NextPage,
        "next page",
        "next",
    ),
    bind(
        &[key('p'), code(KeyCode::Left)],
        Action::PreviousPage,
        "previous page",
        "previous",
    ),
    bind(
        &[code(KeyCode::Tab)],
        Action::NextLab,
        "next lab on the page",
        "lab",
    ),
    bind(
        &[code(KeyCode::BackTab)],
        Action::PreviousLab,
        "previous lab on the page",
        "",
    ),
    bind(
        &[code(KeyCode::Enter)],
        Action::Open,
        "open the lab",
        "open",
    ),
    bind(&[key('r')], Action::Run, "open the lab and run it", "run"),
    bind(&[key('e')], Action::Edit, "open the lab and edit it", ""),
    bind(&[key('z')], Action::Quiz, "take the quiz", "quiz"),
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    TOP,
    BOTTOM,
    BACK,
];

static LAB: &[Binding] = &[
    bind(
        &[key('r'), ctrl('r')],
        Action::Run,
        "run the program",
        "run",
    ),
    bind(
        &[key('e'), code(KeyCode::Enter), key('i')],
        Action::Edit,
        "edit the program; Esc leaves",
        "edit",
    ),
    bind(&[key('d')], Action::Device, "next device", "device"),
    bind(
        &[key('o'), code(KeyCode::Tab)],
        Action::NextPane,
        "next pane: output, checks, timeline, hints",
        "pane",
    ),
    bind(
        &[code(KeyCode::BackTab)],
        Action::PreviousPane,
        "previous pane",
        "",
    ),
    HINT,
    bind(
        &[key('s')],
        Action::Solution,
        "solution, after a pass or on giving up",
        "",
    ),
    bind(
        &[key('J'), shift(KeyCode::Down)],
        Action::MoveDown,
        "the program down",
        "",
    ),
    bind(
        &[key('K'), shift(KeyCode::Up)],
        Action::MoveUp,
        "the program up",
        "",
    ),
    bind(
        &[key('R')],
        Action::Restore,
        "the starter program again",
        "",
    ),
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    TOP,
    BOTTOM,
    BACK,
];

static RUNNING: &[Binding] = &[
    bind(
        &[key('c'), ctrl('c')],
        Action::Cancel,
        "cancel the run",
        "cancel",
    ),
    bind(
        &[key('o'), code(KeyCode::Tab)],
        Action::NextPane,
        "next pane",
        "pane",
    ),
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    TOP,
    BOTTOM,
    BACK,
];

static EDITING: &[Binding] = &[
    bind(&[ctrl('r')], Action::Run, "run the program", "run"),
    bind(
        &[code(KeyCode::Esc)],
        Action::Back,
        "stop editing",
        "stop editing",
    ),
    bind(&[ctrl('u')], Action::Undo, "undo", "undo"),
    bind(&[ctrl('c')], Action::Cancel, "cancel a run", ""),
];

static PREDICT_CHOICE: &[Binding] = &[
    UP,
    DOWN,
    bind(
        &[code(KeyCode::Enter)],
        Action::Submit,
        "commit the prediction",
        "commit",
    ),
    BACK,
];

static PREDICT_TYPING: &[Binding] = &[
    bind(
        &[code(KeyCode::Enter)],
        Action::Submit,
        "commit the prediction",
        "commit",
    ),
    bind(&[code(KeyCode::Esc)], Action::Back, "back", "back"),
];

static SINGLE: &[Binding] = &[SUBMIT, UP, DOWN, PAGE_UP, PAGE_DOWN, HINT, GIVE_UP, BACK];

static MULTI: &[Binding] = &[
    bind(
        &[key(' ')],
        Action::Toggle,
        "choose or drop the option",
        "choose",
    ),
    SUBMIT,
    UP,
    DOWN,
    HINT,
    GIVE_UP,
    BACK,
];

static TYPING: &[Binding] = &[
    SUBMIT,
    bind(
        &[code(KeyCode::F(2)), ctrl('h')],
        Action::Hint,
        "next hint",
        "hint",
    ),
    bind(
        &[code(KeyCode::F(4))],
        Action::GiveUp,
        "hand in now: open questions earn nothing",
        "hand in",
    ),
    bind(&[code(KeyCode::PageUp)], Action::PageUp, "a screen up", ""),
    bind(
        &[code(KeyCode::PageDown)],
        Action::PageDown,
        "a screen down",
        "",
    ),
    bind(&[code(KeyCode::Esc)], Action::Back, "back", "back"),
];

static ORDER: &[Binding] = &[
    bind(
        &[key('J'), shift(KeyCode::Down)],
        Action::MoveDown,
        "move the item down",
        "move down",
    ),
    bind(
        &[key('K'), shift(KeyCode::Up)],
        Action::MoveUp,
        "move the item up",
        "move up",
    ),
    SUBMIT,
    UP,
    DOWN,
    HINT,
    GIVE_UP,
    BACK,
];

static MATCH: &[Binding] = &[
    bind(
        &[code(KeyCode::Right), key('l'), key(' ')],
        Action::Right,
        "next right side for this row",
        "change",
    ),
    bind(
        &[code(KeyCode::Left)],
        Action::Left,
        "previous right side for this row",
        "",
    ),
    SUBMIT,
    UP,
    DOWN,
    HINT,
    GIVE_UP,
    BACK,
];

static VERDICT: &[Binding] = &[
    bind(
        &[code(KeyCode::Enter), key('n')],
        Action::Open,
        "next question",
        "next",
    ),
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    BACK,
];

static RESULTS: &[Binding] = &[
    bind(
        &[code(KeyCode::Enter)],
        Action::Open,
        "read again where the question points to",
        "see",
    ),
    bind(
        &[key('r')],
        Action::RetryMissed,
        "only the missed questions again",
        "retry",
    ),
    bind(&[key('a')], Action::RetryAll, "all questions again", "all"),
    bind(&[key('n')], Action::NextLesson, "next lesson", "next"),
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    BACK,
];

static SCROLL: &[Binding] = &[UP, DOWN, PAGE_UP, PAGE_DOWN, TOP, BOTTOM, BACK];

static ASK: &[Binding] = &[
    bind(&[key('y'), key('Y')], Action::Yes, "yes", "yes"),
    bind(
        &[key('n'), key('N'), key('q'), code(KeyCode::Esc)],
        Action::No,
        "no",
        "no",
    ),
];

/// The keys of a context, the most important first.
pub(crate) fn bindings(context: Context) -> &'static [Binding] {
    match context {
        Context::Everywhere => EVERYWHERE,
        Context::Map => MAP,
        Context::Reader => READER,
        Context::Lab => LAB,
        Context::Running => RUNNING,
        Context::Editing => EDITING,
        Context::PredictChoice => PREDICT_CHOICE,
        Context::PredictTyping => PREDICT_TYPING,
        Context::Single => SINGLE,
        Context::Multi => MULTI,
        Context::Typing => TYPING,
        Context::Order => ORDER,
        Context::Match => MATCH,
        Context::Verdict => VERDICT,
        Context::Results => RESULTS,
        Context::Scroll => SCROLL,
        Context::Ask => ASK,
    }
}

/// What a key asks for in a context; its own keys come before those that work everywhere.
pub(crate) fn action(context: Context, pressed: KeyEvent) -> Option<Action> {
    let find = |context| {
        bindings(context)
            .iter()
            .find(|it| it.keys.iter().any(|chord| chord.is(pressed)))
            .map(|it| it.action)
    };
    let is_letter = matches!(pressed.code, KeyCode::Char(_))
        && pressed.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    find(context).or_else(|| {
        if context.types() && is_letter {
            return None;
        }
        find(Context::Everywhere)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(code, modifiers)
    }

    #[test]
    fn letters_are_typed_where_text_is_typed() {
        let question = pressed(KeyCode::Char('?'), KeyModifiers::NONE);
        assert_eq!(action(Context::Typing, question), None);
        assert_eq!(action(Context::Map, question), Some(Action::Help));
        let quit = pressed(KeyCode::Char('q'), KeyModifiers::CONTROL);
        assert_eq!(action(Context::Typing, quit), Some(Action::Quit));
    }

    #[test]
    fn a_capital_is_the_same_with_and_without_shift() {
        for modifiers in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
            let key = pressed(KeyCode::Char('G'), modifiers);
            assert_eq!(action(Context::Reader, key), Some(Action::Bottom));
        }
    }

    #[test]
    fn no_key_means_two_things_in_one_context() {
        for context in [
            Context::Everywhere,
            Context::Map,
            Context::Reader,
            Context::Lab,
            Context::Running,
            Context::Editing,
            Context::PredictChoice,
            Context::PredictTyping,
            Context::Single,
            Context::Multi,
            Context::Typing,
            Context::Order,
            Context::Match,
            Context::Verdict,
            Context::Results,
            Context::Scroll,
            Context::Ask,
        ] {
            let mut seen = std::collections::BTreeSet::new();
            for chord in bindings(context).iter().flat_map(|it| it.keys) {
                assert!(
                    seen.insert(chord.name()),
                    "{} twice in {context:?}",
                    chord.name()
                );
            }
        }
    }
}
