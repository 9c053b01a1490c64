//! Looking at the machine without ever waiting: a thread of its own looks and tells the app.

use std::sync::mpsc::SyncSender;
use std::thread;

use super::Message;
use crate::doctor::climb;
use crate::doctor::look::Machine;
use crate::tui::app::Event;
use crate::tui::session::Looked;

/// Starts looking. Says so if it cannot.
pub(super) fn look(messages: &SyncSender<Message>) -> Option<Looked> {
    let messages = messages.clone();
    let thread = thread::Builder::new().name("doctor".to_owned());
    let started = thread.spawn(move || {
        let tell = |looked| {
            // The app is gone when nobody receives.
            drop(messages.send(Message::App(Box::new(Event::Looked(looked)))));
        };
        match Machine::this() {
            Ok(machine) => {
                let all = machine.look(&mut |so_far| tell(Looked::Looking(Some(climb(so_far)))));
                tell(Looked::All(climb(&all)));
            }
            Err(error) => tell(Looked::Failed(error.to_string())),
        }
    });
    started.err().map(|error| Looked::Failed(error.to_string()))
}
