//! Sends requests to the lab engine from a thread, so that the app never waits for it.
//!
//! `Engine::run` blocks while replies wait for the app. If the app waited for it too, both would wait for
//! each other.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use super::message::{Message, MessageSender};
use crate::app::Event;
use warpup_lab::engine::test_panic::panic_for_test;
use warpup_lab::engine::{LabEngine, Workers};
use warpup_protocol::{Reply, Report, RunId, RunRequest};

/// Requests in the queue. The app asks for one run at a time, so others are only repeated cancellations.
const WAITING: usize = 64;

/// How long stopping the process waits for its runs to be ended.
const LAST_MOMENT: Duration = Duration::from_millis(200);

/// The lab engine, started with the first run.
pub(super) struct Labs {
    workers: Workers,
    replies: MessageSender,
    asks: Option<SyncSender<EngineCommand>>,
}

#[expect(
    clippy::large_enum_variant,
    reason = "one request a run: its size costs nothing"
)]
enum EngineCommand {
    Run(RunRequest),
    Cancel(RunId),
    ReleaseCard,
    EndRuns(SyncSender<()>),
}

impl Labs {
    /// Labs on these workers whose replies go to the app.
    pub(super) fn new(workers: Workers, replies: MessageSender) -> Self {
        Self {
            workers,
            replies,
            asks: None,
        }
    }

    /// Starts a run. Returns the reply that reports it if that is impossible.
    pub(super) fn run(&mut self, request: RunRequest) -> Option<Reply> {
        let run = request.run;
        let why = self.ask(EngineCommand::Run(request)).err()?;
        Some(broken(run, &why))
    }

    /// Cancels a run.
    pub(super) fn cancel(&mut self, run: RunId) {
        // If the request fails, there is no run to cancel.
        drop(self.ask(EngineCommand::Cancel(run)));
    }

    /// Releases a real card, if one is held.
    pub(super) fn release_card(&mut self) {
        // Before the first run nothing is held.
        if self.asks.is_some() {
            drop(self.ask(EngineCommand::ReleaseCard));
        }
    }

    /// Ends what runs, and frees a real card, before the process is stopped, since nothing could enforce a limit then.
    /// Waits a short time for that.
    pub(super) fn end_runs(&mut self) {
        if self.asks.is_none() {
            return;
        }
        let (done, is_done) = sync_channel(1);
        if self.ask(EngineCommand::EndRuns(done)).is_ok() {
            // Without an answer the process is still stopped.
            let _ = is_done.recv_timeout(LAST_MOMENT);
        }
    }

    fn ask(&mut self, ask: EngineCommand) -> Result<(), String> {
        let asks = match &self.asks {
            Some(asks) => asks,
            None => self
                .asks
                .insert(start(&self.workers, &self.replies).map_err(|it| it.to_string())?),
        };
        asks.try_send(ask).map_err(|error| match error {
            TrySendError::Full(_) => "the lab engine does not answer".to_owned(),
            TrySendError::Disconnected(_) => "the lab engine has ended".to_owned(),
        })
    }
}

fn start(workers: &Workers, replies: &MessageSender) -> std::io::Result<SyncSender<EngineCommand>> {
    let (sender, asks) = sync_channel(WAITING);
    workers.adopt_orphans();
    let (workers, replies) = (workers.clone(), replies.clone());
    let thread = thread::Builder::new().name("labs".to_owned());
    thread.spawn(move || serve(workers, &asks, &replies))?;
    Ok(sender)
}

/// Starts the engine and passes requests on until the app ends.
fn serve(workers: Workers, asks: &Receiver<EngineCommand>, replies: &MessageSender) {
    let sink = replies.clone();
    let engine = LabEngine::start(workers, Box::new(move |reply| tell(&sink, reply)));
    for ask in asks {
        panic_for_test();
        match (&engine, ask) {
            (Ok(engine), EngineCommand::Run(request)) => engine.run(request),
            (Ok(engine), EngineCommand::Cancel(run)) => engine.cancel(run),
            (Err(error), EngineCommand::Run(request)) => {
                tell(replies, broken(request.run, &error.to_string()));
            }
            (Ok(engine), EngineCommand::ReleaseCard) => engine.release_card(),
            (Ok(engine), EngineCommand::EndRuns(done)) => engine.kill_runs(done),
            (
                Err(_),
                EngineCommand::Cancel(_) | EngineCommand::ReleaseCard | EngineCommand::EndRuns(_),
            ) => {}
        }
    }
}

/// Sends a reply to the app; waits while the queue is full.
fn tell(replies: &MessageSender, reply: Reply) {
    panic_for_test();
    // Without a receiver the app has ended.
    drop(replies.send(Message::App(Box::new(Event::Lab(reply)))));
}

fn broken(run: RunId, why: &str) -> Reply {
    Reply::Finished {
        run,
        report: Report::broken(why),
    }
}
