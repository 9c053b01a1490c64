//! The app's handle on the engine: each method sends the supervisor a message.

use super::outbox::{Outbox, Sink};
use super::state::{Message, Workers};
use super::supervisor::Supervisor;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;
use warpup_protocol::{RunId, RunRequest};

/// Messages that wait for the supervisor; senders block when it is full.
const MESSAGES: usize = 256;

/// Runs labs. Dropping it kills the workers.
#[derive(Debug)]
pub struct LabEngine {
    messages: SyncSender<Message>,
    /// Disconnected when the workers have ended.
    ended: Receiver<()>,
    /// How long to wait for that.
    patience: Duration,
}

/// How long a launcher may take to end its worker before the app goes on without.
pub const LAUNCHER_TIME: Duration = Duration::from_secs(7);

impl LabEngine {
    /// Starts an engine; its workers start with their first run.
    pub fn start(workers: Workers, sink: Sink) -> io::Result<Self> {
        let (messages, received) = sync_channel(MESSAGES);
        let from_workers = messages.clone();
        let is_launched = workers.are_launched();
        let (alive, ended) = sync_channel(0);
        let outbox = Outbox::start(sink)?;
        thread::Builder::new()
            .name("lab engine".to_owned())
            .spawn(move || {
                Supervisor::new(workers, outbox, from_workers).supervise(&received);
                drop(alive);
            })?;
        Ok(Self {
            messages,
            ended,
            patience: if is_launched {
                LAUNCHER_TIME
            } else {
                Duration::ZERO
            },
        })
    }

    /// Runs a program. Its replies go to the sink; the last one is always
    /// [`Reply::Finished`](warpup_protocol::Reply::Finished). If another run is unfinished, its worker is killed, and it
    /// ends as cancelled.
    pub fn run(&self, request: RunRequest) {
        self.send(Message::Run(request));
    }

    /// Stops a run.
    pub fn cancel(&self, run: RunId) {
        self.send(Message::Cancel(run));
    }

    /// Something that stops a run from another thread.
    pub fn canceller(&self, run: RunId) -> impl Fn() + Send + use<> {
        let messages = self.messages.clone();
        // The supervisor ends only with the engine.
        move || drop(messages.send(Message::Cancel(run)))
    }

    /// Something that does [`Self::kill_runs`] from another thread.
    pub fn run_killer(&self) -> impl Fn(SyncSender<()>) + Send + use<> {
        let messages = self.messages.clone();
        // The supervisor ends only with the engine.
        move |done| drop(messages.send(Message::KillRuns(done)))
    }

    /// Ends the worker for real cards, at once or after its run: the learner chose another device.
    pub fn release_card(&self) {
        self.send(Message::ReleaseCard);
    }

    /// Kills the worker for real cards, and the other one if it runs something, and sends `done`; the last reply of the
    /// run follows. For an app that is about to be stopped (Ctrl-Z) and could enforce no limit.
    pub fn kill_runs(&self, done: SyncSender<()>) {
        self.send(Message::KillRuns(done));
    }

    fn send(&self, message: Message) {
        // The supervisor ends only with the engine.
        drop(self.messages.send(message));
    }
}

impl Drop for LabEngine {
    fn drop(&mut self) {
        self.send(Message::End);
        // A process that ends takes its threads with it, and a launcher has to be asked before.
        let _ = self.ended.recv_timeout(self.patience);
    }
}
