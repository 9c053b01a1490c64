//! The app's handle on the engine: each method sends the supervisor a message.

use super::state::{Message, Sink, Workers};
use super::supervisor::Supervisor;
use crate::protocol::{RunId, RunRequest};
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// Messages that wait for the supervisor; a sender blocks beyond.
const MESSAGES: usize = 256;

/// Runs labs. Dropping it kills the workers.
#[derive(Debug)]
pub struct LabEngine {
    messages: SyncSender<Message>,
}

impl LabEngine {
    /// Starts an engine; its workers start with their first run.
    pub fn start(workers: Workers, sink: Sink) -> io::Result<Self> {
        let (messages, received) = sync_channel(MESSAGES);
        let from_workers = messages.clone();
        thread::Builder::new()
            .name("lab engine".to_owned())
            .spawn(move || Supervisor::new(workers, sink, from_workers).supervise(&received))?;
        Ok(Self { messages })
    }

    /// Runs a program. Its replies go to the sink; the last one is always
    /// [`Reply::Finished`](crate::protocol::Reply::Finished). A run that is not finished is cancelled first.
    pub fn run(&self, request: RunRequest) {
        self.send(Message::Run(request));
    }

    /// Stops a run.
    pub fn cancel(&self, run: RunId) {
        self.send(Message::Cancel(run));
    }

    /// Ends the worker for real cards, at once or after its run: the learner chose another device.
    pub fn release_card(&self) {
        self.send(Message::ReleaseCard);
    }

    /// Kills the worker for real cards and sends `done`; the last reply of its run follows. For an app that is about to be
    /// stopped (Ctrl-Z) and could enforce no limit.
    pub fn kill_card_worker(&self, done: SyncSender<()>) {
        self.send(Message::KillCardWorker(done));
    }

    fn send(&self, message: Message) {
        // The supervisor ends only with the engine.
        drop(self.messages.send(message));
    }
}

impl Drop for LabEngine {
    fn drop(&mut self) {
        self.send(Message::End);
    }
}
