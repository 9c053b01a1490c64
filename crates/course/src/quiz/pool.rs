//! A quiz of which an attempt asks only some questions: `ask` and `always`.

use super::model::{Question, Quiz};
use crate::diagnostics::{Report, Rule};
use crate::toml_walk::{Fields, WithSpan};
use std::ops::Range;

/// How many questions an attempt asks, if the quiz says so.
pub(super) fn ask(fields: &Fields<'_>, report: &mut Report) -> Option<WithSpan<usize>> {
    let ask = fields.optional::<u32>("ask", report)?;
    let Some(value) = usize::try_from(ask.value).ok().filter(|it| *it > 0) else {
        report
            .error(
                Rule::AskRange,
                ask.span,
                "an attempt asks at least 1 question",
            )
            .hint("leave `ask` out, and an attempt asks all questions");
        return None;
    };
    Some(WithSpan {
        value,
        span: ask.span,
    })
}

/// Reports numbers that do not fit together, and draws that have different points.
pub(super) fn lint(quiz: &Quiz, ask_span: &Range<usize>, report: &mut Report) {
    let always = || quiz.pool().filter(|it| it.always);
    let Some(ask) = quiz.ask else {
        if let Some(question) = always().next() {
            let message = "`always` changes nothing: this quiz asks all of its questions";
            report
                .warning(Rule::AlwaysWithoutAsk, question.head(), message)
                .hint("let the quiz say how many questions an attempt asks: `ask = 8`");
        }
        return;
    };
    let (pool, always) = (quiz.pool().count(), always().count());
    if ask > pool {
        let message = format!("an attempt asks {ask} questions, but {pool} count");
        report
            .error(Rule::AskRange, ask_span.clone(), message)
            .hint("add questions, or leave `ask` out to ask all of them");
    } else if always > ask {
        let message = format!("{always} questions are `always` asked, but an attempt asks {ask}");
        report
            .error(Rule::AskRange, ask_span.clone(), message)
            .hint(format!("let `ask` be {always} or more"));
    } else if ask > always
        && ask < pool
        && let Some(other) = of_other_points(quiz)
    {
        let message = "this question has other points than the first one that is drawn, so attempts differ in points";
        report
            .warning(Rule::UnequalPoints, other.head(), message)
            .hint("give all questions that are drawn the same `points`, or let this one be `always = true`");
    }
}

/// The first question whose points are not those of the first one that is drawn.
fn of_other_points(quiz: &Quiz) -> Option<&Question> {
    let mut drawn = quiz.pool().filter(|it| !it.always);
    let first = drawn.next()?;
    drawn.find(|it| it.points != first.points)
}
