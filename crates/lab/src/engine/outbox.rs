//! Replies on their way to the app, which may be slow: the supervisor never waits for it, the worker does.
//!
//! A thread passes the replies on. Each reply of a worker holds a [`Permit`] for its weight until the app has taken it;
//! without a free permit, the thread that reads the worker waits, then the worker's pipe is full, then the worker waits.
//! So deadlines do not depend on the app, and neither does the memory of what waits.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use warpup_protocol::Reply;

/// Receives the replies, on a thread of the engine. It may block, which holds the worker back, and no deadline.
pub type Sink = Box<dyn Fn(Reply) + Send>;

/// Bytes of replies that wait for the app.
const WAITING: usize = 8 << 20;

/// Where the supervisor puts replies.
#[derive(Debug)]
pub(super) struct Outbox {
    waiting: Sender<(Reply, Option<Permit>)>,
}

impl Outbox {
    /// An outbox that empties itself into the sink.
    #[expect(
        clippy::disallowed_methods,
        reason = "permits bound what waits, and the supervisor must not"
    )]
    pub(super) fn start(sink: Sink) -> io::Result<Self> {
        let (waiting, replies) = channel();
        let thread = thread::Builder::new().name("lab replies".to_owned());
        thread.spawn(move || {
            for (reply, permit) in replies {
                sink(reply);
                drop::<Option<Permit>>(permit);
            }
        })?;
        Ok(Self { waiting })
    }

    /// Puts in a reply. One of the supervisor's own needs no permit: there are a few for each run.
    pub(super) fn put(&self, reply: Reply, permit: Option<Permit>) {
        // The thread ends with this outbox.
        drop(self.waiting.send((reply, permit)));
    }
}

/// The room for replies that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    used: Mutex<usize>,
    freed: Condvar,
}

impl Room {
    /// Waits for room of this weight, or for all of it.
    pub(super) fn take(&self, weight: usize) -> Permit {
        let weight = weight.min(WAITING);
        let used = self
            .shared
            .used
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let used = self
            .shared
            .freed
            .wait_while(used, |it| *it + weight > WAITING);
        *used.unwrap_or_else(PoisonError::into_inner) += weight;
        Permit {
            shared: Arc::clone(&self.shared),
            weight,
        }
    }
}

/// Room that a reply holds until it is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    shared: Arc<Shared>,
    weight: usize,
}

impl Drop for Permit {
    fn drop(&mut self) {
        *self
            .shared
            .used
            .lock()
            .unwrap_or_else(PoisonError::into_inner) -= self.weight;
        self.shared.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_free_again_when_a_reply_was_taken() {
        let room = Room::default();
        let all = room.take(usize::MAX);
        let waits = room.clone();
        let waiting = thread::Builder::new().spawn(move || drop(waits.take(1)));
        drop(all);
        waiting.unwrap().join().unwrap();
        drop(room.take(WAITING));
    }
}
