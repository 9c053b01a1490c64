//! The cost model of a card: virtual clocks for the host and the streams, and a caching allocator.
//!
//! The host's clock advances by what computing and queueing cost the host, the card's clock by the work that its
//! streams were given.

use super::graphs::Capture;
use super::host_blocks::HostBlocks;
use super::host_lanes::HostLanes;
use super::kernel_time::KernelTime;
use super::libraries::Libraries;
use super::rate::ns_at;
use super::streams::{CardEngine, Streams};
use crate::device::blas_workspaces::BlasWorkspaces;
use crate::device::caching_allocator::CachingAllocator;
use crate::device::cards::{Card, Host};
use crate::device::cudnn_workspaces::CudnnWorkspaces;
use crate::device::host_bytes::HostBytes;
use crate::device::timing::{Interval, LibraryStart};
use crate::device::transfer::{Direction, HostMemory, Transfer};
use crate::device::value_budget::ValueBudget;
use crate::device::work::{HostCall, Work};
use crate::meta::{Cost, KernelKind};
use warpup_protocol::{Busy, Limits, Overflow};

/// Bytes that `cudaMalloc` and `cudaFree` map in a second: 1 GiB in 269 and 398 µs on an H200 (PyTorch 2.11, 2026-11).
const ALLOCATED_A_SECOND: f64 = 4.0e12;
const FREED_A_SECOND: f64 = 2.7e12;

/// A card and its host during one run.
#[derive(Clone, Debug)]
pub(crate) struct ModelledCard {
    pub(super) card: Card,
    pub(super) host: Host,
    pub(super) allocator: CachingAllocator,
    /// The clock of the host's lane that runs.
    pub(super) host_ns: u64,
    pub(super) lanes: HostLanes,
    pub(super) host_blocks: HostBlocks,
    pub(super) streams: Streams,
    busy: Busy,
    /// The creation of the context by an allocation, until it is asked for.
    pub(super) new_context: Option<Interval>,
    pub(super) has_context: bool,
    /// Bytes of host memory that tensors hold.
    pub(super) host_allocated: HostBytes,
    pub(super) values: ValueBudget,
    /// The first allocation of a plan beyond the card's capacity.
    pub(super) overflow: Option<Overflow>,
    /// Cached memory beyond this many bytes goes back to the card when the host synchronizes.
    pub(super) release_threshold: u64,
    /// The wait of the last allocation, until it is asked for.
    pub(super) alloc_wait: Option<Interval>,
    pub(super) workspaces: BlasWorkspaces,
    libraries: Libraries,
    pub(super) cudnn: CudnnWorkspaces,
    pub(super) capture: Capture,
    /// Whether the code that runs is compiled.
    pub(super) is_compiled: bool,
    /// Whether some code was compiled.
    pub(super) has_compiled: bool,
}

/// When the host queued something and waited for it, and when the card did it.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueuedTimes {
    pub(super) library: Option<LibraryStart>,
    pub(super) host: Interval,
    pub(super) waited: Option<Interval>,
    pub(super) card: Interval,
}

impl ModelledCard {
    /// A card without a context, its clocks at 0, for a run with the usual limits.
    pub(crate) fn new(card: Card, host: &Host) -> Self {
        let capacity = card.memory.saturating_sub(card.assumed.context_bytes);
        Self {
            workspaces: BlasWorkspaces::of(&card),
            cudnn: CudnnWorkspaces::of(&card),
            card,
            host: *host,
            allocator: CachingAllocator::new(capacity),
            host_ns: 0,
            lanes: HostLanes::default(),
            host_blocks: HostBlocks::default(),
            streams: Streams::new(),
            busy: Busy::default(),
            new_context: None,
            has_context: false,
            host_allocated: HostBytes::default(),
            values: ValueBudget::of_a_run(&Limits::default()),
            overflow: None,
            release_threshold: u64::MAX,
            alloc_wait: None,
            libraries: Libraries::default(),
            capture: Capture::Off,
            is_compiled: false,
            has_compiled: false,
        }
    }

    /// The same card for a run with these limits; values take a part of its time.
    #[must_use]
    pub(crate) fn for_a_run(mut self, limits: &Limits) -> Self {
        self.values = ValueBudget::of_a_run(limits);
        self.host_allocated = HostBytes::of(limits);
        self
    }

    /// The same card for a plan: it computes few values, and its allocator exceeds the capacity.
    #[must_use]
    pub(crate) fn for_a_plan(mut self) -> Self {
        self.values = ValueBudget::of_a_plan();
        self.allocator.overcommit();
        self
    }

    pub(super) fn host_ns(&self) -> u64 {
        self.host_ns
    }

    /// When the current stream will have done all its work, or now.
    pub(super) fn stream_ns(&self) -> u64 {
        self.streams.current_ns().max(self.host_ns)
    }

    pub(super) fn busy_times(&self) -> Busy {
        self.busy
    }

