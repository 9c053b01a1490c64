//! `warpup class feedback`: what was sent back to a learner.

use crate::commands::console::Console;
use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Result};
use warpup_progress::Remark;

/// Prints all of it, in the order of the course.
pub(super) fn print(context: &mut CommandContext<'_, '_>) -> Result<Exit> {
    let why = context.learner.look_for_feedback();
    let feedback = &context.learner.feedback;
    let console = &mut *context.console;
    for lesson in &context.course.lessons {
        let remarks = feedback.remarks(lesson);
        if !remarks.is_empty() {
            console.line(&lesson.title)?;
        }
        remarks.iter().try_for_each(|it| said(console, it))?;
    }
    if let Some(why) = why {
        let said = format!("warning: there may be more: {why}");
        return console.remark(&said).map(|()| Exit::Fine);
    }
    if feedback.is_empty() {
        console.line("Nothing was sent back for what you handed in.")?;
    }
    Ok(Exit::Fine)
}

/// Prints what was sent back about one thing.
pub(in crate::commands) fn said(console: &mut Console<'_>, remark: &Remark) -> Result<()> {
    console.wrapped("", "", &format!("{}:", remark.heading))?;
    let mut lines = remark.text.lines();
    lines.try_for_each(|it| console.wrapped("  ", "  ", it))
}
