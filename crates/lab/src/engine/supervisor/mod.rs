//! The thread that owns the workers: starts and ends them, passes runs on, and enforces deadlines.
//!
//! What the exit of a worker means is in [`super::worker_exit`] and [`super::cards::start_failure`].

mod events;

use super::cards::start_failure::StartFailure;
use super::inherited::Inheritance;
use super::launch::Launch;
use super::machine_memory;
use super::outbox::{Outbox, Room};
use super::output_budget::{self, OutputBudget};
use super::process::{Ending, Process, WorkerEvent};
use super::state::{ActiveRun, Lifetime, Message, Phase, Running, Worker, WorkerKind, Workers};
use super::test_panic::panic_for_test;
use super::time_limit::{OverdueRun, Verdict};
use super::usage::{State, Usage};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};
use warpup_protocol::{
    Clock, DeviceName, HOST_MEMORY, Outcome, Reply, Report, Request, RunId, RunRequest, VERSION,
};

/// How long a program may take to stop after it was asked to.
const GRACE: Duration = Duration::from_millis(500);

/// How long a worker may take to exit after it was asked to; one with a card has memory to free.
const EXIT_TIME: Duration = Duration::from_secs(2);

/// Owns the workers and the current run.
pub(super) struct Supervisor {
    workers: Workers,
    outbox: Outbox,
    /// For the replies of workers that are on their way to the app.
    room: Room,
    messages: SyncSender<Message>,
    /// The number of workers that were started.
    started: u64,
    builtin: Option<Worker>,
    cards: Option<Worker>,
    /// Workers that were asked to end, with their deadlines.
    ending: Vec<(Worker, Instant)>,
    running: Option<ActiveRun>,
}

impl Supervisor {
    pub(super) fn new(workers: Workers, outbox: Outbox, messages: SyncSender<Message>) -> Self {
        Self {
            workers,
            outbox,
            room: Room::default(),
            messages,
            started: 0,
            builtin: None,
            cards: None,
            ending: Vec::new(),
            running: None,
        }
    }

    pub(super) fn supervise(mut self, messages: &Receiver<Message>) {
        loop {
            // Without a deadline it waits forever.
            let wait = self.deadline().map_or(Duration::MAX, |it| {
                it.saturating_duration_since(Instant::now())
            });
            let message = messages.recv_timeout(wait);
            panic_for_test();
            match message {
                Ok(Message::Run(request)) => self.run(request),
                Ok(Message::Cancel(run)) => self.stop(run, Outcome::Cancelled),
                Ok(Message::ReleaseCard) => self.release_card(),
                Ok(Message::KillRuns(done)) => self.kill_runs(&done),
                Ok(Message::FromWorker(number, event, permit)) => {
                    self.on_event(number, event, permit);
                }
                Ok(Message::Queued(number, place)) => self.on_place(number, place),
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => self.deadline_passed(Instant::now()),
            }
        }
    }

    /// The next deadline of a run or a worker.
    fn deadline(&self) -> Option<Instant> {
        let running = self.running.as_ref().map(ActiveRun::deadline);
        let idle = self.cards.as_ref().and_then(|it| match it.lifetime {
            Lifetime::IdleUntil(moment) => Some(moment),
            Lifetime::Unlimited | Lifetime::CurrentRun => None,
        });
        let ending = self.ending.iter().map(|(_, until)| *until);
        running.into_iter().chain(idle).chain(ending).min()
    }

    fn deadline_passed(&mut self, now: Instant) {
        // Dropping a worker kills it.
        self.ending.retain(|(_, until)| *until > now);
        let is_idle =
            |it: &Worker| matches!(it.lifetime, Lifetime::IdleUntil(until) if until <= now);
        if self.cards.as_ref().is_some_and(is_idle) {
            self.end_worker(WorkerKind::Cards);
        }
        if self.running.as_ref().is_some_and(|it| it.deadline() <= now) {
            self.on_deadline();
        }
    }

    fn on_deadline(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        let why = match &running.phase {
            Phase::Running(_) => {
                self.running = Some(running);
                return self.look_at_its_time();
            }
            Phase::Starting(_) => {
                let cards = self.workers.cards.as_ref();
                let after = cards.map_or(GRACE, |it| it.ready_timeout);
                match cards.ok().and_then(|it| it.launcher.clone()) {
                    Some(launcher) => {
                        let queued = StartFailure::Queued { launcher, after };
                        Outcome::Busy(queued.reason("", ""))
                    }
                    None => self.unavailable(&StartFailure::Silent { after }, ""),
                }
            }
            Phase::Stopping(why, _) => why.clone(),
        };
        *self.slot(running.on) = None;
        self.finish(running, why);
    }

