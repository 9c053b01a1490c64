//! What labs run on: clocks, streams, copies and memory behind one trait, `Device`, which is made of small ones.
//!
//! Three devices implement it: the `cpu` (measured), a `modelled` card (a virtual clock) and, with the
//! feature `cuda`, a real card. Nothing here knows tensors, operations or the engine that dispatches them.

mod blas_workspaces;
mod caching_allocator;
pub(crate) mod card_messages;
#[cfg_attr(
    not(feature = "cuda"),
    expect(dead_code, reason = "only real cards are allowed or not")
)]
pub(crate) mod card_policy;
pub mod cards;
pub(crate) mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod cudnn_workspaces;
mod host_bytes;
mod interface;
#[cfg_attr(
    not(any(feature = "cuda", test)),
    expect(dead_code, reason = "only real cards have a load")
)]
mod least_loaded;
#[cfg_attr(
    not(feature = "cuda"),
    expect(dead_code, reason = "some are a real card's")
)]
mod memory;
pub(crate) mod modelled;
mod registry;
mod tensor_device;
#[cfg_attr(
    not(feature = "cuda"),
    expect(dead_code, reason = "some are a real card's")
)]
mod timing;
mod transfer;
mod unavailable;
mod value_budget;
mod work;

pub(crate) use blas_workspaces::{BlasHandle, BlasThread};
pub(crate) use caching_allocator::{AllocatorOptions, SegmentState};
pub(crate) use cudnn_workspaces::WorkspaceNeed;
pub(crate) use interface::{CardFacts, Device, EventId, Graphs};
pub(crate) use least_loaded::Load;
pub(crate) use memory::Allocation;
pub use registry::{card, list};
pub(crate) use registry::{info, load, open, resolve, uuid};
pub(crate) use tensor_device::TensorDevice;
pub(crate) use tensor_device::fits_on_card;
pub(crate) use timing::{
    Completion, ContextCreation, CopyCounts, DeviceTime, Interval, Library, OpStart, Preparation,
    Timing, WorkId,
};
#[cfg(test)]
pub(crate) use timing::{CopyCount, DeviceWork};
pub(crate) use transfer::{Blocking, Direction, HostMemory, Pin, Transfer};
pub use unavailable::{DeviceUnavailable, OpenError};
pub(crate) use value_budget::{ValueDecision, ValueDemand};
pub(crate) use work::{HostCall, Tf32, Work};
