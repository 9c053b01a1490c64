//! Where the loop waits: for what is typed, and for messages of the other threads.
//!
//! The thread that draws reads the terminal itself, since a key that came through another thread would cost two changes of
//! thread. So it cannot block on a channel: with each message, its sender writes a byte to a socket, and the loop polls that
//! socket and the terminal at once.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::keyboard::Keyboard;
use super::message::{Interrupts, Message, MessageSender};

/// Messages in the queue. A lab that prints faster than frames are drawn has to wait.
const WAITING: usize = 512;

/// Messages that are taken in before a frame is drawn, and at most as many keys.
const BATCH: usize = 256;

/// The receiving end of all senders, and the terminal.
#[derive(Debug)]
pub(super) struct Inbox {
    messages: Receiver<Message>,
    interrupts: Interrupts,
    wake: UnixStream,
    keyboard: Option<Keyboard>,
    /// Whether more may be there than the last batch took.
    has_more: bool,
}

/// What the loop waited for.
#[derive(Clone, Copy)]
struct Ready {
    keyboard: bool,
    messages: bool,
}

impl Inbox {
    /// An inbox with a sender. It reads no terminal before [`Inbox::read_keys`].
    pub(super) fn new() -> io::Result<(MessageSender, Self)> {
        let (sender, messages) = sync_channel(WAITING);
        let (woken, wake) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        wake.set_nonblocking(true)?;
        let interrupts = Interrupts::default();
        let sender = MessageSender::new(sender, interrupts.clone(), wake);
        let inbox = Self {
            messages,
            interrupts,
            wake: woken,
            keyboard: None,
            has_more: false,
        };
        Ok((sender, inbox))
    }

    /// Takes what is typed from now on.
    pub(super) fn read_keys(&mut self) {
        self.keyboard = Some(Keyboard::default());
    }

    /// Waits, at most so long, and takes what has come into `batch`, which stays empty if nothing has.
    pub(super) fn take(
        &mut self,
        wait: Option<Duration>,
        batch: &mut Vec<Message>,
    ) -> anyhow::Result<()> {
        if let Some(keyboard) = &mut self.keyboard {
            keyboard.take_rest(BATCH, batch);
        }
        let is_held = self.keyboard.as_ref().is_some_and(Keyboard::may_hold);
        let is_late = self.has_more || is_held || !batch.is_empty();
        let wait = if is_late { Some(Duration::ZERO) } else { wait };
        let ready = self.wait(wait).context("cannot wait for events")?;
        if ready.messages {
            self.drain().context("every source of events stopped")?;
        }
        if ready.messages || self.has_more {
            let before = batch.len();
            batch.extend(self.messages.try_iter().take(BATCH));
            self.has_more = batch.len() - before == BATCH;
            batch.extend(self.interrupts.take());
        }
        if ready.keyboard
            && let Some(keyboard) = &mut self.keyboard
        {
            keyboard.take(BATCH, batch);
        }
        Ok(())
    }

    /// What can be taken, after waiting at most so long.
    fn wait(&self, wait: Option<Duration>) -> io::Result<Ready> {
        let stdin = io::stdin();
        let wait = wait.and_then(|it| Timespec::try_from(it).ok());
        let mut watched = [
            PollFd::new(&self.wake, PollFlags::IN),
            PollFd::new(&stdin, PollFlags::IN),
        ];
        let count = if self.keyboard.is_some() { 2 } else { 1 };
        let watched = &mut watched[..count];
        match poll(watched, wait.as_ref()) {
            Err(rustix::io::Errno::INTR) | Ok(_) => {}
            Err(error) => return Err(io::Error::from(error)),
        }
        let mut ready = watched.iter().map(|it| !it.revents().is_empty());
        Ok(Ready {
            messages: ready.next().unwrap_or(false),
            keyboard: ready.next().unwrap_or(false),
        })
    }

    /// Empties the socket. Fails if all senders are gone and all they sent has been taken.
    fn drain(&mut self) -> io::Result<()> {
        let mut bytes = [0; WAITING];
        match self.wake.read(&mut bytes) {
            Ok(0) if !self.has_more => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_ONCE: Option<Duration> = Some(Duration::ZERO);

    fn numbers(batch: &mut Vec<Message>) -> Vec<i32> {
        let numbers = batch.drain(..).map(|it| match it {
            Message::Die(number) => number,
            other @ (Message::App(_) | Message::Resize | Message::Suspend | Message::Repaint) => {
                panic!("{other:?}")
            }
        });
        numbers.collect()
    }

    #[test]
    fn more_messages_than_a_batch_are_taken_in_order_without_another_wait() {
        let (sender, mut inbox) = Inbox::new().unwrap();
        let last = i32::try_from(BATCH).unwrap() + 9;
        (0..=last).for_each(|it| sender.send(Message::Die(it)).unwrap());
        let (mut batch, mut taken) = (Vec::new(), Vec::new());
        while taken.last() != Some(&last) {
            // Without a limit: it would wait for ever if it forgot that there is more.
            inbox.take(None, &mut batch).unwrap();
            taken.extend(numbers(&mut batch));
        }
        assert!(taken.into_iter().eq(0..=last));
        inbox.take(AT_ONCE, &mut batch).unwrap();
        assert!(batch.is_empty());
    }

    #[test]
    fn a_queue_that_is_full_takes_no_message_until_the_loop_has_taken_some() {
        let (sender, mut inbox) = Inbox::new().unwrap();
        while sender.try_send(Message::Repaint).is_ok() {}
        let mut batch = Vec::new();
        inbox.take(None, &mut batch).unwrap();
        assert_eq!(batch.len(), BATCH);
        sender.try_send(Message::Repaint).unwrap();
    }

    #[test]
    fn signals_need_no_room_in_a_full_queue_and_the_newest_of_a_kind_counts() {
        let (sender, mut inbox) = Inbox::new().unwrap();
        while sender.try_send(Message::Die(0)).is_ok() {}
        for number in 1..=3_000 {
            // It would wait for ever here if it needed a place.
            sender.interrupt(Message::Resize);
            sender.interrupt(Message::Die(number));
        }
        let mut batch = Vec::new();
        inbox.take(None, &mut batch).unwrap();
        let signals = batch.split_off(BATCH);
        assert!(matches!(
            signals[..],
            [Message::Resize, Message::Die(3_000)]
        ));
        inbox.take(AT_ONCE, &mut batch).unwrap();
        assert!(numbers(&mut batch).into_iter().all(|it| it == 0));
    }

    #[test]
    fn the_last_messages_are_taken_before_the_end_of_all_senders_is_a_failure() {
        let (sender, mut inbox) = Inbox::new().unwrap();
        sender.send(Message::Die(1)).unwrap();
        drop(sender);
        let mut batch = Vec::new();
        inbox.take(None, &mut batch).unwrap();
        assert_eq!(numbers(&mut batch), [1]);
        let error = inbox.take(None, &mut batch).unwrap_err();
        assert_eq!(error.to_string(), "every source of events stopped");
    }
}
