//! Views: the same memory with another layout. No kernel runs, no memory is allocated, no time passes.

use super::grad_fn::known;
use super::state::Engine;
use super::values::check_has_values;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::ops::{Op, ToCopy, View};
use crate::tensor::layout::Layout;
use crate::tensor::{GradFn, Node, State, Tensor, ViewGradMode};

impl Engine {
    /// A view, or a copy where no strides lead to it.
    pub(super) fn view(
        &self,
        view: &View,
        inputs: &[&Tensor],
        meta: Meta,
    ) -> Result<Tensor, TorchError> {
        let Some(input) = inputs.first().copied() else {
            return Err(TorchError::runtime("a view needs a tensor"));
        };
        let Some(state) = viewed(view, input, meta)? else {
            let copy = self.apply(ToCopy::RowMajor, inputs)?;
            return self.apply(view.clone(), &[&copy]);
        };
        let id = self.next_id();
        let when = if self.grad_enabled() {
            ViewGradMode::Recorded
        } else {
            ViewGradMode::NoGrad
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

    /// Gives a tensor another layout of its own memory, as `t_` does.
    pub(crate) fn view_in_place(&self, view: View, tensor: &Tensor) -> Result<(), TorchError> {
        self.may_change(tensor, &[tensor])?;
        let view = self.apply(view, &[tensor])?;
        let node = view.node();
        tensor.set_view(&view);
        if node.is_some() && tensor.base().is_none() {
            tensor.set_made(node);
        }
        Ok(())
    }
}

/// The state of a view; nothing if it takes a copy.
fn viewed(view: &View, input: &Tensor, meta: Meta) -> Result<Option<State>, TorchError> {
    let state = input.state();
    let shapes = (&*state.meta.shape, &*meta.shape);
    let Some(layout) = Layout::through(view, state.layout.as_ref(), shapes) else {
        return Ok(None);
    };
    if state.value.is_missing() {
        check_has_values(&Op::View(view.clone()), &[input])?;
    }
    let value = match state.value.known() {
        Some(value) => view.of(value)?.into(),
        None => {
            let view = view.clone();
            state.value.then(0, move |it| Ok(Some(view.of(it)?)))?
        }
    };
    Ok(Some(state.view(meta, layout, value)))
}
