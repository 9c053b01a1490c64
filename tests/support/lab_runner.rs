//! Runs programs as the app does: through the engine, with the real executable as worker.
//!
//! It also asserts what is true of every run: its last reply comes in time, and nothing comes after it.

use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use warpup_course::{self as course, Course};
use warpup_lab::engine::cards::CardWorker;
use warpup_lab::engine::{LabEngine, Launch, MachineLimits, Workers};
use warpup_lab::run::Run;
use warpup_protocol::{Outcome, Reply, RunId, RunRequest};
use warpup_store as store;

/// How long a test waits for a reply; only a failure waits that long.
const TIMEOUT: Duration = Duration::from_mins(1);

/// An engine, and the replies it passes on.
pub(crate) struct LabRunner {
    /// `None` while it is dropped.
    engine: Option<LabEngine>,
    replies: Receiver<Reply>,
    last: RunId,
}

impl LabRunner {
    /// An engine that starts `warpup worker`.
    pub(crate) fn start() -> Self {
        Self::with_workers(Workers::without_cards(own_worker()))
    }

    /// An engine that starts this program in the place of `warpup worker`.
    pub(crate) fn with_worker(program: &str, arguments: &[&str]) -> Self {
        Self::with_workers(Workers::without_cards(launch(program, arguments)))
    }

    /// An engine that starts `warpup worker`, and this one for real cards.
    pub(crate) fn with_card_worker(cards: CardWorker) -> Self {
        Self::with_workers(Workers {
            builtin: own_worker(),
            cards: Ok(cards),
            most: MachineLimits::default(),
        })
    }

    /// An engine that starts these workers.
    pub(crate) fn with_workers(workers: Workers) -> Self {
        let (sender, replies) = sync_channel(1024);
        // A test that has seen enough drops the receiver.
        let sink = Box::new(move |reply| drop(sender.send(reply)));
        Self {
            engine: Some(LabEngine::start(workers, sink).unwrap()),
            replies,
            last: RunId(0),
        }
    }

    /// Runs a program to its end.
    pub(crate) fn run(&mut self, request: RunRequest) -> Run {
        let run = self.begin(request);
        self.end_of(run)
    }

    /// Runs a program that has to end without an exception.
    pub(crate) fn run_to_done(&mut self, request: RunRequest) -> Run {
        let run = self.run(request);
        assert_eq!(outcome(&run), &Outcome::Done, "{}", run.output);
        run
    }

    /// Starts a program. It replaces the run number of the request.
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

    /// Tells the engine that the learner chose a device that is no real card.
    pub(crate) fn let_card_go(&self) {
        self.engine().release_card();
    }

    /// Ends the worker for real cards and whatever runs.
    pub(crate) fn kill_runs(&self) {
        let (done, is_done) = sync_channel(1);
        self.engine().kill_runs(done);
        is_done
            .recv_timeout(TIMEOUT)
            .expect("the engine does not answer");
    }

    /// Waits until a run has printed something.
    pub(crate) fn first_output_of(&self, run: RunId) {
        loop {
            let reply = self.next();
            if matches!(reply, Reply::Output { run: of, .. } if of == run) {
                return;
            }
            let is_end = matches!(reply, Reply::Finished { .. });
            assert!(!is_end, "ended without output: {reply:?}");
        }
    }

    /// Waits until a run ends.
    pub(crate) fn end_of(&self, id: RunId) -> Run {
        let mut run = Run::new(id);
        while run.report.is_none() {
            let reply = self.next();
            let is_hello = matches!(reply, Reply::Hello { .. });
            let shown = format!("{reply:?}");
            assert!(
                run.apply(reply) || is_hello,
                "a reply that does not belong to {id:?}: {shown:.200}"
            );
        }
        run
    }

    fn engine(&self) -> &LabEngine {
        self.engine.as_ref().unwrap()
    }

    fn next(&self) -> Reply {
        self.replies.recv_timeout(TIMEOUT).expect("a reply")
    }
}

impl Drop for LabRunner {
    /// Ends the engine and asserts that it sends nothing more: each run was waited for.
    fn drop(&mut self) {
        self.engine = None;
        let until = Instant::now() + TIMEOUT;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.replies.recv_timeout(left) {
                Err(RecvTimeoutError::Disconnected) => return,
                Ok(Reply::Hello { .. }) => {}
                Ok(_) if thread::panicking() => {}
                Ok(reply) => panic!("a reply after the last one: {reply:?}"),
                Err(RecvTimeoutError::Timeout) if thread::panicking() => return,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end"),
            }
        }
    }
}

/// Runs a program in an engine of its own.
pub(crate) fn run_once(request: RunRequest) -> Run {
    LabRunner::start().run(request)
}

/// How to start a program with these arguments.
pub(crate) fn launch(program: &str, arguments: &[&str]) -> Launch {
    Launch {
        program: program.into(),
        arguments: arguments.iter().map(|&it| it.to_owned()).collect(),
        environment: Vec::new(),
    }
}

fn own_worker() -> Launch {
    launch(env!("CARGO_BIN_EXE_warpup"), &["worker"])
}

/// How a run ended.
pub(crate) fn outcome(run: &Run) -> &Outcome {
    &run.report.as_ref().unwrap().outcome
}

/// The course that is built into the executable, parsed once.
pub(crate) fn shipped_course() -> &'static Course {
    static COURSE: LazyLock<Course> = LazyLock::new(|| {
        let (course, diagnostics) = course::parse(&store::course::embedded());
        assert!(diagnostics.is_empty(), "{diagnostics:#?}");
        course
    });
    &COURSE
}
