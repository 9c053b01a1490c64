//! A program planned on one modelled card.

use crate::cli::PlanArgs;
use crate::commands::failure::{Failure, Result};
use crate::commands::program_file::ProgramFile;
use crate::commands::runner::RunLab;
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

impl CardPlan {
    /// Plans a program on a card.
    pub(super) fn of(
        program: &ProgramFile,
        (name, card): (String, &'static Card),
        run: RunId,
        run_lab: &mut RunLab<'_>,
    ) -> Self {
        let run = run_lab(RunRequest {
            run,
            name: program.name.clone(),
            source: program.source.clone(),
            check: None,
            device: DeviceName::Model(name.clone()),
            limits: Limits {
                spans: 0,
                ..Limits::default()
            },
            trace: true,
            aim: Aim::Plan,
        });
        Self { name, card, run }
    }
}

/// The cards that the arguments ask for, with their names.
pub(super) fn cards(args: &PlanArgs) -> Result<Vec<(String, &'static Card)>> {
    if args.all {
        let all = cards::shipped().in_order().into_iter();
        return Ok(all.map(|(name, card)| (name.clone(), card)).collect());
    }
    let name = args.card.strip_prefix("model:").unwrap_or(&args.card);
    let card = device::card(name).map_err(|error| Failure::arguments(error.to_string()))?;
    Ok(vec![(name.to_owned(), card)])
}
