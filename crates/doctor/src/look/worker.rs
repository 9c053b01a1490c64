//! Probes warpup's worker for real cards, started as the lab engine starts it.

use super::machine::Machine;
use super::process::{ProgramResult, run_patiently};
use crate::evidence::{Worker, WorkerNotes};
use std::path::Path;
use std::time::Duration;
use warpup_lab::engine::cards::BuildNotes;
use warpup_lab::engine::{LAUNCHER_TIME, Launch};
use warpup_protocol::{CARDS, Probe};

/// The notes of the build beside the worker.
pub(super) fn notes(machine: &Machine) -> WorkerNotes {
    let Ok(launch) = &machine.worker else {
        return WorkerNotes::default();
    };
    let notes = BuildNotes::beside(&launch.program);
    WorkerNotes {
        cuda: notes.cuda,
        capability: notes.capability,
    }
}

/// The launcher that starts the worker on another machine, if there is one.
pub(super) fn elsewhere(machine: &Machine) -> Option<String> {
    let launch = machine.worker.as_ref().ok()?;
    let is_launcher = launch.arguments.iter().any(|it| !it.starts_with(CARDS));
    let name = launch.program.file_name().unwrap_or_default();
    is_launcher.then(|| name.to_string_lossy().into_owned())
}

/// The cards that the policy of this machine allows, by UUID; every card if there are none.
pub(super) fn allowed(machine: &Machine) -> Vec<String> {
    let arguments = machine.worker.iter().flat_map(|it| &it.arguments);
    let cards = arguments.filter_map(|it| it.strip_prefix(CARDS));
    let uuids = cards.flat_map(|it| it.split(','));
    uuids.map(str::to_owned).collect()
}

/// Runs the probe.
pub(super) fn probe(machine: &Machine) -> Worker {
    let launch = match &machine.worker {
        Ok(launch) => launch,
        Err(reason) => {
            return Worker::Missing {
                why: reason.why.clone(),
            };
        }
    };
    let program = machine.command_of(launch);
    let mut environment = machine.environment.clone();
    for (name, value) in &launch.environment {
        environment.insert(name.into(), value.clone());
    }
    let arguments = launch.arguments.iter().map(String::as_str);
    let arguments: Vec<&str> = arguments.chain(["probe"]).collect();
    let asked = Launch {
        arguments: arguments.into_iter().map(str::to_owned).collect(),
        ..launch.clone()
    };
    let (started, patience) = match &machine.guard {
        Some(guard) => (asked.guarded_by(guard), LAUNCHER_TIME),
        None => (asked, Duration::ZERO),
    };
    let arguments: Vec<&str> = started.arguments.iter().map(String::as_str).collect();
    match run_patiently(
        (&started.program, &arguments),
        &environment,
        machine.limits.worker,
        patience,
    ) {
        ProgramResult::Hung { after_ms } => Worker::Hung { program, after_ms },
        ProgramResult::NotStarted { why } => Worker::NotStarted { program, why },
        ProgramResult::Ended {
            output,
            errors,
            how,
            ..
        } => match serde_json::from_str::<Probe>(&output) {
            Ok(probe) => Worker::Probed { program, probe },
            Err(_not_a_probe) => Worker::Ended {
                program,
                how,
                said: (output + &errors).trim().to_owned(),
            },
        },
    }
}

impl Machine {
    /// The command of the worker, with paths inside the root.
    fn command_of(&self, launch: &Launch) -> String {
        let program = match launch.program.strip_prefix(&self.root) {
            Ok(inside) => Path::new("/").join(inside),
            Err(_elsewhere) => launch.program.clone(),
        };
        let arguments = launch.arguments.iter().map(|it| format!(" {it}"));
        format!("{}{}", program.display(), arguments.collect::<String>())
    }
}
