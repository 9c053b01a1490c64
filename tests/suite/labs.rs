//! Programs run for a test as the app runs them: through the engine, with the real executable as worker.
//!
//! What a run has to print is the matter of the tests; what holds for every run is held here: its last
//! reply comes in time, and there is only one.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use warpup::course::{self, Course};
use warpup::lab::engine::{Engine, Launch, Workers};
use warpup::lab::run::Run;
use warpup::protocol::{Aim, DeviceName, Limits, Outcome, Reply, RunId, RunRequest};
use warpup::store;

/// Much longer than any run of a test takes: who waits that long waits for ever.
const PATIENCE: Duration = Duration::from_mins(1);

/// An engine, and what it says.
pub(crate) struct Labs {
    /// Nothing once it was dropped.
    engine: Option<Engine>,
    replies: Receiver<Reply>,
    last: RunId,
}

impl Labs {
    /// An engine whose workers are the real ones.
    pub(crate) fn start() -> Self {
        Self::with_worker(env!("CARGO_BIN_EXE_warpup"), &["worker"])
    }

    /// An engine whose workers are started in another way.
    pub(crate) fn with_worker(program: &str, arguments: &[&str]) -> Self {
        let launch = Launch {
            program: PathBuf::from(program),
            arguments: arguments.iter().map(|&it| it.to_owned()).collect(),
            environment: Vec::new(),
        };
        Self::with_workers(Workers::without_cards(launch))
    }

    /// An engine with these workers.
    pub(crate) fn with_workers(workers: Workers) -> Self {
        let (said, replies) = sync_channel(1024);
        // A test that has seen enough hears no more.
        let sink = Box::new(move |reply| drop(said.send(reply)));
        Self {
            engine: Some(Engine::start(workers, sink).unwrap()),
            replies,
            last: RunId(0),
        }
    }

    /// Runs a program to its end.
    pub(crate) fn run(&mut self, request: RunRequest) -> Run {
        let run = self.begin(request);
        self.end_of(run)
    }

    /// Starts a program; the number in the request is replaced.
    pub(crate) fn begin(&mut self, request: RunRequest) -> RunId {
        self.last = RunId(self.last.0 + 1);
        let run = self.last;
        self.engine().run(RunRequest { run, ..request });
        run
    }

    /// Stops a program.
    pub(crate) fn cancel(&self, run: RunId) {
        self.engine().cancel(run);
    }

    /// Turns away from real cards.
    pub(crate) fn let_card_go(&self) {
        self.engine().let_card_go();
    }

    /// Takes a real card from whatever runs on it.
    pub(crate) fn drop_card(&self) {
        let (done, is_done) = sync_channel(1);
        self.engine().drop_card(done);
        is_done.recv_timeout(PATIENCE).expect("nobody answers");
    }

    /// Waits until a run has said something.
    pub(crate) fn first_output_of(&self, run: RunId) {
        loop {
            let reply = self.next();
            if matches!(reply, Reply::Output { run: said, .. } if said == run) {
                return;
            }
            let is_end = matches!(reply, Reply::Finished { .. });
            assert!(!is_end, "ended without a word: {reply:?}");
        }
    }

    /// Waits until a run ends.
    pub(crate) fn end_of(&self, id: RunId) -> Run {
        let mut run = Run::new(id);
        while run.report.is_none() {
            let reply = self.next();
            let is_hello = matches!(reply, Reply::Hello { .. });
            let told = format!("{reply:?}");
            assert!(
                run.apply(reply) || is_hello,
                "{id:?} is told something of another run: {told:.200}"
            );
        }
        run
    }

    fn engine(&self) -> &Engine {
        self.engine.as_ref().unwrap()
    }

    fn next(&self) -> Reply {
        self.replies
            .recv_timeout(PATIENCE)
            .expect("the engine says nothing")
    }
}

impl Drop for Labs {
    /// Ends the engine and sees that it says nothing more: each run was waited for.
    fn drop(&mut self) {
        self.engine = None;
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.replies.recv_timeout(left) {
                Err(RecvTimeoutError::Disconnected) => return,
                Ok(Reply::Hello { .. }) => {}
                Ok(_) if thread::panicking() => {}
                Ok(reply) => panic!("this was said after the last reply: {reply:?}"),
                Err(RecvTimeoutError::Timeout) if thread::panicking() => return,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end"),
            }
        }
    }
}

/// A program on the CPU without a check, with the limits that labs usually have.
pub(crate) fn python(source: impl Into<String>) -> RunRequest {
    RunRequest {
        run: RunId(0),
        name: "lab.py".to_owned(),
        source: source.into(),
        check: None,
        device: DeviceName::Cpu,
        limits: Limits::default(),
        trace: true,
        aim: Aim::Run,
    }
}

/// How a run ended.
pub(crate) fn outcome(run: &Run) -> &Outcome {
    &run.report.as_ref().unwrap().outcome
}

/// The course that is built in.
pub(crate) fn shipped_course() -> Course {
    let (course, diagnostics) = course::parse(&store::course::embedded());
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    course
}