    pub(super) fn compute_on_host(&mut self, cost: Cost) -> Interval {
        let work = ns_at(cost.flops, self.host.flops).max(ns_at(cost.bytes, self.host.bandwidth));
        self.advance_host(self.host.op_ns + work)
    }

    /// The host works for so long, or longer where workers share its cores.
    pub(super) fn advance_host(&mut self, ns: u64) -> Interval {
        let ns = self.lanes.shared(ns, self.host.cores);
        self.wait_until(self.host_ns + ns)
    }

    /// Creates the CUDA context; `None` if there is one.
    pub(super) fn create_context(&mut self) -> Option<Interval> {
        if self.has_context {
            return None;
        }
        self.has_context = true;
        Some(self.advance_host(self.card.assumed.first_use_ns))
    }

    pub(super) fn launch(&mut self, work: Work) -> QueuedTimes {
        let library = self.start_library(work.kind);
        let host = self.advance_host(self.launch_ns(work.kind));
        let idle_ns = self.busy.idle_ns;
        let card = self.run_kernel(KernelTime::of(&self.card, work));
        // As in the creation of the context before, the card is not idle while a library starts: it is not in use.
        let starting_ns = library.map_or(0, |it| it.when.ns());
        self.busy.idle_ns = idle_ns.max(self.busy.idle_ns.saturating_sub(starting_ns));
        QueuedTimes {
            library,
            host,
            waited: None,
            card,
        }
    }

    /// Starts the library of which this kernel is the first one.
    pub(super) fn start_library(&mut self, kind: KernelKind) -> Option<LibraryStart> {
        let (library, ns) = self.libraries.start(&self.card, kind)?;
        let when = self.advance_host(ns);
        Some(LibraryStart { library, when })
    }

    /// The card works on a kernel, behind what is queued.
    pub(super) fn run_kernel(&mut self, time: KernelTime) -> Interval {
        let card = self.queue(CardEngine::Kernels, time.ns());
        let spent = if time.computing.max(time.moving) <= time.least {
            &mut self.busy.smallest_ns
        } else if time.computing > time.moving {
            &mut self.busy.compute_ns
        } else {
            &mut self.busy.bandwidth_ns
        };
        *spent += card.ns();
        card
    }

    /// Host time to queue a kernel, with the framework's.
    pub(super) fn launch_ns(&self, kind: KernelKind) -> u64 {
        let calls = self.host.calls;
        let beyond = match kind {
            KernelKind::Elementwise
            | KernelKind::Copy
            | KernelKind::Transpose
            | KernelKind::Random { .. } => 0,
            KernelKind::Reduction
            | KernelKind::ColumnParts
            | KernelKind::ColumnWalk { .. }
            | KernelKind::Radix { .. } => calls.reduction_ns,
            KernelKind::Norm => calls.norm_ns,
            KernelKind::Indexed { .. } => calls.indexed_ns,
            KernelKind::Gemm(_) => calls.gemm_ns,
            KernelKind::Convolution(_) | KernelKind::Recurrent { .. } => calls.convolution_ns,
            KernelKind::Attention(_) => calls.attention_ns,
            KernelKind::MultiTensor { tensors } => calls.tensor_ns * tensors,
        };
        self.card.assumed.launch_ns + beyond
    }

    /// The host does something that launches nothing.
    pub(super) fn call_on_host(&mut self, call: HostCall) {
        if self.is_compiled {
            return;
        }
        let Host { calls, loader, .. } = self.host;
        self.advance_host(match call {
            HostCall::View => calls.view_ns,
            HostCall::Module => calls.module_ns,
            HostCall::Record => calls.record_ns,
            HostCall::Backward => calls.backward_ns,
            HostCall::Node => calls.node_ns,
            HostCall::OptimizerStep { parameters, .. } => {
                calls.step_ns + calls.parameter_ns * parameters
            }
            HostCall::ZeroGrad { parameters } => {
                calls.zero_grad_ns + calls.parameter_ns * parameters
            }
            HostCall::Batch => calls.batch_ns,
            HostCall::SendBatch { tensors } => loader.send_ns + loader.tensor_ns * tensors,
            HostCall::ReceiveBatch { tensors } => loader.receive_ns + loader.tensor_ns * tensors,
            HostCall::Message => loader.message_ns,
            HostCall::Stated { ns } => ns,
        });
    }

    /// Copies between host and card. The host waits for the copy and for all work of the stream before it, unless the
    /// copy is asynchronous.
    pub(super) fn copy(&mut self, transfer: Transfer) -> QueuedTimes {
        let host = self.advance_host(self.card.assumed.launch_ns);
        let share = match transfer.memory {
            HostMemory::Pageable => self.card.assumed.pageable_share,
            HostMemory::Pinned => self.card.assumed.pinned_share,
        };
        let engine = match transfer.direction {
            Direction::In => CardEngine::CopyIn,
            Direction::Out => CardEngine::CopyOut,
        };
        let moving_ns = ns_at(transfer.bytes, self.card.link_peak * share);
        let ns = self.card.assumed.copy_ns + moving_ns;
        self.busy.copy_ns += ns;
        let card = self.queue(engine, ns);
        let waits = !transfer.is_asynchronous();
        let waited = waits.then(|| self.wait_until(card.end_ns));
        QueuedTimes {
            library: None,
            host,
            waited,
            card,
        }
    }

