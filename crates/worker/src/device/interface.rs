//! The traits of devices: what the engine asks of the CPU, of a modelled card and of a real one.

use super::blas_workspaces::BlasWorkspaces;
use super::caching_allocator::{AllocatorOptions, PoolStats, SegmentState};
use super::cudnn_workspaces::CudnnWorkspaces;
use super::memory::{Allocation, UnpooledMemory};
use super::tensor_device::TensorDevice;
use super::timing::{Completion, Interval, OpStart, Timing, WorkId};
use super::transfer::{Pin, Transfer};
use super::unavailable::DeviceUnavailable;
use super::value_budget::ValueBudget;
use super::work::{HostCall, Work};
use crate::error::TorchError;
use candle_core::Tensor as Values;
use warpup_protocol::{Busy, Clock, CudnnUse, DeviceTimes, HostRange, Lane};

/// A host, and a card beside it if there is one. All times are nanoseconds since the run began.
///
/// What only some devices have is an `Option`. What every operation needs is a supertrait, so that it is one call.
pub(crate) trait Device: HostClock + Kernels + Transfers + Events + Memory {
    /// The card, if there is one.
    fn card(&self) -> Option<CardFacts>;
    /// A card that is really there.
    fn real_card(&mut self) -> Option<&mut dyn RealCard>;
    /// Streams beside the one that each card has.
    fn streams(&mut self) -> Option<&mut dyn Streams>;
    /// The memory that a caching allocator keeps.
    fn cached_memory(&mut self) -> Option<&mut dyn CachedMemory>;
    /// What cuBLAS works in, where that is the allocator's memory.
    fn blas_workspaces(&mut self) -> Option<&mut BlasWorkspaces>;
    /// What cuDNN works in, where that is the allocator's memory.
    fn cudnn_workspaces(&mut self) -> Option<&mut CudnnWorkspaces>;
    /// The lanes of the host that loaders use beside the program's own, where the host has several.
    fn loader_lanes(&mut self) -> Option<&mut dyn LoaderLanes>;
    /// CUDA graphs, where kernels can be launched as one.
    fn graphs(&mut self) -> Option<&mut dyn Graphs>;
    /// Which values are computed, where not all are.
    fn value_budget(&mut self) -> Option<&mut ValueBudget>;
}

/// The time of the host.
pub(crate) trait HostClock {
    /// Whether its times are measured or modelled.
    fn clock(&self) -> Clock;
    /// Starts the program's clock at 0.
    fn start_clock(&mut self);
    /// The host's clock.
    fn now(&self) -> u64;
    /// The program reaches a line, which takes host time on a modelled card.
    fn reach_line(&mut self);
    /// Something that launches nothing, and takes host time on a modelled card.
    fn call(&mut self, call: HostCall);
    /// The program sleeps.
    fn sleep(&mut self, ns: u64);
}

/// Operations, from their launch until they are done.
pub(crate) trait Kernels {
    /// The candle device that keeps the values of tensors on `device`.
    fn candle_device(&self, device: TensorDevice) -> candle_core::Device;
    /// Starts an operation or a copy; creates the CUDA context if it is the card's first.
    fn begin_op(&mut self, device: TensorDevice) -> Result<OpStart, TorchError>;
    /// Ends an operation that was computed (CPU) or queued (card).
    fn end_op(&mut self, device: TensorDevice, work: Work, start: OpStart) -> Timing;
    /// Time that the card has worked; `None` without a card.
    fn busy_ns(&self) -> Option<u64>;
    /// What limited the card's work; `None` where that is not known.
    fn busy(&self) -> Option<Busy>;
    /// How long the run takes with a faster and a slower host; `None` where the host is this machine.
    fn host_range(&self) -> Option<HostRange> {
        None
    }
}

