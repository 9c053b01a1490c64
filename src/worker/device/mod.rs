//! What labs run on: clocks, streams, copies and memory behind one trait, [`Device`].
//!
//! Three devices implement it: the [`cpu`] (measured), a `modelled` card (a virtual clock) and, with the
//! feature `cuda`, a real card. Nothing here knows tensors, operations or the engine that dispatches them.

mod caching_allocator;
pub mod cards;
pub mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod interface;
mod memory;
pub(in crate::worker) mod messages;
pub(crate) mod modelled;
mod registry;
mod tensor_device;
mod timing;
mod transfer;
mod unavailable;

pub use caching_allocator::{Block, PoolStats};
pub use interface::{CardFacts, Device, EventId, Matmul, MissingValue, Work};
pub use memory::{Allocation, UnpooledMemory};
pub use registry::{card, info, list, open};
pub use tensor_device::TensorDevice;
pub(in crate::worker) use tensor_device::fits_on_card;
pub use timing::{ContextCreation, DeviceTime, Interval, OpStart, Timing, WorkId};
pub use transfer::{Blocking, Direction, HostMemory, Pin, Transfer};
pub use unavailable::{DeviceUnavailable, OpenError};
