//! The real card as a [`Device`].

use super::card::{Cuda, ROUND};
use super::copies::{self, PinnedMemory};
use super::failure::CudaFailure;
use super::run_state::{ALLOWED, BROKEN, LAUNCH_BLOCKING, LIVE, UNAVAILABLE};
use super::timer::OpTimer;
use crate::device::blas_workspaces::BlasWorkspaces;
use crate::device::caching_allocator::{AllocatorOptions, SegmentState};
use crate::device::cpu::ns_since;
use crate::device::cudnn_workspaces::CudnnWorkspaces;
use crate::device::interface::{
    CachedMemory, CardFacts, Device, EventId, Events, Graphs, HostClock, Kernels, LoaderLanes,
    Memory, RealCard, Streams, Transfers,
};
use crate::device::memory::{Allocation, UnpooledMemory};
use crate::device::tensor_device::TensorDevice;
use crate::device::timing::{Completion, Interval, OpStart, Timing, WorkId};
use crate::device::transfer::{Blocking, HostMemory, Pin, Transfer};
use crate::device::unavailable::DeviceUnavailable;
use crate::device::value_budget::ValueBudget;
use crate::device::work::{HostCall, Work};
use crate::error::TorchError;
use crate::kernels::card::cudnn;
use candle_core::{Device as Candle, Tensor as Values};
use std::rc::Rc;
use std::time::{Duration, Instant};
use warpup_protocol::{Busy, Clock, CudnnUse, DeviceTimes};

impl Device for Cuda {
    fn card(&self) -> Option<CardFacts> {
        let properties = &self.context.properties;
        let memory = &self.context.memory;
        let free = memory.free_and_total().ok();
        Some(CardFacts {
            name: properties.name.clone(),
            capability: properties.capability,
            memory: properties.memory,
            multiprocessors: properties.multiprocessors,
            threads_per_multiprocessor: properties.threads_per_multiprocessor,
            free: free.map_or(properties.memory, |(free, _)| free),
            counts: memory.stats(LIVE.get(), self.peak_live),
        })
    }

    fn real_card(&mut self) -> Option<&mut dyn RealCard> {
        Some(self)
    }

    fn streams(&mut self) -> Option<&mut dyn Streams> {
        None
    }

