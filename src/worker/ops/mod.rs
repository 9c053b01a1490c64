//! The table of operations: for each its name, shape rule, dtype rule and cost.
//!
//! Everything a lab can compute goes through [`Op`], so that shapes, dtypes, times, memory and the device
//! check exist once. [`super::kernels`] has the candle call and `autograd` the gradient of each.

mod binary;
pub mod nn;
mod order;
mod reduction;
mod saved;
mod scatter;
mod ternary;
mod types;
mod unary;
mod view;

pub use binary::{Binary, Compare, Side};
pub use order::{Order, Taken};
pub use reduction::{Extreme, Reduction};
pub use saved::saved_tensors;
pub use scatter::{Put, Scatter};
pub use ternary::Ternary;
pub use unary::Unary;
pub use view::View;

use crate::worker::dtype::{Category, DType};
use crate::worker::error::TorchError;
use crate::worker::meta::{Cost, Meta};
use crate::worker::shape::{self, Keep, Shape};
use nn::Nn;

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
    AddAlpha(f64),
    /// From the first towards the second by so much, element by element, broadcast: `lerp` with a number.
    LerpScalar(f64),
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
    /// What is on and below the given diagonal of the last two dimensions, else 0.
    Tril(i64),
    /// What is on and above the given diagonal of the last two dimensions, else 0.
    Triu(i64),
    /// Positions along a dimension in the order of the elements there.
    Order(Order, usize),
    /// The elements at positions that an `Order` or `Arg` gave, along the same dimension, which may be
    /// dropped if it has one element.
    Taken(Taken, usize, Keep),
    /// Sums or products up to each element along a dimension.
    Scan(Scan, usize),
    /// Dimensions turned around.
    Flip(Vec<usize>),
    /// A source written into a copy of a target at the places that an index names along a dimension.
    Scatter(Scatter, usize),
    /// Three tensors in one kernel.
    Ternary(Ternary),
    /// An operation of a layer or a loss.
    Nn(Nn),
}

/// What is gathered along a dimension, up to each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// `cumsum`
    Sum,
    /// `cumprod`
    Product,
}

