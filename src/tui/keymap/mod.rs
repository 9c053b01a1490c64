//! The keys: one table a context, which drives dispatch, footers and the help screen alike.
//!
//! Nothing here does anything; screens decide what an [`Action`] means to them.

#[rustfmt::skip]
mod table;

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
    Doctor,
    Run,
    Cancel,
    Edit,
    Device,
    PreviousDevice,
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
    Explain,
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
    Page,
    LabPage,
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
    Writing,
    Comparing,
    Doctor,
    Scroll,
    Ask,
}

impl Context {
    /// Whether letters are typed here, so that only chords may act.
    pub(crate) fn types(self) -> bool {
        match self {
            Self::Editing | Self::PredictTyping | Self::Typing | Self::Writing => true,
            Self::Everywhere
            | Self::Map
            | Self::Page
            | Self::LabPage
            | Self::Lab
            | Self::Running
            | Self::PredictChoice
            | Self::Single
            | Self::Multi
            | Self::Order
            | Self::Match
            | Self::Verdict
            | Self::Results
            | Self::Comparing
            | Self::Doctor
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
    fn is_letter(self) -> bool {
        matches!(self.0, KeyCode::Char(_)) && self.1.is_empty()
    }

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

/// The keys of a context, the most important first.
pub(crate) fn bindings(context: Context) -> &'static [Binding] {
    match context {
        Context::Everywhere => table::EVERYWHERE,
        Context::Map => table::MAP,
        Context::Page => table::PAGE,
        Context::LabPage => table::LAB_PAGE,
        Context::Lab => table::LAB,
        Context::Running => table::RUNNING,
        Context::Editing => table::EDITING,
        Context::PredictChoice => table::PREDICT_CHOICE,
        Context::PredictTyping => table::PREDICT_TYPING,
        Context::Single => table::SINGLE,
        Context::Multi => table::MULTI,
        Context::Typing => table::TYPING,
        Context::Order => table::ORDER,
        Context::Match => table::MATCH,
        Context::Verdict => table::VERDICT,
        Context::Results => table::RESULTS,
        Context::Writing => table::WRITING,
        Context::Comparing => table::COMPARING,
        Context::Doctor => table::DOCTOR,
        Context::Scroll => table::SCROLL,
        Context::Ask => table::ASK,
    }
}

/// A key in the footer.
#[derive(Debug)]
pub(crate) struct Offer {
    /// Its name.
    pub(crate) key: String,
    /// What it does.
    pub(crate) word: &'static str,
    /// Whether it is there however narrow the footer is: the way back, and the help.
    pub(crate) stays: bool,
}

/// The footer of a context: the most important keys first and help last. What is not offered now is
/// left out.
pub(crate) fn footer(context: Context, is_offered: impl Fn(Action) -> bool) -> Vec<Offer> {
    let own = bindings(context)
        .iter()
        .filter(|it| is_offered(it.action))
        .filter_map(|it| Some((it.keys.first()?, it.short, it.action == Action::Back)));
    let help = bindings(Context::Everywhere)
        .iter()
        .filter(|_| context != Context::Ask && context != Context::Scroll)
        .filter_map(|it| {
            let typed = it
                .keys
                .iter()
                .find(|key| !context.types() || !key.is_letter());
            Some((typed?, it.short, it.action == Action::Help))
        });
    own.chain(help)
        .filter(|(_, word, _)| !word.is_empty())
        .map(|(key, word, stays)| Offer {
            key: key.name(),
            word,
            stays,
        })
        .collect()
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
            assert_eq!(action(Context::Page, key), Some(Action::Bottom));
        }
    }

    #[test]
    fn no_key_means_two_things_in_one_context() {
        for context in [
            Context::Everywhere,
            Context::Map,
            Context::Page,
            Context::LabPage,
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
            Context::Writing,
            Context::Comparing,
            Context::Doctor,
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
