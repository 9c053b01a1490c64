//! Runs one program after the other and waits for each.

use crate::lab::engine::{Engine, Workers};
use crate::lab::run::Run;
use crate::protocol::{Reply, Report, RunRequest};
use std::io;
use std::sync::mpsc::{Receiver, sync_channel};

/// Replies that may wait; the worker's pipe holds the rest back.
const WAITING: usize = 256;

/// Something that runs a program to its end.
pub(super) type RunLab<'a> = dyn FnMut(RunRequest) -> Run + 'a;

/// The lab engine for somebody who waits.
pub(super) struct Runner {
    engine: Engine,
    replies: Receiver<Reply>,
}

impl Runner {
    /// Starts the engine. A worker starts with the first run on one of its devices.
    pub(super) fn start(workers: Workers) -> io::Result<Self> {
        let (sender, replies) = sync_channel(WAITING);
        // The receiver is gone only when nobody waits any more.
        let sink = move |reply| drop(sender.send(reply));
        Ok(Self {
            engine: Engine::start(workers, Box::new(sink))?,
            replies,
        })
    }

    /// The end of a run whose engine could not be started.
    pub(super) fn never(request: &RunRequest, error: &io::Error) -> Run {
        let mut run = Run::new(request.run);
        let why = format!("the lab engine cannot be started: {error}");
        run.report = Some(Report::broken(&why));
        run
    }

    /// Runs a program and waits for its end, which the engine promises.
    pub(super) fn run(&self, request: RunRequest) -> Run {
        let mut run = Run::new(request.run);
        self.engine.run(request);
        while run.report.is_none() {
            match self.replies.recv() {
                Ok(reply) => {
                    run.apply(reply);
                }
                Err(_) => run.report = Some(Report::broken("the lab engine is gone")),
            }
        }
        run
    }
}
