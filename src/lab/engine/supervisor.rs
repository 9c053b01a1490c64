//! The thread that owns the workers: which of them is alive, which run is going, and until when.
//!
//! Decides nothing about a program. What the end of a worker means is in [`super::gone`] and
//! [`super::cards::trouble`].

use super::cards::trouble::Trouble;
use super::process::{Gone, Heard, Process};
use super::state::{Kind, Phase, Running, Stays, Worker};
use super::{Launch, Message, Sink, Workers};
use crate::protocol::{Outcome, Reply, Report, Request, RunId, RunRequest, VERSION};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// How long a program has to stop after it was asked to.
const GRACE: Duration = Duration::from_millis(500);

/// How long a worker has to end after it was asked to; one with a card has memory to give back.
const FAREWELL: Duration = Duration::from_secs(2);

pub(super) struct Supervisor {
    workers: Workers,
    sink: Sink,
    heard: SyncSender<Message>,
    /// How many workers have been started.
    started: u64,
    own: Option<Worker>,
    cards: Option<Worker>,
    /// Workers that were asked to end, and until when they may take for it.
    ending: Vec<(Worker, Instant)>,
    running: Option<Running>,
}

impl Supervisor {
    pub(super) fn new(workers: Workers, sink: Sink, heard: SyncSender<Message>) -> Self {
        Self {
            workers,
            sink,
            heard,
            started: 0,
            own: None,
            cards: None,
            ending: Vec::new(),
            running: None,
        }
    }

    pub(super) fn supervise(mut self, messages: &Receiver<Message>) {
        loop {
            let message = match self.deadline() {
                None => messages
                    .recv()
                    .map_err(|_all_gone| RecvTimeoutError::Disconnected),
                Some(deadline) => {
                    messages.recv_timeout(deadline.saturating_duration_since(Instant::now()))
                }
            };
            match message {
                Ok(Message::Run(request)) => self.run(request),
                Ok(Message::Cancel(run)) => self.stop(run, Outcome::Cancelled),
                Ok(Message::LetCardGo) => self.let_card_go(),
                Ok(Message::DropCard(done)) => self.drop_card(&done),
                Ok(Message::Heard(number, heard)) => self.hear(number, heard),
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => self.deadline_passed(Instant::now()),
            }
        }
    }

    /// When something has to be done although nobody says anything.
    fn deadline(&self) -> Option<Instant> {
        let running = self.running.as_ref().map(Running::deadline);
        let idle = self.cards.as_ref().and_then(|it| match it.stays {
            Stays::Until(moment) => Some(moment),
            Stays::On | Stays::ForThisRun => None,
        });
        let ending = self.ending.iter().map(|(_, until)| *until);
        running.into_iter().chain(idle).chain(ending).min()
    }

    fn deadline_passed(&mut self, now: Instant) {
        // Dropped is killed.
        self.ending.retain(|(_, until)| *until > now);
        let is_idle = |it: &Worker| matches!(it.stays, Stays::Until(until) if until <= now);
        if self.cards.as_ref().is_some_and(is_idle) {
            self.part_with(Kind::Cards);
        }
        if self.running.as_ref().is_some_and(|it| it.deadline() <= now) {
            self.out_of_time();
        }
    }

    fn out_of_time(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        match &running.phase {
            Phase::Going(_) => {
                let run = running.run;
                self.running = Some(running);
                self.stop(run, Outcome::TimedOut);
            }
            Phase::Waiting(_) => {
                *self.slot(running.on) = None;
                let after = self.workers.cards.as_ref().map_or(GRACE, |it| it.ready);
                let why = self.trouble(&Trouble::Silent { after }, "");
                self.finish(&running, why);
            }
            Phase::Stopping(why, _) => {
                let why = why.clone();
                *self.slot(running.on) = None;
                self.finish(&running, why);
            }
        }
    }

