//! Runs labs: starts workers, holds runs to their limits, and promises exactly one last reply a run.
//!
//! One thread owns the workers. It waits for whatever comes first: something asked by the app, something
//! said by a worker, or a deadline. A program that does not stop when it is asked to is killed with its
//! worker, and the next run gets a new one.
//!
//! There are two: warpup's own, for the CPU and modelled cards, which stays, and the one for real cards
//! ([`cards`]), which is started by a run on a card and ends soon after the last, since others may want its
//! memory.

pub mod cards;
mod gone;
mod launch;
mod process;
mod state;
mod supervisor;

use crate::protocol::{Reason, Reply, RunId, RunRequest};
use cards::CardWorker;
use process::Heard;
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use supervisor::Supervisor;

pub use launch::{Launch, threads};

/// Where replies go. Called from a thread of the engine's; may block, which holds the worker back.
pub type Sink = Box<dyn Fn(Reply) + Send>;

/// The workers that an engine may start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workers {
    /// For the CPU and modelled cards.
    pub own: Launch,
    /// For real cards, or why there is none.
    pub cards: Result<CardWorker, Reason>,
}

impl Workers {
    /// For runs that ask for no real card.
    pub fn without_cards(own: Launch) -> Self {
        let reason = Reason {
            why: "nothing here runs on a real card".to_owned(),
            hint: "choose cpu or a modelled card such as model:t4".to_owned(),
            evidence: String::new(),
        };
        Self {
            own,
            cards: Err(reason),
        }
    }
}

/// Runs labs. Dropping it kills the workers.
#[derive(Debug)]
pub struct Engine {
    asks: SyncSender<Message>,
}

#[derive(Debug)]
enum Message {
    Run(RunRequest),
    Cancel(RunId),
    LetCardGo,
    DropCard(SyncSender<()>),
    /// From the worker with this number; those of earlier workers are dropped.
    Heard(u64, Heard),
    End,
}

impl Engine {
    /// An engine with these workers. Nothing is started before the first run.
    pub fn start(workers: Workers, sink: Sink) -> io::Result<Self> {
        let (asks, messages) = sync_channel(256);
        let heard = asks.clone();
        thread::Builder::new()
            .name("lab engine".to_owned())
            .spawn(move || Supervisor::new(workers, sink, heard).supervise(&messages))?;
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

    /// Ends the worker for real cards, now or after the run that it has: the learner has turned to another
    /// device.
    pub fn let_card_go(&self) {
        drop(self.asks.send(Message::LetCardGo));
    }

    /// Kills the worker for real cards with whatever it runs, and says so when that is done: an app that is
    /// about to be stopped could neither end it later nor hold it to its limits.
    pub fn drop_card(&self, done: SyncSender<()>) {
        drop(self.asks.send(Message::DropCard(done)));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        drop(self.asks.send(Message::End));
    }
}
