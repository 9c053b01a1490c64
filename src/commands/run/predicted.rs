//! A prediction beside what the run has shown.

use super::program::Program;
use crate::commands::context::CommandContext;
use crate::commands::failure::Result;
use crate::course::plain;
use crate::grade::{grade, words};
use crate::lab::prediction;
use crate::lab::run::Run;

/// Compares, where the run is of a lab whose prediction was committed.
pub(super) fn print(
    context: &mut CommandContext<'_, '_>,
    program: &Program,
    run: &Run,
) -> Result<()> {
    let Some((lesson, lab)) = &program.lab else {
        return Ok(());
    };
    let lesson = context.course.lessons.iter().find(|it| it.id == *lesson);
    let question = lesson.and_then(|lesson| {
        let lab = lesson.labs.iter().find(|it| it.id == *lab)?;
        let question = prediction::question(lesson, lab)?;
        let progress = context.learner.progress.lesson(&lesson.id);
        Some((question, progress.predicted(question)?.clone()))
    });
    let Some((question, answer)) = question else {
        return Ok(());
    };
    context
        .console
        .line(&format!("\nYou predicted: {}", words(question, &answer)))?;
    let Some(truth) = prediction::truth(question, run) else {
        return context
            .console
            .line("This run did not give the number that the prediction is about.");
    };
    let told = prediction::told(question, run, truth);
    context.console.line(&format!("This run: {told}"))?;
    if let Ok(verdict) = grade(question, &answer, Some(truth)) {
        let word = if verdict.is_right() {
            "✓ right"
        } else {
            "✗ not right"
        };
        context.console.line(word)?;
        for feedback in &verdict.feedback {
            context
                .console
                .line(&format!("  {}", plain::inline(feedback)))?;
        }
        let width = context.console.prose_width();
        context.console.line("")?;
        context
            .console
            .text(&plain::blocks(&question.explain, width))?;
    }
    Ok(())
}
