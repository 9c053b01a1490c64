//! One modelled card beside two hosts: every call goes to both, so one run has the times of both.
//!
//! The program sees the faster host: its clock, its events, its memory. The card beside the slower one has clocks, and
//! holds no memory.

use super::card::ModelledCard;
use super::two_hosts_lanes::SameMoments;
use crate::device::blas_workspaces::BlasWorkspaces;
use crate::device::caching_allocator::{AllocatorOptions, SegmentState};
use crate::device::cards::{Card, Cards, HostRange as Hosts};
use crate::device::cudnn_workspaces::CudnnWorkspaces;
use crate::device::interface::{
    CachedMemory, CardFacts, Device, EventId, Events, Graphs, HostClock, Kernels, LoaderLanes,
    Memory, RealCard, Streams, Transfers,
};
use crate::device::memory::{Allocation, UnpooledMemory};
use crate::device::tensor_device::TensorDevice;
use crate::device::timing::{Interval, OpStart, Timing};
use crate::device::transfer::{Pin, Transfer};
use crate::device::value_budget::ValueBudget;
use crate::device::work::{HostCall, Work};
use crate::error::TorchError;
use candle_core::Tensor as Values;
use warpup_protocol::{Aim, Busy, Clock, HostEnd, HostRange, Limits};

/// A card during one run, beside each of two hosts.
#[derive(Debug)]
pub(in crate::device) struct TwoHosts {
    pub(super) faster: ModelledCard,
    pub(super) slower: ModelledCard,
    hosts: &'static Hosts,
    /// When each recorded event happens, by its number.
    events: Vec<Both>,
    pub(super) steps: OptimizerSteps,
    pub(super) moments: SameMoments,
}

/// A time on both clocks, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Both {
    faster: u64,
    slower: u64,
}

/// The steps of the optimizer that took the first one.
#[derive(Debug, Default)]
pub(super) struct OptimizerSteps {
    optimizer: Option<usize>,
    count: u64,
    first: Both,
    last: Both,
    /// How long code was compiled, up to the last step and since then.
    compiling: Both,
    compiling_now: Both,
}

impl OptimizerSteps {
    /// A step begins at a time.
    fn take(&mut self, optimizer: usize, when: Both) {
        if *self.optimizer.get_or_insert(optimizer) != optimizer {
            return;
        }
        let compiling = std::mem::take(&mut self.compiling_now);
        if self.count == 0 {
            self.first = when;
        } else {
            self.compiling.faster += compiling.faster;
            self.compiling.slower += compiling.slower;
        }
        self.last = when;
        self.count += 1;
    }

    /// From one step to the next.
    fn between(&self) -> u64 {
        self.count.saturating_sub(1)
    }

    /// Without what compilation took, which is no part of a step.
    fn mean(&self, of: impl Fn(Both) -> u64) -> Option<u64> {
        let all = (of(self.last) - of(self.first)).saturating_sub(of(self.compiling));
        all.checked_div(self.between())
    }

    /// Code was compiled for so long.
    pub(super) fn compiled(&mut self, faster: Interval, slower: Interval) {
        self.compiling_now.faster += faster.ns();
        self.compiling_now.slower += slower.ns();
    }
}

impl TwoHosts {
    /// A card without a context, with the hosts of the file.
    pub(in crate::device) fn new(card: &Card, cards: &'static Cards) -> Self {
        let hosts = &cards.host_range;
        let (card_of_slower, slower) = hosts.slower_host(card, &cards.host);
        Self {
            faster: ModelledCard::new(card.clone(), &cards.host),
            slower: ModelledCard::new(card_of_slower, &slower),
            hosts,
            events: Vec::new(),
            steps: OptimizerSteps::default(),
            moments: SameMoments::default(),
        }
    }

    /// The same card for a run or a plan with these limits.
    #[must_use]
    pub(in crate::device) fn aimed(self, aim: Aim, limits: &Limits) -> Self {
        let faster = match aim {
            Aim::Run => self.faster.for_a_run(limits),
            Aim::Plan => self.faster.for_a_plan(),
        };
        Self { faster, ..self }
    }

    /// When each card will have done its work, or now.
    fn done(&self) -> Both {
        let done = |it: &ModelledCard| it.host_ns().max(it.streams.all_ns());
        Both {
            faster: done(&self.faster),
            slower: done(&self.slower),
        }
    }

    fn event(&self, event: EventId) -> Both {
        let at = usize::try_from(event.0).ok();
        let known = at.and_then(|it| self.events.get(it));
        known.copied().unwrap_or_default()
    }
}

