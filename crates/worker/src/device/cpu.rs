//! The CPU of this machine: measured and synchronous, with a limit on memory.

use super::host_bytes::HostBytes;
use super::interface::{Device, EventId, Work};
use super::memory::Allocation;
use super::tensor_device::TensorDevice;
use super::timing::{OpStart, Timing};
use super::transfer::Transfer;
use crate::error::TorchError;
use std::time::Instant;
use warpup_protocol::{Clock, DeviceInfo};

/// The CPU during one run.
#[derive(Debug)]
pub(crate) struct Cpu {
    began: Instant,
    memory: HostBytes,
}

/// The description of the CPU in the list of devices.
pub(crate) fn info() -> DeviceInfo {
    DeviceInfo::cpu(candle_core::utils::get_num_threads())
}

impl Cpu {
    /// For a program with the usual limit of memory.
    #[cfg(test)]
    pub(crate) fn new() -> Self {
        Self::for_a_run(HostBytes::default())
    }

    /// For a run whose tensors may hold so much.
    pub(super) fn for_a_run(memory: HostBytes) -> Self {
        Self {
            began: Instant::now(),
            memory,
        }
    }
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
        self.memory.take(bytes)
    }

    fn host_capacity(&self) -> u64 {
        self.memory.most()
    }

    fn free(&mut self, allocation: Allocation) {
        match allocation {
            Allocation::Host(bytes) => self.memory.give_back(bytes),
            Allocation::Block(_) | Allocation::Card(_) => {}
        }
    }
}
