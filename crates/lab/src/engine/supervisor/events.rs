//! What the supervisor does when a worker replies or exits.

use super::Supervisor;
use crate::engine::cards::start_failure::StartFailure;
use crate::engine::outbox::Permit;
use crate::engine::output_budget::Admission;
use crate::engine::process::{WorkerEvent, WorkerExit};
use crate::engine::slurm::{Job, SrunMessage};
use crate::engine::state::{ActiveRun, Lifetime, Message, Phase, Worker, WorkerKind};
use std::time::{Duration, Instant};
use warpup_protocol::{Outcome, Reply, Report, Request, RunId, VERSION};

/// The memory that a worker may keep between runs, in bytes: a lab's large tensors stay with the allocator.
const MOST_KEPT: u64 = 256 << 20;

/// A worker waits for its turn on a card for two minutes at most, and looks for it every second.
const LONGEST_TURN_WAIT: Duration = Duration::from_secs(130);

/// The runs of a worker. The interpreter frees all but about half a MiB of each.
const MOST_RUNS: u32 = 100;

/// Counts a run, and says whether the next one gets a new worker. A worker of real cards ends by itself, and the
/// driver's libraries count as its memory.
fn is_used_up(worker: &mut Worker) -> bool {
    worker.runs += 1;
    worker.runs >= MOST_RUNS
        || worker
            .process
            .resident_bytes()
            .is_some_and(|it| it > MOST_KEPT)
}

impl Supervisor {
    /// An event of the worker with this number.
    pub(super) fn on_event(&mut self, number: u64, event: WorkerEvent, permit: Permit) {
        let is_from = |it: &Option<Worker>| it.as_ref().is_some_and(|it| it.number == number);
        let from = if is_from(&self.builtin) {
            WorkerKind::Builtin
        } else if is_from(&self.cards) {
            WorkerKind::Cards
        } else {
            if let WorkerEvent::Exited(_) = event {
                self.ending.retain(|(it, _)| it.number != number);
            }
            return;
        };
        match event {
            WorkerEvent::Reply(reply) => self.on_reply(from, reply, permit),
            WorkerEvent::Launcher(said) => self.on_launcher(from, &said),
            WorkerEvent::Exited(exit) => self.on_exit(from, &exit),
        }
    }

    /// What starts a worker elsewhere has said something.
    fn on_launcher(&mut self, from: WorkerKind, said: &str) {
        let (Some(worker), Ok(cards)) = (&mut self.cards, &self.workers.cards) else {
            return;
        };
        let why = match SrunMessage::of(said) {
            Some(SrunMessage::Queued(job)) => {
                let (number, messages) = (worker.number, self.messages.clone());
                let program = cards.launch.program.to_str().into_iter();
                let words = program.chain(cards.launch.arguments.iter().map(String::as_str));
                worker.process.is_job(Job::new(words, job, move |place| {
                    drop(messages.send(Message::Queued(number, place)));
                }));
                format!("waiting in Slurm's queue: job {job}")
            }
            Some(SrunMessage::Allocated(job)) => {
                format!("Slurm has a card for job {job}: the worker starts")
            }
            None => format!("the launcher says: {said}"),
        };
        self.say_waiting(from, why);
    }

    /// The place of a worker in a queue.
    pub(super) fn on_place(&self, number: u64, place: String) {
        if self.cards.as_ref().is_some_and(|it| it.number == number) {
            self.say_waiting(WorkerKind::Cards, place);
        }
    }

    /// Says what the run on this worker waits for, unless it has begun.
    fn say_waiting(&self, on: WorkerKind, why: String) {
        let is_waiting = |it: &&ActiveRun| it.on == on && matches!(it.phase, Phase::Starting(_));
        if let Some(active) = self.running.as_ref().filter(is_waiting) {
            let run = active.run;
            self.outbox.put(Reply::Waiting { run, why }, None);
        }
    }

    /// A run waits for its turn on the card, which counts against no limit. A worker that has a card open from a run before
    /// makes room: another one waits in its place.
    fn on_turn(&mut self, from: WorkerKind, run: RunId, why: String) {
        let ready = match (from, &self.workers.cards) {
            (WorkerKind::Cards, Ok(cards)) => cards.ready_timeout,
            (WorkerKind::Cards, Err(_)) | (WorkerKind::Builtin, _) => return,
        };
        let is_of_run = |it: &&mut ActiveRun| it.run == run && it.on == from;
        let Some(active) = self.running.as_mut().filter(is_of_run) else {
            return;
        };
        let Phase::Starting(until) = &mut active.phase else {
            return;
        };
        *until = Instant::now() + LONGEST_TURN_WAIT + ready;
        let request = active.request.take();
        if self.cards.as_ref().is_some_and(|it| it.runs > 0)
            && let Some(request) = request
        {
            // Dropping a worker kills it, and frees its card.
            self.cards = None;
            match self.start(from) {
                Ok(worker) => {
                    worker.process.send(Request::Run(*request));
                    self.cards = Some(worker);
                }
                Err(error) => {
                    let why = self.not_started(from, &error);
                    if let Some(running) = self.running.take() {
                        return self.finish(running, why);
                    }
                }
            }
        }
        self.say_waiting(from, why);
    }

