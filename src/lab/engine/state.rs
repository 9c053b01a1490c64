//! The state of the supervisor: live workers, and the current run.

use super::process::Process;
use crate::protocol::{DeviceName, Outcome, RunId};
use std::time::{Duration, Instant};

/// One of the two workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerKind {
    /// For the CPU and modelled cards.
    Host,
    /// For real cards.
    Cards,
}

impl WorkerKind {
    /// The worker for a device.
    pub(super) fn of(device: &DeviceName) -> Self {
        match device {
            DeviceName::Cpu | DeviceName::Model(_) => Self::Host,
            DeviceName::Cuda(_) => Self::Cards,
        }
    }
}

/// A worker whose exit was not seen yet.
pub(super) struct Worker {
    pub(super) number: u64,
    pub(super) process: Process,
    /// Whether it has said hello, so that its exit is no failure to start.
    pub(super) has_answered: bool,
    pub(super) lifetime: Lifetime,
}

/// How long a worker stays alive.
#[derive(Clone, Copy)]
pub(super) enum Lifetime {
    /// Until the engine ends it.
    Unlimited,
    /// Without a run, until this time.
    IdleUntil(Instant),
    /// Until the end of its current run.
    CurrentRun,
}

/// The run that is not finished.
pub(super) struct ActiveRun {
    pub(super) run: RunId,
    pub(super) on: WorkerKind,
    /// Its time limit, from its start.
    pub(super) limit: Duration,
    pub(super) phase: Phase,
}

/// The phase of a run, with the deadline of the phase.
pub(super) enum Phase {
    /// Its worker makes a card ready.
    Starting(Instant),
    /// The program runs.
    Running(Instant),
    /// The program was asked to stop, for this reason; at the deadline it is killed.
    Stopping(Outcome, Instant),
}

impl ActiveRun {
    pub(super) fn deadline(&self) -> Instant {
        match &self.phase {
            Phase::Starting(until) | Phase::Running(until) | Phase::Stopping(_, until) => *until,
        }
    }
}
