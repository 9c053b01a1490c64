//! Warnings: the quiz works, but it would test or teach better otherwise.

use super::model::Quiz;
use crate::course::diagnostics::Report;

/// Reports a quiz that nobody can pass, and questions that give themselves away or teach nothing on a miss.
pub(crate) fn lint(quiz: &Quiz, report: &mut Report) {
    if quiz.counted().next().is_none() {
        report
            .error(
                0..0,
                "no question of this quiz counts, so nobody can pass it",
            )
            .hint("add a question that is graded, or let a prediction have `counts = true`");
    }
    for question in &quiz.questions {
        let kind = question.kind.kind();
        kind.lint(&question.id, question.head(), report);
    }
}
