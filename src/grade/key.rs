//! The answer that a question says is right.

use super::Answer;
use crate::course::{Choice, PredictForm, Question, QuestionKind};

/// The right answer. Nothing for a prediction whose `truth` is not known, or lies in no bin, nor for what is
/// answered in the learner's own words.
///
/// Of several right answers it is the first one; graded, it earns every point.
pub fn key(question: &Question, truth: Option<f64>) -> Option<Answer> {
    match &question.kind {
        QuestionKind::Single { options, .. } => {
            let mut right = options.iter().filter(|it: &&Choice| it.correct);
            right.next().map(|it| Answer::Single(it.id.clone()))
        }
        QuestionKind::Multi { options, .. } => {
            let right = options.iter().filter(|it| it.correct);
            Some(Answer::Multi(right.map(|it| it.id.clone()).collect()))
        }
        QuestionKind::Numeric(numeric) => Some(number(numeric.answer, numeric.unit.as_deref())),
        QuestionKind::Text { accept, .. } => accept.first().cloned().map(Answer::Text),
        QuestionKind::Order { items, .. } => Some(Answer::Order(
            items.iter().map(|it| it.id.clone()).collect(),
        )),
        QuestionKind::Match { pairs } => {
            let same = pairs.iter().map(|it| (it.id.clone(), it.id.clone()));
            Some(Answer::Match(same.collect()))
        }
        QuestionKind::Predict { form, .. } => match form {
            PredictForm::Number { unit, .. } => Some(number(truth?, unit.as_deref())),
            PredictForm::Bins(bins) => {
                let truth = truth?;
                let bin = bins.iter().find(|it| it.from <= truth && truth < it.to)?;
                Some(Answer::Single(bin.id.clone()))
            }
        },
        QuestionKind::Words { .. } => None,
    }
}

fn number(value: f64, unit: Option<&str>) -> Answer {
    let text = format!("{value} {}", unit.unwrap_or_default());
    Answer::Number(text.trim_end().to_owned())
}
