//! Memory that tensors are charged for: taken, given back, and counted by what it is held for.

use super::ledger::LedgerEntry;
use super::state::Engine;
use crate::device::{Allocation, ContextCreation, TensorDevice};
use crate::error::TorchError;
use crate::tensor::{Accountant, Charge};
use std::rc::Weak;
use warpup_protocol::{Purpose, WaitCause};

impl Engine {
    /// Keeps what memory is held for in the course of time, not only at its peak, and the time of each
    /// operation on a card.
    pub(crate) fn follow(&self) {
        self.ledger.borrow_mut().follow();
        if let Some(card) = self.backend.borrow_mut().real_card() {
            card.enable_op_timing();
        }
        if self.has_card() {
            self.tells_times.set(true);
        }
    }

    /// Takes memory, which the last handle gives back.
    pub(super) fn charge(&self, device: TensorDevice, bytes: u64) -> Result<Charge, TorchError> {
        self.charge_for(Purpose::Temporaries, device, bytes)
    }

    /// No memory yet, for a result that compiled code may never write.
    pub(super) fn no_memory(&self) -> Charge {
        let accountant: Weak<Self> = Weak::clone(&self.this);
        let none = Charge::new(accountant, Allocation::Host(0), Purpose::Temporaries);
        none.in_inference(self.inference_mode())
    }

    pub(super) fn charge_for(
        &self,
        purpose: Purpose,
        device: TensorDevice,
        bytes: u64,
    ) -> Result<Charge, TorchError> {
        let line = self.line();
        let accountant: Weak<Self> = Weak::clone(&self.this);
        let inference = self.inference_mode();
        if self.is_in_registers(device) {
            let none = Charge::new(accountant, Allocation::Host(0), purpose);
            return Ok(none.in_inference(inference));
        }
        let held = self.backend.borrow_mut().alloc(device, bytes, line);
        let created = self.backend.borrow_mut().take_new_context();
        self.record_context(created.map(ContextCreation::Now));
        let waited = self.backend.borrow_mut().take_alloc_wait();
        self.waited(WaitCause::Allocator, waited);
        let held = held?;
        self.count_allocation(device, bytes);
        if self.home.counts(held) {
            let when = self.when();
            self.ledger.borrow_mut().take(purpose, held.bytes(), when);
        }
        Ok(Charge::new(accountant, held, purpose).in_inference(inference))
    }

    /// Now, and the line that runs, as far as the ledger wants to know.
    fn when(&self) -> LedgerEntry {
        let keeps_time = self.ledger.try_borrow().is_ok_and(|it| it.keeps_time());
        LedgerEntry {
            at_ns: match self.backend.try_borrow() {
                Ok(device) if keeps_time => device.now(),
                Ok(_) | Err(_) => 0,
            },
            line: self.line(),
        }
    }
}

impl Accountant for Engine {
    fn give_back(&self, held: Allocation, purpose: Purpose) {
        // A handle may go while the device is in use; that would be a mistake of ours, and costs only the count of
        // this block.
        if let Ok(mut device) = self.backend.try_borrow_mut() {
            device.free(held);
        }
        if self.home.counts(held) {
            let when = self.when();
            if let Ok(mut ledger) = self.ledger.try_borrow_mut() {
                ledger.give(purpose, held.bytes(), when);
            }
        }
    }

    fn repurpose(&self, held: Allocation, from: Purpose, to: Purpose) {
        if self.home.counts(held) {
            self.ledger.borrow_mut().turn(from, to, held.bytes());
        }
    }

    fn hold_values(&self, before: u64, after: u64) {
        let others = self.value_bytes.get().saturating_sub(before);
        self.value_bytes.set(others.saturating_add(after));
    }

    fn next_id(&self) -> u64 {
        Self::next_id(self)
    }
}