    fn run(&mut self, mut request: RunRequest) {
        if let Some(before) = self.running.take() {
            // Not asked twice: whoever starts a new run wants the old one gone.
            *self.slot(before.on) = None;
            self.finish(&before, Outcome::Cancelled);
        }
        let on = Kind::of(&request.device);
        let limit = Duration::from_millis(request.limits.time_ms);
        let now = Instant::now();
        let phase = match (on, &self.workers.cards) {
            (Kind::Own, _) => {
                // Turning to another device gives the card back.
                self.part_with(Kind::Cards);
                Phase::Going(now + limit)
            }
            (Kind::Cards, Ok(cards)) => {
                request.limits.card_bytes = request.limits.card_bytes.or(cards.memory_cap);
                Phase::Waiting(now + cards.ready)
            }
            (Kind::Cards, Err(reason)) => {
                let report = Report::without_times(Outcome::Unavailable(reason.clone()));
                (self.sink)(Reply::Finished {
                    run: request.run,
                    report,
                });
                return;
            }
        };
        let running = Running {
            run: request.run,
            on,
            limit,
            phase,
        };
        if self.slot(on).is_none() {
            match self.start(on) {
                Ok(worker) => *self.slot(on) = Some(worker),
                Err(error) => {
                    let why = self.not_started(on, &error);
                    self.finish(&running, why);
                    return;
                }
            }
        }
        if let Some(worker) = self.slot(on) {
            worker.stays = Stays::On;
            worker.process.ask(Request::Run(request));
        }
        self.running = Some(running);
    }

    fn slot(&mut self, kind: Kind) -> &mut Option<Worker> {
        match kind {
            Kind::Own => &mut self.own,
            Kind::Cards => &mut self.cards,
        }
    }

    fn launch(&self, kind: Kind) -> &Launch {
        match (kind, &self.workers.cards) {
            (Kind::Cards, Ok(cards)) => &cards.launch,
            (Kind::Own, _) | (Kind::Cards, Err(_)) => &self.workers.own,
        }
    }

    fn start(&mut self, kind: Kind) -> io::Result<Worker> {
        self.started += 1;
        let number = self.started;
        let heard = self.heard.clone();
        let process = Process::start(self.launch(kind), move |said| {
            drop(heard.send(Message::Heard(number, said)));
        })?;
        process.ask(Request::Hello { version: VERSION });
        Ok(Worker {
            number,
            process,
            has_answered: false,
            stays: Stays::On,
        })
    }

    fn not_started(&self, kind: Kind, error: &io::Error) -> Outcome {
        match kind {
            Kind::Own => Outcome::Broken {
                what: format!(
                    "the lab worker {} cannot be started: {error}",
                    self.launch(kind).program.display()
                ),
            },
            Kind::Cards => self.trouble(&Trouble::of_error(error), &error.to_string()),
        }
    }

    /// A card that cannot be had because of its worker.
    fn trouble(&self, trouble: &Trouble, said: &str) -> Outcome {
        let worker = self.launch(Kind::Cards).program.display().to_string();
        Outcome::Unavailable(trouble.reason(&worker, said))
    }

    fn stop(&mut self, run: RunId, why: Outcome) {
        let Some(running) = self.running.as_mut().filter(|it| it.run == run) else {
            return;
        };
        match running.phase {
            Phase::Waiting(_) | Phase::Going(_) => {
                running.phase = Phase::Stopping(why, Instant::now() + GRACE);
                let on = running.on;
                if let Some(worker) = self.slot(on) {
                    worker.process.ask(Request::Cancel { run });
                }
            }
            Phase::Stopping(..) => {}
        }
    }

    fn let_card_go(&mut self) {
        let is_running = self.running.as_ref().is_some_and(|it| it.on == Kind::Cards);
        match &mut self.cards {
            Some(worker) if is_running => worker.stays = Stays::ForThisRun,
            Some(_) | None => self.part_with(Kind::Cards),
        }
    }

    fn drop_card(&mut self, done: &SyncSender<()>) {
        // Dropped is killed.
        self.cards = None;
        self.ending.clear();
        // Who asked may have stopped waiting.
        let _ = done.try_send(());
        if let Some(running) = self.running.take_if(|it| it.on == Kind::Cards) {
            self.finish(&running, Outcome::Cancelled);
        }
    }

    /// Asks a worker to end; it gets no other run.
    fn part_with(&mut self, kind: Kind) {
        if let Some(mut worker) = self.slot(kind).take() {
            worker.process.let_go();
            self.ending.push((worker, Instant::now() + FAREWELL));
        }
    }

    fn hear(&mut self, number: u64, heard: Heard) {
        let is_it = |it: &Option<Worker>| it.as_ref().is_some_and(|it| it.number == number);
        let from = if is_it(&self.own) {
            Kind::Own
        } else if is_it(&self.cards) {
            Kind::Cards
        } else {
            if let Heard::Gone(_) = heard {
                self.ending.retain(|(it, _)| it.number != number);
            }
            return;
        };
        match heard {
            Heard::Reply(reply) => self.hear_reply(from, reply),
            Heard::Gone(gone) => self.gone(from, &gone),
        }
    }

