//! What the supervisor knows and receives: workers that it may start, live ones, the current run, and messages.

use super::cards::CardWorker;
use super::launch::Launch;
use super::orphans;
use super::outbox::Permit;
use super::output_budget::OutputBudget;
use super::process::{Process, WorkerEvent};
use super::usage::Usage;
use std::num::NonZeroU32;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};
use warpup_protocol::{Clock, DeviceName, HOST_MEMORY, Limits, Outcome, Reason, RunId, RunRequest};

/// The workers that an engine may start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workers {
    /// For the CPU and modelled cards.
    pub builtin: Launch,
    /// For real cards, or why there is none.
    pub cards: Result<CardWorker, Reason>,
    /// The most that a run may use, whatever it asks for.
    pub most: MachineLimits,
}

/// The most that a run may use on this machine; nothing where a run has what it asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachineLimits {
    /// How long its program may compute.
    pub time: Option<Duration>,
    /// Bytes of host memory.
    pub host_bytes: Option<u64>,
    /// Threads that it computes with.
    pub threads: Option<NonZeroU32>,
}

impl MachineLimits {
    /// Lowers the limits of a run to these.
    pub(super) fn apply(self, limits: &mut Limits) {
        if let Some(time) = self.time {
            let most = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            limits.time_ms = limits.time_ms.min(most);
        }
        if let Some(most) = self.host_bytes {
            let asked = Some(limits.host_bytes).filter(|it| *it > 0);
            limits.host_bytes = asked.unwrap_or(HOST_MEMORY).min(most);
        }
    }
}

/// The smaller of two limits, of which either may be missing.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

impl Workers {
    /// Adopts what these workers leave behind, unless a launcher starts one.
    pub fn adopt_orphans(&self) {
        if !self.are_launched() {
            orphans::adopt();
        }
    }

    /// The same with limits besides those that they have.
    #[must_use]
    pub fn within(mut self, most: MachineLimits) -> Self {
        if let Some(threads) = most.threads {
            self.builtin = self.builtin.with_threads(threads);
            if let Ok(cards) = &mut self.cards {
                cards.launch = cards.launch.with_threads(threads);
            }
        }
        let most = MachineLimits {
            time: least(self.most.time, most.time),
            host_bytes: least(self.most.host_bytes, most.host_bytes),
            threads: least(self.most.threads, most.threads),
        };
        Self { most, ..self }
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
            most: MachineLimits::default(),
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
    /// What its worker was asked, until it first waits for a turn on the card; kept for that alone.
    pub(super) request: Option<Box<RunRequest>>,
    /// What its worker has said so far.
    pub(super) volume: OutputBudget,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_lowers_the_limits_of_a_run_and_raises_none() {
        let most = MachineLimits {
            time: Some(Duration::from_secs(2)),
            host_bytes: Some(1 << 30),
            threads: None,
        };
        let limited = |time_ms, host_bytes| {
            let mut limits = Limits {
                time_ms,
                host_bytes,
                ..Limits::default()
            };
            most.apply(&mut limits);
            (limits.time_ms, limits.host_bytes)
        };
        assert_eq!(limited(20_000, 4 << 30), (2_000, 1 << 30));
        assert_eq!(limited(500, 1 << 20), (500, 1 << 20));
        // 0 asks for as much as there is without a policy.
        assert_eq!(limited(500, 0), (500, 1 << 30));
        let mut limits = Limits::default();
        MachineLimits::default().apply(&mut limits);
        assert_eq!(limits, Limits::default());
    }
}