    /// Stops a run that has had its time, and lets one go on that did not get the CPU.
    fn look_at_its_time(&mut self) {
        let now = Instant::now();
        let usage = self.running.as_ref().map(|it| it.on);
        let usage = usage.and_then(|it| self.usage(it));
        let Some(active) = &mut self.running else {
            return;
        };
        let (run, limit) = (active.run, active.limit);
        let Phase::Running(timing) = &mut active.phase else {
            return;
        };
        if usage.is_some_and(|it| it.state == State::Asleep) {
            timing.asleep += 1;
        } else {
            timing.asleep = 0;
        }
        let overdue = OverdueRun {
            limit,
            wall: now.duration_since(timing.since),
            cpu_before: timing.cpu_before,
            usage,
            asleep: timing.asleep,
        };
        match overdue.verdict() {
            Verdict::TimedOut => self.stop(run, Outcome::TimedOut),
            Verdict::Starved(cpu) => self.stop(run, overdue.starved(cpu)),
            Verdict::Continue(wait) => timing.until = now + wait,
        }
    }

    /// What the worker of this kind has used.
    fn usage(&mut self, kind: WorkerKind) -> Option<Usage> {
        self.slot(kind).as_ref()?.process.usage()
    }

    /// The program of a run on this worker begins, unless it did.
    fn begin(&mut self, on: WorkerKind) {
        let is_starting = |it: &ActiveRun| matches!(it.phase, Phase::Starting(_));
        if !self.running.as_ref().is_some_and(is_starting) {
            return;
        }
        let usage = self.usage(on);
        if let Some(active) = &mut self.running {
            active.phase = Phase::Running(Running::begin(active.limit, usage));
        }
    }

    fn run(&mut self, mut request: RunRequest) {
        if let Some(before) = self.running.take() {
            // It is not asked to stop first: a new run replaces the old one.
            *self.slot(before.on) = None;
            self.finish(before, Outcome::Cancelled);
        }
        let on = WorkerKind::of(&request.device);
        self.workers.most.apply(&mut request.limits);
        let limit = Duration::from_millis(request.limits.time_ms);
        let now = Instant::now();
        let phase = match (on, &self.workers.cards) {
            (WorkerKind::Builtin, _) => {
                // Choosing another device frees the card.
                self.end_worker(WorkerKind::Cards);
                let usage = self.usage(on);
                Phase::Running(Running::begin(limit, usage))
            }
            (WorkerKind::Cards, Ok(cards)) => {
                request.limits.card_bytes = request.limits.card_bytes.or(cards.memory_cap);
                Phase::Starting(now + cards.ready_timeout)
            }
            (WorkerKind::Cards, Err(reason)) => {
                let reason = reason.clone();
                return self.never_ran(request.run, Outcome::Unavailable(reason));
            }
        };
        let clock = match request.device {
            DeviceName::Cpu | DeviceName::Cuda(_) => Clock::Measured,
            DeviceName::Model(_) => Clock::Modelled,
        };
        if clock == Clock::Modelled && request.limits.value_bytes == 0 {
            request.limits.value_bytes = machine_memory::for_values().unwrap_or(0);
        }
        let running = ActiveRun {
            run: request.run,
            on,
            clock,
            limit,
            host_bytes: Some(request.limits.host_bytes)
                .filter(|it| *it > 0)
                .unwrap_or(HOST_MEMORY),
            phase,
            request: request.timed.then(|| Box::new(request.clone())),
            volume: OutputBudget::new(request.limits),
        };
        if self.slot(on).is_none() {
            match self.start(on) {
                Ok(worker) => *self.slot(on) = Some(worker),
                Err(error) => {
                    let why = self.not_started(on, &error);
                    return self.finish(running, why);
                }
            }
        }
        if let Some(worker) = self.slot(on) {
            worker.lifetime = Lifetime::Unlimited;
            worker.process.send(Request::Run(request));
        }
        self.running = Some(running);
    }

    fn slot(&mut self, kind: WorkerKind) -> &mut Option<Worker> {
        match kind {
            WorkerKind::Builtin => &mut self.builtin,
            WorkerKind::Cards => &mut self.cards,
        }
    }

    fn launch(&self, kind: WorkerKind) -> &Launch {
        match (kind, &self.workers.cards) {
            (WorkerKind::Cards, Ok(cards)) => &cards.launch,
            (WorkerKind::Builtin, _) | (WorkerKind::Cards, Err(_)) => &self.workers.builtin,
        }
    }

