//! The CPU of this machine: measured and synchronous, with a limit on memory.

use super::blas_workspaces::BlasWorkspaces;
use super::cudnn_workspaces::CudnnWorkspaces;
use super::host_bytes::HostBytes;
use super::interface::{
    CachedMemory, CardFacts, Device, EventId, Events, Graphs, HostClock, Kernels, LoaderLanes,
    Memory, RealCard, Streams, Transfers,
};
use super::memory::{Allocation, UnpooledMemory};
use super::tensor_device::TensorDevice;
use super::timing::{Interval, OpStart, Timing};
use super::transfer::Transfer;
use super::value_budget::ValueBudget;
use super::work::{HostCall, Work};
use crate::error::TorchError;
use std::time::{Duration, Instant};
use warpup_protocol::{Busy, Clock, DeviceInfo};

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
    fn card(&self) -> Option<CardFacts> {
        None
    }

    fn real_card(&mut self) -> Option<&mut dyn RealCard> {
        None
    }

    fn streams(&mut self) -> Option<&mut dyn Streams> {
        None
    }

    fn cached_memory(&mut self) -> Option<&mut dyn CachedMemory> {
        None
    }

    fn blas_workspaces(&mut self) -> Option<&mut BlasWorkspaces> {
        None
    }

    fn cudnn_workspaces(&mut self) -> Option<&mut CudnnWorkspaces> {
        None
    }

    fn loader_lanes(&mut self) -> Option<&mut dyn LoaderLanes> {
        None
    }

    fn graphs(&mut self) -> Option<&mut dyn Graphs> {
        None
    }

    fn value_budget(&mut self) -> Option<&mut ValueBudget> {
        None
    }
}

impl HostClock for Cpu {
    fn clock(&self) -> Clock {
        Clock::Measured
    }

    fn start_clock(&mut self) {
        self.began = Instant::now();
    }

    fn now(&self) -> u64 {
        ns_since(self.began)
    }

    fn reach_line(&mut self) {}

    fn call(&mut self, _call: HostCall) {}

    fn sleep(&mut self, ns: u64) {
        std::thread::sleep(Duration::from_nanos(ns));
    }
}

impl Kernels for Cpu {
    fn candle_device(&self, _device: TensorDevice) -> candle_core::Device {
        candle_core::Device::Cpu
    }

    fn begin_op(&mut self, _device: TensorDevice) -> Result<OpStart, TorchError> {
        Ok(OpStart {
            at_ns: self.now(),
            recording_ns: 0,
            context_creation: None,
        })
    }

    fn end_op(&mut self, _device: TensorDevice, _work: Work, start: OpStart) -> Timing {
        Timing::on_host(start, self.now())
    }

    fn busy_ns(&self) -> Option<u64> {
        None
    }

    fn busy(&self) -> Option<Busy> {
        None
    }
}

impl Transfers for Cpu {
    fn end_copy(&mut self, _transfer: Transfer, start: OpStart) -> Timing {
        Timing::on_host(start, self.now())
    }
}

impl Events for Cpu {
    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError> {
        Ok(None)
    }

    fn queued_until(&self) -> Option<u64> {
        None
    }

    fn record_event(&mut self) -> Result<EventId, TorchError> {
        Ok(EventId(self.now()))
    }

    fn query_event(&mut self, _event: EventId) -> Result<bool, TorchError> {
        Ok(true)
    }

    fn elapsed_ns(&mut self, from: EventId, to: EventId) -> Result<f64, TorchError> {
        Ok(to.0 as f64 - from.0 as f64)
    }

    fn synchronize_event(&mut self, _event: EventId) -> Result<Option<Interval>, TorchError> {
        Ok(None)
    }
}

impl Memory for Cpu {
    fn alloc(
        &mut self,
        _device: TensorDevice,
        bytes: u64,
        _line: u32,
    ) -> Result<Allocation, TorchError> {
        self.memory.take(bytes)
    }

    fn free(&mut self, allocation: Allocation) {
        match allocation {
            Allocation::Host(bytes) => self.memory.give_back(bytes),
            Allocation::Block(_) | Allocation::Card(_) => {}
        }
    }

    fn take_alloc_wait(&mut self) -> Option<Interval> {
        None
    }

    fn host_capacity(&self) -> u64 {
        self.memory.most()
    }

    fn unpooled_memory(&self) -> UnpooledMemory {
        UnpooledMemory::default()
    }
}
