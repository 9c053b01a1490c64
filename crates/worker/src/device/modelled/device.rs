//! The modelled card as a [`Device`]: which clock and which allocator each call uses.

use super::card::{ModelledCard, Queued};
use crate::device::cards::Card;
use crate::device::interface::{CardFacts, Computes, Device, EventId, HostCall, Work};
use crate::device::memory::{Allocation, UnpooledMemory};
use crate::device::messages;
use crate::device::tensor_device::TensorDevice;
use crate::device::timing::{ContextCreation, DeviceTime, Interval, OpStart, Timing};
use crate::device::transfer::{Direction, Transfer};
use crate::error::TorchError;
use crate::meta::{BlasLibrary, Cost};
use std::time::Duration;
use warpup_protocol::{Busy, Clock, DeviceInfo, DeviceName, Overflow};

/// The description of a modelled card in the list of devices.
pub(in crate::device) fn info(id: &str, card: &Card) -> DeviceInfo {
    DeviceInfo {
        name: DeviceName::Model(id.to_owned()),
        title: name(card),
        clock: Clock::Modelled,
        memory_bytes: Some(card.memory),
    }
}

fn name(card: &Card) -> String {
    format!("{} (modelled)", card.title)
}

impl From<Queued> for Timing {
    fn from(queued: Queued) -> Self {
        Self {
            host: queued.host,
            waited: queued.waited,
            device: DeviceTime::Known(queued.card),
        }
    }
}

impl Device for ModelledCard {
    fn clock(&self) -> Clock {
        Clock::Modelled
    }

    fn card(&self) -> Option<CardFacts> {
        Some(CardFacts {
            name: name(&self.card),
            capability: self.card.version(),
            memory: self.card.memory,
            multiprocessors: self.card.multiprocessors,
            free: self.allocator.free_on_card(),
            counts: self.allocator.stats(),
        })
    }

    fn start_clock(&mut self) {}

    fn now(&self) -> u64 {
        self.host_ns()
    }

    fn begin_op(&mut self, device: TensorDevice) -> Result<OpStart, TorchError> {
        let context_creation = match device {
            TensorDevice::Card(_) => self.create_context().map(ContextCreation::Now),
            TensorDevice::Cpu => None,
        };
        Ok(OpStart {
            at_ns: self.host_ns(),
            context_creation,
        })
    }

    fn end_op(&mut self, device: TensorDevice, work: Work, _start: OpStart) -> Timing {
        match device {
            TensorDevice::Cpu => Timing {
                host: self.compute_on_host(work.cost),
                waited: None,
                device: DeviceTime::OnHost,
            },
            TensorDevice::Card(_) => self.launch(work).into(),
        }
    }

    fn end_copy(&mut self, transfer: Transfer, _start: OpStart) -> Timing {
        let queued = match transfer.direction {
            Direction::In => self.copy_in(transfer.bytes, transfer.memory, transfer.blocking),
            Direction::Out => self.copy_out(transfer.bytes, transfer.memory),
        };
        queued.into()
    }

    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError> {
        Ok(Some(self.synchronize_all()))
    }

    fn queued_until(&self) -> Option<u64> {
        Some(self.stream_ns())
    }

    fn record_event(&mut self) -> Result<EventId, TorchError> {
        Ok(EventId(self.stream_ns()))
    }

    fn query_event(&mut self, event: EventId) -> Result<bool, TorchError> {
        Ok(self.host_ns() >= event.0)
    }

    fn synchronize_event(&mut self, event: EventId) -> Result<Option<Interval>, TorchError> {
        Ok(Some(self.wait_until(event.0)))
    }

    fn create_stream(&mut self) -> u32 {
        self.streams.create()
    }

    fn set_stream(&mut self, stream: u32) -> u32 {
        self.streams.set_current(stream)
    }

    fn stream_wait_event(&mut self, event: EventId) {
        self.streams.wait(event.0);
    }

    fn call(&mut self, call: HostCall) {
        self.call_on_host(call);
    }

