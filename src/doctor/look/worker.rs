//! Starts warpup's worker for real cards once, to look around.

use super::Machine;
use super::files::is_program;
use super::process::{Ran, run};
use crate::doctor::evidence::{Worker, WorkerNotes};
use crate::protocol::Probe;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name of the worker's executable.
const NAME: &str = "warpup-worker-cuda";

/// Where the worker may be: beside the app.
pub(super) fn places(app: &Path) -> Vec<PathBuf> {
    app.parent().map(|it| it.join(NAME)).into_iter().collect()
}

/// What the build has noted beside the worker.
pub(super) fn notes(machine: &Machine) -> Option<WorkerNotes> {
    let program = machine.worker.iter().find(|it| is_program(it))?;
    let text = std::fs::read_to_string(program.with_extension("toml")).ok()?;
    toml::from_str(&text).ok()
}

/// Starts the worker and waits for what it finds.
pub(super) fn probe(machine: &Machine, notes: Option<&WorkerNotes>) -> Worker {
    let Some(path) = machine.worker.iter().find(|it| it.exists()) else {
        let looked_at = machine.worker.iter().map(|it| machine.shown(it));
        return Worker::Missing {
            looked_at: looked_at.collect(),
        };
    };
    let program = machine.shown(path);
    let mut environment = machine.environment.clone();
    let folders = machine.library_path(notes);
    if !folders.is_empty() {
        let folders = OsString::from(folders.join(":"));
        environment.insert("LD_LIBRARY_PATH".into(), folders);
    }
    match run(path, &["probe"], &environment, machine.limits.worker) {
        Ran::Hung { after_ms } => Worker::Hung { program, after_ms },
        Ran::NotStarted { why } => Worker::NotStarted { program, why },
        Ran::Ended {
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
    /// A path as this machine's people write it.
    fn shown(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        Path::new("/").join(inside).display().to_string()
    }
}
