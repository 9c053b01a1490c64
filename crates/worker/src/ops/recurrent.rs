//! A layer of an LSTM, a GRU or a simple recurrent network in one direction, with all its steps, and its backward.
//!
//! On a card PyTorch runs cuDNN, which fuses the gates of a step and launches several kernels for a layer. Here a layer
//! is one launch, and its steps are charged with the weights that each of them reads again.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{
    AllowTf32, Autocast, Dispatch, Operation, Saved, Types, all_bytes, first, inputs as all_of,
};
use crate::error::TorchError;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::recurrent::{Cell, Order, RecurrentLayer, Reserve, backward, forward};
use crate::meta::{Cost, CudnnMemory, Gemm, KernelKind, Meta, RecurrentMemory};
use candle_core::Tensor;

/// A layer or its backward kernel; the tensors are in brackets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Recurrent {
    /// The hidden states of all steps, then the last states (input, states, both weights, both biases if there are any).
    Forward(RecurrentOptions),
    /// The gradients of all of these, one after the other (gradient, then the same).
    Backward(RecurrentOptions),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecurrentOptions {
    pub(crate) cell: Cell,
    pub(crate) order: Order,
    /// How many steps each sequence of the batch has, if not all of them.
    pub(crate) lengths: Option<Vec<usize>>,
    pub(crate) stack: RecurrentStack,
    /// Of the forward kernel and its backward. The memory of a card does not show it.
    pub(crate) reserve: Reserve,
    /// Whether the host computes the gradient of the input, too; else backward gives zeros for it.
    pub(crate) wants_input: bool,
}

/// The call of cuDNN that a layer is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecurrentStack {
    /// The layers of the call, each direction for itself; none where PyTorch does not call cuDNN, as for a cell.
    pub(crate) layers: usize,
    /// Whether the module trains: then cuDNN keeps a reserve for backward, with gradients or without.
    pub(crate) trains: bool,
}

/// Numbers for each element of the hidden state and step that the reserve of a layer has besides its output, which is the
/// input of the next one: the gates and the cell state of an LSTM.
///
/// pytorch/pytorch, issue 2895, has the reserves of 4 layers of 320 in bytes: 736,000,000 for an LSTM and 864,000,000 for a
/// GRU. With 25,000 steps of sequences these are 4 · 5 + 3 and 4 · 6 + 3 numbers, where 3 are the outputs between layers.
fn kept_for_backward(cell: Cell) -> u64 {
    match cell {
        Cell::Lstm => 5,
        Cell::Gru => 6,
        Cell::Tanh | Cell::Relu => 1,
    }
}

/// Bytes of the weights and biases of a layer.
fn weight_bytes(it: &RecurrentOptions, inputs: &[&Meta]) -> u64 {
    let weights = inputs.iter().skip(1 + it.cell.states());
    weights.fold(0, |sum, it| it.bytes().saturating_add(sum))
}

/// What cuDNN needs for one layer of a stack. Its workspace is a bound: the gates of all steps and layers, and the weights.
fn cudnn_memory(it: &RecurrentOptions, inputs: &[&Meta]) -> RecurrentMemory {
    let [steps, batch, _, hidden] = sizes(it, inputs).map(|it| it as u64);
    let numbers = steps * batch * hidden;
    let size = first(inputs).dtype.size();
    let weights = weight_bytes(it, inputs);
    let gates = numbers.saturating_mul(it.cell.gates() as u64 * size);
    RecurrentMemory {
        workspace: gates
            .saturating_add(weights)
            .saturating_mul(it.stack.layers as u64),
        reserve: if it.stack.trains {
            numbers.saturating_mul(kept_for_backward(it.cell) * size)
        } else {
            0
        },
    }
}

impl RecurrentOptions {
    fn layer<'a>(&'a self, tensors: &'a [&'a Tensor]) -> RecurrentLayer<'a> {
        RecurrentLayer {
            cell: self.cell,
            order: self.order,
            lengths: self.lengths.as_deref(),
            wants_input: self.wants_input,
            tensors,
        }
    }
}

/// Steps, batch, width and hidden size.
fn sizes(it: &RecurrentOptions, inputs: &[&Meta]) -> [usize; 4] {
    let at = |of: usize, dim: usize| {
        let shape = inputs.get(of).map(|it| &it.shape);
        shape.and_then(|it| it.get(dim)).copied().unwrap_or(1)
    };
    [at(0, 0), at(0, 1), at(0, 2), at(2 + it.cell.states(), 1)]
}

