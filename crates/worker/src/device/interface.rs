//! The trait of devices: what the engine asks of the CPU, of a modelled card and of a real one.

use super::caching_allocator::PoolStats;
use super::memory::{Allocation, UnpooledMemory};
use super::tensor_device::TensorDevice;
use super::timing::{Interval, OpStart, Timing, WorkId};
use super::transfer::{Pin, Transfer};
use super::unavailable::DeviceUnavailable;
use crate::dtype::DType;
use crate::error::TorchError;
use crate::meta::{BlasLibrary, Cost, KernelKind};
use candle_core::Tensor as Values;
use std::time::Duration;
use warpup_protocol::{Busy, Clock, Missing};

/// A host, and a card beside it if there is one. All times are nanoseconds since the run began.
///
/// The default methods are those of a device without a card: work is done when a call returns, there is one
/// stream, and every value is computed.
pub(crate) trait Device {
    /// Whether its times are measured or modelled.
    fn clock(&self) -> Clock;
    /// The card, if there is one.
    fn card(&self) -> Option<CardFacts> {
        None
    }
    /// Starts the program's clock at 0.
    fn start_clock(&mut self);
    /// The host's clock.
    fn now(&self) -> u64;
    /// Measures each operation on the card from now on; modelled cards always report these times.
    fn enable_op_timing(&mut self) {}
    /// The candle device that keeps the values of tensors on `device`.
    fn candle_device(&self, _device: TensorDevice) -> candle_core::Device {
        candle_core::Device::Cpu
    }

    /// Starts an operation or a copy; creates the CUDA context if it is the card's first.
    fn begin_op(&mut self, device: TensorDevice) -> Result<OpStart, TorchError>;
    /// Ends an operation that was computed (CPU) or queued (card).
    fn end_op(&mut self, device: TensorDevice, work: Work, start: OpStart) -> Timing;
    /// Ends a copy that was made or queued.
    fn end_copy(&mut self, transfer: Transfer, start: OpStart) -> Timing;
    /// When queued work ran; `None` while it is not done.
    fn completion(&mut self, _work: WorkId) -> Option<Interval> {
        None
    }

    /// Copies values to a device, into new memory.
    fn copy(
        &mut self,
        values: &Values,
        _to: TensorDevice,
        _transfer: Transfer,
    ) -> Result<Values, TorchError> {
        Ok(values.contiguous()?)
    }
    /// Copies values into page-locked memory that exists; `None` where only [`Device::copy`] can.
    fn copy_into_pinned(
        &mut self,
        _values: &Values,
        _pin: &Pin,
        _transfer: Transfer,
    ) -> Result<Option<Values>, TorchError> {
        Ok(None)
    }
    /// Locks the pages that hold these values (`pin_memory`).
    fn pin(&mut self, _values: Option<&Values>) -> Result<Pin, TorchError> {
        Ok(Pin::default())
    }
    /// Whether these values lie in the memory that `pin` locks.
    fn is_pinned(&self, _pin: &Pin, _values: &Values) -> bool {
        true
    }
    /// Allows or forbids TF32 in products of `float32` (`torch.backends.cuda.matmul.allow_tf32`).
    fn set_tf32(&mut self, _allowed: bool) {}

    /// Waits for all queued work; `None` where work is never queued.
    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError> {
        Ok(None)
    }
    /// When the current stream will have done its work, on the host's clock; `None` where that is not known.
    fn queued_until(&self) -> Option<u64> {
        None
    }
    /// Records an event behind all queued work (`torch.cuda.Event.record`).
    fn record_event(&mut self) -> Result<EventId, TorchError>;
    /// Whether all work before an event is done (`Event.query`).
    fn query_event(&mut self, event: EventId) -> Result<bool, TorchError>;
    /// Nanoseconds from one event to another on the device (`Event.elapsed_time`, which has milliseconds).
    fn elapsed_ns(&mut self, from: EventId, to: EventId) -> Result<f64, TorchError> {
        Ok(to.0 as f64 - from.0 as f64)
    }
    /// Waits for an event (`Event.synchronize`).
    fn synchronize_event(&mut self, _event: EventId) -> Result<Option<Interval>, TorchError> {
        Ok(None)
    }
    /// Creates a stream and returns its number; 0 where there is only one.
    fn create_stream(&mut self) -> u32 {
        0
    }
    /// Makes a stream the current one and returns the previous one.
    fn set_stream(&mut self, _stream: u32) -> u32 {
        0
    }
    /// Lets the current stream wait for an event (`Stream.wait_event`).
    fn stream_wait_event(&mut self, _event: EventId) {}