    fn start(&mut self, kind: WorkerKind) -> io::Result<Worker> {
        self.started += 1;
        let number = self.started;
        let messages = self.messages.clone();
        let ending = self.ending(kind);
        let inheritance = match (kind, ending) {
            (_, Ending::Asked) => Inheritance::Launcher,
            (WorkerKind::Builtin, Ending::AtOnce) => Inheritance::Host,
            (WorkerKind::Cards, Ending::AtOnce) => Inheritance::Cards,
        };
        let room = self.room.clone();
        let launch = match ending {
            Ending::Asked if cfg!(target_os = "linux") => {
                &self.launch(kind).guarded_by(&self.workers.builtin)
            }
            Ending::Asked | Ending::AtOnce => self.launch(kind),
        };
        let process = Process::start(launch, inheritance, ending, move |mut event| {
            let weight = match &mut event {
                WorkerEvent::Reply(reply) => {
                    output_budget::shorten(reply);
                    output_budget::weight(reply)
                }
                WorkerEvent::Launcher(_) | WorkerEvent::Exited(_) => 0,
            };
            let permit = room.take(weight);
            drop(messages.send(Message::FromWorker(number, event, permit)));
        })?;
        process.send(Request::Hello { version: VERSION });
        Ok(Worker {
            number,
            process,
            has_answered: false,
            lifetime: Lifetime::Unlimited,
            runs: 0,
        })
    }

    /// How a worker of this kind is ended.
    fn ending(&self, kind: WorkerKind) -> Ending {
        match (kind, &self.workers.cards) {
            (WorkerKind::Cards, Ok(cards)) if cards.launcher.is_some() => Ending::Asked,
            (WorkerKind::Builtin | WorkerKind::Cards, _) => Ending::AtOnce,
        }
    }

    fn not_started(&self, kind: WorkerKind, error: &io::Error) -> Outcome {
        match kind {
            WorkerKind::Builtin => Outcome::Broken {
                what: self.launch(kind).failure(error),
            },
            WorkerKind::Cards => {
                self.unavailable(&StartFailure::of_error(error), &error.to_string())
            }
        }
    }

    /// The outcome of a run whose worker for cards did not start.
    fn unavailable(&self, failure: &StartFailure, stderr: &str) -> Outcome {
        let worker = self.launch(WorkerKind::Cards).program.display().to_string();
        Outcome::Unavailable(failure.reason(&worker, stderr))
    }

    fn stop(&mut self, run: RunId, why: Outcome) {
        let Some(running) = self.running.as_mut().filter(|it| it.run == run) else {
            return;
        };
        match running.phase {
            Phase::Starting(_) | Phase::Running(_) => {
                running.phase = Phase::Stopping(why, Instant::now() + GRACE);
                let on = running.on;
                if let Some(worker) = self.slot(on) {
                    worker.process.send(Request::Cancel { run });
                }
            }
            Phase::Stopping(..) => {}
        }
    }

    fn release_card(&mut self) {
        let is_running = matches!(&self.running, Some(it) if it.on == WorkerKind::Cards);
        match &mut self.cards {
            Some(worker) if is_running => worker.lifetime = Lifetime::CurrentRun,
            Some(_) | None => self.end_worker(WorkerKind::Cards),
        }
    }

    fn kill_runs(&mut self, done: &SyncSender<()>) {
        // Dropping a worker kills it. One without a run and without a card may stay: it does nothing.
        self.cards = None;
        self.ending.clear();
        let running = self.running.take();
        if running.is_some() {
            self.builtin = None;
        }
        // The app may have stopped waiting.
        let _ = done.try_send(());
        if let Some(running) = running {
            self.finish(running, Outcome::Cancelled);
        }
    }

    /// Asks a worker to end; it gets no more runs.
    fn end_worker(&mut self, kind: WorkerKind) {
        if let Some(mut worker) = self.slot(kind).take() {
            worker.process.close_input();
            self.ending.push((worker, Instant::now() + EXIT_TIME));
        }
    }

    /// Ends a run for the app, without times: the worker had those of the program, and the app has another clock.
    fn finish(&self, mut active: ActiveRun, outcome: Outcome) {
        let mut report = Report {
            clock: active.clock,
            ..Report::without_times(outcome)
        };
        active.volume.conclude(&mut report);
        let run = active.run;
        self.outbox.put(Reply::Finished { run, report }, None);
    }

    /// Ends a run that had no worker.
    fn never_ran(&self, run: RunId, outcome: Outcome) {
        let report = Report::without_times(outcome);
        self.outbox.put(Reply::Finished { run, report }, None);
    }
}
