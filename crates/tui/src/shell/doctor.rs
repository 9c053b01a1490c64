//! Runs the doctor on a thread, which sends its reports to the app, and asks about the cards for the map.

use std::path::Path;
use std::thread;

use super::message::{Message, MessageSender};
use crate::app::Event;
use crate::session::DoctorState;
use warpup_doctor::look::Machine;
use warpup_doctor::{Nvml, climb};
use warpup_lab::engine::cards::CardWorker;
use warpup_lab::engine::test_panic::panic_for_test;
use warpup_protocol::Reason;

/// Whether NVML may answer here: there is a driver, or a library in a folder of `LD_LIBRARY_PATH`.
pub(super) fn has_driver() -> bool {
    let is_there = |it: &str| Path::new(it).exists();
    let folders = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&folders);
    ["/proc/driver/nvidia/version", "/dev/dxg"]
        .into_iter()
        .any(is_there)
        || folders.any(|it| it.is_absolute() && it.join("libnvidia-ml.so.1").exists())
}

/// What the doctor needs to run.
pub(super) struct Doctor {
    /// The worker that it may start.
    pub(super) cards: Result<CardWorker, Reason>,
    pub(super) messages: MessageSender,
}

impl Doctor {
    /// Asks NVML about the cards of this machine, in a process that is killed when the driver hangs.
    pub(super) fn ask_cards(&self) {
        let (messages, cards) = (self.messages.clone(), self.cards.clone());
        let thread = thread::Builder::new().name("cards".to_owned());
        let started = thread.spawn(move || {
            let answer = Machine::this(&cards).map(|it| it.ask_nvml());
            let cards = match answer {
                Ok(Nvml::Read(report)) => report.cards,
                Ok(
                    Nvml::NotAsked | Nvml::Failed { .. } | Nvml::Hung { .. } | Nvml::NotRun { .. },
                )
                | Err(_) => Vec::new(),
            };
            // The app is gone when nobody receives.
            drop(messages.send(Message::App(Box::new(Event::Cards(cards)))));
        });
        // Without a thread, the map has no line about cards.
        drop(started);
    }

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
