//! The keys: one table for each context, used by dispatch, footers and the help.
//!
//! A key only names an [`Action`]; screens decide what it does.

mod action;
mod binding;
#[rustfmt::skip]
mod common;
#[rustfmt::skip]
mod reading;
#[rustfmt::skip]
mod table;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

pub(crate) use action::{
    Action, AppAction, Destination, DoctorAction, EditAction, FormAction, LabAction, Motion,
    PageAction, TextAction,
};
pub(crate) use binding::Context;

/// A key in the footer.
#[derive(Debug)]
pub(crate) struct FooterKey {
    pub(crate) key: String,
    /// The same, as the terminal reports it.
    pub(crate) pressed: KeyEvent,
    pub(crate) word: &'static str,
    /// Whether even a narrow footer shows it, as it does the keys for back and help.
    pub(crate) is_always_shown: bool,
}

/// The footer of a context without the actions that do nothing now: the most important keys first, help last.
pub(crate) fn footer(context: Context, is_offered: impl Fn(Action) -> bool) -> Vec<FooterKey> {
    let types = context.takes_text();
    let own = context
        .bindings()
        .filter(|it| is_offered(it.action))
        .filter_map(|it| Some((it.keys.first()?, it.short, it.action == Action::Back)));
    let help = Context::EVERYWHERE
        .bindings()
        .filter(|_| !Context::WITHOUT_HELP.contains(&context))
        .filter_map(|it| {
            let mut keys = it.keys.iter();
            let first = keys.find(|key| !types || !key.is_letter());
            Some((first?, it.short, it.action == Action::App(AppAction::Help)))
        });
    own.chain(help)
        .filter(|(_, word, _)| !word.is_empty())
        .map(|(key, word, is_always_shown)| FooterKey {
            key: key.name(),
            pressed: key.pressed(),
            word,
            is_always_shown,
        })
        .collect()
}

/// The key that the learner pressed: some terminals, and tools that type for people, send a line feed for Enter, which
/// arrives as Ctrl-J.
pub(crate) fn meant(pressed: KeyEvent) -> KeyEvent {
    let line_feed = (KeyCode::Char('j'), KeyModifiers::CONTROL);
    if (pressed.code, pressed.modifiers) == line_feed {
        KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE)
    } else {
        pressed
    }
}

/// The action of a key in a context; its own keys come before those that work everywhere.
pub(crate) fn action(context: Context, pressed: KeyEvent) -> Option<Action> {
    let find = |context: Context| {
        context
            .bindings()
            .find(|it| it.keys.iter().any(|chord| chord.is(pressed)))
            .map(|it| it.action)
    };
    let is_letter = matches!(pressed.code, KeyCode::Char(_))
        && pressed.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    find(context).or_else(|| {
        if context.takes_text() && is_letter {
            return None;
        }
        find(Context::EVERYWHERE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Context; 29] = [
        Context::EVERYWHERE,
        Context::MAP,
        Context::PAGE,
        Context::LAB_PAGE,
        Context::PAGE_FOUND,
        Context::LAB_PAGE_FOUND,
        Context::SEARCHING,
        Context::PALETTE,
        Context::TOUR,
        Context::LAB,
        Context::DEVICES,
        Context::RUNNING,
        Context::EDITING,
        Context::FINDING,
        Context::PREDICT_CHOICE,
        Context::PREDICT_TYPING,
        Context::SINGLE,
        Context::MULTI,
        Context::TYPING,
        Context::ORDER,
        Context::MATCH,
        Context::VERDICT,
        Context::RESULTS,
        Context::WRITING,
        Context::COMPARING,
        Context::DOCTOR,
        Context::SCROLL,
        Context::CONFIRM,
        Context::CONSENT,
    ];

    fn pressed(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(code, modifiers)
    }

    #[test]
    fn letters_are_typed_where_text_is_typed() {
        let question = pressed(KeyCode::Char('?'), KeyModifiers::NONE);
        assert_eq!(action(Context::TYPING, question), None);
        assert_eq!(
            action(Context::MAP, question),
            Some(Action::App(AppAction::Help))
        );
        let quit = pressed(KeyCode::Char('q'), KeyModifiers::CONTROL);
        assert_eq!(
            action(Context::TYPING, quit),
            Some(Action::App(AppAction::Quit))
        );
    }

    #[test]
    fn a_capital_is_the_same_with_and_without_shift() {
        for modifiers in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
            let key = pressed(KeyCode::Char('G'), modifiers);
            assert_eq!(
                action(Context::PAGE, key),
                Some(Action::Scroll(Motion::Bottom))
            );
        }
    }

    #[test]
    fn no_key_means_two_things_in_one_context() {
        for context in ALL {
            let mut seen = std::collections::BTreeSet::new();
            for chord in context.bindings().flat_map(|it| it.keys) {
                assert!(
                    seen.insert(chord.name()),
                    "{} twice in {context:?}",
                    chord.name()
                );
            }
        }
    }
}
