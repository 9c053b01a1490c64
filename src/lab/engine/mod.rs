//! Runs labs: starts workers, holds runs to their limits, and promises exactly one last reply a run.
//!
//! One thread owns the worker. It waits for whatever comes first: something asked by the app, something
//! said by the worker, or a deadline. A program that does not stop when it is asked to is killed with its
//! worker, and the next run gets a new one.

mod gone;
mod process;

use crate::protocol::{Outcome, Reply, Report, Request, RunId, RunRequest, VERSION};
use process::{Heard, Process};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

pub use process::{Launch, threads};

/// How long a program has to stop after it was asked to.
const GRACE: Duration = Duration::from_millis(500);

/// Where replies go. Called from a thread of the engine's; may block, which holds the worker back.
pub type Sink = Box<dyn Fn(Reply) + Send>;

/// Runs labs. Dropping it kills the worker.
#[derive(Debug)]
pub struct Engine {
    asks: SyncSender<Message>,
}

#[derive(Debug)]
enum Message {
    Run(RunRequest),
    Cancel(RunId),
    /// From the worker with this number; those of earlier workers are dropped.
    Heard(u64, Heard),
    End,
}

impl Engine {
    /// An engine that uses this executable as its worker. Nothing is started before the first run.
    pub fn start(sink: Sink) -> io::Result<Self> {
        Self::with_worker(Launch::this_executable()?, sink)
    }

    /// An engine that starts its worker in another way.
    pub fn with_worker(launch: Launch, sink: Sink) -> io::Result<Self> {
        let (asks, messages) = sync_channel(256);
        let heard = asks.clone();
        thread::Builder::new()
            .name("lab engine".to_owned())
            .spawn(move || {
                Supervisor {
                    launch,
                    sink,
                    heard,
                    worker: None,
                    workers: 0,
                    running: None,
                }
                .supervise(&messages);
            })?;
        Ok(Self { asks })
    }

    /// Runs a program. Its replies go to the sink; the last one is [`Reply::Finished`], whatever happens.
    /// A run that is still going is cancelled first.
    pub fn run(&self, request: RunRequest) {
        // The supervisor ends only with the engine.
        drop(self.asks.send(Message::Run(request)));
    }

    /// Stops a run.
    pub fn cancel(&self, run: RunId) {
        drop(self.asks.send(Message::Cancel(run)));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        drop(self.asks.send(Message::End));
    }
}

struct Supervisor {
    launch: Launch,
    sink: Sink,
    heard: SyncSender<Message>,
    worker: Option<Process>,
    /// The number of the worker that is heard now.
    workers: u64,
    running: Option<Running>,
}

struct Running {
    run: RunId,
    phase: Phase,
}

enum Phase {
    /// Until then it may run.
    Going(Instant),
    /// It was asked to stop for this reason; after that moment it is killed.
    Stopping(Outcome, Instant),
}

impl Running {
    fn deadline(&self) -> Instant {
        match &self.phase {
            Phase::Going(until) | Phase::Stopping(_, until) => *until,
        }
    }
}

impl Supervisor {
    fn supervise(mut self, messages: &Receiver<Message>) {
        loop {
            let message = match &self.running {
                None => messages
                    .recv()
                    .map_err(|_all_gone| RecvTimeoutError::Disconnected),
                Some(running) => {
                    let left = running.deadline().saturating_duration_since(Instant::now());
                    messages.recv_timeout(left)
                }
            };
            match message {
                Ok(Message::Run(request)) => self.run(request),
                Ok(Message::Cancel(run)) => self.stop(run, Outcome::Cancelled),
                Ok(Message::Heard(worker, heard)) if worker == self.workers => self.hear(heard),
                Ok(Message::Heard(..)) => {}
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => self.deadline_passed(),
            }
        }
    }