    fn cached_memory(&mut self) -> Option<&mut dyn CachedMemory> {
        Some(self)
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

impl HostClock for Cuda {
    fn clock(&self) -> Clock {
        Clock::Measured
    }

    fn start_clock(&mut self) {
        self.began = Instant::now();
        if let Some(timer) = &mut self.timer {
            timer.start_clock(self.began);
        }
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

impl Kernels for Cuda {
    fn candle_device(&self, device: TensorDevice) -> Candle {
        match (device, &self.used) {
            (TensorDevice::Card(_), Some(used)) => used.context.candle.clone(),
            (TensorDevice::Card(_), None) | (TensorDevice::Cpu, _) => Candle::Cpu,
        }
    }

    fn begin_op(&mut self, device: TensorDevice) -> Result<OpStart, TorchError> {
        let context_creation = match device {
            TensorDevice::Card(_) => self.first_use()?,
            TensorDevice::Cpu => None,
        };
        let asked_ns = self.now();
        let timer = self.timer.as_mut().filter(|_| device != TensorDevice::Cpu);
        let takes_time = timer.is_some_and(OpTimer::start);
        let at_ns = if takes_time { self.now() } else { asked_ns };
        Ok(OpStart {
            at_ns,
            recording_ns: at_ns - asked_ns,
            context_creation,
        })
    }

    fn end_op(&mut self, device: TensorDevice, _work: Work, start: OpStart) -> Timing {
        match device {
            TensorDevice::Card(_) => self.end_queued(start),
            TensorDevice::Cpu => Timing::on_host(start, self.now()),
        }
    }

    fn busy_ns(&self) -> Option<u64> {
        self.used.as_ref()?;
        Some(self.timer.as_ref()?.busy_ns())
    }

    fn busy(&self) -> Option<Busy> {
        None
    }
}

impl Transfers for Cuda {
    fn end_copy(&mut self, _transfer: Transfer, start: OpStart) -> Timing {
        let mut timing = self.end_queued(start);
        if let Some(given_ns) = self.copy_given_ns.take() {
            let until_ns = timing.host.end_ns;
            timing.host.end_ns = given_ns;
            timing.waited = Some(Interval {
                start_ns: given_ns,
                end_ns: until_ns,
            });
            if let Some(timer) = &mut self.timer {
                // The copy is done, and what records its time soon: then that is known when the wait is recorded.
                // The next call reports an error.
                let _ = self.context.stream.synchronize();
                timer.all_is_done();
            }
        }
        timing
    }

    fn copy(
        &mut self,
        values: &Values,
        to: TensorDevice,
        transfer: Transfer,
    ) -> Result<Values, TorchError> {
        let whole = values.contiguous()?;
        let waits = to == TensorDevice::Cpu
            || transfer.blocking == Blocking::Yes
            || transfer.memory == HostMemory::Pageable;
        self.copy_given_ns = waits.then(|| self.now());
        let used = self.used()?;
        let stream = &used.context.stream;
        match to {
            TensorDevice::Cpu => copies::to_host(&whole, stream),
            TensorDevice::Card(_) => {
                let device = used.context.candle.as_cuda_device()?;
                let copy = copies::to_card(&whole, device, stream)?;
                if transfer.blocking == Blocking::Yes {
                    stream.synchronize().map_err(CudaFailure::from)?;
                } else {
                    // The driver reads page-locked memory later, and on some machines any memory.
                    used.drop_landed();
                    let event = used.events.record(0)?;
                    used.in_flight.push_back((event, whole));
                }
                Ok(copy)
            }
        }
    }

    fn copy_into_pinned(
        &mut self,
        values: &Values,
        pin: &Pin,
        _transfer: Transfer,
    ) -> Result<Option<Values>, TorchError> {
        let Some(pinned) = pin.guard::<PinnedMemory>() else {
            return Ok(None);
        };
        let whole = values.contiguous()?;
        self.copy_given_ns = Some(self.now());
        let used = self.used()?;
        pinned.fill(&whole, &used.context.stream).map(Some)
    }

    fn pin(&mut self, values: Option<&Values>, _bytes: u64) -> Result<Pin, TorchError> {
        self.first_use()?;
        match values {
            Some(values) => Ok(Pin::of(Rc::new(PinnedMemory::of(values)?))),
            None => Ok(Pin::default()),
        }
    }

    fn is_pinned(&self, pin: &Pin, values: &Values) -> bool {
        let pinned = pin.guard::<PinnedMemory>();
        pinned.is_some_and(|it| it.contains(values))
    }
}

impl Events for Cuda {
    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError> {
        self.first_use()?;
        let start_ns = self.now();
        let used = self.used()?;
        used.context
            .stream
            .synchronize()
            .map_err(CudaFailure::from)?;
        // Errors of calls without a result, such as those that free memory.
        let context = &used.context.memory.context;
        context.check_err().map_err(CudaFailure::from)?;
        used.in_flight.clear();
        let end_ns = self.now();
        self.all_is_done();
        Ok(Some(Interval { start_ns, end_ns }))
    }

    fn queued_until(&self) -> Option<u64> {
        None
    }

    fn record_event(&mut self) -> Result<EventId, TorchError> {
        let queued = self.timer.as_ref().map_or(0, OpTimer::queued);
        self.used()?.events.record(queued)
    }

    fn query_event(&mut self, event: EventId) -> Result<bool, TorchError> {
        let event = self.used()?.events.get(event)?;
        Ok(event.try_is_complete().map_err(CudaFailure::from)?)
    }

    fn elapsed_ns(&mut self, from: EventId, to: EventId) -> Result<f64, TorchError> {
        self.used()?.events.elapsed_ns(from, to)
    }

    fn synchronize_event(&mut self, event: EventId) -> Result<Option<Interval>, TorchError> {
        let start_ns = self.now();
        let used = self.used()?;
        let queued = used.events.queued_before(event);
        let event = used.events.get(event)?;
        event.synchronize().map_err(CudaFailure::from)?;
        let end_ns = self.now();
        if let Some(timer) = &mut self.timer {
            timer.is_done_until(queued);
        }
        Ok(Some(Interval { start_ns, end_ns }))
    }
}

impl Memory for Cuda {
    fn alloc(
        &mut self,
        device: TensorDevice,
        bytes: u64,
        _line: u32,
    ) -> Result<Allocation, TorchError> {
        match device {
            TensorDevice::Cpu => self.host_allocated.take(bytes),
            TensorDevice::Card(_) => {
                let rounded = bytes.max(1).next_multiple_of(ROUND);
                self.check_room(rounded)?;
                let live = LIVE.get() + rounded;
                LIVE.set(live);
                self.peak_live = self.peak_live.max(live);
                Ok(Allocation::Card(rounded))
            }
        }
    }

    fn free(&mut self, allocation: Allocation) {
        match allocation {
            Allocation::Host(bytes) => self.host_allocated.give_back(bytes),
            Allocation::Card(bytes) => LIVE.set(LIVE.get().saturating_sub(bytes)),
            Allocation::Block(_) => {}
        }
    }

    fn take_alloc_wait(&mut self) -> Option<Interval> {
        None
    }

    fn host_capacity(&self) -> u64 {
        self.host_allocated.most()
    }

    fn unpooled_memory(&self) -> UnpooledMemory {
        UnpooledMemory::default()
    }
}

impl CachedMemory for Cuda {
    fn reset_peaks(&mut self) {
        self.peak_live = LIVE.get();
        if let Some(pool) = self.used.as_ref().and_then(|it| it.context.memory.pool) {
            // A counter that cannot be set keeps its value.
            let _ = pool.reset_peaks();
        }
    }

    fn empty_cache(&mut self) -> Option<Interval> {
        let used = self.used.as_ref()?;
        let pool = used.context.memory.pool?;
        let start_ns = self.now();
        // Memory that the stream has yet to free is not cached before it has; the next synchronize reports
        // errors.
        let _ = used.context.stream.synchronize();
        let end_ns = self.now();
        let _ = pool.trim();
        self.all_is_done();
        Some(Interval { start_ns, end_ns })
    }

    fn set_release_threshold(&mut self, bytes: u64) {
        self.release_threshold = bytes;
        if let Some(pool) = self.used.as_ref().and_then(|it| it.context.memory.pool) {
            // A driver that refuses it keeps its threshold, which the counters show.
            let _ = pool.set_release_threshold(bytes);
        }
    }

    fn configure(&mut self, options: AllocatorOptions) -> bool {
        if let Some(fraction) = options.memory_fraction() {
            self.set_memory_fraction(fraction);
        }
        // The driver's pool has none of the others.
        options.is_only_fraction()
    }

    fn set_memory_fraction(&mut self, fraction: f64) {
        // A card that does not say how much it has is broken, and the next operation says so.
        if let Ok((_, total)) = self.context.memory.free_and_total() {
            ALLOWED.set(Some((fraction * total as f64) as u64));
        }
    }

    fn snapshot(&self) -> Option<Vec<SegmentState>> {
        None
    }
}

impl RealCard for Cuda {
    fn enable_op_timing(&mut self) {
        // A card that cannot give events is broken, and the program's first operation says so.
        self.timer = OpTimer::new(&self.context).ok();
    }

    fn completion(&mut self, work: WorkId) -> Completion {
        let timer = self.timer.as_mut();
        timer.map_or(Completion::Lost, |it| it.completion(work))
    }

    fn device_times(&self) -> Option<DeviceTimes> {
        self.timer.as_ref().map(OpTimer::facts)
    }

    fn take_cudnn_use(&mut self) -> Option<CudnnUse> {
        cudnn::take_use(&self.context.candle)
    }

    fn set_tf32(&mut self, allowed: bool) {
        candle_core::cuda::set_gemm_reduced_precision_f32(allowed);
    }

    fn set_launch_blocking(&mut self, waits: bool) {
        LAUNCH_BLOCKING.set(waits);
    }

    fn is_broken(&self) -> bool {
        BROKEN.get()
    }

    fn unavailable(&self) -> Option<DeviceUnavailable> {
        UNAVAILABLE.with_borrow(Clone::clone)
    }
}
