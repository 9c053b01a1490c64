//! Losses of pairs of elements, such as `mse_loss`.

use super::formula::{Autograd, AutogradOf, Backward, Gradient, Gradients, Output, Primitive};
use super::operation::{Autocast, Dispatch, Operation, Saved, cost_per_element, inputs as all_of};
use crate::error::TorchError;
use crate::kernels::elementwise::zip;
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::kernels::scalar::{sigmoid, softplus};
use crate::kernels::{card, fast};
use crate::meta::{Cost, KernelKind, Meta};
use crate::shape::{self, Shape};
use candle_core::{DType as Stored, Tensor};

/// A loss or its backward kernel; the tensors are in brackets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Loss {
    /// The loss (input, target).
    Forward(LossFunction, LossReduction),
    /// The gradient of the input (gradient, input, target).
    Backward(LossFunction, LossReduction),
}

/// The loss of one pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LossFunction {
    Mse,
    /// `smooth_l1_loss`: a square below `beta`, a line beyond.
    SmoothL1(f64),
    /// `huber_loss`: the same times `delta`.
    Huber(f64),
    /// `binary_cross_entropy` of a probability.
    Bce,
    BceWithLogits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LossReduction {
    None,
    Mean,
    Sum,
}

impl LossReduction {
    /// The shape of losses of this shape after it.
    pub(super) fn shape(self, losses: Shape) -> Shape {
        match self {
            Self::None => losses,
            Self::Mean | Self::Sum => Shape::new(),
        }
    }
}

impl LossFunction {
    /// PyTorch's names of the loss and of its backward kernel.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Mse => ["mse_loss", "mse_loss_backward"],
            Self::SmoothL1(_) => ["smooth_l1_loss", "smooth_l1_loss_backward"],
            Self::Huber(_) => ["huber_loss", "huber_loss_backward"],
            Self::Bce => ["binary_cross_entropy", "binary_cross_entropy_backward"],
            Self::BceWithLogits => [
                "binary_cross_entropy_with_logits",
                "binary_cross_entropy_with_logits_backward",
            ],
        }
    }

    /// Whether input and target can be exchanged.
    fn is_symmetric(self) -> bool {
        match self {
            Self::Mse | Self::SmoothL1(_) | Self::Huber(_) => true,
            Self::Bce | Self::BceWithLogits => false,
        }
    }

    fn value(self, x: f64, target: f64) -> f64 {
        let far = (x - target).abs();
        match self {
            Self::Mse => far * far,
            Self::SmoothL1(beta) if far < beta => 0.5 * far * far / beta,
            Self::SmoothL1(beta) => far - 0.5 * beta,
            Self::Huber(delta) if far <= delta => 0.5 * far * far,
            Self::Huber(delta) => delta * (far - 0.5 * delta),
            // PyTorch lets no logarithm go below -100.
            Self::Bce => -(target * x.ln().max(-100.0) + (1.0 - target) * (-x).ln_1p().max(-100.0)),
            Self::BceWithLogits => (1.0 - target) * x + softplus(-x, 1.0, f64::MAX),
        }
    }

    /// The slope of one loss in its input.
    fn slope(self, x: f64, target: f64) -> f64 {
        let apart = x - target;
        match self {
            Self::Mse => 2.0 * apart,
            Self::SmoothL1(beta) if apart.abs() < beta => apart / beta,
            Self::SmoothL1(_) => apart.signum(),
            Self::Huber(delta) => apart.clamp(-delta, delta),
            // As PyTorch does, so that nothing is divided by 0.
            Self::Bce => apart / ((1.0 - x) * x).max(1e-12),
            Self::BceWithLogits => sigmoid(x) - target,
        }
    }

    /// The kernels of a card for one loss and its slope.
    fn on_card(self) -> [card::Function; 2] {
        let (names, number) = match self {
            Self::Mse => (["mse", "mse_slope"], 0.0),
            Self::SmoothL1(beta) => (["smooth_l1", "smooth_l1_slope"], beta),
            Self::Huber(delta) => (["huber", "huber_slope"], delta),
            Self::Bce => (["bce", "bce_slope"], 0.0),
            Self::BceWithLogits => (["bce_with_logits", "bce_with_logits_slope"], 0.0),
        };
        names.map(|name| card::Function {
            name,
            numbers: [number, 0.0],
        })
    }

    /// The losses of all pairs, which have the same shape and type.
    fn values(self, host: &Host, [input, target]: [&Tensor; 2]) -> KernelResult {
        if self == Self::Bce && !is_on_card(input) {
            let values: Vec<f64> = host.read_as(input, Stored::F64)?;
            if values.iter().any(|it| !(0.0..=1.0).contains(it)) {
                return Err(TorchError::runtime(
                    "all elements of input should be between 0 and 1",
                ));
            }
        }
        let [value, _] = self.on_card();
        if let Some(made) = card::of_two(value, input, target) {
            return Ok(made?);
        }
        match self {
            Self::Mse => Ok(fast::sqr(&fast::sub(input, target)?)?),
            Self::BceWithLogits
                if let Some(made) =
                    fast::with_two(fast::pair_functions::BceWithLogits, input, target) =>
            {
                Ok(made?)
            }
            Self::SmoothL1(_) | Self::Huber(_) | Self::Bce | Self::BceWithLogits => {
                zip(host, input, target, |x, target| self.value(x, target))
            }
        }
    }

    /// The slopes of all pairs in their inputs.
    fn slopes(self, host: &Host, [input, target]: [&Tensor; 2]) -> KernelResult {
        let target = target.to_dtype(input.dtype())?;
        let [_, slope] = self.on_card();
        match card::of_two(slope, input, &target) {
            Some(made) => Ok(made?),
            None => zip(host, input, &target, |x, target| self.slope(x, target)),
        }
    }
}

