//! What a device is told about an operation, and about what costs host time without one.

use crate::dtype::DType;
use crate::meta::{Cost, KernelKind, NORMAL_OPERATIONS, UNIFORM_OPERATIONS};

/// One operation as a device sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// A kernel that fills this many elements with random numbers, by PyTorch's name of the function.
    pub(crate) fn random(function: &str, count: u64, dtype: DType) -> Self {
        let each = match function {
            "uniform_" | "bernoulli_" | "random_" | "randperm" => UNIFORM_OPERATIONS,
            _with_logarithms => NORMAL_OPERATIONS,
        };
        let operations = count.saturating_mul(each);
        Self {
            kind: KernelKind::Random { operations },
            ..Self::moving(count.saturating_mul(dtype.size()), dtype)
        }
    }

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
    /// Autograd records an operation.
    Record,
    /// It calls `backward()`.
    Backward,
    /// Backward comes to a node of the graph.
    Node,
    /// It takes a step of an optimizer.
    OptimizerStep { optimizer: usize, parameters: u64 },
    /// It calls an optimizer's `zero_grad()`.
    ZeroGrad { parameters: u64 },
    /// It makes a batch for a `DataLoader`, beyond its examples.
    Batch,
    /// A worker of a `DataLoader` sends a batch of so many tensors.
    SendBatch { tensors: u64 },
    /// The program, or the pinning thread, receives such a batch.
    ReceiveBatch { tensors: u64 },
    /// Loader and worker, or loader and pinning thread, exchange a message without tensors.
    Message,
    /// It works for a time that the program states.
    Stated { ns: u64 },
}
