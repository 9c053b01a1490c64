//! What other threads send to the loop, and how they wake it.

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{SendError, SyncSender, TrySendError};

use crate::app::Event;

/// What the threads of the shell send to its loop: an event for the app, or something that only concerns the process
/// and its terminal.
#[derive(Debug)]
pub(super) enum Message {
    App(Box<Event>),
    /// Stop the process until the learner's shell continues it.
    Suspend,
    /// The process was continued: the terminal may show anything.
    Repaint,
    /// End the process as this signal would.
    Die(i32),
}

/// Sends messages to the loop, from any thread.
#[derive(Clone, Debug)]
pub(super) struct MessageSender {
    messages: SyncSender<Message>,
    /// Wakes the loop. Closed with the last sender.
    wake: Arc<UnixStream>,
}

impl MessageSender {
    /// A sender over this channel, which wakes the loop through this socket.
    pub(super) fn new(messages: SyncSender<Message>, wake: UnixStream) -> Self {
        let wake = Arc::new(wake);
        Self { messages, wake }
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

    fn wake(&self) {
        // A socket that is full wakes the loop as well.
        drop((&*self.wake).write(&[0]));
    }
}
