//! `warpup plan`: what a program would cost on a card, without one.

mod json;
mod table;
mod text;

use super::program_file::ProgramFile;
use super::runner::RunLab;
use super::{Console, Exit, Failure, Format};
use crate::cli::PlanArgs;
use crate::lab::plan::{Verdict, verdict};
use crate::lab::run::Run;
use crate::protocol::{Aim, DeviceName, Limits, Outcome, RunId, RunRequest};
use crate::worker::device::{self, cards};

/// A program on one card.
struct Plan {
    /// The card's id.
    card: String,
    /// What it is called.
    title: String,
    run: Run,
}

/// Plans the program and prints what came of it.
pub(super) fn plan(
    args: &PlanArgs,
    run_lab: &mut RunLab<'_>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let ids = cards_of(args)?;
    let program = ProgramFile::read(&args.program)?;
    let plans: Vec<Plan> = ids
        .into_iter()
        .zip(1..)
        .map(|((card, title), number)| {
            let run = run_lab(request(&program, &card, RunId(number)));
            Plan { card, title, run }
        })
        .collect();
    match (Format::from(args.json), plans.as_slice()) {
        (Format::Json, plans) => console.json(&json::Shown::of(&program, plans))?,
        (Format::Text, [only]) if !args.all => text::print(&program, only, console)?,
        (Format::Text, plans) => table::print(&program, plans, console)?,
    }
    Ok(exit_of(&plans))
}

/// The cards that are asked for, by id and title.
fn cards_of(args: &PlanArgs) -> Result<Vec<(String, String)>, Failure> {
    if args.all {
        let all = cards::shipped().in_order();
        return Ok(all
            .into_iter()
            .map(|(id, card)| (id.clone(), card.title.clone()))
            .collect());
    }
    let id = args.card.strip_prefix("model:").unwrap_or(&args.card);
    let card = device::card(id).map_err(|error| Failure::arguments(error.to_string()))?;
    Ok(vec![(id.to_owned(), card.title.clone())])
}

fn request(program: &ProgramFile, card: &str, run: RunId) -> RunRequest {
    RunRequest {
        run,
        name: program.name.clone(),
        source: program.source.clone(),
        check: None,
        device: DeviceName::Model(card.to_owned()),
        limits: Limits {
            spans: 0,
            ..Limits::default()
        },
        trace: true,
        aim: Aim::Plan,
    }
}

/// Fine if the program gets through on a card that was asked for.
fn exit_of(plans: &[Plan]) -> Exit {
    let is_ours = |it: &Plan| {
        let outcome = it.run.report.as_ref().map(|it| &it.outcome);
        matches!(outcome, None | Some(Outcome::Broken { .. }))
    };
    let fits = |it: &Plan| matches!(verdict(&it.run), Verdict::Fits { .. });
    if plans.iter().any(fits) {
        Exit::Fine
    } else if plans.iter().any(is_ours) {
        Exit::Ours
    } else {
        Exit::Wrong
    }
}

#[cfg(test)]
mod tests;
