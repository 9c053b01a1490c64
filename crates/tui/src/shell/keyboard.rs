//! What is typed into the terminal, pasted, or done with the mouse there.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use rustix::io::ioctl_fionread;

use super::background::{BackgroundAnswer, Typed};
use super::message::Message;
use super::sources;
use crate::app::Event;
use crate::stack::Wheel;

/// How long to look for more keys when some have just been read: crossterm spins for so long. If the system changes threads
/// meanwhile, it does not even look at what it has read already; that is taken after the frame.
const GLANCE: Duration = Duration::from_micros(3);

/// How long to look for keys so that none stays behind, and for the end of a sequence of bytes. crossterm waits in whole
/// milliseconds and spins for what is left of one, so it is a little more than one.
const REST: Duration = Duration::from_micros(1_050);

/// The keyboard and the mouse of the terminal.
#[derive(Debug, Default)]
pub(super) struct Keyboard {
    background: BackgroundAnswer,
    /// Whether crossterm may have read more than it gave.
    may_hold: bool,
}

impl Keyboard {
    /// Whether more may be there than was taken, though the terminal has nothing to read.
    pub(super) fn may_hold(&self) -> bool {
        self.may_hold
    }

    /// Takes what has been typed, at most so many keys.
    pub(super) fn take(&mut self, limit: usize, batch: &mut Vec<Message>) {
        // Most keys are one byte and come alone; then there is no other to look for before the frame.
        let is_one = ioctl_fionread(io::stdin()).is_ok_and(|bytes| bytes == 1);
        self.take_up_to(if is_one { 1 } else { limit }, batch);
    }

    /// Takes what crossterm may still hold, at most so many keys. It may take a millisecond, in which a key is taken at once.
    pub(super) fn take_rest(&mut self, limit: usize, batch: &mut Vec<Message>) {
        if self.may_hold {
            self.take_up_to(limit, batch);
        }
    }

    fn take_up_to(&mut self, limit: usize, batch: &mut Vec<Message>) {
        self.may_hold = false;
        let mut wait = REST;
        for _ in 0..limit {
            match read(wait) {
                Ok(Some(event)) => batch.extend(self.of_terminal(event).into_iter().map(message)),
                Ok(None) => return,
                Err(_) => return batch.push(sources::hang_up()),
            }
            self.may_hold = true;
            wait = GLANCE;
        }
    }

    /// What the app takes of an event of the terminal.
    fn of_terminal(&mut self, event: event::Event) -> Vec<Event> {
        match event {
            event::Event::Key(key) if key.kind != KeyEventKind::Release => {
                match self.background.take(key) {
                    Typed::Part => Vec::new(),
                    Typed::Answer(background) => vec![Event::Background(background)],
                    Typed::Keys(keys) => keys.into_iter().map(Event::Key).collect(),
                }
            }
            event::Event::Paste(text) => vec![Event::Paste(text)],
            event::Event::Mouse(mouse) => pointed(mouse).into_iter().collect(),
            event::Event::FocusGained => vec![Event::FocusGained],
            // A signal reports sizes, also while nobody types.
            event::Event::Resize(..) | event::Event::Key(_) | event::Event::FocusLost => Vec::new(),
        }
    }
}

fn read(wait: Duration) -> io::Result<Option<event::Event>> {
    if event::poll(wait)? {
        event::read().map(Some)
    } else {
        Ok(None)
    }
}

fn message(event: Event) -> Message {
    Message::App(Box::new(event))
}

/// What the app knows of the mouse: the wheel, clicks, and moves with the button down.
fn pointed(mouse: MouseEvent) -> Option<Event> {
    match mouse.kind {
        MouseEventKind::ScrollUp => Some(Event::Wheel(Wheel::Up)),
        MouseEventKind::ScrollDown => Some(Event::Wheel(Wheel::Down)),
        MouseEventKind::Down(MouseButton::Left) => {
            Some(Event::Click(Position::new(mouse.column, mouse.row)))
        }
        MouseEventKind::Drag(MouseButton::Left) => {
            Some(Event::Drag(Position::new(mouse.column, mouse.row)))
        }
        MouseEventKind::Down(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::crossterm::event::KeyModifiers;

    #[test]
    fn clicks_drags_and_the_wheel_are_for_the_app_and_no_other_move_is() {
        let said = |kind| {
            let mouse = MouseEvent {
                kind,
                column: 3,
                row: 4,
                modifiers: KeyModifiers::NONE,
            };
            pointed(mouse).map(|it| format!("{it:?}"))
        };
        let left = MouseButton::Left;
        let all = [
            MouseEventKind::Down(left),
            MouseEventKind::Drag(left),
            MouseEventKind::ScrollUp,
            MouseEventKind::Up(left),
            MouseEventKind::Moved,
            MouseEventKind::Drag(MouseButton::Right),
        ];
        let all = all.map(|it| said(it).unwrap_or_default());
        insta::assert_snapshot!(all.join("\n").trim_end(), @"
        Click(Position { x: 3, y: 4 })
        Drag(Position { x: 3, y: 4 })
        Wheel(Up)
        ");
    }
}