/// Copies between host and card. Where a method has a default, that is for values that are in host memory whatever device
/// their tensor is on.
pub(crate) trait Transfers {
    /// Ends a copy that was made or queued.
    fn end_copy(&mut self, transfer: Transfer, start: OpStart) -> Timing;
    /// Copies values to a device, into new memory.
    fn copy(
        &mut self,
        values: &Values,
        _to: TensorDevice,
        _transfer: Transfer,
    ) -> Result<Values, TorchError> {
        Ok(values.contiguous()?)
    }
    /// Copies values into page-locked memory that exists; `None` where only [`Transfers::copy`] can.
    fn copy_into_pinned(
        &mut self,
        _values: &Values,
        _pin: &Pin,
        _transfer: Transfer,
    ) -> Result<Option<Values>, TorchError> {
        Ok(None)
    }
    /// Locks the pages that hold these values, or so many bytes without values (`pin_memory`).
    fn pin(&mut self, _values: Option<&Values>, _bytes: u64) -> Result<Pin, TorchError> {
        Ok(Pin::default())
    }
    /// Whether these values lie in the memory that `pin` locks.
    fn is_pinned(&self, _pin: &Pin, _values: &Values) -> bool {
        true
    }
}

/// Waiting for queued work.
pub(crate) trait Events {
    /// Waits for all queued work; `None` where work is never queued.
    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError>;
    /// When the current stream will have done its work, on the host's clock; `None` where that is not known.
    fn queued_until(&self) -> Option<u64>;
    /// Records an event behind all queued work (`torch.cuda.Event.record`).
    fn record_event(&mut self) -> Result<EventId, TorchError>;
    /// Whether all work before an event is done (`Event.query`).
    fn query_event(&mut self, event: EventId) -> Result<bool, TorchError>;
    /// Nanoseconds from one event to another on the device (`Event.elapsed_time`, which has milliseconds).
    fn elapsed_ns(&mut self, from: EventId, to: EventId) -> Result<f64, TorchError>;
    /// Waits for an event (`Event.synchronize`).
    fn synchronize_event(&mut self, event: EventId) -> Result<Option<Interval>, TorchError>;
}

/// Memory of tensors.
pub(crate) trait Memory {
    /// Allocates memory that this line asked for.
    fn alloc(
        &mut self,
        device: TensorDevice,
        bytes: u64,
        line: u32,
    ) -> Result<Allocation, TorchError>;
    /// Takes memory back.
    fn free(&mut self, allocation: Allocation);
    /// The wait of the last allocation: before it returns cached memory to the card, the allocator waits.
    fn take_alloc_wait(&mut self) -> Option<Interval>;
    /// The creation of the CUDA context, if the last allocation did that.
    fn take_new_context(&mut self) -> Option<Interval> {
        None
    }
    /// Bytes of host memory that tensors may hold together.
    fn host_capacity(&self) -> u64;
    /// Memory outside of the caching allocator.
    fn unpooled_memory(&self) -> UnpooledMemory;
}

/// Several streams on one card.
pub(crate) trait Streams {
    fn current_stream(&self) -> u32;
    /// Creates a stream and returns its number.
    fn create_stream(&mut self) -> u32;
    /// Makes a stream the current one and returns the previous one.
    fn set_stream(&mut self, stream: u32) -> u32;
    /// Lets the current stream wait for an event (`Stream.wait_event`).
    fn stream_wait_event(&mut self, event: EventId);
}

/// The processes and threads of the host that prepare batches beside the program, each with a clock of its own.
///
/// The interpreter has one thread: between `enter` and `leave` the host's clock is that of a lane.
pub(crate) trait LoaderLanes {
    /// How many processes run at once.
    fn cores(&self) -> u32;
    /// Starts processes, one after the other, and returns their lanes.
    fn start_workers(&mut self, count: u32) -> Vec<Lane>;
    /// Ends processes, and waits for that.
    fn end_workers(&mut self, lanes: &[Lane]);
    /// Goes on with the work of a lane: when it is free, and not before this time.
    fn enter(&mut self, lane: Lane, not_before_ns: u64);
    /// Goes back to the program's own lane; returns when the other one worked.
    fn leave(&mut self) -> Interval;
    /// The program waits until a batch is ready.
    fn wait_for_batch(&mut self, ready_ns: u64) -> Interval;
}

