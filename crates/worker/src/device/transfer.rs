//! Copies between host and card, and page-locked host memory.

use std::fmt;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Host to device.
    In,
    /// Device to host.
    Out,
}

/// The kind of host memory that a copy reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostMemory {
    /// Ordinary memory; the driver copies it through a buffer of its own.
    Pageable,
    /// Page-locked memory; the card reads and writes it directly.
    Pinned,
}

/// Whether the host waits for a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocking {
    Yes,
    /// It goes on if the memory allows it (`non_blocking=True`).
    No,
}

/// A copy between host and card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    pub(crate) direction: Direction,
    pub(crate) bytes: u64,
    /// The host's side of it.
    pub(crate) memory: HostMemory,
    pub(crate) blocking: Blocking,
    /// Whether it moves a weight, which a program does once.
    pub(crate) is_weight: bool,
}

impl Transfer {
    /// Whether the host goes on while the card copies. Of pageable memory it goes on after the copy, whatever the program
    /// asks for.
    pub(crate) fn is_asynchronous(self) -> bool {
        self.memory == HostMemory::Pinned && self.blocking == Blocking::No
    }
}

/// Host memory that stays page-locked until the last clone is dropped.
#[derive(Clone, Default)]
pub(crate) struct Pin(
    #[cfg_attr(
        not(feature = "cuda"),
        expect(
            dead_code,
            reason = "a modelled card's pin only matters when it is dropped"
        )
    )]
    Option<Rc<dyn std::any::Any>>,
);

impl Pin {
    /// Keeps this guard, which unlocks the pages when it is dropped, or returns them to the allocator.
    pub(super) fn of(guard: Rc<dyn std::any::Any>) -> Self {
        Self(Some(guard))
    }

    #[cfg(feature = "cuda")]
    pub(super) fn guard<T: 'static>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }
}

impl fmt::Debug for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pin").finish_non_exhaustive()
    }
}
