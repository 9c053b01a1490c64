//! Mixed precision: under `torch.autocast`, products run in a half type, and what needs range or digits in
//! `float32`. The lists are PyTorch's, one for the CPU and one for cards.

use super::Engine;
use crate::worker::device::TensorDevice;
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::ops::nn::{Activation, Nn, NormKind, Pointwise};
use crate::worker::ops::{Binary, Op, Reduction, Side, Unary};
use crate::worker::tensor::Tensor;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// What `torch.autocast` has switched on.
#[derive(Debug, Default)]
pub(super) struct Mixed {
    on_cpu: Cell<Option<DType>>,
    on_card: Cell<Option<DType>>,
    /// Whether a weight is cast once in a block and not each time it is used.
    caching: Cell<bool>,
    /// Weights in the half type, by their number.
    weights: RefCell<HashMap<u64, Tensor>>,
}

/// The type in which an operation runs.
enum Precision {
    /// The half type.
    Half,
    /// `float32`.
    Full,
    /// The widest that comes in.
    Widest,
    /// Whatever comes in.
    AsItIs,
}

impl Mixed {
    pub(super) fn is_on(&self) -> bool {
        self.on_cpu.get().is_some() || self.on_card.get().is_some()
    }

    fn half(&self, place: TensorDevice) -> Option<DType> {
        match place {
            TensorDevice::Cpu => self.on_cpu.get(),
            TensorDevice::Card(_) => self.on_card.get(),
        }
    }
}

impl Engine {
    /// The half type of products there; nothing without mixed precision.
    pub fn mixed_precision(&self, place: TensorDevice) -> Option<DType> {
        self.mixed.half(place)
    }

    /// Switches mixed precision there on or off; says what it was.
    pub fn set_mixed_precision(&self, place: TensorDevice, half: Option<DType>) -> Option<DType> {
        match place {
            TensorDevice::Cpu => self.mixed.on_cpu.replace(half),
            TensorDevice::Card(_) => self.mixed.on_card.replace(half),
        }
    }

    /// Casts each weight once, or each time; says what it was.
    pub fn cache_casts(&self, caching: bool) -> bool {
        self.mixed.caching.replace(caching)
    }

    /// Lets go of weights that were cast: the outermost block has ended.
    pub fn forget_casts(&self) {
        let weights = self.mixed.weights.take();
        drop(weights);
    }

    /// Does something without mixed precision, such as going backward: gradients have the types of what they
    /// are gradients of.
    pub fn in_given_precision<R>(&self, work: impl FnOnce() -> R) -> R {
        let (cpu, card) = (self.mixed.on_cpu.take(), self.mixed.on_card.take());
        let result = work();
        self.mixed.on_cpu.set(cpu);
        self.mixed.on_card.set(card);
        result
    }

    /// An operation whose inputs get the type that its list names.
    pub(super) fn mixed(&self, op: Op, inputs: &[&Tensor]) -> Result<Tensor, TorchError> {
        let place = inputs.first().map_or(TensorDevice::Cpu, |it| it.place());
        let Some(half) = self.mixed.half(place) else {
            return self.done(op, inputs);
        };
        let to = match precision(&op, place)? {
            Precision::Half => half,
            Precision::Full => DType::F32,
            Precision::Widest => {
                let floats = inputs
                    .iter()
                    .map(|it| it.dtype())
                    .filter(|it| it.is_float());
                floats.fold(half, DType::promote)
            }
            Precision::AsItIs => return self.done(op, inputs),
        };
        let cast: Result<Vec<Tensor>, TorchError> =
            inputs.iter().map(|it| self.cast_to(it, to)).collect();
        self.done(op, &cast?.iter().collect::<Vec<_>>())
    }

    fn cast_to(&self, tensor: &Tensor, to: DType) -> Result<Tensor, TorchError> {
        let from = tensor.dtype();
        // PyTorch leaves float64 alone.
        if from == to || !from.is_float() || from == DType::F64 {
            return Ok(tensor.clone());
        }
        let is_weight = tensor.requires_grad() && tensor.is_leaf() && from == DType::F32;
        if !is_weight || !self.mixed.caching.get() {
            return self.done(Op::Cast(to), &[tensor]);
        }
        let known = self.mixed.weights.borrow().get(&tensor.id()).cloned();
        // Made without gradients, it would not lead back to the weight.
        let usable =
            known.filter(|it| it.dtype() == to && (it.requires_grad() || !self.grad_enabled()));
        if let Some(known) = usable {
            return Ok(known);
        }
        let cast = self.done(Op::Cast(to), &[tensor])?;
        let old = self
            .mixed
            .weights
            .borrow_mut()
            .insert(tensor.id(), cast.clone());
        drop(old);
        Ok(cast)
    }
}

fn precision(op: &Op, place: TensorDevice) -> Result<Precision, TorchError> {
    let is_product = op.is_product();
    let is_loss = matches!(op, Op::Nn(Nn::Loss(..) | Nn::Nll(_)));
    Ok(match place {
        _ if is_product => Precision::Half,
        _ if matches!(op, Op::Cat(_)) => Precision::Widest,
        TensorDevice::Card(_) if matches!(op, Op::Nn(Nn::Loss(Pointwise::Bce, _))) => {
            return Err(TorchError::runtime(
                "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\nMany models use a sigmoid layer right before the binary cross entropy layer.\nIn this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits\nor torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\nsafe to autocast.",
            ));
        }
        _ if is_loss => Precision::Full,
        TensorDevice::Card(_) if needs_range(op) => Precision::Full,
        TensorDevice::Cpu | TensorDevice::Card(_) => Precision::AsItIs,
    })
}

/// What cards compute in `float32` besides losses.
fn needs_range(op: &Op) -> bool {
    matches!(
        op,
        Op::Unary(
            Unary::Acos
                | Unary::Asin
                | Unary::Cosh
                | Unary::Exp
                | Unary::Expm1
                | Unary::Log
                | Unary::Log2
                | Unary::Log10
                | Unary::Log1p
                | Unary::Reciprocal
                | Unary::Rsqrt
                | Unary::Sinh
                | Unary::Tan
        ) | Op::Binary(Binary::Pow)
            | Op::WithNumber {
                how: Binary::Pow,
                ..
            }
            | Op::WithNumber {
                how: Binary::Div,
                side: Side::Left,
                ..
            }
            | Op::Reduce(Reduction::Sum | Reduction::Prod | Reduction::Norm(_), ..)
            | Op::Scan(..)
            | Op::Softmax(_)
            | Op::LogSoftmax(_)
            | Op::Nn(Nn::Activate(Activation::Softplus { .. }))
    ) || matches!(op, Op::Nn(Nn::Norm(it)) if it.how == NormKind::Layer)
}
