//! Runs one program after the other and waits for each.

use crate::lab::engine::{LabEngine, Workers};
use crate::lab::run::Run;
use crate::protocol::{Reply, Report, RunRequest};
use std::io;
use std::sync::mpsc::{Receiver, sync_channel};

/// Replies that may wait; the worker's pipe holds the rest back.
const WAITING: usize = 256;

/// Something that runs a program to its end.
pub(super) type RunLab<'a> = dyn FnMut(RunRequest) -> Run + 'a;

/// A lab engine whose runs are waited for.
pub(super) struct Runner {
    engine: LabEngine,
    replies: Receiver<Reply>,
}

impl Runner {
    /// Starts the engine. A worker starts with the first run on one of its devices.
    pub(super) fn start(workers: Workers) -> io::Result<Self> {
        let (sender, replies) = sync_channel(WAITING);
        // Sending fails only when the runner was dropped.
        let sink = move |reply| drop(sender.send(reply));
        Ok(Self {
            engine: LabEngine::start(workers, Box::new(sink))?,
            replies,
        })
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