    /// Something that launches nothing, and takes host time on a modelled card.
    fn call(&mut self, _call: HostCall) {}
    /// The program reaches a line, which takes host time on a modelled card.
    fn reach_line(&mut self) {}
    /// The program sleeps.
    fn sleep(&mut self, ns: u64) {
        std::thread::sleep(Duration::from_nanos(ns));
    }

    /// Allocates memory that this line asked for.
    fn alloc(
        &mut self,
        device: TensorDevice,
        bytes: u64,
        line: u32,
    ) -> Result<Allocation, TorchError>;
    /// Bytes of host memory that tensors may hold together.
    fn host_capacity(&self) -> u64;
    /// Takes memory back.
    fn free(&mut self, allocation: Allocation);
    /// Sets the peaks to the current values (`torch.cuda.reset_peak_memory_stats`).
    fn reset_peaks(&mut self) {}
    /// Returns cached memory to the card (`torch.cuda.empty_cache`), and waits for queued work if there is any.
    fn empty_cache(&mut self) -> Option<Interval> {
        None
    }
    /// The wait of the last allocation: before it returns cached memory to the card, the allocator waits.
    fn take_alloc_wait(&mut self) -> Option<Interval> {
        None
    }
    /// The release threshold: cached bytes that stay reserved when the host synchronizes.
    fn set_release_threshold(&mut self, _bytes: u64) {}
    /// Bytes that this library works in during a product; 0 where it takes none of the allocator's memory.
    fn blas_workspace(&mut self, _library: BlasLibrary) -> u64 {
        0
    }
    /// Lets this library work in this many bytes from now on.
    fn set_blas_workspace(&mut self, _library: BlasLibrary, _bytes: u64) {}
    /// The program sets `CUBLAS_WORKSPACE_CONFIG`, which PyTorch reads once.
    fn configure_cublas(&mut self, _bytes: u64) {}
    /// The program sets `TORCH_CUBLAS_WORKSPACE_CACHE`, which PyTorch reads once: a workspace stays with its stream.
    fn keep_workspaces(&mut self, _kept: bool) {}
    /// The stream whose workspace is kept; `None` where each product takes its own.
    fn workspace_stream(&self) -> Option<u32> {
        None
    }
    /// Memory outside of the caching allocator.
    fn unpooled_memory(&self) -> UnpooledMemory {
        UnpooledMemory::default()
    }

    /// Time that the card has worked; `None` without a card.
    fn busy_ns(&self) -> Option<u64> {
        None
    }
    /// What limited the card's work; `None` where that is not known.
    fn busy(&self) -> Option<Busy> {
        None
    }
    /// Whether a result of this size and cost gets values, or a shape only.
    fn computes_values(&mut self, _device: TensorDevice, _elements: u64, _cost: Cost) -> Computes {
        Computes::Yes
    }
    /// How long the values of [`Computes::Timed`] took on this machine.
    fn values_took(&mut self, _time: Duration) {}
    /// How much CPU time the run has used, when a result was refused because the time was over.
    fn run_used(&mut self, _cpu: Duration) {}

    /// Whether an error has made the card unusable for the rest of this process.
    fn is_broken(&self) -> bool {
        false
    }
    /// Why the program could not use the card since the run began. Such a program is not judged.
    fn unavailable(&self) -> Option<DeviceUnavailable> {
        None
    }
}

/// One operation as a device sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    pub(crate) cost: Cost,
    /// The element type it computes in.
    pub(crate) dtype: DType,
    pub(crate) kind: KernelKind,
    pub(crate) tf32: Tf32,
}

/// Whether a matrix product of `float32` may round its factors to TF32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tf32 {
    Allowed,
    Off,
}

impl Work {
    /// A kernel that moves bytes in order: a fill, a copy.
    pub(crate) fn moving(bytes: u64, dtype: DType) -> Self {
        Self {
            cost: Cost::moving(bytes),
            dtype,
            kind: KernelKind::Copy,
            tf32: Tf32::Off,
        }
    }
}

/// What a program does on the host without a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostCall {
    /// It makes a view.
    View,
    /// It calls a `torch.nn.Module`.
    Module,
    /// It takes a batch from a `DataLoader`.
    Batch,
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
    /// Bytes that are free outside of the caching allocator.
    pub(crate) free: u64,
    pub(crate) counts: PoolStats,
}

/// Whether a result gets values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Computes {
    Yes,
    /// Yes, and the device wants to know how long they take ([`Device::values_took`]).
    Timed,
    /// It gets a shape only. Who reads it gets `nan`, or 0 for integers.
    No(Missing),
}
