//! Views: the same memory seen otherwise. No kernel runs, no memory is given out, no time passes.

use super::{Engine, known, no_ghosts};
use crate::worker::error::TorchError;
use crate::worker::kernels::run;
use crate::worker::meta::Meta;
use crate::worker::ops::{Op, View};
use crate::worker::tensor::layout::Layout;
use crate::worker::tensor::{Made, Node, State, Tensor, When};

impl Engine {
    /// A view, or a copy where memory cannot be seen that way.
    pub(super) fn view(
        &self,
        view: &View,
        inputs: &[&Tensor],
        meta: Meta,
    ) -> Result<Tensor, TorchError> {
        let Some(input) = inputs.first().copied() else {
            return Err(TorchError::runtime("a view needs a tensor"));
        };
        let Some(state) = seen_as(view, input, meta)? else {
            let copy = self.apply(Op::Clone, inputs)?;
            return self.apply(Op::View(view.clone()), &[&copy]);
        };
        let id = self.next_id();
        let when = if self.grad_enabled() {
            When::Recorded
        } else {
            When::NoGrad
        };
        let node = self.goes_back(inputs, &state.meta).then(|| {
            let how = Made::By(Op::View(view.clone()));
            let rank = state.meta.shape.len();
            let metas = inputs.iter().map(|it| it.meta()).collect();
            Node::new(id, how, known(inputs, metas), rank, Vec::new())
        });
        let tensor = Tensor::view_of(id, input, state, when);
        if node.is_some() {
            tensor.set_made(node);
        }
        Ok(tensor)
    }

    /// Makes a tensor see its own memory otherwise: what `t_` and its relatives do.
    pub fn view_in_place(&self, view: View, tensor: &Tensor) -> Result<(), TorchError> {
        let op = Op::View(view);
        self.may_change(tensor, &[tensor])?;
        let seen = self.apply(op, &[tensor])?;
        let node = seen.node();
        tensor.see_as(&seen);
        if node.is_some() && tensor.base().is_none() {
            tensor.set_made(node);
        }
        Ok(())
    }
}

/// What a tensor is seen as; nothing if that takes a copy.
fn seen_as(view: &View, input: &Tensor, meta: Meta) -> Result<Option<State>, TorchError> {
    let state = input.state();
    let shapes = (&*state.meta.shape, &*meta.shape);
    let Some(seen) = Layout::through(view, state.seen.as_ref(), shapes) else {
        return Ok(None);
    };
    let op = Op::View(view.clone());
    let value = match &state.value {
        Some(value) => Some(run(&op, &[value], &meta)?),
        None => {
            no_ghosts(&op, &[input])?;
            None
        }
    };
    Ok(Some(state.seen_as(meta, seen, value)))
}
