//! Memory that a device allocates, and what it holds outside of its caching allocator.

use super::caching_allocator::Block;
use warpup_protocol::Overflow;

/// Memory of one tensor; [`Memory::free`](super::interface::Memory::free) takes it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allocation {
    /// Host memory, in bytes.
    Host(u64),
    /// A block of a modelled card's caching allocator.
    Block(Block),
    /// Memory of a real card, in bytes, rounded up as its allocator rounds.
    Card(u64),
}

impl Allocation {
    /// Its size, rounding included.
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Self::Host(bytes) | Self::Card(bytes) => bytes,
            Self::Block(block) => block.size(),
        }
    }
}

/// Memory outside of the caching allocator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UnpooledMemory {
    /// Bytes that the CUDA context and its libraries hold.
    pub(crate) workspace: u64,
    /// The first allocation beyond the card's capacity, in a plan that continued.
    pub(crate) overflow: Option<Overflow>,
}
