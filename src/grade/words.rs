//! An answer in words, for whoever reads what was answered.

use super::answer::Answer;
use super::input::{Input, Row};
use super::question::input;
use crate::course::{ChoiceId, Question};

/// An answer as a phrase; names of choices that the question no longer has stand for themselves.
pub fn words(question: &Question, answer: &Answer) -> String {
    let input = input(question);
    let text = |id: &ChoiceId| text_of(input.rows(), id);
    let texts = |ids: &mut dyn Iterator<Item = &ChoiceId>| ids.map(text).collect::<Vec<_>>();
    match answer {
        Answer::Single(id) => text(id),
        Answer::Multi(ids) => texts(&mut ids.iter()).join("; "),
        Answer::Number(typed) => with_unit(input.unit(), typed),
        Answer::Text(typed) => typed.clone(),
        Answer::Order(ids) => texts(&mut ids.iter()).join(" → "),
        Answer::Match(pairs) => {
            let lefts = match &input {
                Input::Match { lefts, .. } => lefts.as_slice(),
                Input::Single(_)
                | Input::Multi(_)
                | Input::Number(_)
                | Input::Text
                | Input::Order(_) => &[],
            };
            let pairs = pairs.iter();
            let pairs =
                pairs.map(|(left, right)| format!("{} → {}", text_of(lefts, left), text(right)));
            pairs.collect::<Vec<_>>().join("; ")
        }
    }
}

fn text_of(rows: &[Row<'_>], id: &ChoiceId) -> String {
    let found = rows.iter().find(|it| it.id == id);
    found.map_or_else(|| id.to_string(), |it| it.text.plain())
}

/// A typed number with the unit it was asked in, where none was typed.
fn with_unit(unit: Option<&str>, typed: &str) -> String {
    match unit.filter(|_| !typed.ends_with(|it: char| it.is_alphabetic() || it == '%')) {
        Some(unit) => format!("{typed} {unit}"),
        None => typed.to_owned(),
    }
}
