//! Where the memory that is counted is: on the card, or on the host where there is none.

use crate::worker::device::{Allocation, Device};

/// The memory that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    Card,
    Host,
}

impl Home {
    /// Where it is with this device.
    pub(super) fn of(device: &dyn Device) -> Self {
        if device.card().is_some() {
            Self::Card
        } else {
            Self::Host
        }
    }

    /// Whether this memory is counted.
    pub(super) fn counts(self, held: Allocation) -> bool {
        match held {
            Allocation::Host(_) => self == Self::Host,
            Allocation::Block(_) | Allocation::Card(_) => self == Self::Card,
        }
    }
}