impl Op {
    /// The name in torch, for spans and messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unary(how) => how.name(),
            Self::Binary(how) | Self::WithNumber { how, .. } => how.name(),
            Self::Compare(how) | Self::CompareNumber(how, _) => how.name(),
            Self::AddAlpha(_) => "add",
            Self::LerpScalar(_) => "lerp",
            Self::MatMul => "matmul",
            Self::Reduce(how, ..) => how.name(),
            Self::Arg(which, ..) => which.name(),
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
            Self::Triu(_) => "triu",
            Self::Order(how, _) => how.name(),
            Self::Taken(by, ..) => by.name(),
            Self::Scan(Scan::Sum, _) => "cumsum",
            Self::Scan(Scan::Product, _) => "cumprod",
            Self::Flip(_) => "flip",
            Self::Scatter(how, _) => how.name(),
            Self::Ternary(how) => how.name(),
            Self::Nn(it) => it.name(),
        }
    }

    /// Shape and type of the result.
    pub fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        Ok(Meta {
            shape: self.shape(inputs)?,
            dtype: self.dtype(inputs)?,
        })
    }

    fn shape(&self, inputs: &[&Meta]) -> Result<Shape, TorchError> {
        let first = inputs
            .first()
            .map(|it| it.shape.clone())
            .unwrap_or_default();
        match (self, inputs) {
            (Self::Tril(_) | Self::Triu(_), _) if first.len() < 2 => {
                Err(TorchError::runtime(format!(
                    "{}: input tensor must have at least 2 dimensions",
                    self.name()
                )))
            }
            (
                Self::Unary(_)
                | Self::WithNumber { .. }
                | Self::CompareNumber(..)
                | Self::Softmax(_)
                | Self::LogSoftmax(_)
                | Self::Cast(_)
                | Self::Clone
                | Self::IndexPut(..)
                | Self::Tril(_)
                | Self::Triu(_)
                | Self::Scan(..)
                | Self::Flip(_),
                _,
            ) => Ok(first),
            (
                Self::Binary(_)
                | Self::AddAlpha(_)
                | Self::LerpScalar(_)
                | Self::Compare(_)
                | Self::Where,
                _,
            ) => shape_of_all(first, inputs),
            (Self::MatMul, [_, second]) => shape::matmul(&first, &second.shape),
            (Self::Reduce(how, dims, keep), _) => {
                how.check(&first, dims)?;
                Ok(shape::reduce(&first, dims, *keep))
            }
            (Self::Arg(which, dim, keep), _) => {
                which.check(&first, *dim)?;
                let dims: Vec<usize> = dim.iter().copied().collect();
                Ok(shape::reduce(&first, &dims, *keep))
            }
            (Self::View(view), _) => Ok(view.shape(first)),
            (Self::Cat(dim), _) => {
                let shapes: Vec<&[usize]> = inputs.iter().map(|it| it.shape.as_slice()).collect();
                shape::cat(&shapes, *dim)
            }
            (Self::IndexSelect(dim), [from, index]) => scatter::selects(*dim, from, index),
            (Self::Gather(dim), [from, index]) => scatter::gathers(*dim, from, index),
            (Self::Taken(_, dim, Keep::Drop), [_, index]) => {
                Ok(shape::reduce(&index.shape, &[*dim], Keep::Drop))
            }
            (Self::Taken(_, _, Keep::AsOne), [_, index]) => Ok(index.shape.clone()),
            (Self::ScatterAdd(_, shape) | Self::IndexAdd(_, shape), [_, _]) => Ok(shape.clone()),
            (Self::Index(dims), _) => {
                let picked = inputs.get(1).map(|it| it.shape.as_slice());
                Ok(shape::index(&first, dims, picked.unwrap_or_default()))
            }
            (Self::Nn(it), _) => it.shape(inputs),
            (Self::Order(how, dim), _) => how.shape(&first, *dim),
            (Self::Scatter(how, dim), [a, b, c]) => how.shape(*dim, [&a.shape, &b.shape, &c.shape]),
            (Self::Ternary(how), [a, b, c]) => how.shape([&a.shape, &b.shape, &c.shape]),
            (
                Self::MatMul
                | Self::IndexSelect(_)
                | Self::Gather(_)
                | Self::Taken(..)
                | Self::ScatterAdd(..)
                | Self::IndexAdd(..)
                | Self::Scatter(..)
                | Self::Ternary(_),
                _,
            ) => Err(TorchError::runtime(format!(
                "{} needs more tensors",
                self.name()
            ))),
        }
    }

    /// What it costs to compute.
    pub fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        match (self, inputs) {
            (Self::View(_), _) => return Cost::default(),
            (Self::Nn(it), _) => return it.cost(inputs, result),
            (Self::IndexPut(..), [_, values, ..]) => {
                return Cost {
                    flops: 0,
                    bytes: values.bytes().saturating_mul(2),
                };
            }
            (Self::Order(how, _), [input]) => return how.cost(input, result),
            (Self::Scatter(how, _), [a, b, c]) => return how.cost([a, b, c]),
            (Self::Ternary(how), [a, b, c]) => return how.cost([a, b, c], result),
            _ => {}
        }
        let read = inputs
            .iter()
            .map(|it| it.bytes())
            .fold(0, u64::saturating_add);
        // Only the picked part of the first tensor is read.
        let bytes = if matches!(
            self,
            Self::IndexSelect(_) | Self::Gather(_) | Self::Taken(..) | Self::Index(_)
        ) {
            let index = inputs.get(1).map_or(0, |it| it.bytes());
            result.bytes().saturating_mul(2).saturating_add(index)
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
            Self::Reduce(how, ..) => elements.saturating_mul(how.flops()),
            Self::IndexSelect(_)
            | Self::Gather(_)
            | Self::Index(_)
            | Self::IndexPut(..)
            | Self::Nn(_)
            | Self::Taken(..)
            | Self::Cat(_)
            | Self::Clone
            | Self::Cast(_)
            | Self::Flip(_) => 0,
            Self::Unary(_)
            | Self::Binary(_)
            | Self::AddAlpha(_)
            | Self::LerpScalar(_)
            | Self::WithNumber { .. }
            | Self::Compare(_)
            | Self::CompareNumber(..)
            | Self::Arg(..)
            | Self::View(_)
            | Self::ScatterAdd(..)
            | Self::IndexAdd(..)
            | Self::Where
            | Self::Tril(_)
            | Self::Triu(_)
            | Self::Order(..)
            | Self::Scan(..)
            | Self::Scatter(..)
            | Self::Ternary(_) => elements,
        };
        Cost { flops, bytes }
    }

    /// Whether it is a matrix product, which cards have units of their own for.
    pub fn is_product(&self) -> bool {
        match self {
            Self::MatMul => true,
            Self::Ternary(how) => how.is_product(),
            Self::Nn(it) => it.is_product(),
            Self::Unary(_)
            | Self::Binary(_)
            | Self::AddAlpha(_)
            | Self::LerpScalar(_)
            | Self::WithNumber { .. }
            | Self::Compare(_)
            | Self::CompareNumber(..)
            | Self::Reduce(..)
            | Self::Arg(..)
            | Self::Softmax(_)
            | Self::LogSoftmax(_)
            | Self::View(_)
            | Self::Cat(_)
            | Self::IndexSelect(_)
            | Self::Gather(_)
            | Self::Index(_)
            | Self::IndexPut(..)
            | Self::Taken(..)
            | Self::ScatterAdd(..)
            | Self::IndexAdd(..)
            | Self::Where
            | Self::Cast(_)
            | Self::Clone
            | Self::Tril(_)
            | Self::Triu(_)
            | Self::Order(..)
            | Self::Scan(..)
            | Self::Flip(_)
            | Self::Scatter(..) => false,
        }
    }
}

/// What all shapes broadcast to, beginning with the first.
fn shape_of_all(first: Shape, inputs: &[&Meta]) -> Result<Shape, TorchError> {
    inputs.iter().skip(1).try_fold(first, |shape, next| {
        if shape == next.shape {
            Ok(shape)
        } else {
            shape::broadcast(&shape, &next.shape)
        }
    })
}

fn replaced(mut shape: Shape, dim: usize, size: usize) -> Shape {
    if let Some(it) = shape.get_mut(dim) {
        *it = size;
    }
    shape
}

/// A number as Python writes it in PyTorch's messages.
fn written(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    format!("{number}")
}