    fn reach_line(&mut self) {
        self.advance_host(self.host.line_ns);
    }

    fn sleep(&mut self, ns: u64) {
        self.advance_host(ns);
    }

    fn alloc(
        &mut self,
        device: TensorDevice,
        bytes: u64,
        line: u32,
    ) -> Result<Allocation, TorchError> {
        match device {
            // A plan keeps few values, so this machine needs no protection.
            TensorDevice::Cpu if self.values.is_plan() => Ok(self.host_allocated.take_any(bytes)),
            TensorDevice::Cpu => self.host_allocated.take(bytes),
            TensorDevice::Card(_) => {
                let before = self.allocator.stats().live;
                let emptied = self.allocator.emptied();
                let block = self.allocator.alloc(bytes).map_err(|it| {
                    let note = " (modelled card: no GPU was touched)";
                    let sizes = (it.free, self.card.memory);
                    messages::out_of_memory(it.asked, sizes, it.stats, note)
                })?;
                if self.allocator.emptied() > emptied {
                    self.alloc_wait = Some(self.wait_until(self.streams.all_ns()));
                }
                if self.overflow.is_none() && self.allocator.is_overfull() {
                    // The cache was given back before: what is left of it lies between tensors.
                    let after = self.allocator.stats();
                    self.overflow = Some(Overflow {
                        line,
                        asked: bytes,
                        live: before,
                        in_pieces: after.reserved - after.live,
                    });
                }
                Ok(Allocation::Block(block))
            }
        }
    }

    fn host_capacity(&self) -> u64 {
        self.host_allocated.most()
    }

    fn free(&mut self, allocation: Allocation) {
        match allocation {
            Allocation::Host(bytes) => self.host_allocated.give_back(bytes),
            Allocation::Block(block) => self.allocator.free(block),
            Allocation::Card(_) => {}
        }
    }

    fn reset_peaks(&mut self) {
        self.allocator.reset_peaks();
    }

    fn empty_cache(&mut self) -> Option<Interval> {
        Self::empty_cache(self)
    }

    fn take_alloc_wait(&mut self) -> Option<Interval> {
        self.alloc_wait.take()
    }

    fn set_release_threshold(&mut self, bytes: u64) {
        self.release_threshold = bytes;
    }

    fn blas_workspace(&mut self, library: BlasLibrary) -> u64 {
        self.workspaces.bytes(library)
    }

    fn set_blas_workspace(&mut self, library: BlasLibrary, bytes: u64) {
        self.workspaces.set(library, bytes);
    }

    fn configure_cublas(&mut self, bytes: u64) {
        self.workspaces.configure(bytes);
    }

    fn keep_workspaces(&mut self, kept: bool) {
        self.workspaces.keep(kept);
    }

    fn workspace_stream(&self) -> Option<u32> {
        self.workspaces.are_kept().then(|| self.streams.current())
    }

    fn unpooled_memory(&self) -> UnpooledMemory {
        UnpooledMemory {
            workspace: self.card.assumed.context_bytes,
            overflow: self.overflow,
        }
    }

    fn busy_ns(&self) -> Option<u64> {
        let busy = self.busy_times();
        Some(busy.compute_ns + busy.bandwidth_ns + busy.smallest_ns + busy.copy_ns)
    }

    fn busy(&self) -> Option<Busy> {
        Some(self.busy_times())
    }

    fn computes_values(&mut self, device: TensorDevice, elements: u64, cost: Cost) -> Computes {
        let kept = match device {
            TensorDevice::Cpu if !self.values.is_plan() => return Computes::Yes,
            TensorDevice::Cpu | TensorDevice::Card(_) => self.values.begin(elements, cost),
        };
        match kept {
            Ok(()) if self.values.is_plan() => Computes::Yes,
            Ok(()) => Computes::Timed,
            Err(why) => Computes::No(why),
        }
    }

    fn values_took(&mut self, time: Duration) {
        self.values.took(time);
    }

    fn run_used(&mut self, cpu: Duration) {
        self.values.run_used(cpu);
    }
}
