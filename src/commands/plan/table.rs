//! A plan for many cards, a row each.

use super::card_plan::CardPlan;
use crate::commands::console::Console;
use crate::commands::failure::Result;
use crate::commands::program_file::ProgramFile;
use crate::lab::plan::{Verdict, dominant, total_ns, verdict};
use crate::lab::units::{bytes, duration};

/// Prints a table.
pub(super) fn print(
    program: &ProgramFile,
    plans: &[CardPlan],
    console: &mut Console<'_>,
) -> Result<()> {
    console.line(&format!(
        "{} on modelled cards: no card was used, and every number is MODELLED.\n",
        program.name
    ))?;
    console.line(&row(["card", "fits", "needs", "of", "time", "most of it"]))?;
    for plan in plans {
        console.line(&of(plan))?;
    }
    for plan in plans {
        match verdict(&plan.run) {
            Verdict::Stopped(raised) => {
                return console.line(&format!("\n{}", raised.traceback.trim_end()));
            }
            Verdict::NotPlanned(why) => {
                return console.line(&format!("\n{} was not planned: {why}", plan.card.title));
            }
            Verdict::Fits { .. } | Verdict::TooLarge { .. } => {}
        }
    }
    Ok(())
}

fn of(plan: &CardPlan) -> String {
    let report = plan.run.report.as_ref();
    let fits = match verdict(&plan.run) {
        Verdict::Fits { .. } => "✓ yes".to_owned(),
        Verdict::TooLarge { first, .. } => format!("✗ no: line {}", first.line),
        Verdict::Stopped(raised) => format!("✗ stops: line {}", raised.line),
        Verdict::NotPlanned(_) => "✗ not planned".to_owned(),
    };
    let memory = report.and_then(|it| it.memory.as_deref());
    let needs = memory.map(|it| bytes(it.peak_reserved + it.workspace));
    let of = memory.map(|it| bytes(it.capacity));
    let most = report.and_then(|it| dominant(it.busy.as_deref()?));
    row([
        &plan.card.title,
        &fits,
        &needs.unwrap_or_default(),
        &of.unwrap_or_default(),
        &duration(total_ns(&plan.run)),
        &most.map_or_else(String::new, |(it, percent)| {
            format!("{} {percent} %", it.word())
        }),
    ])
}

fn row([card, fits, needs, of, time, most]: [&str; 6]) -> String {
    format!("{card:<18} {fits:<16} {needs:>9} {of:>9} {time:>9}  {most}")
        .trim_end()
        .to_owned()
}
