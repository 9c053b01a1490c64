//! The gradients of a layer that one kernel computes into one flat tensor.

use super::cuda_graph::GraphStep;
use super::state::Engine;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::ops::View;
use crate::shape;
use crate::tensor::{State, Tensor};

impl Engine {
    /// Gives each gradient memory of its own, as if the kernel had written it there: the gradients of weights stay, and
    /// those of inputs do not stay with them.
    pub(crate) fn parts(
        &self,
        all: Tensor,
        inputs: &[Tensor],
    ) -> Result<Vec<Option<Tensor>>, TorchError> {
        let mut start = 0;
        let parts = inputs.iter().map(|input| {
            let part = GradientSlice {
                wanted: input.requires_grad(),
                start,
                meta: Meta::new(input.shape(), all.dtype()),
            };
            start += shape::count(&part.meta.shape) as usize;
            part
        });
        let parts: Vec<GradientSlice> = parts.collect();
        if self.grad_enabled() {
            let part = |it: GradientSlice| self.view_of(&all, &it);
            return parts
                .into_iter()
                .map(|it| it.wanted.then(|| part(it)).transpose())
                .collect();
        }
        let device = all.device();
        if self.captures(device) {
            return self.captured_parts(&all, parts);
        }
        let value = all.state().value.read()?;
        // Its memory is free again before that of the parts is taken.
        drop(all);
        let part = |it: GradientSlice| {
            let value = value.as_ref().map(|flat| {
                let own = flat.narrow(0, it.start, it.len())?;
                own.reshape(&*it.meta.shape)
            });
            let charge = self.charge(device, it.meta.bytes())?;
            let state = State::new(it.meta, device, charge, value.transpose()?);
            Ok(Tensor::new(self.next_id(), state))
        };
        parts
            .into_iter()
            .map(|it| it.wanted.then(|| part(it)).transpose())
            .collect()
    }

    /// The same in the capture of a CUDA graph.
    fn captured_parts(
        &self,
        all: &Tensor,
        parts: Vec<GradientSlice>,
    ) -> Result<Vec<Option<Tensor>>, TorchError> {
        let device = all.device();
        let part = |it: GradientSlice| {
            let from = self.in_one_call(|| self.view_of(all, &it))?;
            let charge = self.charge(device, it.meta.bytes())?;
            let value = self.before_replay(&it.meta, device)?;
            let into = Tensor::new(self.next_id(), State::new(it.meta, device, charge, value));
            self.capture_step(|graph| GraphStep::Copy {
                from: graph.tensor(&from),
                into: graph.tensor(&into),
            });
            Ok(into)
        };
        parts
            .into_iter()
            .map(|it| it.wanted.then(|| part(it)).transpose())
            .collect()
    }

    /// A part whose own gradient may be asked for.
    fn view_of(&self, all: &Tensor, it: &GradientSlice) -> Result<Tensor, TorchError> {
        let narrow = View::Narrow {
            dim: 0,
            start: it.start,
            len: it.len(),
        };
        let flat = self.apply(narrow, &[all])?;
        self.apply(View::Reshape(it.meta.shape.clone()), &[&flat])
    }
}

/// One gradient in the flat tensor.
struct GradientSlice {
    wanted: bool,
    start: usize,
    meta: Meta,
}

impl GradientSlice {
    fn len(&self) -> usize {
        shape::count(&self.meta.shape) as usize
    }
}
