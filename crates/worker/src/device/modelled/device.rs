//! The modelled card as a [`Device`]: which clock and which allocator each call uses.

use super::card::{ModelledCard, QueuedTimes};
use crate::device::blas_workspaces::BlasWorkspaces;
use crate::device::caching_allocator::{AllocatorOptions, PoolStats, SegmentState};
use crate::device::card_messages;
use crate::device::cards::Card;
use crate::device::cudnn_workspaces::CudnnWorkspaces;
use crate::device::interface::{
    CachedMemory, CardFacts, Device, EventId, Events, Graphs, HostClock, Kernels, LoaderLanes,
    Memory, RealCard, Streams, Transfers,
};
use crate::device::memory::{Allocation, UnpooledMemory};
use crate::device::tensor_device::TensorDevice;
use crate::device::timing::{ContextCreation, DeviceTime, Interval, OpStart, Timing};
use crate::device::transfer::{Pin, Transfer};
use crate::device::value_budget::ValueBudget;
use crate::device::work::{HostCall, Work};
use crate::error::TorchError;
use candle_core::Tensor as Values;
use std::rc::Rc;
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

impl From<QueuedTimes> for Timing {
    fn from(queued: QueuedTimes) -> Self {
        Self {
            library: queued.library,
            host: queued.host,
            waited: queued.waited,
            device: DeviceTime::Known(queued.card),
        }
    }
}

impl Device for ModelledCard {
    fn card(&self) -> Option<CardFacts> {
        Some(CardFacts {
            name: name(&self.card),
            capability: self.card.version(),
            memory: self.card.memory,
            multiprocessors: self.card.multiprocessors,
            threads_per_multiprocessor: self.card.threads_per_multiprocessor(),
            free: self.allocator.free_on_card(),
            counts: self.allocator.stats(),
        })
    }

    fn real_card(&mut self) -> Option<&mut dyn RealCard> {
        None
    }

    fn streams(&mut self) -> Option<&mut dyn Streams> {
        Some(self)
    }

    fn cached_memory(&mut self) -> Option<&mut dyn CachedMemory> {
        Some(self)
    }

    fn blas_workspaces(&mut self) -> Option<&mut BlasWorkspaces> {
        Some(&mut self.workspaces)
    }

    fn cudnn_workspaces(&mut self) -> Option<&mut CudnnWorkspaces> {
        Some(&mut self.cudnn)
    }

    fn loader_lanes(&mut self) -> Option<&mut dyn LoaderLanes> {
        Some(self)
    }

    fn graphs(&mut self) -> Option<&mut dyn Graphs> {
        Some(self)
    }

    fn value_budget(&mut self) -> Option<&mut ValueBudget> {
        Some(&mut self.values)
    }
}

impl HostClock for ModelledCard {
    fn clock(&self) -> Clock {
        Clock::Modelled
    }

    fn start_clock(&mut self) {}

    fn now(&self) -> u64 {
        self.host_ns()
    }

    fn reach_line(&mut self) {
        if !self.is_compiled {
            self.advance_host(self.host.line_ns);
        }
    }

    fn call(&mut self, call: HostCall) {
        self.call_on_host(call);
    }

    fn sleep(&mut self, ns: u64) {
        // Sleep needs no core, so it does not matter who shares them.
        self.wait_until(self.host_ns() + ns);
    }
}

impl Kernels for ModelledCard {
    fn candle_device(&self, _device: TensorDevice) -> candle_core::Device {
        candle_core::Device::Cpu
    }

    fn begin_op(&mut self, device: TensorDevice) -> Result<OpStart, TorchError> {
        if device != TensorDevice::Cpu {
            self.refuse_in_worker()?;
        }
        let context_creation = match device {
            TensorDevice::Card(_) => self.create_context().map(ContextCreation::Now),
            TensorDevice::Cpu => None,
        };
        Ok(OpStart {
            at_ns: self.host_ns(),
            recording_ns: 0,
            context_creation,
        })
    }

