//! Assertions in kernels, on a modelled card.
//!
//! A kernel that picks by an index which is out of range asserts it when it runs, some time after it was queued.
//! The host hears of it the next time that it asks the card for something: when it waits, or when it queues more
//! after that time. From then on the card does nothing. A real card does so by itself.

use super::state::{DeviceAssertion, Engine};
use crate::device::TensorDevice;
use crate::device::card_messages::assert_triggered;
use crate::error::TorchError;
use crate::ops::Op;
use warpup_protocol::Clock;

/// Who asks the card for something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AssertionCheck {
    /// The host waits until the card is done.
    ToWait,
    /// The host queues something, or looks whether something is done.
    Now,
}

impl Engine {
    /// Whether a failure of these values is an assertion of a kernel's.
    pub(super) fn asserts(&self, op: &Op, device: TensorDevice, error: &TorchError) -> bool {
        if device == TensorDevice::Cpu
            || self.clock() == Clock::Measured
            || !op.facts().asserts_indices()
        {
            return false;
        }
        self.asserted
            .borrow_mut()
            .get_or_insert_with(|| DeviceAssertion {
                at_ns: 0,
                line: self.line(),
                why: error.message.trim_end_matches('.').to_owned(),
            });
        true
    }

    /// The kernel that asserts has its time.
    pub(super) fn time_assertion(&self) {
        if let Some(asserted) = self.asserted.borrow_mut().as_mut()
            && asserted.at_ns == 0
        {
            asserted.at_ns = self.backend.borrow().queued_until().unwrap_or(0);
        }
    }

    /// Whether the card still does something.
    pub(super) fn ask(&self, asks: AssertionCheck) -> Result<(), TorchError> {
        match &*self.asserted.borrow() {
            Some(asserted) if asks == AssertionCheck::ToWait || self.now() >= asserted.at_ns => {
                let blocks = self.launch_blocking.get();
                let line = asserted.line;
                let knows = if blocks {
                    String::new()
                } else {
                    " (the model knows; a real card does not say which line)".to_owned()
                };
                let note = format!("It was queued on line {line}: {}{knows}", asserted.why);
                Err(assert_triggered(&note, blocks))
            }
            Some(_) | None => Ok(()),
        }
    }
}
