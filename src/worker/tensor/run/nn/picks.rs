//! Scores of classes and rows of matrices: what is picked by whole numbers, and added back.

use super::{Done, wide};
use crate::worker::tensor::fault::Fault;
use crate::worker::tensor::op::nn::{Nll, Reduced};
use candle_core::{DType, Tensor};

/// Classes as scores are picked by them, and how much each counts.
struct Targets {
    /// One class for each loss; 0 where none counts.
    classes: Vec<i64>,
    /// The weight of each loss.
    weights: Vec<f64>,
    /// Whether all of them are 1.
    plain: bool,
}

impl Targets {
    fn of(how: Nll, target: &Tensor, weight: Option<&Tensor>, count: usize) -> Result<Self, Fault> {
        let mut classes: Vec<i64> = target.to_dtype(DType::I64)?.flatten_all()?.to_vec1()?;
        let of_class: Option<Vec<f64>> = match weight {
            Some(weight) => Some(weight.to_dtype(DType::F64)?.to_vec1()?),
            None => None,
        };
        let mut weights = Vec::with_capacity(classes.len());
        let mut plain = weight.is_none();
        for class in &mut classes {
            if *class == how.ignore {
                *class = 0;
                plain = false;
                weights.push(0.0);
                continue;
            }
            let at = usize::try_from(*class).ok().filter(|at| *at < count);
            let Some(at) = at else {
                return Err(Fault::index(format!("Target {class} is out of bounds.")));
            };
            let weight = of_class
                .as_ref()
                .map_or(Some(1.0), |it| it.get(at).copied());
            weights.push(weight.unwrap_or(1.0));
        }
        Ok(Self {
            classes,
            weights,
            plain,
        })
    }

    fn total(&self) -> f64 {
        self.weights.iter().sum()
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
    let index = Tensor::from_vec(targets.classes.clone(), (rows, 1, rest), scores.device())?;
    let picked = scores
        .reshape((rows, count, rest))?
        .contiguous()?
        .gather(&index, 1)?
        .reshape(target.shape())?;
    let mut losses = picked.neg()?;
    if !targets.plain {
        let weights = Tensor::from_vec(targets.weights.clone(), target.shape(), scores.device())?;
        let weights = weights.to_dtype(losses.dtype())?;
        // A score that does not count may be infinite, and 0 times it would be no number.
        let counts = weights.ne(0.0)?;
        losses = counts.where_cond(&losses.mul(&weights)?, &losses.zeros_like()?)?;
    }
    Ok(match how.reduced {
        Reduced::Not => losses,
        Reduced::Sum => losses.sum_all()?,
        Reduced::Mean if targets.plain => losses.mean_all()?,
        Reduced::Mean => {
            let sum = losses.to_dtype(wide(losses.dtype()))?.sum_all()?;
            (sum / targets.total())?.to_dtype(losses.dtype())?
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
    let scale = match how.reduced {
        Reduced::Not | Reduced::Sum => -1.0,
        Reduced::Mean => -1.0 / targets.total(),
    };
    let shares = targets.weights.iter().map(|it| it * scale).collect();
    let shares = Tensor::from_vec(shares, target.shape(), grad.device())?.to_dtype(grad.dtype())?;
    let source = shares.broadcast_mul(grad)?.reshape((rows, 1, rest))?;
    let index = Tensor::from_vec(targets.classes, (rows, 1, rest), grad.device())?;
    let zeros = Tensor::zeros((rows, count, rest), grad.dtype(), grad.device())?;
    Ok(zeros.scatter_add(&index, &source, 1)?.reshape(shape)?)
}

pub(super) fn rows(weight: &Tensor, indices: &Tensor, shape: &[usize]) -> Done {
    let flat = indices.flatten_all()?.to_dtype(DType::I64)?;
    let count = weight.dim(0)? as i64;
    if flat
        .to_vec1::<i64>()?
        .iter()
        .any(|it| *it < 0 || *it >= count)
    {
        return Err(Fault::index("index out of range in self"));
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