    fn hear_reply(&mut self, from: Kind, reply: Reply) {
        match reply {
            Reply::Hello { version, .. } if version != VERSION => {
                self.give_up(from, Some(version), format!(
                    "the lab worker speaks version {version} of the protocol, the app {VERSION}: install both from one build"
                ));
            }
            Reply::Refused { run: None, why } => self.give_up(from, None, why),
            Reply::Hello { .. } => {
                if let Some(worker) = self.slot(from) {
                    worker.has_answered = true;
                }
                (self.sink)(reply);
            }
            Reply::Finished { run, report } => self.finished(from, run, report),
            Reply::Refused {
                run: Some(run),
                why,
            } => {
                if let Some(running) = self.running.take_if(|it| it.run == run) {
                    self.finish(&running, Outcome::Broken { what: why });
                    self.rest(from);
                }
            }
            Reply::Started { run, .. }
            | Reply::Output { run, .. }
            | Reply::Check { run, .. }
            | Reply::Metric { run, .. }
            | Reply::Plot { run, .. }
            | Reply::Spans { run, .. } => {
                // What a killed worker had said before is read after its run was finished.
                let Some(running) = self.running.as_mut().filter(|it| it.run == run) else {
                    return;
                };
                if let Phase::Waiting(_) = running.phase {
                    running.phase = Phase::Going(Instant::now() + running.limit);
                }
                (self.sink)(reply);
            }
        }
    }

    /// A run has ended as its worker tells it.
    fn finished(&mut self, from: Kind, run: RunId, mut report: Report) {
        let Some(running) = self.running.take_if(|it| it.run == run) else {
            return;
        };
        // A program that was stopped reports that it was cancelled; the reason is known here.
        if let Phase::Stopping(why, _) = running.phase
            && report.outcome == Outcome::Cancelled
        {
            report.outcome = why;
        }
        if report.worker_ends {
            self.part_with(from);
        }
        (self.sink)(Reply::Finished { run, report });
        self.rest(from);
    }

    /// A worker has no run any more.
    fn rest(&mut self, kind: Kind) {
        let linger = self
            .workers
            .cards
            .as_ref()
            .map_or(Duration::ZERO, |it| it.linger);
        match (kind, &mut self.cards) {
            (Kind::Cards, Some(worker)) => match worker.stays {
                Stays::ForThisRun => self.part_with(kind),
                Stays::On | Stays::Until(_) if linger.is_zero() => self.part_with(kind),
                Stays::On | Stays::Until(_) => {
                    worker.stays = Stays::Until(Instant::now() + linger);
                }
            },
            (Kind::Own, _) | (Kind::Cards, None) => {}
        }
    }

    fn gone(&mut self, from: Kind, gone: &Gone) {
        let worker = self.slot(from).take();
        let has_answered = worker.is_some_and(|it| it.has_answered);
        let Some(running) = self.running.take_if(|it| it.on == from) else {
            return;
        };
        let outcome = match (&running.phase, from) {
            (Phase::Stopping(why, _), _) => why.clone(),
            (Phase::Waiting(_) | Phase::Going(_), Kind::Cards) if !has_answered => {
                let trouble = Trouble::of_words(&gone.last_words, &gone.how);
                self.trouble(&trouble, &gone.last_words)
            }
            (Phase::Waiting(_) | Phase::Going(_), Kind::Own | Kind::Cards) => gone.outcome(),
        };
        self.finish(&running, outcome);
    }

    /// Parts with a worker that speaks otherwise than the app.
    fn give_up(&mut self, from: Kind, version: Option<u32>, what: String) {
        let worker = self.slot(from).take();
        let has_answered = worker.is_some_and(|it| it.has_answered);
        let Some(running) = self.running.take_if(|it| it.on == from) else {
            return;
        };
        let outcome = match from {
            Kind::Cards if !has_answered => {
                self.trouble(&Trouble::OtherVersion { theirs: version }, &what)
            }
            Kind::Own | Kind::Cards => Outcome::Broken { what },
        };
        self.finish(&running, outcome);
    }

    fn finish(&self, running: &Running, outcome: Outcome) {
        // No times: those of the program went with its worker, and the app's are of another clock.
        (self.sink)(Reply::Finished {
            run: running.run,
            report: Report::without_times(outcome),
        });
    }
}
