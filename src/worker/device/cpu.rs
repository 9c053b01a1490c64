//! The CPU of this machine: measured and synchronous, with a limit on memory.

use super::interface::{Device, EventId, Work};
use super::memory::Allocation;
use super::tensor_device::TensorDevice;
use super::timing::{OpStart, Timing};
use super::transfer::Transfer;
use crate::protocol::{Clock, DeviceInfo};
use crate::worker::error::TorchError;
use std::time::Instant;

/// Host memory that the tensors of a run may hold together, in bytes.
pub(crate) const MEMORY_CAP: u64 = 4 << 30;

/// The CPU during one run.
#[derive(Debug)]
pub(crate) struct Cpu {
    began: Instant,
    allocated: u64,
}

/// The description of the CPU in the list of devices.
pub(crate) fn info() -> DeviceInfo {
    DeviceInfo::cpu(candle_core::utils::get_num_threads())
}

impl Cpu {
    pub(crate) fn new() -> Self {
        Self {
            began: Instant::now(),
            allocated: 0,
        }
    }
}

/// Adds to the host memory of a run, up to [`MEMORY_CAP`]; beyond it, the error is PyTorch's.
pub(super) fn alloc_host(allocated: &mut u64, bytes: u64) -> Result<Allocation, TorchError> {
    if allocated.saturating_add(bytes) > MEMORY_CAP {
        return Err(TorchError::runtime(format!(
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate {bytes} bytes. Error code 12 (Cannot allocate memory)\nwarpup lets the tensors of a program hold {} GiB of host memory together; {:.2} GiB are held",
            MEMORY_CAP >> 30,
            *allocated as f64 / f64::from(1 << 30),
        )));
    }
    *allocated += bytes;
    Ok(Allocation::Host(bytes))
}

pub(super) fn ns_since(moment: Instant) -> u64 {
    u64::try_from(moment.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

impl Device for Cpu {
    fn clock(&self) -> Clock {
        Clock::Measured
    }

    fn start_clock(&mut self) {
        self.began = Instant::now();
    }

    fn now(&self) -> u64 {
        ns_since(self.began)
    }

    fn begin_op(&mut self, _device: TensorDevice) -> Result<OpStart, TorchError> {
        Ok(OpStart {
            at_ns: self.now(),
            context_creation: None,
        })
    }

    fn end_op(&mut self, _device: TensorDevice, _work: Work, start: OpStart) -> Timing {
        Timing::on_host(start, self.now())
    }

    fn end_copy(&mut self, _transfer: Transfer, start: OpStart) -> Timing {
        Timing::on_host(start, self.now())
    }

    fn record_event(&mut self) -> Result<EventId, TorchError> {
        Ok(EventId(self.now()))
    }

    fn query_event(&mut self, _event: EventId) -> Result<bool, TorchError> {
        Ok(true)
    }

    fn alloc(
        &mut self,
        _device: TensorDevice,
        bytes: u64,
        _line: u32,
    ) -> Result<Allocation, TorchError> {
        alloc_host(&mut self.allocated, bytes)
    }

    fn free(&mut self, allocation: Allocation) {
        match allocation {
            Allocation::Host(bytes) => self.allocated -= bytes,
            Allocation::Block(_) | Allocation::Card(_) => {}
        }
    }
}
