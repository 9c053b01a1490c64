//! A program planned on one modelled card.

use crate::cli::PlanArgs;
use crate::commands::failure::Result;
use crate::commands::workers;
use warpup_lab::own_program::OwnProgram;
use warpup_lab::run::Run;
use warpup_protocol::{Aim, DeviceName, Limits, RunId, RunRequest};
use warpup_worker::device::cards::{self, Card};

/// The program's run on one card.
pub(in crate::commands) struct CardPlan {
    /// The card's name, such as `t4`.
    pub(in crate::commands) name: String,
    pub(in crate::commands) card: &'static Card,
    pub(in crate::commands) run: Run,
}

/// The request to plan a program on the card with this name.
pub(super) fn request(
    program: &OwnProgram,
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
    Ok(vec![card(&args.card)?])
}

/// The card with a name, `t4` or `model:t4`, and the first of these names.
pub(super) fn card(name: &str) -> Result<(String, &'static Card)> {
    let name = name.to_lowercase();
    let name = name.strip_prefix("model:").unwrap_or(&name);
    Ok((name.to_owned(), workers::card(name)?))
}
