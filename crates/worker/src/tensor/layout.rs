//! The layout of a tensor in memory that it shares: strides and offset, and the views that led there.
//!
//! Strides are those of PyTorch: what is a view there is a view here, and the rest is copied.

use crate::ops::View;
use crate::shape::{self, Shape};
use std::rc::Rc;

/// A view of memory that begins as one contiguous block.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    view: View,
    before: Option<Rc<Self>>,
    shape: Shape,
    strides: Vec<usize>,
    offset: usize,
}

impl Layout {
    /// The layout of a view of a tensor; nothing if it takes a copy.
    pub(crate) fn through(
        view: &View,
        before: Option<&Rc<Self>>,
        (from, to): (&[usize], &[usize]),
    ) -> Option<Rc<Self>> {
        let own;
        let (strides, offset) = match before {
            Some(it) => (&it.strides, it.offset),
            None => {
                own = contiguous(from);
                (&own, 0)
            }
        };
        let (strides, offset) = match view {
            View::Reshape(_) => (shape::restrided(from, strides, to)?, offset),
            View::Permute(order) => {
                let at = |dim: &usize| strides.get(*dim).copied();
                (order.iter().filter_map(at).collect(), offset)
            }
            View::Narrow { dim, start, .. } => {
                let step = strides.get(*dim).copied().unwrap_or(0);
                (strides.clone(), offset + start * step)
            }
            View::Select { dim, index } => {
                let mut strides = strides.clone();
                let step = if *dim < strides.len() {
                    strides.remove(*dim)
                } else {
                    0
                };
                (strides, offset + index * step)
            }
            View::Step { dim, step } => {
                let mut strides = strides.clone();
                if let Some(it) = strides.get_mut(*dim) {
                    *it *= step;
                }
                (strides, offset)
            }
            View::Expand(_) => {
                let extra = to.len().saturating_sub(from.len());
                let at = |dim: usize| {
                    let dim = dim.checked_sub(extra)?;
                    (from.get(dim) != Some(&1) || to.get(dim + extra) == Some(&1))
                        .then(|| strides.get(dim).copied())?
                };
                (
                    (0..to.len()).map(|dim| at(dim).unwrap_or(0)).collect(),
                    offset,
                )
            }
        };
        Some(Rc::new(Self {
            view: view.clone(),
            before: before.cloned(),
            shape: to.to_vec(),
            strides,
            offset,
        }))
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The distance of neighbours along each dimension, in elements.
    pub(crate) fn strides(&self) -> &[usize] {
        &self.strides
    }

    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// The views from there to here, in order; from the whole memory if `from` is nothing.
    pub(crate) fn path_from(&self, from: Option<&Rc<Self>>) -> Vec<&View> {
        let mut path = vec![&self.view];
        let mut next = self.before.as_ref();
        while let Some(it) = next {
            if from.is_some_and(|from| Rc::ptr_eq(from, it)) {
                break;
            }
            path.push(&it.view);
            next = it.before.as_ref();
        }
        path.reverse();
        path
    }

    /// Whether the elements are in row-major order without gaps.
    pub(crate) fn is_contiguous(&self) -> bool {
        is_contiguous(&self.shape, &self.strides)
    }

    /// Whether this is all of a block of this many elements, in its order.
    pub(crate) fn is_all_of(&self, elements: usize) -> bool {
        self.offset == 0 && shape::count(&self.shape) == elements as u64 && self.is_contiguous()
    }

    /// Whether the elements have no gaps and no overlaps, in whatever order.
    pub(crate) fn is_dense(&self) -> bool {
        let dims = self.shape.iter().zip(&self.strides);
        let mut dims: Vec<(usize, usize)> = dims
            .filter(|(size, _)| **size != 1)
            .map(|(size, stride)| (*stride, *size))
            .collect();
        dims.sort_unstable();
        let mut expected = 1;
        dims.iter().all(|(stride, size)| {
            let fits = *stride == expected;
            expected *= size;
            fits
        })
    }

    /// Whether several elements share one position.
    pub(crate) fn overlaps_itself(&self) -> bool {
        let mut dims = self.shape.iter().zip(&self.strides);
        dims.any(|(size, stride)| *size > 1 && *stride == 0)
    }

    /// The position after the last element.
    pub(crate) fn end(&self) -> usize {
        let dims = self.shape.iter().zip(&self.strides);
        let reach: usize = dims
            .map(|(size, stride)| size.saturating_sub(1) * stride)
            .sum();
        self.offset + reach + 1
    }

    /// Writes elements in row-major order to their positions in memory.
    pub(crate) fn put<T: Copy>(&self, elements: &[T], memory: &mut [T]) {
        let [rows @ .., width] = self.shape.as_slice() else {
            for (it, new) in memory.iter_mut().skip(self.offset).zip(elements) {
                *it = *new;
            }
            return;
        };
        let [steps @ .., step] = self.strides.as_slice() else {
            return;
        };
        let starts = positions(self.offset, rows, steps);
        for (start, row) in starts
            .into_iter()
            .zip(elements.chunks_exact((*width).max(1)))
        {
            let memory = memory.get_mut(start..).unwrap_or_default();
            for (it, new) in memory.iter_mut().step_by((*step).max(1)).zip(row) {
                *it = *new;
            }
        }
    }
}

fn positions(offset: usize, shape: &[usize], strides: &[usize]) -> Vec<usize> {
    let mut positions = vec![offset];
    for (size, stride) in shape.iter().zip(strides) {
        positions = positions
            .into_iter()
            .flat_map(|start| (0..*size).map(move |at| start + at * stride))
            .collect();
    }
    positions
}

impl Drop for Layout {
    /// A path may be longer than the stack is deep, so it is dropped in a loop.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(it) = next {
            next = Rc::into_inner(it).and_then(|mut it| it.before.take());
        }
    }
}

/// The strides of row-major memory.
pub(crate) fn contiguous(shape: &[usize]) -> Vec<usize> {
    let mut stride = 1;
    let mut strides: Vec<usize> = shape
        .iter()
        .rev()
        .map(|size| {
            let own = stride;
            stride *= (*size).max(1);
            own
        })
        .collect();
    strides.reverse();
    strides
}

/// Whether elements with these strides lie in row-major order without gaps.
pub(crate) fn is_contiguous(shape: &[usize], strides: &[usize]) -> bool {
    let expected = contiguous(shape);
    let mut dims = shape.iter().zip(strides.iter().zip(&expected));
    shape::count(shape) == 0 || dims.all(|(size, (own, expected))| *size == 1 || own == expected)
}
