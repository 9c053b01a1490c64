//! The table of operations: for each its name, shape rule, dtype rule and cost.
//!
//! Everything a lab can compute goes through [`Op`], so that shapes, dtypes, times, memory and the device
//! check exist once. [`super::run()`] has the candle call and `grad` the gradient of each.

mod kinds;
pub mod nn;
mod ternary;
mod types;

pub use kinds::{Binary, Compare, Extreme, Put, Reduction, Side, Unary, View};
pub use ternary::Ternary;

use super::dtype::{Category, DType, Standing};
use super::fault::Fault;
use super::shape::{self, Keep, Shape};
use nn::Nn;

/// What is known of a tensor without its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// Its sizes.
    pub shape: Shape,
    /// Its element type.
    pub dtype: DType,
}

impl Meta {
    /// A tensor of this shape and type.
    pub fn new(shape: Shape, dtype: DType) -> Self {
        Self { shape, dtype }
    }

    /// Its elements.
    pub fn count(&self) -> u64 {
        shape::count(&self.shape)
    }

    /// Its bytes.
    pub fn bytes(&self) -> u64 {
        self.count().saturating_mul(self.dtype.size())
    }

    fn standing(&self) -> Standing {
        if self.shape.is_empty() {
            Standing::ZeroDim
        } else {
            Standing::Tensor
        }
    }
}

/// An operation with everything it needs besides tensors.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// One tensor, element by element.
    Unary(Unary),
    /// Two tensors, element by element, broadcast.
    Binary(Binary),
    /// A tensor and a Python number.
    WithNumber {
        /// What is done.
        how: Binary,
        /// The number.
        number: f64,
        /// What kind of number it was in Python.
        kind: Category,
        /// Where the number stands.
        side: Side,
    },
    /// The first and a multiple of the second, element by element, broadcast: `add` with `alpha`.
    AddScaled(f64),
    /// From the first towards the second by so much, element by element, broadcast: `lerp` with a number.
    Towards(f64),
    /// Three tensors in one kernel.
    Ternary(Ternary),
    /// Two tensors compared, element by element, broadcast.
    Compare(Compare),
    /// A tensor compared with a Python number.
    CompareNumber(Compare, f64),
    /// Matrix product.
    MatMul,
    /// Reduction over dimensions, all of them if none is named.
    Reduce(Reduction, Vec<usize>, Keep),
    /// Position of the largest or smallest element, along a dimension or in the flattened tensor.
    Arg(Extreme, Option<usize>, Keep),
    /// Softmax along a dimension.
    Softmax(usize),
    /// Logarithm of the softmax along a dimension.
    LogSoftmax(usize),
    /// The same elements seen otherwise; no kernel runs.
    View(View),
    /// Tensors joined along a dimension.
    Cat(usize),
    /// Slices picked along a dimension by a one-dimensional index tensor.
    IndexSelect(usize),
    /// Elements picked along a dimension by an index tensor of the result's shape.
    Gather(usize),
    /// Elements picked along these dimensions by as many index tensors of one shape, which takes the place
    /// of the dimensions if they are neighbours, and else stands first.
    Index(Vec<usize>),
    /// A copy of the first tensor with the second where `Index` would pick, or added there.
    IndexPut(Vec<usize>, Put),
    /// Adds `source` into zeros of `shape` at the places `Gather` took them from.
    ScatterAdd(usize, Shape),
    /// Adds slices into zeros of `shape` at the places `IndexSelect` took them from.
    IndexAdd(usize, Shape),
    /// Elements of the second tensor where the first is true, else of the third.
    Where,
    /// Another element type.
    Cast(DType),
    /// Memory of its own.
    Clone,
    /// Ones and zeros: 1 on and below the given diagonal of the last two dimensions, else 0, times the tensor.
    Tril(i64),
    /// An operation of a layer or a loss.
    Nn(Nn),
}

/// What an operation costs, whatever it runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Floating point operations.
    pub flops: u64,
    /// Bytes read and written.
    pub bytes: u64,
}

