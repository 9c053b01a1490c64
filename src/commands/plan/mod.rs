//! `warpup plan`: what a program would cost on a card, without one.

mod card_plan;
mod json;
mod text;

use super::console::{Console, Format};
use super::failure::{Exit, Result};
use super::program_file::ProgramFile;
use super::runner::{RunLab, Runner};
use super::workers;
use crate::cli::PlanArgs;
use crate::lab::plan::{Verdict, verdict};
use crate::protocol::{Outcome, RunId};
use card_plan::CardPlan;
use json::PlanJson;

/// Plans a program on modelled cards.
pub(super) fn execute(args: &PlanArgs, console: &mut Console<'_>) -> Result<Exit> {
    let runner = Runner::start(workers::without_cards())?;
    plan(args, &mut |request| runner.run(request), console)
}

/// Plans the program and prints the plans.
fn plan(args: &PlanArgs, run_lab: &mut RunLab<'_>, console: &mut Console<'_>) -> Result<Exit> {
    let cards = card_plan::cards(args)?;
    let program = ProgramFile::read(&args.program)?;
    let plans: Vec<CardPlan> = cards
        .into_iter()
        .zip(1..)
        .map(|(card, number)| CardPlan::of(&program, card, RunId(number), run_lab))
        .collect();
    match (Format::from(args.json), plans.as_slice()) {
        (Format::Json, plans) => console.json(&PlanJson::of(&program, plans))?,
        (Format::Text, [only]) if !args.all => text::print(&program, only, console)?,
        (Format::Text, plans) => text::print_table(&program, plans, console)?,
    }
    Ok(exit_of(&plans))
}

/// Fine if the program gets through on a card that was asked for.
fn exit_of(plans: &[CardPlan]) -> Exit {
    let is_internal = |it: &CardPlan| {
        let outcome = it.run.report.as_ref().map(|it| &it.outcome);
        matches!(outcome, None | Some(Outcome::Broken { .. }))
    };
    let fits = |it: &CardPlan| matches!(verdict(&it.run), Verdict::Fits { .. });
    if plans.iter().any(fits) {
        Exit::Fine
    } else if plans.iter().any(is_internal) {
        Exit::InternalError
    } else {
        Exit::Wrong
    }
}

#[cfg(test)]
mod tests;
