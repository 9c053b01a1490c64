//! Reductions over dimensions, with their shape rule and dtype rule.

use super::unary::lacking;
use crate::worker::dtype::{DType, default_float};
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::shape;

/// Reductions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reduction {
    /// `sum`
    Sum,
    /// `mean`
    Mean,
    /// `prod`
    Prod,
    /// `max` of the whole tensor.
    Max,
    /// `min` of the whole tensor.
    Min,
    /// `amax`
    AMax,
    /// `amin`
    AMin,
    /// `var`; the sum of squares is divided by so much less than the number of elements.
    Var(f64),
    /// `std`, as `Var`.
    Std(f64),
    /// `linalg.vector_norm` of this order.
    Norm(f64),
    /// `logsumexp`
    LogSumExp,
    /// `all`
    All,
    /// `any`
    Any,
    /// `count_nonzero`
    CountNonzero,
}

impl Reduction {
    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Mean => "mean",
            Self::Prod => "prod",
            Self::Max => "max",
            Self::Min => "min",
            Self::AMax => "amax",
            Self::AMin => "amin",
            Self::Var(_) => "var",
            Self::Std(_) => "std",
            Self::Norm(_) => "linalg_vector_norm",
            Self::LogSumExp => "logsumexp",
            Self::All => "all",
            Self::Any => "any",
            Self::CountNonzero => "count_nonzero",
        }
    }

    /// The type of the result.
    pub(super) fn dtype(self, of: DType) -> Result<DType, TorchError> {
        match self {
            Self::Mean if !of.is_float() => Err(TorchError::missing(format!(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
                of.scalar_name()
            ))),
            Self::Var(_) | Self::Std(_) if !of.is_float() => Err(TorchError::missing(
                "std and var only support floating point and complex dtypes",
            )),
            Self::Norm(_) if !of.is_float() => Err(TorchError::missing(format!(
                "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}",
                of.scalar_name()
            ))),
            Self::Sum | Self::Prod => Ok(if of.is_float() { of } else { DType::I64 }),
            Self::LogSumExp => Ok(if of.is_float() { of } else { default_float() }),
            // PyTorch's one exception: truth of bytes is a byte.
            Self::All | Self::Any if of == DType::U8 => Ok(of),
            Self::All | Self::Any => Ok(DType::Bool),
            Self::CountNonzero => Ok(DType::I64),
            Self::Mean
            | Self::Var(_)
            | Self::Std(_)
            | Self::Norm(_)
            | Self::Max
            | Self::Min
            | Self::AMax
            | Self::AMin => Ok(of),
        }
    }

    /// Refuses to reduce nothing to what has no value for nothing.
    pub(super) fn check(self, from: &[usize], dims: &[usize]) -> Result<(), TorchError> {
        match self {
            Self::Max | Self::Min | Self::AMax | Self::AMin => {
                nonempty(self.name(), from, dims, TorchError::runtime)
            }
            Self::Norm(order) if order.is_infinite() || order < 0.0 => {
                let empty = |dim: &usize| from.get(*dim) == Some(&0);
                let nothing =
                    shape::count(from) == 0 && (dims.is_empty() || dims.iter().any(empty));
                if nothing {
                    let order = super::written(order);
                    return Err(TorchError::runtime(format!(
                        "linalg.vector_norm cannot compute the {order} norm on an empty tensor because the operation does not have an identity"
                    )));
                }
                Ok(())
            }
            Self::Sum
            | Self::Mean
            | Self::Prod
            | Self::Var(_)
            | Self::Std(_)
            | Self::Norm(_)
            | Self::LogSumExp
            | Self::All
            | Self::Any
            | Self::CountNonzero => Ok(()),
        }
    }

    /// Floating point operations for each element read.
    pub(super) fn flops(self) -> u64 {
        match self {
            Self::Sum
            | Self::Mean
            | Self::Prod
            | Self::Max
            | Self::Min
            | Self::AMax
            | Self::AMin
            | Self::All
            | Self::Any
            | Self::CountNonzero => 1,
            // Multiply and add.
            Self::Norm(_) => 2,
            // The running mean and the running sum of squares.
            Self::Var(_) | Self::Std(_) => 5,
            // Largest, difference, power, sum.
            Self::LogSumExp => 4,
        }
    }
}

/// Which end is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// `argmax`
    Largest,
    /// `argmin`
    Smallest,
}

impl Extreme {
    /// The name of the operation that finds its position.
    pub fn name(self) -> &'static str {
        match self {
            Self::Largest => "argmax",
            Self::Smallest => "argmin",
        }
    }

    /// The type of positions.
    pub(super) fn dtype(self, of: DType) -> Result<DType, TorchError> {
        if of == DType::Bool {
            return Err(TorchError::missing(format!(
                "{}(): does not support bool input",
                self.name()
            )));
        }
        Ok(DType::I64)
    }

    /// Refuses to look for something in nothing.
    pub(super) fn check(self, from: &[usize], dim: Option<usize>) -> Result<(), TorchError> {
        match dim {
            Some(dim) => nonempty(self.name(), from, &[dim], TorchError::runtime),
            None if shape::count(from) == 0 => Err(TorchError::index(format!(
                "{}(): Expected reduction dim to be specified for input.numel() == 0.",
                self.name()
            ))),
            None => Ok(()),
        }
    }
}

/// PyTorch's refusal to reduce dimensions of size 0.
pub(super) fn nonempty(
    name: &str,
    from: &[usize],
    dims: &[usize],
    unnamed: fn(String) -> TorchError,
) -> Result<(), TorchError> {
    if dims.is_empty() && shape::count(from) == 0 {
        return Err(unnamed(format!(
            "{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
        )));
    }
    match dims.iter().find(|dim| from.get(**dim) == Some(&0)) {
        Some(dim) => Err(TorchError::index(format!(
            "{name}(): Expected reduction dim {dim} to have non-zero size."
        ))),
        None => Ok(()),
    }
}

/// The type of what softmax gives.
pub(super) fn softmax_dtype(name: &str, of: &Meta, dim: usize) -> Result<DType, TorchError> {
    if of.dtype.is_float() {
        return Ok(of.dtype);
    }
    let last = if dim + 1 >= of.shape.len() {
        "_lastdim"
    } else {
        ""
    };
    Err(lacking(&format!("{name}{last}_kernel_impl"), of.dtype))
}
