//! `warpup plan`: what a program would cost on a card, without one.

mod at_once;
mod card_plan;
mod json;
mod text;

use super::console::{Console, Format};
use super::failure::{Exit, Result};
use super::program_file;
use crate::cli::PlanArgs;
use card_plan::request;
use json::PlanJson;
use warpup_lab::own_program::OwnProgram;
use warpup_lab::plan::{Verdict, verdict};
use warpup_lab::run::Run;
use warpup_protocol::{Outcome, RunId};

pub(super) use at_once::{RunAll, run as run_all};
pub(super) use card_plan::CardPlan;
pub(super) use text::in_words;

/// Plans a program on one modelled card.
pub(super) fn on_card(
    program: &OwnProgram,
    arguments: &[String],
    card: &str,
    run_all: &mut RunAll<'_>,
) -> Result<CardPlan> {
    let (name, card) = card_plan::card(card)?;
    let request = request(program, arguments, &name, RunId(1));
    let unanswered = Run::new(request.run);
    let run = run_all(vec![request]).pop().unwrap_or(unanswered);
    Ok(CardPlan { name, card, run })
}

/// Plans a program on modelled cards.
pub(super) fn execute(args: &PlanArgs, console: &mut Console<'_>) -> Result<Exit> {
    plan(args, &mut run_all, console)
}

/// Plans the program and prints the plans.
fn plan(args: &PlanArgs, run_all: &mut RunAll<'_>, console: &mut Console<'_>) -> Result<Exit> {
    let cards = card_plan::cards(args)?;
    let program = program_file::read(&args.program)?;
    let requests = cards.iter().zip(1..);
    let requests =
        requests.map(|((name, _), number)| request(&program, &args.arguments, name, RunId(number)));
    let runs = run_all(requests.collect());
    let plans: Vec<CardPlan> = cards
        .into_iter()
        .zip(runs)
        .map(|((name, card), run)| CardPlan { name, card, run })
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
    let fits = |it: &CardPlan| {
        matches!(
            verdict(&it.run),
            Verdict::Fits { .. } | Verdict::FitsWithoutWorkspaces { .. }
        )
    };
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
