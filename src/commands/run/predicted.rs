//! A prediction beside what the run has shown.

use super::Program;
use crate::commands::{CommandContext, Failure};
use crate::course::plain;
use crate::grade::{grade, words};
use crate::lab::prediction;
use crate::lab::run::Run;

/// Compares, where the run is of a lab whose prediction was committed.
pub(super) fn print(
    seat: &mut CommandContext<'_, '_>,
    program: &Program,
    run: &Run,
) -> Result<(), Failure> {
    let Some((lesson, lab)) = &program.lab else {
        return Ok(());
    };
    let lesson = seat.course.lessons.iter().find(|it| it.id == *lesson);
    let question = lesson.and_then(|lesson| {
        let lab = lesson.labs.iter().find(|it| it.id == *lab)?;
        let question = prediction::question(lesson, lab)?;
        let progress = seat.learner.progress.lesson(&lesson.id);
        Some((question, progress.predicted(question)?.clone()))
    });
    let Some((question, answer)) = question else {
        return Ok(());
    };
    seat.console
        .line(&format!("\nYou predicted: {}", words(question, &answer)))?;
    let Some(truth) = prediction::truth(question, run) else {
        return seat
            .console
            .line("This run did not give the number that the prediction is about.");
    };
    let told = prediction::told(question, run, truth);
    seat.console.line(&format!("This run: {told}"))?;
    if let Ok(verdict) = grade(question, &answer, Some(truth)) {
        let word = if verdict.is_right() {
            "✓ right"
        } else {
            "✗ not right"
        };
        seat.console.line(word)?;
        for feedback in &verdict.feedback {
            seat.console
                .line(&format!("  {}", plain::inline(feedback)))?;
        }
        let width = seat.console.prose_width();
        seat.console.line("")?;
        seat.console
            .text(&plain::blocks(&question.explain, width))?;
    }
    Ok(())
}
