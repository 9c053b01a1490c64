//! Warnings: the course works, but it would teach or test better otherwise.

use super::lesson::ReadLesson;
use super::report::Report;
use super::{Choice, Question, QuestionKind, Quiz};
use std::collections::BTreeSet;
use std::ops::Range;

/// As many pages in a row may only be read.
const READ_ONLY_PAGES: usize = 2;
/// An option is long when it is this many characters longer than all others, and half as long again.
const LONGER: usize = 20;

/// Warns about questions that give themselves away or teach nothing on a miss.
pub(super) fn quiz(quiz: &Quiz, report: &mut Report) {
    if quiz.counted().next().is_none() {
        report
            .error(
                0..0,
                "no question of this quiz counts, so nobody can pass it",
            )
            .hint("add a question that is graded, or let a prediction have `counts = true`");
    }
    for question in &quiz.questions {
        match &question.kind {
            QuestionKind::Single { options, .. } => {
                long_right_option(question, options, report);
                feedback(question, options, report);
            }
            QuestionKind::Multi { options, .. } => feedback(question, options, report),
            QuestionKind::Numeric(_)
            | QuestionKind::Text { .. }
            | QuestionKind::Order { .. }
            | QuestionKind::Match { .. }
            | QuestionKind::Predict { .. }
            | QuestionKind::Words { .. } => {}
        }
    }
}

fn long_right_option(question: &Question, options: &[Choice], report: &mut Report) {
    let length = |it: &Choice| it.text.plain().chars().count();
    let right = options.iter().filter(|it| it.correct).map(length).max();
    let wrong = options.iter().filter(|it| !it.correct).map(length).max();
    if let (Some(right), Some(wrong)) = (right, wrong)
        && right > wrong + LONGER
        && 2 * right > 3 * wrong
    {
        report
            .warning(
                head(question),
                format!("the right option of `{}` is the only long one", question.id),
            )
            .hint("make the options about equally long, so that length gives nothing away");
    }
}

fn feedback(question: &Question, options: &[Choice], report: &mut Report) {
    let silent = |it: &&Choice| !it.correct && it.feedback.is_none();
    for option in options.iter().filter(silent) {
        report
            .warning(
                head(question),
                format!(
                    "wrong option `{}` of `{}` has no feedback",
                    option.id, question.id
                ),
            )
            .hint("say to those who chose it what it would take for it to be true");
    }
}

/// Warns about a stretch of pages on which there is nothing to do.
pub(super) fn pages(lesson: &ReadLesson, quiz: Option<&Quiz>, report: &mut Report) {
    let with_lab: BTreeSet<_> = lesson.labs.iter().map(|it| &it.page).collect();
    let asked: BTreeSet<_> = quiz
        .iter()
        .flat_map(|it| &it.questions)
        .filter_map(|it| it.see.as_ref())
        .collect();
    let mut idle = 0;
    for (page, span) in lesson.pages.iter().zip(&lesson.page_spans) {
        if with_lab.contains(&page.id) || asked.contains(&page.id) {
            idle = 0;
            continue;
        }
        idle += 1;
        if idle == READ_ONLY_PAGES + 1 {
            report
                .warning(
                    span.clone(),
                    format!("{idle} pages in a row without a lab or a question"),
                )
                .hint("put a lab on one of them, or point a question's `see` at it");
        }
    }
}

/// Where to point for a whole question: its first line.
pub(crate) fn head(question: &Question) -> Range<usize> {
    let start = question.span.start;
    start..(start + "[[question]]".len()).min(question.span.end)
}
