//! Answers written in a file, for `warpup quiz LESSON --answers FILE`.
//!
//! Pure: TOML text in, answers and diagnostics out. It does not grade; it only brings each value into the
//! shape that its question asks for.

use super::answer::Answer;
use super::input::Input;
use super::question::input;
use crate::course::Report;
use crate::course::toml_walk::{At, Fields, document, read};
use crate::course::{ChoiceId, Diagnostic, Question, QuestionId, Quiz};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Reads answers: question id to answer. The diagnostics name `file` and point into `text`.
///
/// An answer that cannot be read is reported and left out; so is one to a question the quiz does not have.
pub fn parse(
    file: &str,
    text: &str,
    quiz: &Quiz,
) -> (BTreeMap<QuestionId, Answer>, Vec<Diagnostic>) {
    let mut report = Report::new(file);
    let mut answers = BTreeMap::new();
    let (table, _) = document(text, &mut report);
    for (id, value) in Fields::new("file", table.get_ref(), 0..0).entries() {
        let question = QuestionId::new(id.value);
        let Some(question) = quiz.question(&question) else {
            let known = quiz.questions.iter().map(|it| it.id.as_str());
            report
                .error(id.span, format!("the quiz has no question `{}`", id.value))
                .did_you_mean(id.value, known);
            continue;
        };
        if let Some(answer) = answer(question, value, text, &mut report) {
            answers.insert(question.id.clone(), answer);
        }
    }
    (answers, report.into_diagnostics())
}

/// A value in the shape that the question asks for.
fn answer(
    question: &Question,
    value: &Spanned<DeValue<'_>>,
    text: &str,
    report: &mut Report,
) -> Option<Answer> {
    let name = question.id.as_str();
    match input(question) {
        Input::Single(_) => {
            read::<&str>(name, value, report).map(|it| Answer::Single(ChoiceId::new(it.value)))
        }
        Input::Multi(_) => {
            ids(name, value, report).map(|it| Answer::Multi(it.into_iter().collect()))
        }
        Input::Order(_) => ids(name, value, report).map(Answer::Order),
        Input::Text => {
            read::<&str>(name, value, report).map(|it| Answer::Text(it.value.to_owned()))
        }
        Input::Number(_) => {
            if value.get_ref().is_integer() || value.get_ref().is_float() {
                // As written, so that the one reader of numbers reads it.
                let written = text.get(value.span()).unwrap_or_default();
                return Some(Answer::Number(written.to_owned()));
            }
            read::<&str>(name, value, report).map(|it| Answer::Number(it.value.to_owned()))
        }
        Input::Match { .. } => pairs(name, value, report).map(Answer::Match),
    }
}

fn ids(name: &str, value: &Spanned<DeValue<'_>>, report: &mut Report) -> Option<Vec<ChoiceId>> {
    let list: At<&DeArray<'_>> = read(name, value, report)?;
    list.value
        .iter()
        .map(|it| read::<&str>(name, it, report).map(|it| ChoiceId::new(it.value)))
        .collect()
}

fn pairs(
    name: &str,
    value: &Spanned<DeValue<'_>>,
    report: &mut Report,
) -> Option<BTreeMap<ChoiceId, ChoiceId>> {
    let table: At<&DeTable<'_>> = read(name, value, report)?;
    let mut pairs = BTreeMap::new();
    for (left, right) in table.value {
        let right = read::<&str>(name, right, report)?;
        let left = ChoiceId::new(left.get_ref().as_ref());
        pairs.insert(left, ChoiceId::new(right.value));
    }
    Some(pairs)
}
