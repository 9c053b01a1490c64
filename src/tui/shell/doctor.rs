//! Runs the doctor on a thread, which sends its reports to the app.

use std::sync::mpsc::SyncSender;
use std::thread;

use super::event_loop::Message;
use crate::doctor::climb;
use crate::doctor::look::Machine;
use crate::lab::engine::cards::CardWorker;
use crate::lab::engine::test_panic::panic_for_test;
use crate::protocol::Reason;
use crate::tui::app::Event;
use crate::tui::session::DoctorState;

/// What the doctor needs to run.
pub(super) struct Doctor {
    /// The worker that it may start.
    pub(super) cards: Result<CardWorker, Reason>,
    pub(super) messages: SyncSender<Message>,
}

impl Doctor {
    /// Starts the doctor. Returns the failure if it cannot start.
    pub(super) fn run(&self) -> Option<DoctorState> {
        let (messages, cards) = (self.messages.clone(), self.cards.clone());
        let thread = thread::Builder::new().name("doctor".to_owned());
        let started = thread.spawn(move || {
            panic_for_test();
            let tell = |looked| {
                // The app is gone when nobody receives.
                drop(messages.send(Message::App(Box::new(Event::Doctor(looked)))));
            };
            match Machine::this(&cards) {
                Ok(machine) => {
                    let all =
                        machine.look(&mut |so_far| tell(DoctorState::Running(Some(climb(so_far)))));
                    tell(DoctorState::Done(climb(&all)));
                }
                Err(error) => tell(DoctorState::Failed(error.to_string())),
            }
        });
        started
            .err()
            .map(|error| DoctorState::Failed(error.to_string()))
    }
}
