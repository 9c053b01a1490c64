//! Ways to see the same elements; no kernel runs.

use crate::worker::shape::{self, Keep, Shape};

/// Ways to see the same elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// Other sizes, same order.
    Reshape(Shape),
    /// Dimensions in another order.
    Permute(Vec<usize>),
    /// Part of one dimension.
    Narrow {
        /// The dimension.
        dim: usize,
        /// Where the part begins.
        start: usize,
        /// Its length.
        len: usize,
    },
    /// One element of a dimension, which goes away.
    Select {
        /// The dimension.
        dim: usize,
        /// The position there.
        at: usize,
    },
    /// Each so-and-so-many-th element of one dimension, beginning with the first.
    Every {
        /// The dimension.
        dim: usize,
        /// How many elements one step is.
        step: usize,
    },
    /// Dimensions of size 1 repeated.
    Expand(Shape),
}

impl View {
    /// The shape that is seen; the view itself was checked when it was asked for.
    pub(super) fn shape(&self, from: Shape) -> Shape {
        match self {
            Self::Reshape(to) | Self::Expand(to) => to.clone(),
            Self::Permute(order) => order
                .iter()
                .filter_map(|dim| from.get(*dim).copied())
                .collect(),
            Self::Narrow { dim, len, .. } => super::replaced(from, *dim, *len),
            Self::Select { dim, .. } => shape::reduce(&from, &[*dim], Keep::Drop),
            Self::Every { dim, step } => {
                let size = from.get(*dim).copied().unwrap_or(0);
                super::replaced(from, *dim, size.div_ceil((*step).max(1)))
            }
        }
    }
}
