//! Scores of classes and rows of matrices: what is picked by whole numbers, and added back.

use super::{Done, wide};
use crate::worker::error::TorchError;
use crate::worker::kernels::host::{is_on_card, read, read_as};
use crate::worker::ops::nn::{Nll, Reduced};
use candle_core::{DType, Tensor};

/// Classes as scores are picked by them, and how much each counts.
struct Targets {
    /// One class for each loss; 0 where none counts.
    classes: Tensor,
    /// The weight of each loss in the shape of the classes; nothing if all of them are 1.
    weights: Option<Tensor>,
}

impl Targets {
    fn of(
        how: Nll,
        target: &Tensor,
        weight: Option<&Tensor>,
        count: usize,
    ) -> Result<Self, TorchError> {
        let classes = target.to_dtype(DType::I64)?;
        if is_on_card(&classes) {
            return Self::on_card(how, &classes, weight);
        }
        let mut values: Vec<i64> = read(&classes)?;
        let of_class: Option<Vec<f64>> = match weight {
            Some(weight) => Some(read_as(weight, DType::F64)?),
            None => None,
        };
        let mut weights = Vec::with_capacity(values.len());
        let mut plain = weight.is_none();
        for class in &mut values {
            if *class == how.ignore {
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
            let weight = of_class
                .as_ref()
                .map_or(Some(1.0), |it| it.get(at).copied());
            weights.push(weight.unwrap_or(1.0));
        }
        let shape = target.shape();
        Ok(Self {
            classes: Tensor::from_vec(values, shape, target.device())?,
            weights: if plain {
                None
            } else {
                Some(Tensor::from_vec(weights, shape, target.device())?)
            },
        })
    }

    /// The same without reading a class: one that is out of range is asserted by the kernel that picks it.
    fn on_card(how: Nll, classes: &Tensor, weight: Option<&Tensor>) -> Result<Self, TorchError> {
        let counts = classes.ne(how.ignore)?;
        let classes = counts.where_cond(classes, &classes.zeros_like()?)?;
        let counts = counts.to_dtype(DType::F64)?;
        let weights = match weight {
            Some(weight) => {
                let of_class = weight.to_dtype(DType::F64)?.contiguous()?;
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

pub(super) fn nll(how: Nll, scores: &Tensor, target: &Tensor, weight: Option<&Tensor>) -> Done {
    let (rows, count, rest) = layout(scores.dims());
    let targets = Targets::of(how, target, weight, count)?;
    let index = targets.classes.reshape((rows, 1, rest))?;
    let picked = scores
        .reshape((rows, count, rest))?
        .contiguous()?
        .gather(&index, 1)?
        .reshape(target.shape())?;
    let mut losses = picked.neg()?;
    if let Some(weights) = &targets.weights {
        let weights = weights.to_dtype(losses.dtype())?;
        // A score that does not count may be infinite, and 0 times it would be no number.
        let counts = weights.ne(0.0)?;
        losses = counts.where_cond(&losses.mul(&weights)?, &losses.zeros_like()?)?;
    }
    Ok(match (how.reduced, &targets.weights) {
        (Reduced::Not, _) => losses,
        (Reduced::Sum, _) => losses.sum_all()?,
        (Reduced::Mean, None) => losses.mean_all()?,
        (Reduced::Mean, Some(weights)) => {
            let sum = losses.to_dtype(wide(losses.dtype()))?.sum_all()?;
            let total = weights.sum_all()?.to_dtype(sum.dtype())?;
            sum.div(&total)?.to_dtype(losses.dtype())?
        }
    })
}

pub(super) fn nll_back(
    how: Nll,
    shape: &[usize],
    grad: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
) -> Done {
    let (rows, count, rest) = layout(shape);
    let targets = Targets::of(how, target, weight, count)?;
    let weights = match &targets.weights {
        Some(weights) => weights.clone(),
        None => Tensor::ones(target.shape(), DType::F64, grad.device())?,
    };
    let shares = match how.reduced {
        Reduced::Not | Reduced::Sum => weights.neg()?,
        Reduced::Mean => weights.neg()?.broadcast_div(&weights.sum_all()?)?,
    };
    let shares = shares.to_dtype(grad.dtype())?;
    let source = shares.broadcast_mul(grad)?.reshape((rows, 1, rest))?;
    let index = targets.classes.reshape((rows, 1, rest))?;
    let zeros = Tensor::zeros((rows, count, rest), grad.dtype(), grad.device())?;
    Ok(zeros.scatter_add(&index, &source, 1)?.reshape(shape)?)
}

pub(super) fn rows(weight: &Tensor, indices: &Tensor, shape: &[usize]) -> Done {
    let flat = indices.flatten_all()?.to_dtype(DType::I64)?;
    let count = weight.dim(0)? as i64;
    // On a card the kernel asserts it.
    if !is_on_card(&flat) && read::<i64>(&flat)?.iter().any(|it| *it < 0 || *it >= count) {
        return Err(TorchError::index("index out of range in self"));
    }
    Ok(weight
        .contiguous()?
        .index_select(&flat, 0)?
        .reshape(shape)?)
}

pub(super) fn rows_back(
    rows: usize,
    padding: Option<usize>,
    grad: &Tensor,
    indices: &Tensor,
) -> Done {
    let flat = indices.flatten_all()?.to_dtype(DType::I64)?;
    let columns = grad.dims().last().copied().unwrap_or(1);
    let mut source = grad.reshape((flat.elem_count(), columns))?.contiguous()?;
    if let Some(padding) = padding {
        let counts = flat.ne(padding as i64)?.to_dtype(source.dtype())?;
        source = source.broadcast_mul(&counts.unsqueeze(1)?)?;
    }
    let zeros = Tensor::zeros((rows, columns), source.dtype(), source.device())?;
    Ok(zeros.index_add(&flat, &source, 0)?)
}