impl Device for TwoHosts {
    fn card(&self) -> Option<CardFacts> {
        self.faster.card()
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
        self.faster.blas_workspaces()
    }

    fn cudnn_workspaces(&mut self) -> Option<&mut CudnnWorkspaces> {
        self.faster.cudnn_workspaces()
    }

    fn loader_lanes(&mut self) -> Option<&mut dyn LoaderLanes> {
        Some(self)
    }

    fn graphs(&mut self) -> Option<&mut dyn Graphs> {
        Some(self)
    }

    fn value_budget(&mut self) -> Option<&mut ValueBudget> {
        self.faster.value_budget()
    }
}

impl HostClock for TwoHosts {
    fn clock(&self) -> Clock {
        Clock::Modelled
    }

    fn start_clock(&mut self) {}

    fn now(&self) -> u64 {
        self.faster.now()
    }

    fn reach_line(&mut self) {
        self.faster.reach_line();
        self.slower.reach_line();
    }

    fn call(&mut self, call: HostCall) {
        if let HostCall::OptimizerStep { optimizer, .. } = call {
            let when = self.done();
            self.steps.take(optimizer, when);
        }
        self.faster.call(call);
        self.slower.call(call);
        if call == HostCall::Message {
            self.note_moment();
        }
    }

    fn sleep(&mut self, ns: u64) {
        self.faster.sleep(ns);
        self.slower.sleep(ns);
    }
}

impl Kernels for TwoHosts {
    fn candle_device(&self, device: TensorDevice) -> candle_core::Device {
        self.faster.candle_device(device)
    }

    fn begin_op(&mut self, device: TensorDevice) -> Result<OpStart, TorchError> {
        self.slower.begin_op(device)?;
        self.faster.begin_op(device)
    }

    fn end_op(&mut self, device: TensorDevice, work: Work, start: OpStart) -> Timing {
        self.slower.end_op(device, work, start);
        self.faster.end_op(device, work, start)
    }

    fn busy_ns(&self) -> Option<u64> {
        self.faster.busy_ns()
    }

    fn busy(&self) -> Option<Busy> {
        self.faster.busy()
    }

    fn host_range(&self) -> Option<HostRange> {
        let total = self.done();
        Some(HostRange {
            faster: HostEnd {
                host: self.hosts.faster.clone(),
                host_ns: self.faster.host_ns(),
                total_ns: total.faster,
                step_ns: self.steps.mean(|it| it.faster),
            },
            slower: HostEnd {
                host: self.hosts.slower.clone(),
                host_ns: self.slower.host_ns(),
                total_ns: total.slower,
                step_ns: self.steps.mean(|it| it.slower),
            },
            steps: self.steps.between(),
        })
    }
}

impl Transfers for TwoHosts {
    fn end_copy(&mut self, transfer: Transfer, start: OpStart) -> Timing {
        self.slower.end_copy(transfer, start);
        self.faster.end_copy(transfer, start)
    }

    fn pin(&mut self, values: Option<&Values>, bytes: u64) -> Result<Pin, TorchError> {
        let before_ns = self.faster.host_ns();
        let pin = self.faster.pin(values, bytes)?;
        // The driver's work is the same beside both hosts.
        self.slower.advance_host(self.faster.host_ns() - before_ns);
        Ok(pin)
    }
}

impl Events for TwoHosts {
    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError> {
        self.slower.synchronize()?;
        self.faster.synchronize()
    }

    fn queued_until(&self) -> Option<u64> {
        self.faster.queued_until()
    }

    fn record_event(&mut self) -> Result<EventId, TorchError> {
        self.events.push(Both {
            faster: self.faster.record_event()?.0,
            slower: self.slower.record_event()?.0,
        });
        Ok(EventId(self.events.len() as u64 - 1))
    }

    fn query_event(&mut self, event: EventId) -> Result<bool, TorchError> {
        let event = EventId(self.event(event).faster);
        self.faster.query_event(event)
    }

    fn elapsed_ns(&mut self, from: EventId, to: EventId) -> Result<f64, TorchError> {
        let [from, to] = [from, to].map(|it| EventId(self.event(it).faster));
        self.faster.elapsed_ns(from, to)
    }

    fn synchronize_event(&mut self, event: EventId) -> Result<Option<Interval>, TorchError> {
        let event = self.event(event);
        self.slower.synchronize_event(EventId(event.slower))?;
        self.faster.synchronize_event(EventId(event.faster))
    }
}

impl Memory for TwoHosts {
    fn alloc(
        &mut self,
        device: TensorDevice,
        bytes: u64,
        line: u32,
    ) -> Result<Allocation, TorchError> {
        let held = self.faster.alloc(device, bytes, line);
        if self.faster.new_context.is_some() {
            self.slower.create_context();
        }
        if self.faster.alloc_wait.is_some() {
            self.slower.synchronize_all();
        }
        held
    }