/// CUDA graphs: kernels that are captured instead of queued, and launched with one call.
pub(crate) trait Graphs {
    /// Kernels are captured from now on, and memory comes from this pool; those of a captured one are not queued.
    fn begin_capture(&mut self, pool: u32);
    /// Kernels are queued again, and memory comes from the common pool.
    fn end_capture(&mut self);
    /// Builds the executable graph of so many kernels (`cudaGraphInstantiate`), which takes host time.
    fn instantiate(&mut self, kernels: u64);
    /// Launches these kernels with one call of the host: when that was, and when each kernel ran.
    fn launch_graph(&mut self, kernels: &[Work]) -> (Interval, Vec<Interval>);
    /// The code that runs is compiled, or not: then neither kernels nor calls of the host are as the program has them.
    fn set_compiled(&mut self, is_compiled: bool);
    /// Compiles so many operations, which takes host time.
    fn compile(&mut self, operations: u64) -> Interval;
    /// Calls compiled code: its guards are checked.
    fn call_compiled(&mut self);
    /// Launches a kernel of compiled code.
    fn launch_compiled(&mut self, work: Work) -> Timing;
    /// A new pool of memory, which one graph uses.
    fn create_pool(&mut self) -> u32;
    /// One more graph uses a pool.
    fn share_pool(&mut self, pool: u32);
    /// One graph less uses a pool; after the last one its memory can go back to the card.
    fn release_pool(&mut self, pool: u32);
}

/// The memory of a card that its caching allocator keeps.
pub(crate) trait CachedMemory {
    /// Sets the peaks to the current values (`torch.cuda.reset_peak_memory_stats`).
    fn reset_peaks(&mut self);
    /// Returns cached memory to the card (`torch.cuda.empty_cache`), and waits for queued work if there is any.
    fn empty_cache(&mut self) -> Option<Interval>;
    /// Whether an allocation of so many bytes would succeed.
    fn has_room(&self, _bytes: u64) -> bool {
        true
    }
    /// The release threshold: cached bytes that stay reserved when the host synchronizes.
    fn set_release_threshold(&mut self, bytes: u64);
    /// Follows the options of `PYTORCH_ALLOC_CONF`; whether it can.
    fn configure(&mut self, options: AllocatorOptions) -> bool;
    /// The share of the card that the run may hold (`torch.cuda.set_per_process_memory_fraction`).
    fn set_memory_fraction(&mut self, fraction: f64);
    /// Its segments and their blocks, where they are known (`torch.cuda.memory_snapshot`).
    fn snapshot(&self) -> Option<Vec<SegmentState>>;
}

/// A card that is measured, and that can fail.
pub(crate) trait RealCard {
    /// Measures each operation on the card from now on; modelled cards always report these times.
    fn enable_op_timing(&mut self);
    /// What is known of queued work. Callers ask in the order in which it was queued.
    fn completion(&mut self, work: WorkId) -> Completion;
    /// What measures the time of operations, if they are measured.
    fn device_times(&self) -> Option<DeviceTimes>;
    /// What computed convolutions and recurrent layers since this was asked last; nothing if there were none.
    fn take_cudnn_use(&mut self) -> Option<CudnnUse>;
    /// Allows or forbids TF32 in products of `float32` (`torch.backends.cuda.matmul.allow_tf32`).
    fn set_tf32(&mut self, allowed: bool);
    /// The host waits for each kernel from now on, or not: errors say so.
    fn set_launch_blocking(&mut self, waits: bool);
    /// Whether an error has made the card unusable for the rest of this process.
    fn is_broken(&self) -> bool;
    /// Why the program could not use the card since the run began. Such a program is not judged.
    fn unavailable(&self) -> Option<DeviceUnavailable>;
}

/// An event that was recorded in a stream; each device interprets the number itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EventId(pub(crate) u64);

/// What a lab can ask about a card (`torch.cuda.get_device_properties`, `mem_get_info`, `memory_stats`).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CardFacts {
    /// Its name; that of a modelled card says so.
    pub(crate) name: String,
    /// Its compute capability, major and minor.
    pub(crate) capability: (u32, u32),
    /// Its memory in bytes.
    pub(crate) memory: u64,
    pub(crate) multiprocessors: u32,
    pub(crate) threads_per_multiprocessor: u32,
    /// Bytes that are free outside of the caching allocator.
    pub(crate) free: u64,
    pub(crate) counts: PoolStats,
}

impl CardFacts {
    /// Blocks of so many threads that the card runs at once.
    pub(crate) fn blocks_at_once(&self, threads: u64) -> u64 {
        u64::from(self.multiprocessors)
            * (u64::from(self.threads_per_multiprocessor) / threads.max(1))
    }
}
