//! Turns on a card: timed runs of all users of a machine run one after the other, so that none slows another down.
//!
//! Who wants a turn has a ticket, a file that is locked (`flock`) while its process lives. The lowest live ticket has the
//! turn. The kernel unlocks the file of a process that ends, however it ends, so nobody waits for the dead. Who waits blocks on the
//! lock of the ticket right ahead.
//!
//! A turn is a courtesy, no lock: whatever others put into the folder, a run waits for two minutes at most, and then goes on.

mod folder;
mod line;
mod live_ticket;
mod ticket;

use folder::Folder;
use line::{Line, QueuePosition};
use live_ticket::LockWaiter;
use std::io;
use std::time::{Duration, Instant};
use ticket::Ticket;
use warpup_protocol::ordinal;

pub use folder::{VARIABLE, folders};

/// How patient a queue is.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long a turn is respected while others wait.
    pub turn: Duration,
    /// How long a run waits before it goes on without a turn.
    pub wait: Duration,
    /// After this time, who waits looks again although nobody ahead has left.
    pub look: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            turn: Duration::from_secs(30),
            wait: Duration::from_mins(2),
            look: Duration::from_secs(1),
        }
    }
}

/// What came of waiting for a turn.
#[derive(Debug)]
pub enum TurnOutcome {
    /// The turn is this process's, until it is dropped or ended.
    Turn(Turn),
    /// It waited this long and goes on without.
    TooLong(Duration),
    /// The run was cancelled.
    Cancelled,
}

/// A turn on a card.
#[derive(Debug)]
pub struct Turn {
    ticket: Ticket,
    folder: Folder,
    began: Instant,
    patience: Patience,
}

impl Turn {
    /// Ends it. Gives how long it was, if it was longer than a turn lasts and somebody waits behind it.
    pub fn end(self) -> Option<Duration> {
        let held = self.began.elapsed();
        let has_followers = || {
            let all = self.folder.look(self.ticket.card());
            all.is_ok_and(|all| all.iter().any(|it| it.number > self.ticket.number()))
        };
        (held > self.patience.turn && has_followers()).then_some(held)
    }
}

/// How many timed runs have the card with this UUID or wait for it; 0 where no folder for tickets can be used. Nobody waits for a
/// turn that has lasted too long.
pub fn in_line(card: &str) -> usize {
    let live = Folder::open()
        .and_then(|it| it.look(card))
        .unwrap_or_default();
    let most = Patience::default().turn;
    let counts = |it: &&live_ticket::LiveTicket| it.as_ref().turn.is_none_or(|it| it <= most);
    live.iter().filter(counts).count()
}

/// Waits for a turn on the card with this UUID. `say` hears each new place in the line.
///
/// # Errors
///
/// Where no folder for tickets can be used, with its name in the message.
pub fn take(
    card: &str,
    patience: Patience,
    mut say: impl FnMut(String),
    is_cancelled: impl Fn() -> bool,
) -> io::Result<TurnOutcome> {
    let began = Instant::now();
    let folder = Folder::open()?;
    let ticket = Ticket::draw(&folder, card)?;
    let mut line = Line::new(ticket.number(), patience.turn);
    let mut blocked: Option<LockWaiter> = None;
    let mut said = None;
    loop {
        let tickets = folder.look(card)?;
        let (number, place) = match line.place(&tickets, began.elapsed()) {
            QueuePosition::Turn => {
                ticket.begin();
                return Ok(TurnOutcome::Turn(Turn {
                    ticket,
                    folder,
                    began: Instant::now(),
                    patience,
                }));
            }
            QueuePosition::Behind { number, place } => (number, place),
        };
        if said != Some(place) {
            said = Some(place);
            say(format!("{} in line for the card", ordinal(place)));
        }
        let left = patience.wait.saturating_sub(began.elapsed());
        if left.is_zero() {
            return Ok(TurnOutcome::TooLong(began.elapsed()));
        }
        if is_cancelled() {
            return Ok(TurnOutcome::Cancelled);
        }
        // A thread that still waits for another ticket ends with that ticket.
        let behind = match blocked.take().filter(|it| it.number() == number) {
            Some(behind) => behind,
            None => LockWaiter::on(tickets, number)?,
        };
        if !behind.ends_within(patience.look.min(left)) {
            blocked = Some(behind);
        }
    }
}
