//! The app's side of the worker process.
//!
//! A stand-in: it answers every run at once by saying that there is no worker.

use crate::protocol::{Reply, Report, RunId, RunRequest};

/// Supervises the worker.
pub struct Engine {
    sink: Box<dyn Fn(Reply) + Send>,
}

impl Engine {
    /// Starts it; replies go to `sink`.
    pub fn start(sink: Box<dyn Fn(Reply) + Send>) -> Self {
        Self { sink }
    }

    /// Asks for a run.
    pub fn run(&self, request: RunRequest) {
        (self.sink)(Reply::Finished {
            run: request.run,
            report: Report::broken("there is no worker yet"),
        });
    }

    /// Asks a run to stop.
    pub fn cancel(&self, _run: RunId) {}
}
