//! The step of an optimizer over all parameters as one kernel, on a real card (`fused`).

use super::state::Engine;
use crate::device::{TensorDevice, Work};
use crate::error::TorchError;
use crate::kernels::card::{self, FusedKernel, FusedTensors};
use crate::kernels::fast;
use crate::kernels::host::is_on_card;
use crate::meta::Cost;
use crate::tensor::Tensor;
use crate::trace::SpanName;
use candle_core::Tensor as Values;
use warpup_protocol::Lane;

/// Which of the lists only is read: parameters, gradients, states.
const GRADIENTS: usize = 1;

impl Engine {
    /// Takes a step by one kernel, under PyTorch's name. The lists are parameters, gradients and up to three of states; each
    /// parameter has two numbers of its own. Gives whether a kernel is for them.
    pub(crate) fn fused_step(
        &self,
        name: &str,
        kernel: FusedKernel<'_>,
        lists: &[Vec<Tensor>],
        numbers: &[[f64; 2]],
    ) -> Result<bool, TorchError> {
        let device = TensorDevice::Card(0);
        let all = || lists.iter().flatten();
        let Some(first) = all().next() else {
            return Ok(true);
        };
        let dtype = first.dtype();
        let is_alike = |it: &Tensor| {
            let is_there = it.state().value.known().is_some_and(is_on_card);
            is_there && it.dtype() == dtype && it.device() == device
        };
        // Only what is read may be a view.
        let changed = lists.iter().enumerate().filter(|(at, _)| *at != GRADIENTS);
        let is_whole = |it: &Tensor| it.state().layout.is_none();
        let are_whole = changed.flat_map(|(_, it)| it).all(is_whole);
        if !self.has_real_card() || !dtype.is_float() || !all().all(is_alike) || !are_whole {
            return Ok(false);
        }
        let bytes: u64 = all().map(|it| it.meta().bytes()).sum();
        let cost = Cost::moving(bytes.saturating_mul(2));
        let begun = self.begin(device)?;
        let mut tensors = Vec::with_capacity(numbers.len());
        for (at, numbers) in numbers.iter().enumerate() {
            let mut own = FusedTensors {
                lists: [const { None }; 5],
                numbers: *numbers,
            };
            for (which, (to, list)) in own.lists.iter_mut().zip(lists).enumerate() {
                if let Some(tensor) = list.get(at) {
                    *to = Some(if which == GRADIENTS {
                        read(tensor)?
                    } else {
                        written(tensor)?
                    });
                }
            }
            tensors.push(own);
        }
        card::step(kernel, &tensors)?;
        let work = Work::moving(cost.bytes, dtype);
        let timing = self.backend.borrow_mut().end_op(device, work, begun);
        self.record(SpanName::Launch(name.into()), Lane::Kernel, timing, cost);
        self.after_launch(device)?;
        Ok(true)
    }
}

fn lost() -> TorchError {
    TorchError::runtime("internal error in warpup: a parameter without values")
}

fn read(tensor: &Tensor) -> Result<Values, TorchError> {
    let state = tensor.state();
    Ok(fast::contiguous(state.value.known().ok_or_else(lost)?)?)
}

/// The values of a tensor that is about to be changed, in memory of its own.
fn written(tensor: &Tensor) -> Result<Values, TorchError> {
    let own = match tensor.own_values() {
        Some(own) => own,
        None => fast::copied(tensor.state().value.known().ok_or_else(lost)?)?,
    };
    tensor.write(Some(own.clone()))?;
    Ok(own)
}
