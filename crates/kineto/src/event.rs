//! One event of a trace, as small as it can be: a trace has millions.

use super::names::NameId;
use serde::Serialize;

/// What an event is about. Versions of PyTorch and kinds of cards have other words for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A Python function, with `with_stack`.
    Python,
    /// `record_function`, and what PyTorch annotates itself: steps, optimizers, data loaders.
    Annotation,
    /// An operator of PyTorch.
    Operator,
    /// A call of CUDA's or HIP's runtime or driver.
    Runtime,
    /// A kernel on a device.
    Kernel,
    /// A copy on a device.
    Copy,
    /// A fill of memory on a device.
    Fill,
    /// A wait on a device or for one, as CUPTI reports it.
    Sync,
    /// An annotation over the kernels that were launched inside it.
    DeviceAnnotation,
    /// A change of what the allocator holds, with `profile_memory`.
    Memory,
    /// Work of the profiler itself.
    Overhead,
    /// Anything else.
    Other,
}

impl EventKind {
    /// The kind for PyTorch's category. Those with capitals are of versions before 1.12.
    pub(super) fn of_category(category: &[u8]) -> Self {
        match category {
            b"cpu_op" | b"Operator" => Self::Operator,
            b"kernel" | b"Kernel" | b"concurrent_kernel" => Self::Kernel,
            b"gpu_memcpy" | b"Memcpy" => Self::Copy,
            b"gpu_memset" | b"Memset" => Self::Fill,
            b"cuda_runtime"
            | b"cuda_driver"
            | b"Runtime"
            | b"xpu_runtime"
            | b"xpu_driver"
            | b"hip_runtime"
            | b"privateuse1_runtime"
            | b"privateuse1_driver" => Self::Runtime,
            b"python_function" => Self::Python,
            b"user_annotation" => Self::Annotation,
            b"gpu_user_annotation" => Self::DeviceAnnotation,
            b"cuda_sync" => Self::Sync,
            b"cpu_instant_event" => Self::Memory,
            b"overhead" => Self::Overhead,
            _ => Self::Other,
        }
    }

    /// Whether a device and a stream is where it happens.
    pub fn is_of_device(self) -> bool {
        self.is_device_work() || matches!(self, Self::Sync | Self::DeviceAnnotation)
    }

    /// Whether it keeps a device busy.
    pub fn is_device_work(self) -> bool {
        matches!(self, Self::Kernel | Self::Copy | Self::Fill)
    }

    /// Whether a host thread does it.
    pub fn is_host_work(self) -> bool {
        matches!(
            self,
            Self::Python | Self::Annotation | Self::Operator | Self::Runtime
        )
    }
}

/// The number of a lane in [`super::Trace::lanes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneId(pub(super) u32);

impl LaneId {
    /// The place in [`super::Trace::lanes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An event. Times are nanoseconds since the first event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When it begins.
    pub start_ns: i64,
    /// How long it takes; 0 for a moment.
    pub duration_ns: i64,
    /// What a launch and its kernel have in common; 0 for none.
    pub correlation: u64,
    /// `External id`: the operator that it belongs to, and an operator's own number; 0 for none.
    pub external: u64,
    /// Its name.
    pub name: NameId,
    /// Where it happens.
    pub lane: LaneId,
    /// One more than the place of its details; 0 for none.
    pub(super) details: u32,
    /// What it is.
    pub kind: EventKind,
}

impl Event {
    /// When it ends.
    pub fn end_ns(&self) -> i64 {
        self.start_ns.saturating_add(self.duration_ns)
    }
}

/// What some events have beyond a time. Which fields an event has depends on its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventDetails {
    /// Of an operator or an annotation.
    Operator {
        /// `Input Dims`, as JSON.
        dims: NameId,
        /// `Input type`, as JSON.
        types: NameId,
        /// `Concrete Inputs` of a convolution, as JSON.
        values: NameId,
        /// `Call stack`: lines of Python, the innermost first.
        stack: NameId,
    },
    /// Of a Python function.
    Python {
        /// `CallFrom`: file and line of the call, as `train.py:12`; PyTorch 2.15 writes it.
        from: NameId,
    },
    /// Of a copy or a fill.
    Copy {
        /// How much.
        bytes: u64,
    },
    /// Of a kernel.
    Kernel {
        /// Estimated occupancy in percent; none for 255.
        occupancy: u8,
    },
    /// Of a kernel that exchanges data between ranks, where the trace says what.
    Exchange {
        /// `Collective name`, such as `allreduce`.
        collective: NameId,
        /// Bytes of all elements before it or after it, whichever are more.
        bytes: u64,
        /// `Group size`: how many ranks take part.
        ranks: u32,
    },
    /// Of a change of memory.
    Memory {
        /// Bytes that were taken, or freed if negative.
        bytes: i64,
        /// Bytes of live tensors after it.
        allocated: u64,
        /// Bytes that the allocator holds after it.
        reserved: u64,
        /// PyTorch's number of the kind of device: 0 is the CPU.
        device_type: i8,
        /// Which of them.
        device: i8,
        /// What tells its tensor from others that are alive: part of its address; 0 where the trace has none.
        address: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_small() {
        assert!(size_of::<Event>() <= 48, "{}", size_of::<Event>());
        assert!(
            size_of::<EventDetails>() <= 32,
            "{}",
            size_of::<EventDetails>()
        );
    }
}
