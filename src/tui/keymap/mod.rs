//! The keys: one table for each context, used by dispatch, footers and the help.
//!
//! A key only names an [`Action`]; screens decide what it does.

mod action;
mod binding;
mod context;
#[rustfmt::skip]
mod table;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

pub(crate) use action::{
    Action, AppAction, Destination, DialogAction, DoctorAction, FormAction, LabAction, Motion,
    PageAction,
};
pub(crate) use binding::Binding;
pub(crate) use context::Context;

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

/// Whether letters are typed as text in a context: those contexts bind no plain letter.
fn takes_text(context: Context) -> bool {
    let mut keys = bindings(context).iter().flat_map(|it| it.keys);
    !keys.any(|it| it.is_letter())
}

/// A key in the footer.
#[derive(Debug)]
pub(crate) struct FooterKey {
    pub(crate) key: String,
    pub(crate) word: &'static str,
    /// Whether even a narrow footer shows it, as it does the keys for back and help.
    pub(crate) is_always_shown: bool,
}

/// The footer of a context without the actions that do nothing now: the most important keys first, help last.
pub(crate) fn footer(context: Context, is_offered: impl Fn(Action) -> bool) -> Vec<FooterKey> {
    let types = takes_text(context);
    let own = bindings(context)
        .iter()
        .filter(|it| is_offered(it.action))
        .filter_map(|it| Some((it.keys.first()?, it.short, it.action == Action::Back)));
    let help = bindings(Context::Everywhere)
        .iter()
        .filter(|_| context != Context::Ask && context != Context::Scroll)
        .filter_map(|it| {
            let mut keys = it.keys.iter();
            let first = keys.find(|key| !types || !key.is_letter());
            Some((first?, it.short, it.action == Action::App(AppAction::Help)))
        });
    own.chain(help)
        .filter(|(_, word, _)| !word.is_empty())
        .map(|(key, word, is_always_shown)| FooterKey {
            key: key.name(),
            word,
            is_always_shown,
        })
        .collect()
}

/// The action of a key in a context; its own keys come before those that work everywhere.
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
        if takes_text(context) && is_letter {
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
        assert_eq!(
            action(Context::Map, question),
            Some(Action::App(AppAction::Help))
        );
        let quit = pressed(KeyCode::Char('q'), KeyModifiers::CONTROL);
        assert_eq!(
            action(Context::Typing, quit),
            Some(Action::App(AppAction::Quit))
        );
    }

    #[test]
    fn a_capital_is_the_same_with_and_without_shift() {
        for modifiers in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
            let key = pressed(KeyCode::Char('G'), modifiers);
            assert_eq!(
                action(Context::Page, key),
                Some(Action::Scroll(Motion::Bottom))
            );
        }
    }

    #[test]
    fn no_key_means_two_things_in_one_context() {
        for context in Context::ALL {
            let mut seen = std::collections::BTreeSet::new();
            for chord in bindings(*context).iter().flat_map(|it| it.keys) {
                assert!(
                    seen.insert(chord.name()),
                    "{} twice in {context:?}",
                    chord.name()
                );
            }
        }
    }
}