    fn run(&mut self, request: RunRequest) {
        if let Some(before) = self.running.take() {
            // Not asked twice: whoever starts a new run wants the old one gone.
            self.worker = None;
            self.finish(&before, Outcome::Cancelled);
        }
        let limit = Duration::from_millis(request.limits.time_ms);
        let running = Running {
            run: request.run,
            phase: Phase::Going(Instant::now() + limit),
        };
        if self.worker.is_none() {
            match self.start_worker() {
                Ok(worker) => self.worker = Some(worker),
                Err(error) => {
                    let what = format!(
                        "the lab worker {} cannot be started: {error}",
                        self.launch.program.display()
                    );
                    self.finish(&running, Outcome::Broken { what });
                    return;
                }
            }
        }
        if let Some(worker) = &self.worker {
            worker.ask(Request::Run(request));
        }
        self.running = Some(running);
    }

    fn start_worker(&mut self) -> io::Result<Process> {
        self.workers += 1;
        let number = self.workers;
        let heard = self.heard.clone();
        let worker = Process::start(&self.launch, move |said| {
            drop(heard.send(Message::Heard(number, said)));
        })?;
        worker.ask(Request::Hello { version: VERSION });
        Ok(worker)
    }

    fn stop(&mut self, run: RunId, why: Outcome) {
        let Some(running) = self.running.as_mut().filter(|it| it.run == run) else {
            return;
        };
        if let Phase::Going(_) = running.phase {
            running.phase = Phase::Stopping(why, Instant::now() + GRACE);
            if let Some(worker) = &self.worker {
                worker.ask(Request::Cancel { run });
            }
        }
    }

    fn deadline_passed(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        match running.phase {
            Phase::Going(_) => {
                let run = running.run;
                self.running = Some(running);
                self.stop(run, Outcome::TimedOut);
            }
            Phase::Stopping(ref why, _) => {
                let why = why.clone();
                self.worker = None;
                self.finish(&running, why);
            }
        }
    }

    fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Reply(Reply::Hello { version, .. }) if version != VERSION => {
                self.give_up(format!(
                    "the lab worker speaks version {version} of the protocol, the app {VERSION}: install both from one build"
                ));
            }
            Heard::Reply(Reply::Refused { run: None, why }) => self.give_up(why),
            Heard::Reply(Reply::Finished { run, mut report }) => {
                if let Some(running) = self.running.take_if(|it| it.run == run) {
                    // A program that was stopped reports that it was cancelled; the reason is known here.
                    if let Phase::Stopping(why, _) = running.phase
                        && report.outcome == Outcome::Cancelled
                    {
                        report.outcome = why;
                    }
                    (self.sink)(Reply::Finished { run, report });
                }
            }
            Heard::Reply(Reply::Refused {
                run: Some(run),
                why,
            }) => {
                if let Some(running) = self.running.take_if(|it| it.run == run) {
                    self.finish(&running, Outcome::Broken { what: why });
                }
            }
            Heard::Reply(reply @ Reply::Hello { .. }) => (self.sink)(reply),
            Heard::Reply(
                ref reply @ (Reply::Started { run, .. }
                | Reply::Output { run, .. }
                | Reply::Check { run, .. }
                | Reply::Metric { run, .. }
                | Reply::Plot { run, .. }
                | Reply::Spans { run, .. }),
            ) => {
                // What a killed worker had said before is read after its run was finished.
                if self.running.as_ref().is_some_and(|it| it.run == run) {
                    (self.sink)(reply.clone());
                }
            }
            Heard::Gone(gone) => {
                self.worker = None;
                if let Some(running) = self.running.take() {
                    let outcome = match &running.phase {
                        Phase::Going(_) => gone.outcome(),
                        Phase::Stopping(why, _) => why.clone(),
                    };
                    self.finish(&running, outcome);
                }
            }
        }
    }

    /// Parts with a worker that speaks otherwise than the app.
    fn give_up(&mut self, what: String) {
        self.worker = None;
        if let Some(running) = self.running.take() {
            self.finish(&running, Outcome::Broken { what });
        }
    }

    fn finish(&self, running: &Running, outcome: Outcome) {
        // No times: those of the program went with its worker, and the app's are of another clock.
        (self.sink)(Reply::Finished {
            run: running.run,
            report: Report::without_times(outcome),
        });
    }
}