    /// The host waits for all streams.
    pub(super) fn synchronize_all(&mut self) -> Interval {
        let stats = self.allocator.stats();
        if stats.reserved - stats.live > self.release_threshold {
            self.allocator.empty_cache();
        }
        self.wait_until(self.streams.all_ns())
    }

    /// The host's time in `cudaMalloc` for a segment of this many bytes.
    pub(super) fn allocate_on_card(&mut self, bytes: u64) {
        if bytes > 0 {
            self.advance_host(self.card.assumed.launch_ns + ns_at(bytes, ALLOCATED_A_SECOND));
        }
    }

    /// Returns cached memory to the card. Its memory may be in use by what is queued, so the host waits, as in
    /// `cudaFree`.
    pub(super) fn empty_cache(&mut self) -> Option<Interval> {
        let before = self.allocator.stats().reserved;
        self.allocator.empty_cache();
        let freed = before.saturating_sub(self.allocator.stats().reserved);
        (freed > 0).then(|| {
            let waited = self.wait_until(self.streams.all_ns());
            self.advance_host(ns_at(freed, FREED_A_SECOND));
            waited
        })
    }

    /// The host waits until its clock has reached a time.
    pub(super) fn wait_until(&mut self, ns: u64) -> Interval {
        let start_ns = self.host_ns;
        self.host_ns = self.host_ns.max(ns);
        Interval {
            start_ns,
            end_ns: self.host_ns,
        }
    }

    /// Queues work for the current stream.
    fn queue(&mut self, engine: CardEngine, ns: u64) -> Interval {
        let done_ns = self.streams.all_ns();
        let when = self.streams.queue(engine, self.host_ns, ns);
        // Before its first work a card is not idle, it is not in use.
        if done_ns > 0 {
            self.busy.idle_ns += when.start_ns.saturating_sub(done_ns);
        }
        self.busy.done_ns = self.streams.all_ns();
        when
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;
    use crate::device::transfer::Blocking;
    use crate::device::work::Tf32;
    use crate::dtype::DType;

    fn t4() -> ModelledCard {
        let cards = shipped();
        ModelledCard::new(cards.cards["t4"].clone(), &cards.host)
    }

    fn work(flops: u64, bytes: u64) -> Work {
        Work {
            cost: Cost { flops, bytes },
            dtype: DType::F32,
            kind: KernelKind::Elementwise,
            tf32: Tf32::Off,
        }
    }

    #[test]
    fn the_host_runs_ahead_of_the_device_and_then_waits() {
        let mut card = t4();
        for _ in 0..3 {
            card.launch(work(810_000_000_000, 0));
        }
        assert_eq!(card.host_ns(), 15_000);
        let waited = card.synchronize_all();
        assert_eq!(waited.start_ns, 15_000);
        // 0.81 TFLOP at 8.1 TFLOP/s is 100 ms; the first kernel starts when it is queued.
        assert_eq!(waited.end_ns, 300_005_000);
        assert_eq!(card.busy_times().compute_ns, 300_000_000);
    }

    #[test]
    fn a_copy_of_pageable_memory_holds_the_host_and_one_of_pinned_memory_need_not() {
        for direction in [Direction::In, Direction::Out] {
            let mut card = t4();
            let mut copy = |memory, blocking| {
                card.copy(Transfer {
                    direction,
                    bytes: 12_582_912,
                    memory,
                    blocking,
                    is_weight: false,
                })
            };
            for it in [
                copy(HostMemory::Pageable, Blocking::No),
                copy(HostMemory::Pinned, Blocking::Yes),
            ] {
                assert_eq!(it.host.ns(), 5_000);
                assert_eq!(it.waited.unwrap().start_ns, it.host.end_ns);
                assert_eq!(it.waited.unwrap().end_ns, it.card.end_ns);
            }
            let it = copy(HostMemory::Pinned, Blocking::No);
            assert_eq!((it.host.ns(), it.waited), (5_000, None));
            assert!(it.card.end_ns > it.host.end_ns);
        }
    }

    #[test]
    fn small_kernels_cost_their_launch_on_the_host_and_their_minimum_on_the_device() {
        let mut card = t4();
        let kernel = card.launch(work(6, 48));
        assert_eq!((kernel.host.start_ns, kernel.host.end_ns), (0, 5_000));
        assert_eq!((kernel.card.start_ns, kernel.card.end_ns), (5_000, 8_000));
        assert_eq!(card.busy_times().smallest_ns, 3_000);
    }
}
