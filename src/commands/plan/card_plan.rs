//! A program planned on one modelled card.

use crate::cli::PlanArgs;
use crate::commands::failure::{Failure, Result};
use crate::commands::program_file::ProgramFile;
use crate::commands::runner::RunLab;
use crate::lab::run::Run;
use crate::protocol::{Aim, DeviceName, Limits, RunId, RunRequest};
use crate::worker::device::{self, cards};

/// A card's name in a table, and what people call it.
pub(super) struct CardTitle {
    /// The name, such as `t4`.
    pub(super) name: String,
    /// The title, such as `Tesla T4`.
    pub(super) title: String,
}

/// The program's run on one card.
pub(super) struct CardPlan {
    pub(super) card: CardTitle,
    pub(super) run: Run,
}

impl CardPlan {
    /// Plans a program on a card.
    pub(super) fn of(
        program: &ProgramFile,
        card: CardTitle,
        run: RunId,
        run_lab: &mut RunLab<'_>,
    ) -> Self {
        let run = run_lab(request(program, &card.name, run));
        Self { card, run }
    }
}

/// The cards that the arguments ask for.
pub(super) fn cards(args: &PlanArgs) -> Result<Vec<CardTitle>> {
    let card = |(name, title): (&str, &str)| CardTitle {
        name: name.to_owned(),
        title: title.to_owned(),
    };
    if args.all {
        let all = cards::shipped().in_order().into_iter();
        return Ok(all.map(|(name, it)| card((name, &it.title))).collect());
    }
    let name = args.card.strip_prefix("model:").unwrap_or(&args.card);
    let found = device::card(name).map_err(|error| Failure::arguments(error.to_string()))?;
    Ok(vec![card((name, &found.title))])
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
