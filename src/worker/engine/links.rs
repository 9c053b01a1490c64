//! The graph of results: which result remembers how to go backward, and what for.

use super::state::Engine;
use crate::worker::meta::Meta;
use crate::worker::ops::{Operand, Saved};
use crate::worker::tensor::{Edge, GradFn, Input, Node, SavedTensor, State, Tensor};

impl Engine {
    /// A result, which remembers how to go back if an input wants a gradient.
    pub(super) fn linked(&self, function: GradFn, inputs: &[&Tensor], state: State) -> Tensor {
        let id = self.next_id();
        if !self.goes_back(inputs, &state.meta) {
            return Tensor::new(id, state);
        }
        let save = |it| match it {
            Operand::Result => Some(SavedTensor::of_state(it, state.clone())),
            Operand::Input(at) => inputs.get(at).map(|input| SavedTensor::new(it, input)),
        };
        let operands = if let GradFn::Op(op) = &function {
            op.saved(&|at| wants(inputs, at))
        } else {
            Saved::new()
        };
        let saved = operands.into_iter().filter_map(save).collect();
        let metas = inputs.iter().map(|it| it.meta()).collect();
        let inputs = known(inputs, metas);
        let node = Node::new(id, function, inputs, state.meta.shape.len(), saved);
        Tensor::made(state, node)
    }

    /// Whether a result remembers how to go back to what it is made of.
    pub(super) fn goes_back(&self, inputs: &[&Tensor], result: &Meta) -> bool {
        self.grad_enabled.get()
            && result.dtype.is_float()
            && inputs.iter().any(|it| it.requires_grad())
    }
}

pub(super) fn wants(inputs: &[&Tensor], at: usize) -> bool {
    inputs.get(at).is_some_and(|it| it.requires_grad())
}

pub(super) fn known(inputs: &[&Tensor], metas: Vec<Meta>) -> Vec<Input> {
    let known = metas.into_iter().zip(inputs).map(|(meta, input)| Input {
        meta,
        device: input.device(),
        layout: input.state().layout.clone(),
        edge: Edge::of(input),
    });
    known.collect()
}
