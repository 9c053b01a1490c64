//! What the engine of one run holds: the device, the recorder, the ledger, the modes, and the line that runs.
//!
//! What it does lies in the other files of this folder, which import this one; this one imports none of them.

use super::asserted::Asserted;
use super::autocast_state::AutocastState;
use super::home::Home;
use super::ledger::Ledger;
use super::summary::Summary;
use crate::protocol::Clock;
use crate::worker::device::{CardFacts, Device, DeviceUnavailable};
use crate::worker::trace::Recorder;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The engine of one run. All calls come from one thread.
pub(crate) struct Engine {
    pub(super) this: std::rc::Weak<Self>,
    pub(super) device: RefCell<Box<dyn Device>>,
    pub(super) recorder: RefCell<Recorder>,
    pub(super) grad_enabled: Cell<bool>,
    pub(super) autocast: AutocastState,
    /// Whether products of `float32` may take the faster units with fewer digits, where a card has them.
    pub(super) tf32: Cell<bool>,
    pub(super) next_id: Cell<u64>,
    /// Where the memory that is counted is: on the card, or on the host where there is none.
    pub(super) home: Home,
    /// Whether anybody sees when an operation was done: on a card always, elsewhere if spans are kept.
    pub(super) tells_times: Cell<bool>,
    /// The kernel of a modelled card that has asserted something, if one has.
    pub(super) asserted: RefCell<Option<Asserted>>,
    pub(super) ledger: RefCell<Ledger>,
    /// Lines that read a value which was not computed.
    pub(super) unknown_read: RefCell<BTreeSet<u32>>,
    pub(super) summary: RefCell<Option<Summary>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine on a device; spans up to a limit.
    pub(crate) fn new(device: Box<dyn Device>, spans: u32) -> Rc<Self> {
        Rc::new_cyclic(|this| Self {
            this: this.clone(),
            home: Home::of(&*device),
            tells_times: Cell::new(spans > 0 || device.clock() == Clock::Modelled),
            asserted: RefCell::default(),
            device: RefCell::new(device),
            recorder: RefCell::new(Recorder::new(spans)),
            ledger: RefCell::default(),
            unknown_read: RefCell::default(),
            grad_enabled: Cell::new(true),
            autocast: AutocastState::default(),
            tf32: Cell::new(false),
            next_id: Cell::new(0),
            summary: RefCell::new(None),
        })
    }

    pub(crate) fn has_card(&self) -> bool {
        self.home == Home::Card
    }

    /// The card, if there is one, as it is now.
    pub(crate) fn card(&self) -> Option<CardFacts> {
        self.device.borrow().card()
    }

    /// Why the card was unavailable, which is not the program's mistake.
    pub(crate) fn unavailable(&self) -> Option<DeviceUnavailable> {
        self.device.borrow().unavailable()
    }

    pub(crate) fn clock(&self) -> Clock {
        self.device.borrow().clock()
    }

    pub(crate) fn next_id(&self) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        id
    }

    pub(crate) fn grad_enabled(&self) -> bool {
        self.grad_enabled.get()
    }

    /// Makes operations remember how to go backward, or not; says what it was.
    pub(crate) fn set_grad_enabled(&self, enabled: bool) -> bool {
        self.grad_enabled.replace(enabled)
    }

    /// The program begins: the clock and the line times start here.
    pub(crate) fn start(&self) {
        self.device.borrow_mut().start_clock();
        self.recorder.borrow_mut().skip_to(self.now());
    }

    /// The program reaches a line.
    pub(crate) fn reach(&self, line: u32) {
        self.recorder.borrow_mut().reach_line(line, self.now());
        // The line's own time begins here, so that it is charged to this line.
        self.device.borrow_mut().reach_line();
    }

    /// A function of the program is called.
    pub(crate) fn enter(&self) {
        self.recorder.borrow_mut().enter_function();
    }

    /// A function of the program returns.
    pub(crate) fn leave(&self) {
        self.recorder.borrow_mut().leave_function(self.now());
    }

    /// The line that runs now.
    pub(crate) fn line(&self) -> u32 {
        self.recorder.borrow().line()
    }
}
