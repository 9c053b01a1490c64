//! A quiz beside its original.

use super::difference::{Difference, differences, differs};
use crate::diagnostics::Report;
use crate::quiz::kinds::{PredictForm, Prediction};
use crate::quiz::{Question, QuestionKind, Quiz};
use std::collections::BTreeSet;

/// Compares a quiz with its original.
pub(super) fn compare(original: &Quiz, quiz: &Quiz, report: &mut Report) {
    if quiz.id != original.id {
        differs(
            report,
            0..0,
            format!(
                "the quiz `{}` has another id in its translation: `{}`",
                original.id, quiz.id
            ),
            format!("write `id = \"{}\"`", original.id),
        );
    }
    if (quiz.pass, quiz.ask) != (original.pass, original.ask) {
        differs(
            report,
            0..0,
            "`pass` or `ask` of the translation is another than in the original".to_owned(),
            "copy both from the original".to_owned(),
        );
    }
    let were: Vec<_> = original.questions.iter().map(|it| it.id.as_str()).collect();
    let are: Vec<_> = quiz.questions.iter().map(|it| it.id.as_str()).collect();
    let place = |id: &str| {
        let question = quiz.questions.iter().find(|it| it.id.as_str() == id);
        question.map_or(0..0, Question::head)
    };
    for difference in differences(&were, &are) {
        match difference {
            Difference::Renamed(was, is) => differs(
                report,
                place(is),
                format!("the question `{was}` of the original is called `{is}` here"),
                format!("write `id = \"{was}\"`"),
            ),
            Difference::Missing(was) => differs(
                report,
                0..0,
                format!("the question `{was}` of the original is missing"),
                format!("translate it, with `id = \"{was}\"`"),
            ),
            Difference::Added(is) => differs(
                report,
                place(is),
                format!("the original has no question `{is}`"),
                "remove it, or add it to the original".to_owned(),
            ),
            Difference::Order => differs(
                report,
                0..0,
                "the questions are in another order than in the original".to_owned(),
                format!("the order is {}", were.join(", ")),
            ),
        }
    }
    let mut told = BTreeSet::new();
    for was in &original.questions {
        if let Some(question) = quiz.question(&was.id)
            // What is wrong with one version is wrong with the others.
            && !told.contains(question.name())
            && questions(was, question, report)
        {
            told.insert(question.name());
        }
    }
}

/// Compares two questions. Gives whether they differ.
fn questions(was: &Question, question: &Question, report: &mut Report) -> bool {
    let id = question.name();
    let errors = report.errors();
    let ids = |it: &Question| -> Vec<String> {
        let choices = it.kind.choices().into_iter();
        choices.map(|it| it.0.to_string()).collect()
    };
    let (were, are) = (ids(was), ids(question));
    let sorted = |mut ids: Vec<String>| {
        ids.sort_unstable();
        ids
    };
    let mut differs = |message: String, hint: &str| {
        differs(report, question.head(), message, hint.to_owned());
    };
    if were != are && sorted(were.clone()) == sorted(are.clone()) {
        differs(
            format!("the choices of question `{id}` are in another order than in the original"),
            &format!("the order is {}", were.join(", ")),
        );
    } else if were != are {
        differs(
            format!("question `{id}` has choices with other ids than in the original"),
            &format!("the ids are {}", were.join(", ")),
        );
    } else if question.key() != was.key() {
        differs(
            format!("question `{id}` has another type or another key than in the original"),
            "copy what says what is right from the original, and translate only texts",
        );
    }
    let rules = [
        ("points", question.points != was.points),
        ("counts", question.counts != was.counts),
        ("short", question.short != was.short),
        ("always", question.always != was.always),
        ("see", question.see != was.see),
        ("within_factor", within(question) != within(was)),
    ];
    for (key, _) in rules.into_iter().filter(|it| it.1) {
        differs(
            format!("question `{id}` has another `{key}` than in the original"),
            "copy it from the original",
        );
    }
    if question.hints.len() != was.hints.len() {
        differs(
            format!(
                "question `{id}` has another number of hints than in the original: {} instead of {}",
                question.hints.len(),
                was.hints.len()
            ),
            "translate each of them",
        );
    }
    report.errors() > errors
}

/// How far off a predicted number may be, bit by bit. It is no part of a key: answers stay when it changes.
fn within(question: &Question) -> Option<u64> {
    let QuestionKind::Predict(Prediction { form, .. }) = &question.kind else {
        return None;
    };
    let PredictForm::Number { within_factor, .. } = form else {
        return None;
    };
    Some(within_factor.to_bits())
}
