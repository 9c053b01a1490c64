//! Runs one program after the other and waits for each.

use super::failure::Result;
use super::ignored_signals::without_ignored;
use rustix::process::{Signal, getpid, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use warpup_lab::engine::{LAUNCHER_TIME, LabEngine, Workers, job_control};
use warpup_lab::run::Run;
use warpup_protocol::{Reply, Report, RunRequest};

/// Replies that may wait; the worker's pipe holds the rest back.
const WAITING: usize = 256;

/// Why a run has no other end.
const GONE: &str = "the lab engine is gone";

/// The exit status of a process that Ctrl-C ended, as shells give it.
const INTERRUPTED: i32 = 130;

/// How long stopping this process (Ctrl-Z) waits for its run to be ended.
const LAST_MOMENT: Duration = Duration::from_millis(200);

/// Something that runs a program to its end.
pub(super) type RunLab<'a> = dyn FnMut(RunRequest) -> Run + 'a;

/// Hears the replies of a run as they come, and gives back those that it has not dealt with.
pub(super) type ReplyListener<'a> = dyn FnMut(Reply) -> Result<Option<Reply>> + 'a;

/// Something that runs a program to its end, and lets its replies be heard while it runs. It stops the program and
/// fails when hearing fails, as when the reader of the output went away.
pub(super) type RunLive<'a> = dyn FnMut(RunRequest, &mut ReplyListener<'_>) -> Result<Run> + 'a;

/// A lab engine whose runs are waited for.
pub(super) struct Runner {
    engine: LabEngine,
    replies: Receiver<Reply>,
    /// Held while this process is about to be stopped (Ctrl-Z): what the end of its run means waits until it goes on.
    stopping: Arc<Mutex<()>>,
}

impl Runner {
    /// Starts the engine. A worker starts with the first run on one of its devices.
    pub(super) fn start(workers: Workers) -> io::Result<Self> {
        let are_launched = workers.are_launched();
        let stopping = Arc::default();
        let runner = Self::with_engine(workers, Arc::clone(&stopping))?;
        end_before_a_stop(vec![runner.engine.run_killer()], stopping)?;
        if are_launched {
            end_before_the_end(runner.engine.run_killer())?;
        }
        Ok(runner)
    }

    /// Starts several engines, none of which has a launcher. Ctrl-Z ends the programs of all.
    pub(super) fn start_several(count: usize, workers: &Workers) -> io::Result<Vec<Self>> {
        let stopping = Arc::default();
        let start = |_| Self::with_engine(workers.clone(), Arc::clone(&stopping));
        let runners: Vec<Self> = (0..count).map(start).collect::<io::Result<_>>()?;
        let killers = runners.iter().map(|it| it.engine.run_killer()).collect();
        end_before_a_stop(killers, stopping)?;
        Ok(runners)
    }

    fn with_engine(workers: Workers, stopping: Arc<Mutex<()>>) -> io::Result<Self> {
        workers.adopt_orphans();
        let (sender, replies) = sync_channel(WAITING);
        // Sending fails only when the runner was dropped.
        let sink = move |reply| drop(sender.send(reply));
        let engine = LabEngine::start(workers, Box::new(sink))?;
        Ok(Self {
            engine,
            replies,
            stopping,
        })
    }

    /// Runs a program and waits for its end, which the engine promises.
    pub(super) fn run(&self, request: RunRequest) -> Run {
        let mut run = Run::new(request.run);
        self.engine.run(request);
        while run.report.is_none() {
            self.next(&mut run);
        }
        run
    }

    /// The same, with somebody who hears the replies first. Ctrl-C stops the program.
    pub(super) fn run_live(
        &self,
        request: RunRequest,
        hear: &mut ReplyListener<'_>,
    ) -> Result<Run> {
        let mut run = Run::new(request.run);
        stop_on_interrupt(self.engine.canceller(request.run))?;
        self.engine.run(request);
        while run.report.is_none() {
            let Some(reply) = self.receive() else {
                run.report = Some(Report::broken(GONE));
                break;
            };
            match hear(reply) {
                Ok(Some(reply)) => {
                    run.apply(reply);
                }
                Ok(None) => {}
                Err(failure) => {
                    // Nobody listens: the end of the runner ends the program.
                    self.engine.cancel(run.id);
                    return Err(failure);
                }
            }
        }
        Ok(run)
    }

    /// The next reply; nothing when the engine is gone.
    fn receive(&self) -> Option<Reply> {
        let reply = self.replies.recv().ok();
        drop(self.stopping.lock());
        reply
    }

    fn next(&self, run: &mut Run) {
        match self.receive() {
            Some(reply) => {
                run.apply(reply);
            }
            None => run.report = Some(Report::broken(GONE)),
        }
    }
}

/// The first Ctrl-C stops the program, so that what is known of it is printed; the second ends this process.
fn stop_on_interrupt(cancel: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT])?;
    let wait = move || {
        let mut signals = signals.forever();
        if signals.next().is_some() {
            cancel();
        }
        if signals.next().is_some() {
            warpup_store::end_guest();
            signal_hook::low_level::exit(INTERRUPTED);
        }
    };
    let thread = thread::Builder::new().name("ctrl-c".to_owned());
    thread.spawn(wait).map(drop)
}

/// Ends the run before a signal ends this process, as when a terminal is closed: what a launcher has put into a queue on another
/// machine would stay there.
fn end_before_the_end(kill: impl Fn(SyncSender<()>) + Send + 'static) -> io::Result<()> {
    // Under `nohup` a closed terminal ends nothing.
    let mut signals = Signals::new(without_ignored(&[SIGTERM, SIGHUP]))?;
    let wait = move || {
        for signal in signals.forever() {
            let (done, is_done) = sync_channel(1);
            kill(done);
            // Without an answer the process still ends.
            let _ = is_done.recv_timeout(LAUNCHER_TIME);
            warpup_store::end_guest();
            drop(signal_hook::low_level::emulate_default_handler(signal));
        }
    };
    let thread = thread::Builder::new().name("end".to_owned());
    thread.spawn(wait).map(drop)
}

/// Ctrl-Z ends the programs and then stops this process: a stopped process could enforce no limit.
fn end_before_a_stop(
    kill: Vec<impl Fn(SyncSender<()>) + Send + 'static>,
    stopping: Arc<Mutex<()>>,
) -> io::Result<()> {
    let mut signals = Signals::new([SIGTSTP])?;
    let wait = move || {
        for _ in signals.forever() {
            if job_control::can_be_continued() {
                let _held = stopping.lock();
                let (done, are_done) = sync_channel(kill.len());
                for kill in &kill {
                    kill(done.clone());
                }
                let until = Instant::now() + LAST_MOMENT;
                for _ in &kill {
                    // Without an answer the process is still stopped.
                    let _ = are_done.recv_timeout(until.saturating_duration_since(Instant::now()));
                }
                let _ = kill_process(getpid(), Signal::STOP);
            }
        }
    };
    let thread = thread::Builder::new().name("ctrl-z".to_owned());
    thread.spawn(wait).map(drop)
}