impl Operation for Loss {
    fn name(&self) -> &'static str {
        match self {
            Self::Forward(function, _) => function.names()[0],
            Self::Backward(function, _) => function.names()[1],
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        match self {
            Self::Forward(function, reduction) => {
                let [input, target] = self.operands(inputs)?;
                let pairs = shape::broadcast(&input.shape, &target.shape)?;
                if *function == LossFunction::Bce && input.dtype != target.dtype {
                    return Err(TorchError::runtime(format!(
                        "Found dtype {} but expected {}",
                        target.dtype.scalar_name(),
                        input.dtype.scalar_name()
                    )));
                }
                let dtype = input.dtype.promote(target.dtype);
                Ok(Meta::new(reduction.shape(pairs), dtype))
            }
            Self::Backward(..) => {
                let [_, input] = *self.operands(inputs)?;
                Ok(input.clone())
            }
        }
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 2)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        match self {
            Self::Forward(function, reduction) => {
                let [input, target] = self.operands(inputs)?;
                let stored = result.dtype.stored();
                let (input, target) = (input.to_dtype(stored)?, target.to_dtype(stored)?);
                let shape = input
                    .shape()
                    .broadcast_shape_binary_op(target.shape(), "loss")?;
                let (input, target) = (input.broadcast_as(&shape)?, target.broadcast_as(&shape)?);
                let losses = function.values(host, [&input, &target])?;
                let every: Vec<usize> = (0..losses.rank()).collect();
                Ok(match reduction {
                    LossReduction::None => losses,
                    LossReduction::Mean if losses.elem_count() == 0 => losses.mean_all()?,
                    LossReduction::Mean => fast::mean(&losses, &every)?.reshape(())?,
                    LossReduction::Sum => fast::sum(&losses, &every)?.reshape(())?,
                })
            }
            Self::Backward(function, reduction) => {
                let [grad, input, target] = self.operands(inputs)?;
                let target = target.broadcast_as(input.shape())?;
                let slopes = function.slopes(host, [input, &target])?;
                let scale = match reduction {
                    LossReduction::None | LossReduction::Sum => 1.0,
                    LossReduction::Mean => 1.0 / input.elem_count().max(1) as f64,
                };
                let grad = grad.to_dtype(slopes.dtype())?;
                Ok(slopes.broadcast_mul(&grad)?.affine(scale, 0.0)?)
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::Forward(..) => all_of(0..2),
            Self::Backward(..) => Saved::new(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let Self::Forward(function, reduction) = *self else {
            return Err(self.no_second_gradient());
        };
        let [input, target] = self.operands(at.inputs)?;
        let of_first = |pair: [&A::Tensor; 2]| {
            if function == LossFunction::Mse && e.creates_graph() {
                return squares(e, reduction, pair, at.grad);
            }
            let [of, other] = pair;
            e.apply(Self::Backward(function, reduction), &[at.grad, of, other])
        };
        let of_input = e.wanted(input, || of_first([input, target]))?;
        let of_target = e.wanted(target, || {
            if function.is_symmetric() {
                return of_first([target, input]);
            }
            Err(TorchError::missing(format!(
                "the gradient of the target of {} is not part of warpup; PyTorch has it. Detach the target, or write the loss as arithmetic",
                self.name()
            )))
        })?;
        Ok(Gradients::Of(vec![of_input, of_target]))
    }
}

impl Dispatch for Loss {
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        KernelKind::Reduction
    }

    fn autocast(&self) -> Autocast {
        match self {
            Self::Forward(LossFunction::Bce, _) => Autocast::RefusedOnCards(
                "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\nMany models use a sigmoid layer right before the binary cross entropy layer.\nIn this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits\nor torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\nsafe to autocast.",
            ),
            Self::Forward(..) => Autocast::Float32,
            Self::Backward(..) => Autocast::Unchanged,
        }
    }
}

/// The gradient of squared differences, made of operations that have one themselves.
fn squares<A: Autograd>(
    e: &A,
    reduction: LossReduction,
    [input, target]: [&A::Tensor; 2],
    grad: &A::Tensor,
) -> Output<A> {
    let count = match reduction {
        LossReduction::None | LossReduction::Sum => 1,
        LossReduction::Mean => e.meta(input).count().max(1),
    };
    let apart = e.apply(Primitive::Sub, &[input, target])?;
    let slope = e.scale(&apart, 2.0 / count as f64)?;
    e.mul(&slope, grad)
}