    fn free(&mut self, allocation: Allocation) {
        self.faster.free(allocation);
    }

    fn take_alloc_wait(&mut self) -> Option<Interval> {
        self.faster.take_alloc_wait()
    }

    fn take_new_context(&mut self) -> Option<Interval> {
        self.faster.take_new_context()
    }

    fn host_capacity(&self) -> u64 {
        self.faster.host_capacity()
    }

    fn unpooled_memory(&self) -> UnpooledMemory {
        self.faster.unpooled_memory()
    }
}

impl Streams for TwoHosts {
    fn current_stream(&self) -> u32 {
        self.faster.current_stream()
    }

    fn create_stream(&mut self) -> u32 {
        self.slower.create_stream();
        self.faster.create_stream()
    }

    fn set_stream(&mut self, stream: u32) -> u32 {
        self.slower.set_stream(stream);
        self.faster.set_stream(stream)
    }

    fn stream_wait_event(&mut self, event: EventId) {
        let event = self.event(event);
        self.slower.stream_wait_event(EventId(event.slower));
        self.faster.stream_wait_event(EventId(event.faster));
    }
}

impl CachedMemory for TwoHosts {
    fn reset_peaks(&mut self) {
        self.faster.reset_peaks();
    }

    fn empty_cache(&mut self) -> Option<Interval> {
        let waited = CachedMemory::empty_cache(&mut self.faster);
        if waited.is_some() {
            self.slower.synchronize_all();
        }
        waited
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.faster.has_room(bytes)
    }

    fn set_release_threshold(&mut self, bytes: u64) {
        self.faster.set_release_threshold(bytes);
    }

    fn configure(&mut self, options: AllocatorOptions) -> bool {
        self.faster.configure(options)
    }

    fn set_memory_fraction(&mut self, fraction: f64) {
        self.faster.set_memory_fraction(fraction);
    }

    fn snapshot(&self) -> Option<Vec<SegmentState>> {
        self.faster.snapshot()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;
    use crate::dtype::DType;

    fn t4() -> TwoHosts {
        let cards = shipped();
        TwoHosts::new(&cards.cards["t4"], cards)
    }

    const CARD: TensorDevice = TensorDevice::Card(0);

    fn launch(device: &mut TwoHosts, bytes: u64) {
        let start = device.begin_op(CARD).unwrap();
        device.end_op(CARD, Work::moving(bytes, DType::F32), start);
    }

    /// What a host needs to queue, beyond the context.
    fn queueing(it: &HostEnd) -> u64 {
        it.host_ns - shipped().cards["t4"].assumed.first_use_ns
    }

    #[test]
    fn a_slower_host_queues_later_and_a_long_kernel_hides_it() {
        let mut device = t4();
        for _ in 0..100 {
            launch(&mut device, 4);
        }
        device.synchronize().unwrap();
        let HostRange { faster, slower, .. } = device.host_range().unwrap();
        let ratio = queueing(&slower) as f64 / queueing(&faster) as f64;
        let times = shipped().host_range.times;
        assert!((ratio - times).abs() < 0.1, "{ratio}");

        let mut device = t4();
        for _ in 0..10 {
            launch(&mut device, 1 << 30);
        }
        device.synchronize().unwrap();
        let HostRange { faster, slower, .. } = device.host_range().unwrap();
        // Only the first kernel begins later.
        let later = (slower.total_ns - faster.total_ns) as f64;
        assert!((later - (times - 1.0) * 5_000.0).abs() < 1.0, "{later}");
    }

    #[test]
    fn events_and_steps_are_those_of_each_host() {
        let mut device = t4();
        let step = |optimizer| HostCall::OptimizerStep {
            optimizer,
            parameters: 0,
        };
        for _ in 0..3 {
            launch(&mut device, 4);
            device.call(step(1));
            device.call(step(2));
        }
        launch(&mut device, 1 << 30);
        let event = device.record_event().unwrap();
        assert!(!device.query_event(event).unwrap());
        device.synchronize_event(event).unwrap();
        assert!(device.query_event(event).unwrap());
        let HostRange {
            faster,
            slower,
            steps,
        } = device.host_range().unwrap();
        assert_eq!(steps, 2);
        assert!(slower.step_ns > faster.step_ns, "{slower:?} {faster:?}");
        // Each clock stands where its own card was done.
        assert_eq!(faster.host_ns, faster.total_ns);
        assert_eq!(slower.host_ns, slower.total_ns);
    }
}
