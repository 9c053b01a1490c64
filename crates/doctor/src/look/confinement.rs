//! Asks a process that is confined like a lab's what it can do.

use super::process::{ProgramResult, run};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use warpup_protocol::{Attempt, AttemptResult, ForbiddenAction};

/// How long the process may take: it tries a few system calls.
const LIMIT: Duration = Duration::from_secs(3);

/// What came of each attempt; nothing if the process did not answer. `executable` is warpup's own.
pub fn attempts(executable: &Path) -> Vec<Attempt> {
    let arguments = ["worker", "--probe-confinement"];
    let ProgramResult::Ended { output, .. } = run(executable, &arguments, &BTreeMap::new(), LIMIT)
    else {
        return Vec::new();
    };
    let mut attempts: Vec<Attempt> = output
        .lines()
        .filter_map(|it| serde_json::from_str(it).ok())
        .collect();
    let is_last_missing = attempts.len() + 1 == ForbiddenAction::ALL.len();
    if is_last_missing && let Some(what) = ForbiddenAction::ALL.last().copied() {
        // It has become another program, which says nothing.
        attempts.push(Attempt {
            what,
            came: AttemptResult::Worked,
        });
    }
    attempts
}
