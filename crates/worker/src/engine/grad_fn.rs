//! The graph of results: which result remembers how to go backward, and what for.

use super::state::Engine;
use crate::device::HostCall;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::ops::{Operand, Saved};
use crate::tensor::{Edge, GradFn, Input, Node, Origin, Pack, SavedTensor, State, Tensor};
use std::rc::Rc;

impl Engine {
    /// A result, which remembers how to go back if an input wants a gradient.
    pub(super) fn linked(
        &self,
        function: GradFn,
        inputs: &[&Tensor],
        state: State,
    ) -> Result<Tensor, TorchError> {
        let id = self.next_id();
        if !self.goes_back(inputs, &state.meta) {
            // Without a gradient it compares its inputs, or looks for the largest: the program has read them.
            if self.grad_enabled.get() && !state.meta.dtype.is_float() {
                for node in inputs.iter().filter_map(|it| it.node()) {
                    node.mark_read();
                }
            }
            return Ok(Tensor::new(id, state));
        }
        self.count_node(state.device);
        self.call_on_host(HostCall::Record);
        let save = |it| match it {
            Operand::Result => self.saved_result(&state).map(Some),
            Operand::Input(at) => {
                let kept = inputs.get(at).map(|input| self.saved(it, input));
                kept.transpose()
            }
        };
        let operands = if let GradFn::Op(op) = &function {
            op.facts().saved(&|at| wants(inputs, at))
        } else {
            Saved::new()
        };
        let saved: Result<Vec<_>, TorchError> = operands
            .into_iter()
            .filter_map(|it| save(it).transpose())
            .collect();
        let metas = inputs.iter().map(|it| it.meta()).collect();
        let inputs = known(inputs, metas);
        let node = Node::new(id, function, inputs, state.meta.shape.len(), saved?);
        Ok(Tensor::made(state, node))
    }

    /// A tensor that is saved for backward, in the way that the program wants.
    pub(super) fn saved(
        &self,
        operand: Operand,
        tensor: &Tensor,
    ) -> Result<SavedTensor, TorchError> {
        if tensor.is_inference() {
            return Err(TorchError::runtime(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
            ));
        }
        let pack = self.packing.borrow().last().cloned().flatten();
        match pack {
            Some(pack) => Ok(SavedTensor::packed(operand, pack.pack(tensor)?)),
            None => Ok(SavedTensor::new(operand, tensor)),
        }
    }

    fn saved_result(&self, state: &State) -> Result<SavedTensor, TorchError> {
        if self.packing.borrow().is_empty() {
            return Ok(SavedTensor::of_state(Operand::Result, state.clone()));
        }
        let result = Tensor::new(self.next_id(), state.clone());
        self.saved(Operand::Result, &result)
    }

    /// What is saved from now on is kept in the way that the program wants, or as usual, until `end_packing`.
    pub(crate) fn begin_packing(&self, pack: Option<Rc<dyn Pack>>) {
        self.packing.borrow_mut().push(pack);
    }

    pub(crate) fn end_packing(&self) {
        let last = self.packing.borrow_mut().pop();
        drop(last);
    }

    /// Saves tensors of the program for one of its functions.
    pub(crate) fn save_for(&self, node: &Rc<Node>, tensors: &[Tensor]) -> Result<(), TorchError> {
        let save = |(at, tensor): (usize, &Tensor)| {
            let kept = self.saved(Operand::Input(at), tensor)?;
            let made = tensor.node();
            let own = made.filter(|it| it.of_function().is_some_and(|of| Rc::ptr_eq(of, node)));
            let origin = match own {
                Some(own) => Origin::Result(Rc::downgrade(&own)),
                None => Origin::Outside(Edge::of(tensor)),
            };
            Ok((kept, origin))
        };
        let saved: Result<Vec<_>, TorchError> = tensors.iter().enumerate().map(save).collect();
        node.save(saved?);
        Ok(())
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
