//! Spans of the timeline.

use super::lane::Lane;
use super::skip::is_default;
use super::wait::WaitCause;
use serde::{Deserialize, Serialize};

/// One piece of work, in nanoseconds since the run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The row of the timeline.
    pub lane: Lane,
    /// The operation, such as `matmul`, or one of the constants of [`Span`].
    pub name: String,
    /// The line of the learner's program that asked for it, from 1; 0 if there is none.
    pub line: u32,
    /// Start.
    pub start_ns: u64,
    /// End.
    pub end_ns: u64,
    /// Bytes it touched.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bytes: u64,
    /// Floating point operations it did.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flops: u64,
    /// What made the host wait, for a span in which it waits.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cause: WaitCause,
}

impl Span {
    /// The name of a host span in which the host queues work for the device.
    pub const QUEUE: &'static str = "queue";

    /// The name of a host span in which the host launches a CUDA graph.
    pub const GRAPH_LAUNCH: &'static str = "cudaGraphLaunch";

    /// The name of a host span in which `torch.compile` compiles.
    pub const COMPILE: &'static str = "torch.compile";

    /// The name of a host span in which the host waits for the device or a loader. The other spans of the host do not overlap it.
    pub const WAIT: &'static str = "wait";

    /// The name of a host span in which the first use of the card creates its CUDA context.
    pub const FIRST_USE: &'static str = "first use";

    /// The name of a host span in which the first product starts cuBLAS.
    pub const CUBLAS: &'static str = "start of cuBLAS";

    /// The name of a host span in which the first convolution or recurrent layer starts cuDNN.
    pub const CUDNN: &'static str = "start of cuDNN";

    /// Whether it is a part of the first use of a card, which later steps do not have.
    pub fn is_of_first_use(&self) -> bool {
        let names = [Self::FIRST_USE, Self::CUBLAS, Self::CUDNN];
        self.lane == Lane::Host && names.contains(&self.name.as_str())
    }

    /// The name of a span in which a worker of a loader makes a batch.
    pub const BATCH: &'static str = "batch";

    /// The name of a span in which a loader's thread copies a batch to pinned memory.
    pub const PIN: &'static str = "pin";

    /// How the name of a host span begins in which the host computes an operation on a card, which no kernel does; the
    /// operation follows.
    pub const ON_HOST: &'static str = "computed on the host: ";
}
