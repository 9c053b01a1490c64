//! The keys: one table for each context, used by dispatch, footers and the help.
//!
//! A key only names an [`Action`]; screens decide what it does. [`Keys`] are the table with what the learner has set.

mod action;
mod binding;
#[rustfmt::skip]
mod common;
mod difference;
mod keys;
mod names;
mod unavailable_here;
#[rustfmt::skip]
mod page_keys;
mod setting;
mod spelling;
#[rustfmt::skip]
mod table;

use std::borrow::Cow;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

pub(crate) use action::{
    Action, AppAction, Destination, DoctorAction, EditAction, FormAction, LabAction, Motion,
    PageAction, Sideways, TextAction,
};
pub(crate) use binding::{Context, KeyGroup};
pub use keys::Keys;
pub(crate) use keys::{Bound, RebindableAction};
pub use setting::{Mistake, with_settings};

/// A key in the footer.
#[derive(Debug)]
pub(crate) struct FooterKey {
    pub(crate) key: String,
    /// The same, as the terminal reports it.
    pub(crate) pressed: KeyEvent,
    pub(crate) word: Cow<'static, str>,
    /// Whether even a narrow footer shows it, as it does the keys for back and help.
    pub(crate) is_always_shown: bool,
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

/// All contexts.
const ALL: [Context; 36] = [
    Context::EVERYWHERE,
    Context::MAP,
    Context::PAGE,
    Context::LAB_PAGE,
    Context::WORD_PAGE,
    Context::PAGE_FOUND,
    Context::LAB_PAGE_FOUND,
    Context::SEARCHING,
    Context::HITS,
    Context::PALETTE,
    Context::WORDS,
    Context::LAB,
    Context::DEVICES,
    Context::RUNNING,
    Context::EDITING,
    Context::FINDING,
    Context::REPLACING,
    Context::GOING_TO_LINE,
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
    Context::TRACE,
    Context::SETTINGS,
    Context::SCROLL,
    Context::CONFIRM,
    Context::LEAVE_PROGRAM,
    Context::CONSENT,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(code, modifiers)
    }

    #[test]
    fn letters_are_typed_where_text_is_typed() {
        let action = |context, key| Keys::default().action(context, key);
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
        let action = |context, key| Keys::default().action(context, key);
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

    #[test]
    fn a_key_that_works_everywhere_has_no_other_meaning_on_a_screen() {
        let everywhere = Context::EVERYWHERE.bindings();
        let everywhere = everywhere.flat_map(|it| it.keys.iter().map(move |key| (key, it.action)));
        let everywhere: Vec<_> = everywhere.collect();
        let mut hidden = Vec::new();
        for context in ALL {
            for binding in context.bindings() {
                let of_all = everywhere.iter().filter(|(key, action)| {
                    binding.keys.contains(key) && *action != binding.action
                });
                hidden.extend(of_all.map(|(key, _)| format!("{}: {}", key.name(), binding.help)));
            }
        }
        // In the palette, Ctrl-P goes up as in a shell. In a program, Ctrl-Z undoes as in most editors.
        assert_eq!(hidden, ["Ctrl-P: up", "Ctrl-Z: undo", "Ctrl-Z: undo"]);
    }
}
