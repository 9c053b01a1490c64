//! `nll_loss`: negative log-probabilities of classes.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::loss::LossReduction;
use super::operation::{
    Autocast, Devices, Dispatch, Operation, Saved, all_bytes, first, inputs as all_of,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::elementwise::at_least_float32;
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::meta::{Cost, KernelKind, Meta};
use crate::shape::Shape;
use candle_core::{DType as Stored, Tensor};

/// The loss or its backward kernel; the tensors are in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Nll {
    /// The loss (log-probabilities, classes, and a weight of each class if there is one).
    Forward(NllOptions),
    /// The gradient of log-probabilities of this shape (gradient, classes, weights).
    Backward(NllOptions, Shape),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NllOptions {
    pub(crate) reduction: LossReduction,
    /// A class that does not count: `ignore_index`.
    pub(crate) ignore: i64,
}

impl Operation for Nll {
    fn name(&self) -> &'static str {
        match self {
            Self::Forward(_) => "nll_loss",
            Self::Backward(..) => "nll_loss_backward",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let dtype = first(inputs).dtype;
        let shape = match self {
            Self::Forward(it) => {
                let [scores, target] = self.operands(inputs)?;
                check_classes(scores, target, inputs.get(2).copied())?;
                it.reduction.shape(target.shape.clone())
            }
            Self::Backward(_, shape) => shape.clone(),
        };
        Ok(Meta::new(shape, dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let classes = inputs.get(1).map_or(0, |it| it.count());
        match self {
            Self::Forward(_) => {
                // One score of each row is read.
                let scores = classes.saturating_mul(first(inputs).dtype.size());
                let rest = all_bytes(inputs.get(1..).unwrap_or_default(), result);
                Cost {
                    flops: classes.saturating_mul(2),
                    bytes: scores.saturating_add(rest),
                }
            }
            Self::Backward(..) => Cost {
                flops: classes,
                bytes: all_bytes(inputs, result),
            },
        }
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        let [scores_or_grad, target] = *self.operands(inputs)?;
        let classes = Classes {
            target,
            weight: inputs.get(2).copied(),
        };
        match self {
            Self::Forward(it) => forward(*it, host, scores_or_grad, classes),
            Self::Backward(it, shape) => backward(*it, host, shape, scores_or_grad, classes),
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            // PyTorch saves the log-probabilities, too, though backward needs only their shape.
            Self::Forward(_) => all_of(0..3),
            Self::Backward(..) => all_of(1..3),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [scores, rest @ ..] = at.inputs else {
            return Ok(Gradients::None);
        };
        // Backward is linear in the gradient, so its own gradient is the loss again.
        let backward = match self {
            Self::Forward(it) => Self::Backward(*it, e.shape(scores)),
            Self::Backward(it, _) => Self::Forward(*it),
        };
        let mut given = vec![at.grad];
        given.extend(rest);
        let mut gradients = vec![Some(e.apply(backward, &given)?)];
        gradients.resize_with(at.inputs.len(), || None);
        Ok(Gradients::Of(gradients))
    }
}

impl Dispatch for Nll {
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        KernelKind::Reduction
    }

    fn autocast(&self) -> Autocast {
        match self {
            Self::Forward(_) => Autocast::Float32,
            Self::Backward(..) => Autocast::Unchanged,
        }
    }

    fn devices(&self) -> Devices {
        match self {
            Self::Forward(_) => Devices::same_of_three("target", "weight", "nll_loss_forward"),
            Self::Backward(..) => Devices::Same(None),
        }
    }

    fn asserts_indices(&self) -> bool {
        true
    }
}

/// The classes and the weight of each class, if there is one.
#[derive(Clone, Copy)]
struct Classes<'a> {
    target: &'a Tensor,
    weight: Option<&'a Tensor>,
}

/// The classes that scores are picked by, and how much each counts.
impl Classes<'_> {
    fn on_card(&self, options: NllOptions, count: usize, rest: usize) -> card::Classes<'_> {
        card::Classes {
            of: self.target,
            weight: self.weight,
            ignored: options.ignore,
            count,
            rest,
        }
    }
}

fn reduced(options: NllOptions) -> card::Reduced {
    match options.reduction {
        LossReduction::None => card::Reduced::No,
        LossReduction::Sum => card::Reduced::Sum,
        LossReduction::Mean => card::Reduced::Mean,
    }
}

struct Targets {
    /// One class for each loss; 0 where none counts.
    classes: Tensor,
    /// The weight of each loss in the shape of the classes; nothing if all of them are 1.
    weights: Option<Tensor>,
}

impl Targets {
    fn of(
        host: &Host,
        options: NllOptions,
        Classes { target, weight }: Classes<'_>,
        count: usize,
    ) -> Result<Self, TorchError> {
        let classes = target.to_dtype(Stored::I64)?;
        if is_on_card(&classes) {
            return Self::on_card(options, &classes, weight);
        }
        let mut values: Vec<i64> = host.read(&classes)?;
        let of_class = weight.map(|it| host.read_as::<f64>(it, Stored::F64));
        let of_class = of_class.transpose()?;
        let mut weights = Vec::with_capacity(values.len());
        let mut plain = weight.is_none();
        for class in &mut values {
            if *class == options.ignore {
                *class = 0;
                plain = false;
                weights.push(0.0);
                continue;
            }
            let at = usize::try_from(*class).ok().filter(|at| *at < count);
            let Some(at) = at else {
                return Err(TorchError::index(format!(
                    "Target {class} is out of bounds."
                )));
            };
            let weight = of_class.as_ref().and_then(|it| it.get(at));
            weights.push(weight.copied().unwrap_or(1.0));
        }
        let (shape, device) = (target.shape(), target.device());
        let weights = (!plain).then(|| Tensor::from_vec(weights, shape, device));
        Ok(Self {
            classes: Tensor::from_vec(values, shape, device)?,
            weights: weights.transpose()?,
        })
    }

