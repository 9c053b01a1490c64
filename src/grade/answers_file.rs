//! Answers written in a file, for `warpup quiz LESSON --answers FILE`.
//!
//! Pure: TOML text in, answers and diagnostics out. It does not grade; each value is read in the
//! way that its question is answered.

use super::question::input;
use super::written::Written;
use crate::course::toml_walk::{Fields, document};
use crate::course::{Answer, Diagnostic, QuestionId, Quiz, Report};
use std::collections::BTreeMap;

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
        let written = Written {
            name: question.id.as_str(),
            value,
            file: text,
            report: &mut report,
        };
        if let Some(answer) = input(question).way.value(written) {
            answers.insert(question.id.clone(), answer);
        }
    }
    (answers, report.into_diagnostics())
}
