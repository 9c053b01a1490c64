//! An assertion of a kernel on a modelled card, and who gets to hear of it.

use crate::worker::device::messages::assert_triggered;
use crate::worker::error::TorchError;

/// A kernel that has found an index out of range.
#[derive(Clone, Debug)]
pub(super) struct Asserted {
    /// When it runs into it, on the host's clock.
    pub(super) at_ns: u64,
    pub(super) line: u32,
    /// What was out of range.
    pub(super) why: String,
}

impl Asserted {
    pub(super) fn error(&self) -> TorchError {
        assert_triggered(&format!(
            "It was queued on line {}: {} (the model knows; a real card does not say which line)",
            self.line, self.why
        ))
    }
}

/// Who asks the card for something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// The host waits until the card is done.
    ToWait,
    /// The host queues something, or looks whether something is done.
    Now,
}
