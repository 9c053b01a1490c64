//! Tickets that are found in the folder, and waiting for one of them to be unlocked.

use super::line::TicketView;
use std::fs::{File, TryLockError};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// Whether the process of a ticket lives.
pub(super) fn is_live(file: &File) -> bool {
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// A live ticket of another process, or one's own.
#[derive(Debug)]
pub(super) struct LiveTicket {
    seen: TicketView,
    file: File,
}

impl LiveTicket {
    pub(super) fn new(seen: TicketView, file: File) -> Self {
        Self { seen, file }
    }
}

impl AsRef<TicketView> for LiveTicket {
    fn as_ref(&self) -> &TicketView {
        &self.seen
    }
}

impl std::ops::Deref for LiveTicket {
    type Target = TicketView;

    fn deref(&self) -> &TicketView {
        &self.seen
    }
}

/// A thread that waits until a ticket is unlocked.
#[derive(Debug)]
pub(super) struct LockWaiter {
    number: u64,
    ended: Receiver<()>,
}

impl LockWaiter {
    /// Waits for the ticket with this number, which is one of these.
    pub(super) fn on(tickets: Vec<LiveTicket>, number: u64) -> io::Result<Self> {
        let (sender, ended) = sync_channel(1);
        let ahead = tickets.into_iter().find(|it| it.number == number);
        thread::Builder::new()
            .name("turns".to_owned())
            .spawn(move || {
                // Without the ticket there is nothing to wait for; an error is no reason to wait.
                drop(ahead.map(|it| it.file.lock_shared()));
                // Who has its turn waits no more.
                let _ = sender.send(());
            })?;
        Ok(Self { number, ended })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether it is unlocked within this time.
    pub(super) fn ends_within(&self, time: Duration) -> bool {
        self.ended.recv_timeout(time) != Err(RecvTimeoutError::Timeout)
    }
}