    /// The same without reading a class: one that is out of range is asserted by the kernel that picks it.
    fn on_card(
        options: NllOptions,
        classes: &Tensor,
        weight: Option<&Tensor>,
    ) -> Result<Self, TorchError> {
        let counts = classes.ne(options.ignore)?;
        let classes = counts.where_cond(classes, &classes.zeros_like()?)?;
        let counts = counts.to_dtype(Stored::F64)?;
        let weights = match weight {
            Some(weight) => {
                let of_class = weight.to_dtype(Stored::F64)?.contiguous()?;
                let flat = of_class.index_select(&classes.flatten_all()?, 0)?;
                flat.reshape(counts.shape())?.mul(&counts)?
            }
            None => counts,
        };
        Ok(Self {
            classes,
            weights: Some(weights),
        })
    }
}

/// Rows, classes and the rest, whatever the shape: one row, a matrix, or images of scores.
fn layout(shape: &[usize]) -> (usize, usize, usize) {
    match shape {
        [] => (1, 1, 1),
        [count] => (1, *count, 1),
        [rows, count, rest @ ..] => (*rows, *count, rest.iter().product()),
    }
}

fn forward(
    options: NllOptions,
    host: &Host,
    scores: &Tensor,
    classes: Classes<'_>,
) -> KernelResult {
    let target = classes.target;
    let (rows, count, rest) = layout(scores.dims());
    let given = classes.on_card(options, count, rest);
    if let Some(losses) = card::nll(scores, given, reduced(options)) {
        return Ok(losses?);
    }
    let targets = Targets::of(host, options, classes, count)?;
    let index = targets.classes.reshape((rows, 1, rest))?;
    let picked = scores
        .reshape((rows, count, rest))?
        .contiguous()?
        .gather(&index, 1)?
        .reshape(target.shape())?;
    let mut losses = picked.neg()?;
    if let Some(weights) = &targets.weights {
        let weights = weights.to_dtype(losses.dtype())?;
        // A score that does not count may be infinite, and 0 times it would be NaN.
        let counts = weights.ne(0.0)?;
        losses = counts.where_cond(&losses.mul(&weights)?, &losses.zeros_like()?)?;
    }
    Ok(match (options.reduction, &targets.weights) {
        (LossReduction::None, _) => losses,
        (LossReduction::Sum, _) => losses.sum_all()?,
        (LossReduction::Mean, None) => losses.mean_all()?,
        (LossReduction::Mean, Some(weights)) => {
            let sum = losses
                .to_dtype(at_least_float32(losses.dtype()))?
                .sum_all()?;
            let total = weights.sum_all()?.to_dtype(sum.dtype())?;
            sum.div(&total)?.to_dtype(losses.dtype())?
        }
    })
}

fn backward(
    options: NllOptions,
    host: &Host,
    shape: &[usize],
    grad: &Tensor,
    classes: Classes<'_>,
) -> KernelResult {
    let (rows, count, rest) = layout(shape);
    let given = classes.on_card(options, count, rest);
    if let Some(made) = card::nll_backward(shape, grad, given, reduced(options)) {
        return Ok(made?);
    }
    let targets = Targets::of(host, options, classes, count)?;
    let weights = match &targets.weights {
        Some(weights) => weights.clone(),
        None => Tensor::ones(classes.target.shape(), Stored::F64, grad.device())?,
    };
    let shares = match options.reduction {
        LossReduction::None | LossReduction::Sum => weights.neg()?,
        LossReduction::Mean => weights.neg()?.broadcast_div(&weights.sum_all()?)?,
    };
    let shares = shares.to_dtype(grad.dtype())?;
    let source = shares.broadcast_mul(grad)?.reshape((rows, 1, rest))?;
    let index = targets.classes.reshape((rows, 1, rest))?;
    let zeros = Tensor::zeros((rows, count, rest), grad.dtype(), grad.device())?;
    Ok(zeros.scatter_add(&index, &source, 1)?.reshape(shape)?)
}

/// Refuses log-probabilities, classes and weights that do not fit together.
fn check_classes(scores: &Meta, target: &Meta, weight: Option<&Meta>) -> Result<(), TorchError> {
    let count = match (scores.shape.as_slice(), target.shape.as_slice()) {
        ([count], [] | [1]) => *count,
        ([rows, count], [targets]) if rows == targets => *count,
        ([rows, count, rest @ ..], [targets, others @ ..]) if !rest.is_empty() => {
            if rows != targets || rest != others {
                let wanted = [&[*rows], rest].concat();
                return Err(TorchError::runtime(format!(
                    "Expected target size {wanted:?}, got {:?}",
                    target.shape
                )));
            }
            *count
        }
        ([rows, ..], [targets]) => {
            return Err(TorchError::value(format!(
                "Expected input batch_size ({rows}) to match target batch_size ({targets})."
            )));
        }
        _ => {
            return Err(TorchError::runtime(
                "0D or 1D target tensor expected, multi-target not supported",
            ));
        }
    };
    if !matches!(target.dtype, DType::I64 | DType::U8) {
        return Err(TorchError::runtime(format!(
            "expected target dtype to be Long or Byte, but got {}",
            target.dtype.scalar_name()
        )));
    }
    match weight {
        Some(weight) if weight.shape != [count] => Err(TorchError::runtime(format!(
            "weight tensor should be defined either for all {count} classes or no classes but got weight tensor of shape: {:?}",
            weight.shape
        ))),
        Some(_) | None => Ok(()),
    }
}
