//! Where an operation is done, and what is said when its inputs are in two places.

use crate::worker::device::TensorDevice;
use crate::worker::error::TorchError;
use crate::worker::ops::Op;
use crate::worker::ops::nn::Nn;
use crate::worker::tensor::Tensor;

/// The place where an operation is done: where its inputs are.
pub(super) fn common_place(op: &Op, inputs: &[&Tensor]) -> Result<TensorDevice, TorchError> {
    // As in PyTorch, a scalar on the CPU may take part in elementwise work on a card.
    let elementwise = matches!(
        op,
        Op::Binary(_)
            | Op::AddAlpha(_)
            | Op::Ternary(_)
            | Op::Compare(_)
            | Op::Where
            | Op::IndexPut(..)
    );
    let tied = |it: &&&Tensor| !(elementwise && it.rank() == 0 && it.place() == TensorDevice::Cpu);
    let mut places = inputs.iter().filter(tied).map(|it| it.place());
    let first = places
        .next()
        .or_else(|| inputs.first().map(|it| it.place()));
    let first = first.unwrap_or(TensorDevice::Cpu);
    match places.find(|it| *it != first) {
        None => Ok(first),
        Some(other) => Err(mismatch(first, other, named(op))),
    }
}

/// The argument and the function of PyTorch's that its words name for an operation, if they name one.
fn named(op: &Op) -> Option<(&'static str, &'static str)> {
    if *op == Op::MatMul {
        Some(("mat2", "mm"))
    } else if matches!(op, Op::IndexSelect(_)) {
        Some(("index", "_index_select"))
    } else if matches!(op, Op::Gather(_)) {
        Some(("index", "gather"))
    } else if matches!(op, Op::Cat(_)) {
        Some(("tensors", "cat"))
    } else if let Op::Nn(op) = op {
        of_layer(op)
    } else {
        None
    }
}

fn of_layer(op: &Nn) -> Option<(&'static str, &'static str)> {
    match op {
        Nn::Linear | Nn::LinearBias => Some(("mat1", "addmm")),
        Nn::Norm(_) => Some(("weight", "native_layer_norm")),
        Nn::Nll(_) => Some(("target", "nll_loss_forward")),
        Nn::Embedding(_) => Some(("index", "_index_select")),
        Nn::Activate(_)
        | Nn::ActivationBackward(_)
        | Nn::SoftmaxBackward(_)
        | Nn::LogSoftmaxBackward(_)
        | Nn::NormBackward(_)
        | Nn::NormAffineBackward(_)
        | Nn::Loss(..)
        | Nn::LossBackward(..)
        | Nn::NllBackward(..)
        | Nn::EmbeddingBackward { .. }
        | Nn::Dropout(_)
        | Nn::Attention(_)
        | Nn::AttentionBackward(_)
        | Nn::FoundInf => None,
    }
}

/// What is said of two places, in PyTorch's words.
pub fn mismatch(
    first: TensorDevice,
    other: TensorDevice,
    named: Option<(&str, &str)>,
) -> TorchError {
    let (card, host) = if first == TensorDevice::Cpu {
        (other, first)
    } else {
        (first, other)
    };
    let found = format!(
        "Expected all tensors to be on the same device, but found at least two devices, {card} and {host}!"
    );
    TorchError::runtime(match named {
        Some((argument, method)) => format!(
            "{found} (when checking argument for argument {argument} in method wrapper_CUDA_{method})"
        ),
        None => found,
    })
}
