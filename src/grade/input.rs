//! How a question is answered: what every front end shows and reads, whatever kind the question is of.

use crate::course::{ChoiceId, Text};

/// What a learner is given to answer with.
#[derive(Clone, Debug, PartialEq)]
pub enum Input<'a> {
    /// One of these, as an `Answer::Single`.
    Single(Vec<Row<'a>>),
    /// Any number of these.
    Multi(Vec<Row<'a>>),
    /// A number, by itself in this unit.
    Number(Option<&'a str>),
    /// A text.
    Text,
    /// These in another order.
    Order(Vec<Row<'a>>),
    /// For each left side one of the right sides.
    Match {
        /// The left sides, in the author's order.
        lefts: Vec<Row<'a>>,
        /// The right sides, in the order shown.
        rights: Vec<Row<'a>>,
    },
}

/// Something to choose, move or pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<'a> {
    /// Its name inside the question.
    pub id: &'a ChoiceId,
    /// What it says.
    pub text: &'a Text,
}

impl<'a> Row<'a> {
    /// A choice.
    pub(super) fn new(id: &'a ChoiceId, text: &'a Text) -> Self {
        Self { id, text }
    }
}

impl<'a> Input<'a> {
    /// The same with its choices in `order`; those that it does not name come last.
    #[must_use]
    pub fn in_order(mut self, order: &[ChoiceId]) -> Self {
        if let Some(rows) = self.rows_mut() {
            let place = |row: &Row<'_>| order.iter().position(|it| it == row.id);
            rows.sort_by_key(|row| place(row).unwrap_or(order.len()));
        }
        self
    }

    /// What can be chosen or moved: for pairs the right sides; nothing where the answer is typed.
    pub fn rows(&self) -> &[Row<'a>] {
        match self {
            Self::Single(rows) | Self::Multi(rows) | Self::Order(rows) => rows,
            Self::Match { rights, .. } => rights,
            Self::Number(_) | Self::Text => &[],
        }
    }

    /// The unit that a number is asked in, if it has one.
    pub fn unit(&self) -> Option<&'a str> {
        match self {
            Self::Number(unit) => *unit,
            Self::Single(_) | Self::Multi(_) | Self::Text | Self::Order(_) | Self::Match { .. } => {
                None
            }
        }
    }

    fn rows_mut(&mut self) -> Option<&mut Vec<Row<'a>>> {
        match self {
            Self::Single(rows) | Self::Multi(rows) | Self::Order(rows) => Some(rows),
            Self::Match { rights, .. } => Some(rights),
            Self::Number(_) | Self::Text => None,
        }
    }
}