    fn on_reply(&mut self, from: WorkerKind, reply: Reply, permit: Permit) {
        match reply {
            Reply::Hello { version, .. } if version != VERSION => {
                self.reject_worker(from, Some(version), format!(
                    "the lab worker speaks version {version} of the protocol, the app {VERSION}: install both from one build"
                ));
            }
            Reply::Refused { run: None, why } => self.reject_worker(from, None, why),
            Reply::Hello { .. } => {
                if let Some(worker) = self.slot(from) {
                    worker.has_answered = true;
                }
                self.outbox.put(reply, Some(permit));
            }
            Reply::Finished { run, report } => self.on_finished(from, run, report),
            Reply::Refused {
                run: Some(run),
                why,
            } => {
                if let Some(running) = self.running.take_if(|it| it.run == run) {
                    self.finish(running, Outcome::Broken { what: why });
                    self.idle(from);
                }
            }
            Reply::Waiting { run, why } => self.on_turn(from, run, why),
            Reply::Started { run, .. }
            | Reply::Output { run, .. }
            | Reply::Check { run, .. }
            | Reply::Metric { run, .. }
            | Reply::Plot { run, .. }
            | Reply::Spans { run, .. } => {
                // The replies of a killed worker may arrive after the end of its run.
                let Some(running) = self.running.as_mut().filter(|it| it.run == run) else {
                    return;
                };
                let admitted = running.volume.admit(reply);
                self.begin(from);
                match admitted {
                    Admission::Yes(reply) => self.outbox.put(reply, Some(permit)),
                    Admission::No => {}
                    Admission::TooMuchOutput => self.stop(run, Outcome::TooMuchOutput),
                }
            }
        }
    }

    /// The worker reports the end of a run.
    fn on_finished(&mut self, from: WorkerKind, run: RunId, mut report: Report) {
        let Some(mut running) = self.running.take_if(|it| it.run == run) else {
            return;
        };
        running.volume.conclude(&mut report);
        // The worker calls every stopped run cancelled; the reason is known here.
        if let Phase::Stopping(why, _) = running.phase
            && report.outcome == Outcome::Cancelled
        {
            report.outcome = why;
        }
        if report.worker_ends {
            self.end_worker(from);
        }
        self.outbox.put(Reply::Finished { run, report }, None);
        self.idle(from);
    }

    /// A worker has no more run.
    fn idle(&mut self, kind: WorkerKind) {
        if kind == WorkerKind::Builtin && self.builtin.as_mut().is_some_and(is_used_up) {
            return self.end_worker(kind);
        }
        let (WorkerKind::Cards, Some(worker)) = (kind, &mut self.cards) else {
            return;
        };
        let cards = self.workers.cards.as_ref();
        let linger = cards.map_or(Duration::ZERO, |it| it.linger);
        worker.runs += 1;
        match worker.lifetime {
            Lifetime::Unlimited | Lifetime::IdleUntil(_) if !linger.is_zero() => {
                worker.lifetime = Lifetime::IdleUntil(Instant::now() + linger);
            }
            Lifetime::Unlimited | Lifetime::IdleUntil(_) | Lifetime::CurrentRun => {
                self.end_worker(kind);
            }
        }
    }

    fn on_exit(&mut self, from: WorkerKind, exit: &WorkerExit) {
        let worker = self.slot(from).take();
        let has_answered = worker.is_some_and(|it| it.has_answered);
        let Some(running) = self.running.take_if(|it| it.on == from) else {
            return;
        };
        let outcome = match (&running.phase, from) {
            (Phase::Stopping(why, _), _) => why.clone(),
            (Phase::Starting(_) | Phase::Running(_), WorkerKind::Cards) if !has_answered => {
                let failure = StartFailure::of_stderr(&exit.stderr, &exit.how);
                self.unavailable(&failure, &exit.stderr)
            }
            (Phase::Starting(_) | Phase::Running(_), WorkerKind::Builtin | WorkerKind::Cards) => {
                exit.outcome(running.host_bytes)
            }
        };
        self.finish(running, outcome);
    }

    /// Kills a worker that speaks another version of the protocol.
    fn reject_worker(&mut self, from: WorkerKind, version: Option<u32>, what: String) {
        let worker = self.slot(from).take();
        let has_answered = worker.is_some_and(|it| it.has_answered);
        let Some(running) = self.running.take_if(|it| it.on == from) else {
            return;
        };
        let outcome = match from {
            WorkerKind::Cards if !has_answered => {
                self.unavailable(&StartFailure::OtherVersion { theirs: version }, &what)
            }
            WorkerKind::Builtin | WorkerKind::Cards => Outcome::Broken { what },
        };
        self.finish(running, outcome);
    }
}
