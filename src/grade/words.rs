//! An answer in words, for whoever reads what was answered.

use super::Answer;
use crate::course::{Choice, ChoiceId, PredictForm, Question, QuestionKind};

/// An answer as a phrase; names of choices that the question no longer has stand for themselves.
pub fn words(question: &Question, answer: &Answer) -> String {
    let text = |id: &ChoiceId| text_of(question, id);
    match answer {
        Answer::Single(id) => text(id),
        Answer::Multi(ids) => ids.iter().map(text).collect::<Vec<_>>().join("; "),
        Answer::Number(typed) => with_unit(question, typed),
        Answer::Text(typed) => typed.clone(),
        Answer::Order(ids) => ids.iter().map(text).collect::<Vec<_>>().join(" → "),
        Answer::Match(pairs) => {
            let pairs = pairs.iter().map(|(left, right)| match &question.kind {
                QuestionKind::Match { pairs } => {
                    let find = |id: &ChoiceId| pairs.iter().find(|it| &it.id == id);
                    let left = find(left).map_or_else(|| left.to_string(), |it| it.left.plain());
                    let right =
                        find(right).map_or_else(|| right.to_string(), |it| it.right.plain());
                    format!("{left} → {right}")
                }
                QuestionKind::Single { .. }
                | QuestionKind::Multi { .. }
                | QuestionKind::Numeric(_)
                | QuestionKind::Text { .. }
                | QuestionKind::Order { .. }
                | QuestionKind::Predict { .. }
                | QuestionKind::Words { .. } => format!("{left} → {right}"),
            });
            pairs.collect::<Vec<_>>().join("; ")
        }
    }
}

fn text_of(question: &Question, id: &ChoiceId) -> String {
    let choice = |of: &[Choice]| of.iter().find(|it| &it.id == id).map(|it| it.text.plain());
    let found = match &question.kind {
        QuestionKind::Single { options, .. } | QuestionKind::Multi { options, .. } => {
            choice(options)
        }
        QuestionKind::Order { items, .. } => choice(items),
        QuestionKind::Predict {
            form: PredictForm::Bins(bins),
            ..
        } => bins
            .iter()
            .find(|it| &it.id == id)
            .map(|it| it.text.plain()),
        QuestionKind::Predict {
            form: PredictForm::Number { .. },
            ..
        }
        | QuestionKind::Numeric(_)
        | QuestionKind::Text { .. }
        | QuestionKind::Match { .. }
        | QuestionKind::Words { .. } => None,
    };
    found.unwrap_or_else(|| id.to_string())
}

/// A typed number with the unit it was asked in, where none was typed.
fn with_unit(question: &Question, typed: &str) -> String {
    let unit = match &question.kind {
        QuestionKind::Numeric(numeric) => numeric.unit.as_deref(),
        QuestionKind::Predict {
            form: PredictForm::Number { unit, .. },
            ..
        } => unit.as_deref(),
        QuestionKind::Single { .. }
        | QuestionKind::Multi { .. }
        | QuestionKind::Text { .. }
        | QuestionKind::Order { .. }
        | QuestionKind::Match { .. }
        | QuestionKind::Predict { .. }
        | QuestionKind::Words { .. } => None,
    };
    match unit.filter(|_| !typed.ends_with(|it: char| it.is_alphabetic() || it == '%')) {
        Some(unit) => format!("{typed} {unit}"),
        None => typed.to_owned(),
    }
}
