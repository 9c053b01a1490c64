//! Answers written in a file, for `warpup quiz LESSON --answers FILE`.
//!
//! Pure: TOML text in, answers and diagnostics out. Each value is read in the way that its question is answered, and
//! has to be one that can be graded; what it earns is not looked at.

use super::answer_text::AnswerText;
use super::input::AnswerOption;
use super::question::{grade, input};
use super::score::NoVerdict;
use std::collections::BTreeMap;
use std::ops::Range;
use warpup_course::toml_walk::{Fields, document};
pub use warpup_course::{Answer, Diagnostic, Question, QuestionId, Quiz, Report, Rule};

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
                .error(
                    Rule::UnknownQuestion,
                    id.span,
                    format!("the quiz has no question `{}`", id.value),
                )
                .did_you_mean(id.value, known);
            continue;
        };
        let written = AnswerText {
            name: question.id.as_str(),
            value,
            file: text,
            report: &mut report,
        };
        let Some(answer) = input(question).way.value(written) else {
            continue;
        };
        match refusal(question, &answer) {
            None => {
                answers.insert(question.id.clone(), answer);
            }
            Some(why) => complain(&mut report, value.span(), question, &why),
        }
    }
    (answers, report.into_diagnostics())
}

/// Why an answer cannot be graded, if it cannot: a name that the question does not have, a unit that does not fit.
/// An attempt with it would say nothing about the learner.
fn refusal(question: &Question, answer: &Answer) -> Option<NoVerdict> {
    // Only whether it can be graded is asked, so any truth will do.
    match grade(question, answer, Some(1.0)) {
        Ok(_) | Err(NoVerdict::NotGraded | NoVerdict::NoKey | NoVerdict::NotMeasured(_)) => None,
        Err(
            why @ (NoVerdict::Empty(_)
            | NoVerdict::NotPlain
            | NoVerdict::NotANumber(_)
            | NoVerdict::UnknownUnit { .. }
            | NoVerdict::Foreign(_)
            | NoVerdict::Repeated(_)
            | NoVerdict::Incomplete(_)),
        ) => Some(why),
    }
}

fn complain(report: &mut Report, at: Range<usize>, question: &Question, why: &NoVerdict) {
    let input = input(question);
    let rows = |rows: &[AnswerOption<'_>]| -> Vec<String> {
        rows.iter().map(|it| format!("`{}`", it.id)).collect()
    };
    let (names, lefts) = (rows(&input.rows), rows(&input.lefts));
    let complaint = report.error(Rule::AnswerForm, at, format!("`{}`: {why}", question.id));
    if !lefts.is_empty() {
        let (lefts, names) = (lefts.join(", "), names.join(", "));
        complaint.hint(format!("pair {lefts} with {names}"));
    } else if !names.is_empty() {
        complaint.hint(format!("there are {}", names.join(", ")));
    }
}
