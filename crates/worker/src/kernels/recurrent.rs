//! One layer of a recurrent network in one direction: all its steps, forward and back through time.
//!
//! The products with the input are one for all steps; those with the hidden state are one a step.

use super::card::cudnn::{LayerReserve, recurrent, recurrent_backward};
use super::fast::LstmStates;
use super::host::KernelResult;
use super::recurrent_steps::Layer;
use candle_core::Tensor;
use std::cell::RefCell;
use std::rc::Rc;

/// What a step computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Lstm,
    Gru,
    Tanh,
    Relu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Forward,
    /// From the last step to the first.
    Backward,
}

impl Cell {
    /// How many rows of the weights one element of the hidden state has.
    pub(crate) fn gates(self) -> usize {
        match self {
            Self::Lstm => 4,
            Self::Gru => 3,
            Self::Tanh | Self::Relu => 1,
        }
    }

    /// How many tensors the state has: an LSTM has a cell state, too.
    pub(crate) fn states(self) -> usize {
        match self {
            Self::Lstm => 2,
            Self::Gru | Self::Tanh | Self::Relu => 1,
        }
    }
}

/// What forward leaves for its backward, as the reserve space of cuDNN: the gates, so that they are computed once. All
/// copies are the same reserve.
///
/// Without it (the graph was kept, and this is its second backward) they are computed again.
#[derive(Clone, Default)]
pub(crate) struct Reserve(Rc<RefCell<Option<ReserveSpace>>>);

enum ReserveSpace {
    Lstm(LstmStates),
    Cudnn(LayerReserve),
}

impl std::fmt::Debug for Reserve {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reserve").finish_non_exhaustive()
    }
}

/// It is no part of what a layer computes.
impl PartialEq for Reserve {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Reserve {}

/// A layer in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecurrentLayer<'a> {
    pub(crate) cell: Cell,
    pub(crate) order: Order,
    /// How many steps each sequence has, if not all.
    pub(crate) lengths: Option<&'a [usize]>,
    /// Whether backward computes the gradient of the input on the host, or leaves zeros for it.
    pub(crate) wants_input: bool,
    /// Input, the states, both weights, and both biases if there are any.
    pub(crate) tensors: &'a [&'a Tensor],
}

/// What a layer gives: (steps + states, batch, hidden). cuDNN computes it on a card, if it can.
pub(crate) fn forward(layer: RecurrentLayer<'_>, reserve: &Reserve) -> KernelResult {
    let Some(done) = recurrent(layer) else {
        let (outputs, states) = Layer::of(layer)?.forward()?;
        reserve.0.replace(states.map(ReserveSpace::Lstm));
        return Ok(outputs);
    };
    let (outputs, space) = done?;
    reserve.0.replace(Some(ReserveSpace::Cudnn(space)));
    Ok(outputs)
}

/// The gradients of all tensors, flattened and joined, given those of what [`forward`] gives.
pub(crate) fn backward(
    layer: RecurrentLayer<'_>,
    grad: &Tensor,
    reserve: &Reserve,
) -> KernelResult {
    // Backward writes into the space of cuDNN, so that it serves once.
    let states = match reserve.0.take() {
        Some(ReserveSpace::Lstm(states)) => Some(states),
        Some(ReserveSpace::Cudnn(space)) => {
            if let Some(done) = recurrent_backward(layer, grad, &space) {
                return Ok(done?);
            }
            None
        }
        None => {
            let again = recurrent(layer).transpose()?;
            let done = again.and_then(|(_, space)| recurrent_backward(layer, grad, &space));
            if let Some(done) = done {
                return Ok(done?);
            }
            None
        }
    };
    Layer::of(layer)?.backward(grad, states)
}
