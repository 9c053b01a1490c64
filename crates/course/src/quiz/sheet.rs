//! A question as it is on paper: what is asked, what there is to choose from, and the key apart.

use super::choices::{Choice, OptionsKey};
use crate::model::{Piece, Text};

/// What there is to choose from, and what is right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// How to answer, such as `Choose one.`
    pub how: String,
    /// What there is to choose from, in an order that says nothing.
    pub choices: Vec<Text>,
    /// The other side of pairs, in an order that says nothing.
    pub others: Vec<Text>,
    /// What is right; nothing where there is no key.
    pub key: Vec<Text>,
    /// Whether the key is an order.
    pub is_ordered: bool,
    /// Wrong answers, each with what is said to it.
    pub feedback: Vec<(Text, Text)>,
}

impl Sheet {
    /// Only how to answer.
    pub(crate) fn new(how: impl Into<String>) -> Self {
        Self {
            how: how.into(),
            ..Self::default()
        }
    }

    /// How to answer with a number.
    pub(crate) fn number(how: &str, unit: Option<&str>) -> Self {
        Self::new(match unit {
            Some(unit) => format!("{how} in {unit}."),
            None => format!("{how}."),
        })
    }

    /// Options to choose from.
    pub(crate) fn options(how: &str, options: &[Choice], key: Option<&OptionsKey>) -> Self {
        let mut sheet = Self {
            choices: texts(options),
            ..Self::new(how)
        };
        let Some(key) = key else { return sheet };
        sheet.key = texts(options.iter().filter(|it| key.is_right(&it.id)));
        for option in options {
            if let Some(said) = key.feedback(&option.id) {
                sheet.feedback.push((option.text.clone(), said.clone()));
            }
        }
        sheet
    }
}

/// The texts of choices.
pub(crate) fn texts<'a>(choices: impl IntoIterator<Item = &'a Choice>) -> Vec<Text> {
    choices.into_iter().map(|it| it.text.clone()).collect()
}

/// The two sides of a pair in one text.
pub(crate) fn paired(left: &Text, right: &Text) -> Text {
    let arrow = Piece {
        text: " → ".to_owned(),
        ..Piece::default()
    };
    let pieces = left.pieces.iter().chain([&arrow]).chain(&right.pieces);
    Text {
        pieces: pieces.cloned().collect(),
    }
}
