//! An answer beside the right one: what front ends show of a question once it is answered.

use warpup_course::{ChoiceId, Text};

/// A row of an answered question.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewRow {
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
    /// The learner's and wrong, where any number of rows may be right.
    ChosenWrong,
    /// Right, and not the learner's.
    Right,
    /// Right and not the learner's, where any number of rows may be right.
    LeftOut,
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

    /// The same, where any number of rows may be right: there a right row without a choice is a mistake.
    pub(super) fn of_several(is_chosen: bool, is_right: bool) -> Self {
        match Self::of(is_chosen, is_right) {
            Self::YoursWrong => Self::ChosenWrong,
            Self::Right => Self::LeftOut,
            mark @ (Self::YoursRight | Self::ChosenWrong | Self::LeftOut | Self::Other) => mark,
        }
    }

    /// Whether the row is the learner's, and wrong.
    pub fn is_yours_and_wrong(self) -> bool {
        matches!(self, Self::YoursWrong | Self::ChosenWrong)
    }

    /// The mark in a sign and some words; empty for a row that is neither.
    pub fn words(self) -> &'static str {
        match self {
            Self::YoursRight => "✓ yours",
            Self::YoursWrong => "✗ yours",
            Self::ChosenWrong => "✗ yours, wrong",
            Self::Right => "✓ right",
            Self::LeftOut => "✓ right, you left it out",
            Self::Other => "",
        }
    }

    /// The same, where there is little room.
    pub fn short_words(self) -> &'static str {
        match self {
            Self::ChosenWrong => "✗ wrong",
            Self::LeftOut => "✓ left out",
            Self::YoursRight | Self::YoursWrong | Self::Right | Self::Other => self.words(),
        }
    }
}

impl ReviewRow {
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