impl Op {
    /// The name in torch, for spans and messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unary(how) => how.name(),
            Self::Binary(how) | Self::WithNumber { how, .. } => how.name(),
            Self::Compare(how) | Self::CompareNumber(how, _) => how.name(),
            Self::AddScaled(_) => "add",
            Self::Towards(_) => "lerp",
            Self::Ternary(how) => how.name(),
            Self::MatMul => "matmul",
            Self::Reduce(Reduction::Sum, ..) => "sum",
            Self::Reduce(Reduction::Mean, ..) => "mean",
            Self::Reduce(Reduction::Max, ..) => "max",
            Self::Reduce(Reduction::Min, ..) => "min",
            Self::Arg(Extreme::Largest, ..) => "argmax",
            Self::Arg(Extreme::Smallest, ..) => "argmin",
            Self::Softmax(_) => "softmax",
            Self::LogSoftmax(_) => "log_softmax",
            Self::View(View::Reshape(_)) => "reshape",
            Self::View(View::Permute(_)) => "permute",
            Self::View(View::Narrow { .. }) => "narrow",
            Self::View(View::Select { .. }) => "select",
            Self::View(View::Every { .. }) => "slice",
            Self::View(View::Expand(_)) => "expand",
            Self::Cat(_) => "cat",
            Self::IndexSelect(_) => "index_select",
            Self::Gather(_) => "gather",
            Self::Index(_) => "index",
            Self::IndexPut(..) => "index_put",
            Self::ScatterAdd(..) => "scatter_add",
            Self::IndexAdd(..) => "index_add",
            Self::Where => "where",
            Self::Cast(_) => "to",
            Self::Clone => "clone",
            Self::Tril(_) => "tril",
            Self::Nn(it) => it.name(),
        }
    }

    /// Whether the matrix units of a card do its work.
    pub fn is_product(&self) -> bool {
        matches!(self, Self::MatMul) || matches!(self, Self::Nn(it) if it.is_product())
    }

    /// Shape and type of the result.
    pub fn result(&self, inputs: &[&Meta]) -> Result<Meta, Fault> {
        Ok(Meta {
            shape: self.shape(inputs)?,
            dtype: self.dtype(inputs)?,
        })
    }

    fn shape(&self, inputs: &[&Meta]) -> Result<Shape, Fault> {
        let first = inputs
            .first()
            .map(|it| it.shape.clone())
            .unwrap_or_default();
        match self {
            Self::Unary(_)
            | Self::WithNumber { .. }
            | Self::CompareNumber(..)
            | Self::Softmax(_)
            | Self::LogSoftmax(_)
            | Self::Cast(_)
            | Self::Clone
            | Self::Tril(_)
            | Self::IndexPut(..) => Ok(first),
            Self::Index(dims) => {
                let picked = inputs.get(1).map(|it| it.shape.as_slice());
                Ok(shape::index(&first, dims, picked.unwrap_or_default()))
            }
            Self::Ternary(how) => match inputs {
                [a, b, c] => how.shape([&a.shape, &b.shape, &c.shape]),
                _ => Ok(first),
            },
            Self::Binary(_)
            | Self::AddScaled(_)
            | Self::Towards(_)
            | Self::Compare(_)
            | Self::Where => inputs
                .iter()
                .skip(1)
                .try_fold(first, |shape, next| shape::broadcast(&shape, &next.shape)),
            Self::MatMul => {
                let second = inputs
                    .get(1)
                    .map(|it| it.shape.as_slice())
                    .unwrap_or_default();
                shape::matmul(&first, second)
            }
            Self::Reduce(_, dims, keep) => Ok(shape::reduce(&first, dims, *keep)),
            Self::Arg(_, None, Keep::Drop) => Ok(vec![]),
            Self::Arg(_, None, Keep::AsOne) => Ok(vec![1; first.len()]),
            Self::Arg(_, Some(dim), keep) => Ok(shape::reduce(&first, &[*dim], *keep)),
            Self::View(View::Reshape(to) | View::Expand(to)) => Ok(to.clone()),
            Self::View(View::Permute(order)) => Ok(order
                .iter()
                .filter_map(|dim| first.get(*dim).copied())
                .collect()),
            Self::View(View::Narrow { dim, len, .. }) => Ok(replaced(first, *dim, *len)),
            Self::View(View::Select { dim, .. }) => Ok(shape::reduce(&first, &[*dim], Keep::Drop)),
            Self::View(View::Every { dim, step }) => {
                let size = first.get(*dim).copied().unwrap_or(0);
                Ok(replaced(first, *dim, size.div_ceil((*step).max(1))))
            }
            Self::Cat(dim) => {
                let shapes: Vec<&[usize]> = inputs.iter().map(|it| it.shape.as_slice()).collect();
                shape::cat(&shapes, *dim)
            }
            Self::IndexSelect(dim) => {
                let picked = inputs.get(1).map_or(0, |it| it.count());
                Ok(replaced(first, *dim, picked as usize))
            }
            Self::Gather(_) => Ok(inputs.get(1).map(|it| it.shape.clone()).unwrap_or_default()),
            Self::ScatterAdd(_, shape) | Self::IndexAdd(_, shape) => Ok(shape.clone()),
            Self::Nn(it) => it.shape(inputs),
        }
    }

    /// What it costs to compute.
    pub fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        if matches!(self, Self::View(_)) {
            return Cost::default();
        }
        if let (Self::Ternary(how), [a, b, c]) = (self, inputs) {
            return how.cost([a, b, c], result);
        }
        let read = inputs
            .iter()
            .map(|it| it.bytes())
            .fold(0, u64::saturating_add);
        // Only the picked part of the first tensor is read.
        let picks = matches!(
            self,
            Self::IndexSelect(_) | Self::Gather(_) | Self::Index(_)
        );
        let bytes = if picks {
            result.bytes().saturating_mul(2)
        } else if let (Self::IndexPut(..), [_, values, ..]) = (self, inputs) {
            values.bytes().saturating_mul(2)
        } else {
            read.saturating_add(result.bytes())
        };
        let elements = inputs
            .iter()
            .map(|it| it.count())
            .fold(result.count(), u64::max);
        let flops = match self {
            Self::MatMul => {
                let inner = inputs
                    .first()
                    .and_then(|it| it.shape.last())
                    .copied()
                    .unwrap_or(1);
                result
                    .count()
                    .saturating_mul(2)
                    .saturating_mul(inner as u64)
            }
            Self::Softmax(_) | Self::LogSoftmax(_) => elements.saturating_mul(5),
            Self::Nn(it) => return it.cost(inputs, result),
            Self::IndexSelect(_)
            | Self::Gather(_)
            | Self::Index(_)
            | Self::IndexPut(..)
            | Self::Cat(_)
            | Self::Clone
            | Self::Cast(_) => 0,
            Self::Unary(_)
            | Self::Binary(_)
            | Self::AddScaled(_)
            | Self::Towards(_)
            | Self::Ternary(_)
            | Self::WithNumber { .. }
            | Self::Compare(_)
            | Self::CompareNumber(..)
            | Self::Reduce(..)
            | Self::Arg(..)
            | Self::View(_)
            | Self::ScatterAdd(..)
            | Self::IndexAdd(..)
            | Self::Where
            | Self::Tril(_) => elements,
        };
        Cost { flops, bytes }
    }
}

fn replaced(mut shape: Shape, dim: usize, size: usize) -> Shape {
    if let Some(it) = shape.get_mut(dim) {
        *it = size;
    }
    shape
}
