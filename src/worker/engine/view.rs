//! Views: the same memory seen otherwise. No kernel runs, no memory is given out, no time passes.

use super::{Engine, check_has_values, known};
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::ops::{Op, ToCopy, View};
use crate::worker::tensor::layout::Layout;
use crate::worker::tensor::{GradFn, Node, State, Tensor, When};

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
            let copy = self.apply(ToCopy::Clone, inputs)?;
            return self.apply(view.clone(), &[&copy]);
        };
        let id = self.next_id();
        let when = if self.grad_enabled() {
            When::Recorded
        } else {
            When::NoGrad
        };
        let node = self.goes_back(inputs, &state.meta).then(|| {
            let function = GradFn::Op(view.clone().into());
            let rank = state.meta.shape.len();
            let metas = inputs.iter().map(|it| it.meta()).collect();
            Node::new(id, function, known(inputs, metas), rank, Vec::new())
        });
        let tensor = Tensor::view_of(id, input, state, when);
        if node.is_some() {
            tensor.set_made(node);
        }
        Ok(tensor)
    }

    /// Makes a tensor see its own memory otherwise: what `t_` and its relatives do.
    pub(crate) fn view_in_place(&self, view: View, tensor: &Tensor) -> Result<(), TorchError> {
        self.may_change(tensor, &[tensor])?;
        let seen = self.apply(view, &[tensor])?;
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
    let value = match &state.value {
        Some(value) => Some(view.of(value)?),
        None => {
            check_has_values(&Op::View(view.clone()), &[input])?;
            None
        }
    };
    Ok(Some(state.seen_as(meta, seen, value)))
}
