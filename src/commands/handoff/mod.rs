//! `warpup handoff`: the checklist that a learner hands on, from their own runs and words.
//!
//! It starts no worker and makes no CUDA context: it is about what was done.

#[cfg(test)]
mod tests;

use super::console::{Console, Format, json};
use super::context::{CommandContext, with_learner};
use super::course_argument::CourseArgument;
use super::failure::{Exit, Failure, Result};
use super::{trace, workers};
use crate::cli::HandoffArgs;
use std::path::Path;
use warpup_doctor::look::Machine;
use warpup_doctor::{Report, climb};
use warpup_handoff::{TracedRun, checklist, markdown, traced};
use warpup_text::shown::Shown;

/// Examines the machine without its card, and prints the checklist or writes it to a file.
pub(super) fn execute(
    args: &HandoffArgs,
    asked: CourseArgument<'_>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let traced = match &args.trace {
        Some(path) => {
            let (analysis, report) = trace::read(path)?;
            Some(traced::of(&analysis, &report))
        }
        None => None,
    };
    let workers = workers::as_set(console)?;
    with_learner(asked, console, |context| {
        let evidence = Machine::this(&workers.cards)?.look_around();
        print(
            context,
            &climb(&evidence),
            traced,
            args.out.as_deref(),
            args.json.into(),
        )
    })
}

fn print(
    context: &mut CommandContext<'_, '_>,
    report: &Report,
    traced: Option<TracedRun>,
    out: Option<&Path>,
    format: Format,
) -> Result<Exit> {
    let list = checklist::of(context.course, &context.learner.progress, report, traced);
    let text = match format {
        Format::Text => Shown::new(&markdown::of(&list, (context.clock)())),
        Format::Json => json(&list)?,
    };
    match out {
        None => context.console.text(&text)?,
        Some(path) => {
            std::fs::write(path, text.as_str()).map_err(|error| {
                let what = format!("cannot write {}", path.display());
                Failure::arguments_but(what, error.to_string())
            })?;
            context
                .console
                .remark(&format!("written to {}", path.display()))?;
            for missing in &list.missing {
                let said = format!("still missing: {} ({})", missing.what, missing.todo);
                context.console.remark(&said)?;
            }
        }
    }
    Ok(Exit::of(Some(list.complete)))
}
