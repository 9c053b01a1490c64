//! Operations that look for positions by comparing along a dimension, and what is taken from there.

use super::reduction::nonempty;
use super::unary::lacking;
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::meta::{Cost, Meta};
use crate::worker::shape::Shape;

/// Positions along a dimension, in the order of the elements there. They are the second half of what
/// `sort` and its relatives give; [`Taken`] is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `argsort`, equal elements in the order that they have.
    Sort {
        /// Whether the largest comes first.
        descending: bool,
    },
    /// The first of `topk`.
    Top {
        /// How many.
        count: usize,
        /// Whether they are the largest.
        largest: bool,
    },
    /// The element that is in this place, counted from 1, when they are sorted; `kthvalue`.
    Kth(usize),
    /// The lower one of the elements in the middle, or what is not a number; `median`.
    Median,
    /// The largest so far; `cummax`.
    MaxSoFar,
    /// The smallest so far; `cummin`.
    MinSoFar,
}

impl Order {
    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sort { .. } => "sort",
            Self::Top { .. } => "topk",
            Self::Kth(_) => "kthvalue",
            Self::Median => "median",
            Self::MaxSoFar => "cummax",
            Self::MinSoFar => "cummin",
        }
    }

    /// The shape of the positions; a reduced dimension stays, with size 1.
    pub(super) fn shape(self, from: &Shape, dim: usize) -> Result<Shape, TorchError> {
        // A scalar counts as one element along its dimension.
        let size = from.get(dim).copied().unwrap_or(1);
        match self {
            Self::Sort { .. } | Self::MaxSoFar | Self::MinSoFar => Ok(from.clone()),
            Self::Top { count, .. } if count > size => {
                Err(TorchError::runtime("selected index k out of range"))
            }
            Self::Top { count, .. } => Ok(super::replaced(from.clone(), dim, count)),
            Self::Kth(place) if place == 0 || place > size => Err(TorchError::runtime(format!(
                "kthvalue(): selected number k out of range for dimension {dim}"
            ))),
            Self::Kth(_) => Ok(super::replaced(from.clone(), dim, 1)),
            Self::Median => {
                nonempty("median", from, &[dim], TorchError::runtime)?;
                Ok(super::replaced(from.clone(), dim, 1))
            }
        }
    }

    /// The type of positions.
    pub(super) fn dtype(self, of: DType) -> Result<DType, TorchError> {
        match self {
            Self::Top { .. } if of == DType::Bool => Err(TorchError::missing(
                "topk does not support bool dtypes on CPU",
            )),
            Self::Kth(_) if of == DType::Bool => Err(lacking("kthvalue_cpu", of)),
            Self::Median if of == DType::Bool => Err(lacking("median_cpu", of)),
            Self::Sort { .. }
            | Self::Top { .. }
            | Self::Kth(_)
            | Self::Median
            | Self::MaxSoFar
            | Self::MinSoFar => Ok(DType::I64),
        }
    }

    /// Radix kernels go over the keys once for each byte of them: sorting reads and writes keys and
    /// positions each time, selecting only reads keys.
    pub(super) fn cost(self, input: &Meta, result: &Meta) -> Cost {
        let passes = input.dtype.size();
        let elements = input.count();
        match self {
            Self::Sort { .. } => Cost {
                flops: elements.saturating_mul(passes),
                bytes: input
                    .bytes()
                    .saturating_add(result.bytes())
                    .saturating_mul(2 * passes),
            },
            Self::Top { .. } | Self::Kth(_) | Self::Median => Cost {
                flops: elements.saturating_mul(passes),
                bytes: input
                    .bytes()
                    .saturating_mul(passes)
                    .saturating_add(result.bytes()),
            },
            Self::MaxSoFar | Self::MinSoFar => Cost {
                flops: elements,
                bytes: input.bytes().saturating_add(result.bytes()),
            },
        }
    }
}

/// What values at positions are called: by what found the positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the ones of torch")]
pub enum Taken {
    Max,
    Min,
    Sort,
    Topk,
    Kthvalue,
    Median,
    Cummax,
    Cummin,
}

impl Taken {
    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Min => "min",
            Self::Sort => "sort",
            Self::Topk => "topk",
            Self::Kthvalue => "kthvalue",
            Self::Median => "median",
            Self::Cummax => "cummax",
            Self::Cummin => "cummin",
        }
    }
}
