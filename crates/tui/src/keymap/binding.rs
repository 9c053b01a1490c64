//! Bindings of keys to actions, and where they hold.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::action::Action;
use super::difference::Difference;

/// Where keys are pressed, as the keys that mean something there, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Context {
    table: &'static [Binding],
    differences: &'static [Difference],
}

impl Context {
    pub(super) const fn of(table: &'static [Binding]) -> Self {
        Self {
            table,
            differences: &[],
        }
    }

    /// The same table with these differences, one after the other.
    pub(super) const fn with(self, differences: &'static [Difference]) -> Self {
        Self {
            differences,
            ..self
        }
    }

    /// The keys, the most important first.
    pub(crate) fn bindings(self) -> impl Iterator<Item = &'static Binding> {
        let mut bindings: Vec<_> = self.table.iter().collect();
        for insertion in self.differences.iter().copied().flatten() {
            insertion.apply(&mut bindings);
        }
        bindings.into_iter()
    }

    /// Whether a lab takes keys here, and has panes.
    pub(crate) fn has_panes(self) -> bool {
        let of_lab = [
            Self::LAB,
            Self::RUNNING,
            Self::EDITING,
            Self::PREDICT_CHOICE,
            Self::PREDICT_TYPING,
        ];
        of_lab.contains(&self)
    }

    /// Where this is, for a list of the keys of all places.
    pub(super) fn group(self) -> KeyGroup {
        let is_in = |of: &[Self]| of.contains(&self);
        if self == Self::EVERYWHERE {
            KeyGroup::Everywhere
        } else if self == Self::MAP {
            KeyGroup::Map
        } else if is_in(&[
            Self::EDITING,
            Self::FINDING,
            Self::REPLACING,
            Self::GOING_TO_LINE,
        ]) {
            KeyGroup::Editing
        } else if self.has_panes() || self == Self::DEVICES {
            KeyGroup::Labs
        } else if is_in(&[Self::SEARCHING, Self::HITS, Self::PALETTE, Self::WORDS]) {
            KeyGroup::LookingUp
        } else if self == Self::TRACE {
            KeyGroup::Traces
        } else if self == Self::DOCTOR {
            KeyGroup::Doctor
        } else if is_in(&[
            Self::SETTINGS,
            Self::SCROLL,
            Self::CONFIRM,
            Self::LEAVE_PROGRAM,
            Self::CONSENT,
        ]) {
            KeyGroup::Elsewhere
        } else if is_in(&[
            Self::PAGE,
            Self::LAB_PAGE,
            Self::WORD_PAGE,
            Self::PAGE_FOUND,
            Self::LAB_PAGE_FOUND,
        ]) {
            KeyGroup::Pages
        } else {
            KeyGroup::Quizzes
        }
    }

    /// Whether letters are typed as text here: such contexts bind no plain letter.
    pub(super) fn takes_text(self) -> bool {
        let mut keys = self.bindings().flat_map(|it| it.keys);
        !keys.any(|it| it.is_letter())
    }
}

/// The places that a list of all keys tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyGroup {
    Everywhere,
    Map,
    Pages,
    LookingUp,
    Labs,
    Editing,
    Quizzes,
    Doctor,
    Traces,
    Elsewhere,
}

impl KeyGroup {
    /// All of them, in the order of the table.
    pub(crate) const ALL: [Self; 10] = [
        Self::Everywhere,
        Self::Map,
        Self::Pages,
        Self::LookingUp,
        Self::Labs,
        Self::Editing,
        Self::Quizzes,
        Self::Doctor,
        Self::Traces,
        Self::Elsewhere,
    ];

    /// Its heading.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Map => "On the map, and in most lists",
            Self::Pages => "On pages",
            Self::LookingUp => "While you search or look something up",
            Self::Labs => "In labs",
            Self::Editing => "While you edit a program",
            Self::Quizzes => "In quizzes",
            Self::Doctor => "In the doctor",
            Self::Traces => "On a trace",
            Self::Elsewhere => "In settings and questions",
        }
    }
}

/// Keys with one action.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    /// Any of these; the footer shows the first one. What the learner has set comes in their place.
    pub(super) keys: &'static [Chord],
    pub(crate) action: Action,
    /// The text in the help.
    pub(crate) help: &'static str,
    /// The text in the footer; empty for keys that only the help lists.
    pub(super) short: &'static str,
}

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chord(pub(super) KeyCode, pub(super) KeyModifiers);

impl Chord {
    /// Whether it types nothing, and moves nothing in a text.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    pub(super) fn is_beside_text(self) -> bool {
        let is_command = KeyModifiers::CONTROL.union(KeyModifiers::ALT);
        match self.0 {
            KeyCode::F(_) => true,
            KeyCode::Char(_) => self.1.intersects(is_command),
            _ => false,
        }
    }

    /// What a terminal reports for it.
    pub(super) fn pressed(self) -> KeyEvent {
        KeyEvent::new(self.0, self.1)
    }

    pub(super) fn is_letter(self) -> bool {
        matches!(self.0, KeyCode::Char(_)) && self.1.is_empty()
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    pub(super) fn is(self, key: KeyEvent) -> bool {
        // Some terminals report Shift beside the capital letter, some do not.
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
            KeyCode::Delete => "Delete".to_owned(),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            KeyCode::BackTab => "Shift-Tab".to_owned(),
            other => other.to_string(),
        };
        format!("{}{key}", self.modifiers())
    }

    /// The names of the modifiers, in front of the key's.
    pub(super) fn modifiers(self) -> String {
        let names = [
            (KeyModifiers::CONTROL, "Ctrl-"),
            (KeyModifiers::ALT, "Alt-"),
            (KeyModifiers::SHIFT, "Shift-"),
        ];
        let names = names.into_iter().filter(|it| self.1.contains(it.0));
        names.map(|it| it.1).collect()
    }
}
