//! What other threads send to the loop, and how they wake it.

use std::io::Write;
use std::mem::{discriminant, take};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{SendError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::app::Event;

/// What the threads of the shell send to its loop: an event for the app, or something that only concerns the process
/// and its terminal.
#[derive(Debug)]
pub(super) enum Message {
    App(Box<Event>),
    /// The terminal may have another size.
    Resize,
    /// Stop the process until the learner's shell continues it.
    Suspend,
    /// The process was continued: the terminal may show anything.
    Repaint,
    /// End the process as this signal would.
    Die(i32),
}

/// What signals ask for, beside the queue: it may be full while the loop waits for a terminal that accepts no bytes, and a
/// signal waits for neither.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupts(Arc<Mutex<Vec<Message>>>);

impl Interrupts {
    /// Takes them all.
    pub(super) fn take(&self) -> Vec<Message> {
        take(&mut self.lock())
    }

    /// Adds one. Only the newest of a kind counts, so there are never more than there are kinds.
    fn put(&self, message: Message) {
        let mut waiting = self.lock();
        waiting.retain(|it| discriminant(it) != discriminant(&message));
        waiting.push(message);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Message>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends messages to the loop, from any thread.
#[derive(Clone, Debug)]
pub(super) struct MessageSender {
    messages: SyncSender<Message>,
    interrupts: Interrupts,
    /// Wakes the loop. Closed with the last sender.
    wake: Arc<UnixStream>,
}

impl MessageSender {
    /// A sender over this channel, which wakes the loop through this socket.
    pub(super) fn new(
        messages: SyncSender<Message>,
        interrupts: Interrupts,
        wake: UnixStream,
    ) -> Self {
        let wake = Arc::new(wake);
        Self {
            messages,
            interrupts,
            wake,
        }
    }

    /// Sends a message; waits while the queue is full. Fails if the loop is gone.
    pub(super) fn send(&self, message: Message) -> Result<(), SendError<Message>> {
        self.messages.send(message)?;
        self.wake();
        Ok(())
    }

    /// Sends a message, unless the queue is full or the loop is gone.
    pub(super) fn try_send(&self, message: Message) -> Result<(), TrySendError<Message>> {
        self.messages.try_send(message)?;
        self.wake();
        Ok(())
    }

    /// Sends what a signal asks for. Never waits, and needs no place in the queue.
    pub(super) fn interrupt(&self, message: Message) {
        self.interrupts.put(message);
        self.wake();
    }

    fn wake(&self) {
        // A socket that is full wakes the loop as well.
        drop((&*self.wake).write(&[0]));
    }
}
