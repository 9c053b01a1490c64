//! `warpup handoff`: the checklist that a learner hands on, from their own runs and words.
//!
//! It starts no worker and makes no CUDA context: it is about what was done.

mod checklist;
mod markdown;
#[cfg(test)]
mod tests;

use super::console::json;
use super::{CommandContext, Exit, Failure, Format};
use crate::doctor::look::Machine;
use crate::doctor::{Report, climb};
use crate::lab::engine::cards::CardWorker;
use crate::protocol::Reason;
use crate::shown::Shown;
use std::path::Path;

/// Looks at the machine and tells what is done and what is missing.
pub(super) fn tell(
    seat: &mut CommandContext<'_, '_>,
    cards: &Result<CardWorker, Reason>,
    out: Option<&Path>,
    format: Format,
) -> Result<Exit, Failure> {
    let evidence = Machine::this(cards)?.look_around();
    print(seat, &climb(&evidence), out, format)
}

/// Prints the checklist, or writes it to a file.
fn print(
    seat: &mut CommandContext<'_, '_>,
    report: &Report,
    out: Option<&Path>,
    format: Format,
) -> Result<Exit, Failure> {
    let list = checklist::of(seat.course, &seat.learner.progress, report);
    let text = match format {
        Format::Text => Shown::new(&markdown::of(&list, (seat.clock)())),
        Format::Json => json(&list)?,
    };
    match out {
        None => seat.console.text(&text)?,
        Some(path) => {
            std::fs::write(path, text.as_str()).map_err(|error| {
                let what = format!("cannot write {}", path.display());
                Failure::arguments_but(what, error.to_string())
            })?;
            seat.console
                .remark(&format!("written to {}", path.display()))?;
            for missing in &list.missing {
                let said = format!("still missing: {} ({})", missing.what, missing.todo);
                seat.console.remark(&said)?;
            }
        }
    }
    Ok(Exit::of(Some(list.complete)))
}
