//! What the engine keeps in mind: a worker that is alive, and a run that is going.
//!
//! Does nothing with them; that is [`super::supervisor`]'s.

use super::process::Process;
use crate::protocol::{DeviceName, Outcome, RunId};
use std::time::{Duration, Instant};

/// Which of the two workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Own,
    Cards,
}

impl Kind {
    pub(super) fn of(device: &DeviceName) -> Self {
        match device {
            DeviceName::Cpu | DeviceName::Model(_) => Self::Own,
            DeviceName::Cuda(_) => Self::Cards,
        }
    }
}

/// A worker that is alive, as far as is known.
pub(super) struct Worker {
    pub(super) number: u64,
    pub(super) process: Process,
    /// Whether it has answered, so that its end is no failure to start.
    pub(super) has_answered: bool,
    pub(super) stays: Stays,
}

/// How long a worker stays without a run.
#[derive(Clone, Copy)]
pub(super) enum Stays {
    /// Until somebody ends it.
    On,
    /// Until then.
    Until(Instant),
    /// No longer than for the run that it has.
    ForThisRun,
}

/// A run that has not ended.
pub(super) struct Running {
    pub(super) run: RunId,
    pub(super) on: Kind,
    /// What it may take once it has begun.
    pub(super) limit: Duration,
    pub(super) phase: Phase,
}

/// How far a run is, and when that has to be over.
pub(super) enum Phase {
    /// Until then its card has to be ready.
    Waiting(Instant),
    /// Until then it may run.
    Going(Instant),
    /// It was asked to stop for this reason; after that moment it is killed.
    Stopping(Outcome, Instant),
}

impl Running {
    pub(super) fn deadline(&self) -> Instant {
        match &self.phase {
            Phase::Waiting(until) | Phase::Going(until) | Phase::Stopping(_, until) => *until,
        }
    }
}
