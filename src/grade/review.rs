//! An answer beside the right one: what front ends show of a question once it is answered.

use crate::course::{ChoiceId, Text};

/// A row of an answered question.
#[derive(Clone, Debug, PartialEq)]
pub struct Reviewed {
    /// What the row belongs to, said above it: a left side, or the name of a list.
    pub head: Option<Text>,
    /// Whose it is.
    pub mark: Mark,
    /// The choice, where the question has choices to number.
    pub id: Option<ChoiceId>,
    /// What it says.
    pub text: Text,
    /// What the author says about it.
    pub feedback: Option<Text>,
}

/// Whose a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The learner's, and right.
    YoursRight,
    /// The learner's, and wrong.
    YoursWrong,
    /// Right, and not the learner's.
    Right,
    /// Neither.
    Other,
}

impl Mark {
    /// The mark of a row that the learner has chosen or not, and that is right or not.
    pub(super) fn of(is_chosen: bool, is_right: bool) -> Self {
        match (is_chosen, is_right) {
            (true, true) => Self::YoursRight,
            (true, false) => Self::YoursWrong,
            (false, true) => Self::Right,
            (false, false) => Self::Other,
        }
    }

    /// The mark in a sign and a word; empty for a row that is neither.
    pub fn word(self) -> &'static str {
        match self {
            Self::YoursRight => "✓ yours",
            Self::YoursWrong => "✗ yours",
            Self::Right => "✓ right",
            Self::Other => "",
        }
    }
}

impl Reviewed {
    /// A row with a mark and a text.
    pub(super) fn new(mark: Mark, text: Text) -> Self {
        Self {
            head: None,
            mark,
            id: None,
            text,
            feedback: None,
        }
    }
}