/// The work of all steps once: products of input and hidden state, and ten operations for each gate.
fn cost_of_steps(it: &RecurrentOptions, inputs: &[&Meta]) -> Cost {
    let [steps, batch, width, hidden] = sizes(it, inputs).map(|it| it as u64);
    let gates = steps * batch * hidden * it.cell.gates() as u64;
    let weight = inputs.get(2 + it.cell.states()).map_or(0, |it| it.bytes());
    let again = weight.saturating_mul(steps.saturating_sub(1));
    Cost {
        flops: gates.saturating_mul(2 * (width + hidden) + 10),
        // The gates are written and read, and the weights of the hidden state read at each step.
        bytes: (gates * first(inputs).dtype.size() * 2).saturating_add(again),
    }
}

impl Operation for Recurrent {
    fn name(&self) -> &'static str {
        match self {
            Self::Forward(_) => "_cudnn_rnn",
            Self::Backward(_) => "_cudnn_rnn_backward",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let dtype = Types::OnlyFloat("rnn").result(first(inputs).dtype)?;
        let shape = match self {
            Self::Forward(it) => {
                let [steps, batch, _, hidden] = sizes(it, inputs);
                vec![steps + it.cell.states(), batch, hidden]
            }
            Self::Backward(_) => {
                let all = inputs.iter().skip(1);
                vec![all.map(|it| it.count() as usize).sum()]
            }
        };
        Ok(Meta::new(shape, dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let (steps, times) = match self {
            Self::Forward(it) => (cost_of_steps(it, inputs), 1),
            // The steps again, and two products for each of theirs.
            Self::Backward(it) => (cost_of_steps(it, inputs.get(1..).unwrap_or_default()), 3),
        };
        let bytes = steps.bytes.saturating_mul(times);
        Cost {
            flops: steps.flops.saturating_mul(times),
            bytes: bytes.saturating_add(all_bytes(inputs, result)),
        }
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let out = match self {
            Self::Forward(it) => forward(it.layer(inputs), &it.reserve)?,
            Self::Backward(it) => {
                let (grad, rest) = inputs.split_first().ok_or_else(|| {
                    TorchError::runtime("the backward of a recurrent layer needs a gradient")
                })?;
                backward(it.layer(rest), grad, &it.reserve)?
            }
        };
        Ok(out.to_dtype(result.dtype.stored())?)
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::Forward(it) => {
                // Input, states, weights and biases; cuDNN keeps the gates, too.
                all_of(0..it.cell.states() + 5)
            }
            Self::Backward(_) => Saved::new(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let Self::Forward(it) = self else {
            return Err(self.no_second_gradient());
        };
        let mut given = vec![at.grad];
        given.extend(at.inputs);
        let input = at.inputs.first();
        let backward = RecurrentOptions {
            wants_input: input.is_some_and(|it| e.requires_grad(it)),
            ..it.clone()
        };
        let all = e.apply(Self::Backward(backward), &given)?;
        Ok(Gradients::Of(e.parts(all, at.inputs)?))
    }
}

impl Dispatch for Recurrent {
    fn cudnn_memory(&self, inputs: &[&Meta], _result: &Meta) -> Option<CudnnMemory> {
        let (it, memory) = match self {
            Self::Forward(it) => (it, cudnn_memory(it, inputs)),
            Self::Backward(it) => {
                let forward = cudnn_memory(it, inputs.get(1..).unwrap_or_default());
                let others = it.stack.layers.saturating_sub(1) as u64;
                let weights = weight_bytes(it, inputs.get(1..).unwrap_or_default());
                let memory = RecurrentMemory {
                    // One call writes the gradients of all layers.
                    workspace: forward
                        .workspace
                        .saturating_add(weights.saturating_mul(others)),
                    // It reads the reserve that is there.
                    reserve: 0,
                };
                (it, memory)
            }
        };
        (it.stack.layers > 0).then_some(CudnnMemory::Recurrent(memory))
    }

    /// One product for the inputs of all steps, and then a product for each step, which needs the one before it. Backward
    /// has two products in place of each.
    fn kernel_kind(&self, inputs: &[&Meta], _result: &Meta) -> KernelKind {
        let (it, inputs, passes) = match self {
            Self::Forward(it) => (it, inputs, 1),
            Self::Backward(it) => (it, inputs.get(1..).unwrap_or_default(), 2),
        };
        let [steps, batch, width, hidden] = sizes(it, inputs).map(|it| it as u64);
        let gates = hidden * it.cell.gates() as u64;
        KernelKind::Recurrent {
            inputs: Gemm::new(1, [steps * batch, gates, width]),
            step: Gemm::new(1, [batch, gates, hidden]),
            steps: steps * passes,
            passes,
        }
    }

    fn takes_tf32(&self, allowed: AllowTf32) -> bool {
        allowed.cudnn
    }

    fn autocast(&self) -> Autocast {
        Autocast::Lower
    }
}
