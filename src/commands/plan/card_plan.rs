//! A program planned on one modelled card.

use crate::cli::PlanArgs;
use crate::commands::failure::{Failure, Result};
use crate::commands::program_file::ProgramFile;
use crate::lab::run::Run;
use crate::protocol::{Aim, DeviceName, Limits, RunId, RunRequest};
use crate::worker::device::{
    self,
    cards::{self, Card},
};

/// The program's run on one card.
pub(super) struct CardPlan {
    /// The card's name, such as `t4`.
    pub(super) name: String,
    pub(super) card: &'static Card,
    pub(super) run: Run,
}

/// The request to plan a program on the card with this name.
pub(super) fn request(
    program: &ProgramFile,
    arguments: &[String],
    card: &str,
    run: RunId,
) -> RunRequest {
    RunRequest {
        run,
        name: program.name.clone(),
        source: program.source.clone(),
        modules: program.modules.clone(),
        place: program.place.clone(),
        arguments: arguments.to_vec(),
        check: None,
        device: DeviceName::Model(card.to_owned()),
        limits: Limits {
            spans: 0,
            host_bytes: 0,
            ..Limits::default()
        },
        trace: true,
        aim: Aim::Plan,
        timed: false,
    }
}

/// The cards that the arguments ask for, with their names.
pub(super) fn cards(args: &PlanArgs) -> Result<Vec<(String, &'static Card)>> {
    if args.all {
        let all = cards::shipped().in_order().into_iter();
        return Ok(all.map(|(name, card)| (name.clone(), card)).collect());
    }
    let name = args.card.to_lowercase();
    let name = name.strip_prefix("model:").unwrap_or(&name);
    let card = device::card(name).map_err(|error| Failure::arguments(error.to_string()))?;
    Ok(vec![(name.to_owned(), card)])
}
