//! What the supervisor knows and receives: workers that it may start, live ones, the current run, and messages.

use super::cards::CardWorker;
use super::launch::Launch;
use super::orphans;
use super::outbox::Permit;
use super::process::{Process, WorkerEvent};
use super::usage::Usage;
use super::volume::Volume;
use crate::protocol::{Clock, DeviceName, Outcome, Reason, RunId, RunRequest};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

/// The workers that an engine may start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workers {
    /// For the CPU and modelled cards.
    pub builtin: Launch,
    /// For real cards, or why there is none.
    pub cards: Result<CardWorker, Reason>,
}

impl Workers {
    /// Adopts what these workers leave behind, unless a launcher starts one.
    pub fn adopt_orphans(&self) {
        if !self.are_launched() {
            orphans::adopt();
        }
    }

    /// Whether a launcher starts the worker for real cards, which has to be asked to end it.
    pub fn are_launched(&self) -> bool {
        self.cards.as_ref().is_ok_and(|it| it.launcher.is_some())
    }

    /// Workers for runs that need no real card.
    pub fn without_cards(builtin: Launch) -> Self {
        let reason = Reason {
            why: "nothing here runs on a real card".to_owned(),
            hint: "choose cpu or a modelled card such as model:t4".to_owned(),
            evidence: String::new(),
        };
        Self {
            builtin,
            cards: Err(reason),
        }
    }
}

/// A message to the supervisor.
#[derive(Debug)]
pub(super) enum Message {
    Run(RunRequest),
    Cancel(RunId),
    ReleaseCard,
    KillRuns(SyncSender<()>),
    /// From the worker with this number; events of replaced workers are dropped.
    FromWorker(u64, WorkerEvent, Permit),
    /// What the worker with this number waits for in a queue.
    Queued(u64, String),
    End,
}

/// One of the two workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerKind {
    /// For the CPU and modelled cards.
    Builtin,
    /// For real cards.
    Cards,
}

impl WorkerKind {
    /// The worker for a device.
    pub(super) fn of(device: &DeviceName) -> Self {
        match device {
            DeviceName::Cpu | DeviceName::Model(_) => Self::Builtin,
            DeviceName::Cuda(_) => Self::Cards,
        }
    }
}

/// A worker whose exit was not seen yet.
pub(super) struct Worker {
    pub(super) number: u64,
    pub(super) process: Process,
    /// Whether it has said hello, so that its exit is not a failure to start.
    pub(super) has_answered: bool,
    pub(super) lifetime: Lifetime,
    /// The runs that it has finished.
    pub(super) runs: u32,
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
    /// Where its times come from.
    pub(super) clock: Clock,
    /// Its time limit, from its start.
    pub(super) limit: Duration,
    /// The host memory that it may use, in bytes.
    pub(super) host_bytes: u64,
    pub(super) phase: Phase,
    /// What its worker has said so far.
    pub(super) volume: Volume,
}

/// The phase of a run, with the deadline of the phase.
pub(super) enum Phase {
    /// Its worker makes a card ready.
    Starting(Instant),
    /// The program runs.
    Running(Running),
    /// The program was asked to stop, for this reason; at the deadline it is killed.
    Stopping(Outcome, Instant),
}

/// A program that runs, and when to look at its time.
pub(super) struct Running {
    pub(super) since: Instant,
    pub(super) until: Instant,
    /// The CPU time of its worker before.
    pub(super) cpu_before: Duration,
    /// How often it was seen asleep past its limit.
    pub(super) asleep: u32,
}

impl Running {
    /// A program that begins now, in a worker that has used this much.
    pub(super) fn begin(limit: Duration, usage: Option<Usage>) -> Self {
        let since = Instant::now();
        Self {
            since,
            until: since + limit,
            cpu_before: usage.map_or(Duration::ZERO, |it| it.cpu),
            asleep: 0,
        }
    }
}

impl ActiveRun {
    pub(super) fn deadline(&self) -> Instant {
        match &self.phase {
            Phase::Starting(until) | Phase::Stopping(_, until) => *until,
            Phase::Running(running) => running.until,
        }
    }
}
