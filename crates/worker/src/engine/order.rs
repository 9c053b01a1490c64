//! The order in which a result lies in memory. Element by element, it is that of the inputs: the result of `x.T * 2` is
//! transposed, too, and what is a view in PyTorch is one here.

use super::state::Engine;
use crate::device::TensorDevice;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::ops::{Op, ResultOrder, View};
use crate::tensor::layout::Layout;
use crate::tensor::{State, Tensor};
use candle_core::Tensor as Values;
use smallvec::SmallVec;
use std::cell::Ref;
use std::cmp::Ordering;

/// The dimensions of a result from the outermost to the innermost in memory, where that is not row-major.
#[derive(Clone, Debug)]
pub(crate) struct MemoryOrder {
    dims: Vec<usize>,
    /// Whether the values are computed in this order, or only stored in it.
    pub(super) computes: bool,
}

impl MemoryOrder {
    /// The order of a result of this shape; nothing for row-major.
    pub(super) fn of(op: &Op, inputs: &[Ref<'_, State>], shape: &[usize]) -> Option<Self> {
        if inputs.iter().all(|it| it.layout.is_none()) {
            return None;
        }
        let (seen, computes) = match op.facts().order() {
            ResultOrder::RowMajor => return None,
            ResultOrder::OfInputs => (inputs, true),
            ResultOrder::OfFirst => (first_row_by_row(inputs)?, false),
            ResultOrder::OfFirstOnCards => {
                let first = first_row_by_row(inputs)?;
                if first.iter().any(|it| it.device == TensorDevice::Cpu) {
                    return None;
                }
                (first, false)
            }
        };
        let strides = seen.iter().map(|it| strides_in(it, shape.len()));
        Self::by(&strides.collect::<Vec<_>>(), shape, computes)
    }

    /// The order of a tensor that is made like this one.
    pub(crate) fn like(state: &State) -> Option<Self> {
        state.layout.as_ref()?;
        let shape = &state.meta.shape;
        Self::by(&[strides_in(state, shape.len())], shape, false)
    }

    fn by(strides: &[Strides], shape: &[usize], computes: bool) -> Option<Self> {
        let dims = sorted(strides, shape);
        let is_row_major = dims.iter().enumerate().all(|(at, dim)| at == *dim);
        (!is_row_major).then_some(Self { dims, computes })
    }

    /// The meta of the memory.
    pub(crate) fn of_memory(&self, meta: &Meta) -> Meta {
        let size = |dim: &usize| meta.shape.get(*dim).copied();
        Meta::new(self.dims.iter().filter_map(size).collect(), meta.dtype)
    }

    /// Values of a result or an input, in the order of the memory. Missing dimensions are put in front.
    pub(super) fn permuted(&self, values: &Values) -> Result<Values, TorchError> {
        if values.rank() == 0 {
            return Ok(values.clone());
        }
        let mut values = values.clone();
        while values.rank() < self.dims.len() {
            values = values.unsqueeze(0)?;
        }
        Ok(values.permute(self.dims.as_slice())?)
    }

    /// Where each dimension is in the memory.
    fn back(&self) -> Vec<usize> {
        let mut back = vec![0; self.dims.len()];
        for (at, dim) in self.dims.iter().enumerate() {
            if let Some(it) = back.get_mut(*dim) {
                *it = at;
            }
        }
        back
    }

    /// Values in the order of the memory as the tensor's dimensions.
    pub(crate) fn as_seen(&self, memory: &Values) -> Result<Values, TorchError> {
        Ok(memory.permute(self.back())?)
    }

    /// The state of a result whose memory, with these values, is a state of its own.
    pub(super) fn state(&self, memory: &State, meta: Meta) -> Result<State, TorchError> {
        let view = View::Permute(self.back());
        let shapes = (&*memory.meta.shape, &*meta.shape);
        let layout = Layout::through(&view, None, shapes)
            .ok_or_else(|| TorchError::runtime("internal error in warpup: no such order"))?;
        let value = memory.value.then(0, move |it| Ok(Some(view.of(it)?)))?;
        Ok(memory.view(meta, layout, value))
    }
}

impl Engine {
    /// A new tensor whose memory, in row-major order, is this one.
    pub(crate) fn in_order(
        &self,
        memory: &Tensor,
        order: &MemoryOrder,
    ) -> Result<Tensor, TorchError> {
        let state = memory.state();
        let mut shape = state.meta.shape.clone();
        for (size, dim) in state.meta.shape.iter().zip(&order.dims) {
            if let Some(it) = shape.get_mut(*dim) {
                *it = *size;
            }
        }
        let meta = Meta::new(shape, state.meta.dtype);
        Ok(Tensor::new(self.next_id(), order.state(&state, meta)?))
    }
}

/// The first input, if neighbours in its rows are neighbours in memory.
fn first_row_by_row<'a, 's>(inputs: &'a [Ref<'s, State>]) -> Option<&'a [Ref<'s, State>]> {
    let first = inputs.get(..1)?;
    let is_by_row = |it: &Ref<'_, State>| it.strides().last() == Some(&1);
    first.iter().all(is_by_row).then_some(first)
}

type Strides = SmallVec<[usize; 6]>;

/// The strides of an input as one of this rank: 0 where it is repeated.
fn strides_in(state: &State, rank: usize) -> Strides {
    let own = state.strides();
    let mut strides: Strides = std::iter::repeat_n(0, rank.saturating_sub(own.len())).collect();
    let sizes = state.meta.shape.iter().zip(own);
    strides.extend(sizes.map(|(size, stride)| if *size == 1 { 0 } else { stride }));
    strides
}

/// `TensorIterator::reorder_dimensions`: the dimensions by their strides, the first input that decides.
fn sorted(inputs: &[Strides], shape: &[usize]) -> Vec<usize> {
    let mut dims: Vec<usize> = (0..shape.len()).rev().collect();
    for start in 1..dims.len() {
        let mut own = start;
        for other in (0..start).rev() {
            let (Some(a), Some(b)) = (dims.get(other), dims.get(own)) else {
                break;
            };
            match farther(inputs, shape, *a, *b) {
                Some(Ordering::Greater) => {
                    dims.swap(other, own);
                    own = other;
                }
                Some(Ordering::Less) => break,
                Some(Ordering::Equal) | None => {}
            }
        }
    }
    dims.reverse();
    dims
}

/// Which of two dimensions has its neighbours farther apart; nothing where no input tells.
fn farther(inputs: &[Strides], shape: &[usize], a: usize, b: usize) -> Option<Ordering> {
    for strides in inputs {
        let (of_a, of_b) = (*strides.get(a)?, *strides.get(b)?);
        if of_a == 0 || of_b == 0 {
            continue;
        }
        if of_a != of_b {
            return Some(of_a.cmp(&of_b));
        }
        if shape.get(a) > shape.get(b) {
            return Some(Ordering::Greater);
        }
    }
    None
}
