//! Keys, and what is bound to them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::action::Action;

/// Keys that ask for one action.
#[derive(Debug)]
pub(crate) struct Binding {
    /// Any of them; the first one stands in the footer.
    pub(super) keys: &'static [Chord],
    /// What they ask for.
    pub(crate) action: Action,
    /// What the help says.
    pub(crate) help: &'static str,
    /// What the footer says; nothing for what only the help lists.
    pub(super) short: &'static str,
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
pub(super) struct Chord(pub(super) KeyCode, pub(super) KeyModifiers);

impl Chord {
    pub(super) fn is_letter(self) -> bool {
        matches!(self.0, KeyCode::Char(_)) && self.1.is_empty()
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    pub(super) fn is(self, key: KeyEvent) -> bool {
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
    pub(super) fn name(self) -> String {
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