    fn end_op(&mut self, device: TensorDevice, work: Work, _start: OpStart) -> Timing {
        match device {
            TensorDevice::Cpu => Timing {
                library: None,
                host: self.compute_on_host(work.cost),
                waited: None,
                device: DeviceTime::OnHost,
            },
            TensorDevice::Card(_) => self.launch_or_capture(work),
        }
    }

    fn busy_ns(&self) -> Option<u64> {
        let busy = self.busy_times();
        Some(busy.compute_ns + busy.bandwidth_ns + busy.smallest_ns + busy.copy_ns)
    }

    fn busy(&self) -> Option<Busy> {
        Some(self.busy_times())
    }
}

impl Transfers for ModelledCard {
    fn end_copy(&mut self, transfer: Transfer, _start: OpStart) -> Timing {
        self.copy(transfer).into()
    }

    fn pin(&mut self, _values: Option<&Values>, bytes: u64) -> Result<Pin, TorchError> {
        let (block, ns) = self.host_blocks.take(bytes);
        self.advance_host(ns);
        Ok(Pin::of(Rc::new(block)))
    }
}

impl Events for ModelledCard {
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

    fn elapsed_ns(&mut self, from: EventId, to: EventId) -> Result<f64, TorchError> {
        Ok(to.0 as f64 - from.0 as f64)
    }

    fn synchronize_event(&mut self, event: EventId) -> Result<Option<Interval>, TorchError> {
        Ok(Some(self.wait_until(event.0)))
    }
}

impl Memory for ModelledCard {
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
                // Memory of the card needs a context, too.
                let created = self.create_context();
                self.new_context = self.new_context.or(created);
                let PoolStats {
                    live: before,
                    reserved,
                    ..
                } = self.allocator.stats();
                let emptied = self.allocator.emptied();
                let block = self.allocator.alloc(bytes).map_err(|it| {
                    let note = " (modelled card: no GPU was touched)";
                    let sizes = (it.free, self.card.memory);
                    card_messages::out_of_memory(it.asked, sizes, (it.stats, it.allowed), note)
                })?;
                if self.allocator.emptied() > emptied {
                    self.alloc_wait = Some(self.wait_until(self.streams.all_ns()));
                }
                let grown = self.allocator.stats().reserved.saturating_sub(reserved);
                self.allocate_on_card(grown);
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

    fn free(&mut self, allocation: Allocation) {
        match allocation {
            Allocation::Host(bytes) => self.host_allocated.give_back(bytes),
            Allocation::Block(block) => self.allocator.free(block),
            Allocation::Card(_) => {}
        }
    }

    fn take_alloc_wait(&mut self) -> Option<Interval> {
        self.alloc_wait.take()
    }

    fn take_new_context(&mut self) -> Option<Interval> {
        self.new_context.take()
    }

    fn host_capacity(&self) -> u64 {
        self.host_allocated.most()
    }

    fn unpooled_memory(&self) -> UnpooledMemory {
        UnpooledMemory {
            workspace: self.card.assumed.context_bytes,
            overflow: self.overflow,
        }
    }
}

impl Streams for ModelledCard {
    fn current_stream(&self) -> u32 {
        self.streams.current()
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
}

impl CachedMemory for ModelledCard {
    fn reset_peaks(&mut self) {
        self.allocator.reset_peaks();
    }

    fn empty_cache(&mut self) -> Option<Interval> {
        Self::empty_cache(self)
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.allocator.has_room(bytes)
    }

    fn set_release_threshold(&mut self, bytes: u64) {
        self.release_threshold = bytes;
    }

    fn configure(&mut self, options: AllocatorOptions) -> bool {
        if let Some(fraction) = options.memory_fraction() {
            self.set_memory_fraction(fraction);
        }
        self.allocator.configure(options);
        true
    }

    fn set_memory_fraction(&mut self, fraction: f64) {
        self.allocator
            .allow((fraction * self.card.memory as f64) as u64);
    }

    fn snapshot(&self) -> Option<Vec<SegmentState>> {
        Some(self.allocator.snapshot())
    }
}
