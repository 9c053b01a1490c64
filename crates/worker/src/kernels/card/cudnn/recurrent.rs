//! A layer of a recurrent network by cuDNN, forward and back through time.

use super::LayerReserve;
use super::layer::{Layer, TRAINING};
use super::library::{Failure, call, supported};
use crate::kernels::card::launch::{address_of, copy_bytes, fill_with_zeros, memory};
use crate::kernels::fast::contiguous;
use crate::kernels::recurrent::RecurrentLayer;
use candle_core::{DType, Result, Tensor};
use std::ffi::c_int;

/// How gradients of weights are written.
const ADD_GRADIENTS: c_int = 0;

/// Addresses that cuDNN's kernels read well.
const ALIGNMENT: usize = 16;

/// See [`super::recurrent`].
pub(super) fn forward(layer: RecurrentLayer<'_>) -> Option<Result<LayerReserve>> {
    let made = Layer::of(layer)?;
    supported(made.and_then(|it| it.forward()))
}

/// See [`super::recurrent_backward`].
pub(super) fn backward(
    layer: RecurrentLayer<'_>,
    grad: &Tensor,
    reserve: &LayerReserve,
) -> Option<Result<Tensor>> {
    let made = Layer::of(layer)?;
    supported(made.and_then(|it| it.backward(grad, reserve)))
}

/// An address and a byte count behind it.
fn moved(address: u64, bytes: usize) -> u64 {
    address + bytes as u64
}

impl Layer {
    fn forward(&self) -> std::result::Result<LayerReserve, Failure> {
        let [steps, batch, _, hidden] = self.sizes;
        let on = self.weight_memory.device();
        self.weights.fill(&self.weight_memory, &self.of_weights())?;
        let outputs = memory((steps + self.cell.states(), batch, hidden), self.dtype, on)?;
        let space = memory(self.reserve.max(1), DType::U8, on)?;
        let work = memory(self.workspace.max(1), DType::U8, on)?;
        let [x, hx, cx] = self.addresses()?;
        let y = address_of(&outputs)?;
        let state = self.bytes(batch * hidden);
        let last = LastStates::new(self, moved(y, steps * state), state)?;
        let [hy, cy] = last.addresses;
        call!(
            self.handle.library,
            cudnnRNNForward(
                self.handle.raw,
                self.network.raw,
                TRAINING,
                0,
                self.input.raw,
                x,
                self.output.raw,
                y,
                self.state.raw,
                hx,
                hy,
                self.state.raw,
                cx,
                cy,
                self.weights.bytes,
                address_of(&self.weight_memory)?,
                self.workspace,
                address_of(&work)?,
                self.reserve,
                address_of(&space)?
            )
        )?;
        last.finish()?;
        Ok(LayerReserve { outputs, space })
    }

    fn backward(
        &self,
        grad: &Tensor,
        reserve: &LayerReserve,
    ) -> std::result::Result<Tensor, Failure> {
        let [steps, batch, width, hidden] = self.sizes;
        let on = self.weight_memory.device();
        let library = self.handle.library;
        self.weights.fill(&self.weight_memory, &self.of_weights())?;
        let count: usize = self.tensors.iter().map(Tensor::elem_count).sum();
        let out = memory(count, self.dtype, on)?;
        let work = memory(self.workspace.max(1), DType::U8, on)?;
        let (work, space) = (address_of(&work)?, address_of(&reserve.space)?);
        let [x, hx, cx] = self.addresses()?;
        let y = address_of(&reserve.outputs)?;
        let grad = contiguous(&grad.to_dtype(self.dtype)?)?;
        let dy = address_of(&grad)?;
        let state = self.bytes(batch * hidden);
        let dhy = moved(dy, steps * state);
        let dcy = match self.cell.states() {
            2 => moved(dhy, state),
            _ => 0,
        };
        let dx = address_of(&out)?;
        let first = LastStates::new(self, moved(dx, self.bytes(steps * batch * width)), state)?;
        let [dhx, dcx] = first.addresses;
        call!(
            library,
            cudnnRNNBackwardData_v8(
                self.handle.raw,
                self.network.raw,
                0,
                self.output.raw,
                y,
                dy,
                self.input.raw,
                dx,
                self.state.raw,
                hx,
                dhy,
                dhx,
                self.state.raw,
                cx,
                dcy,
                dcx,
                self.weights.bytes,
                address_of(&self.weight_memory)?,
                self.workspace,
                work,
                self.reserve,
                space
            )
        )?;
        first.finish()?;
        let at = moved(
            dx,
            self.bytes(steps * batch * width) + state * self.cell.states(),
        );
        self.weight_gradients([x, hx, y], (work, space), at)?;
        Ok(out)
    }

    /// Writes the gradients of weights and biases, one after the other from an address on.
    fn weight_gradients(
        &self,
        [x, hx, y]: [u64; 3],
        (work, space): (u64, u64),
        mut at: u64,
    ) -> std::result::Result<(), Failure> {
        // cuDNN adds to what is there.
        let on = self.weight_memory.device();
        let gradients = memory(self.weights.bytes.max(1), DType::U8, on)?;
        fill_with_zeros(&gradients)?;
        call!(
            self.handle.library,
            cudnnRNNBackwardWeights_v8(
                self.handle.raw,
                self.network.raw,
                ADD_GRADIENTS,
                0,
                self.input.raw,
                x,
                self.state.raw,
                hx,
                self.output.raw,
                y,
                self.weights.bytes,
                address_of(&gradients)?,
                self.workspace,
                work,
                self.reserve,
                space
            )
        )?;
        let mut to = Vec::new();
        for tensor in self.of_weights() {
            to.push(at);
            at = moved(at, self.bytes(tensor.elem_count()));
        }
        Ok(self.weights.take(&gradients, &to)?)
    }
}

/// Where cuDNN writes the two states that a result ends with: there, or beside it where their addresses are odd.
struct LastStates {
    addresses: [u64; 2],
    /// From where to where, and the memory that is copied from.
    copies: Vec<(Tensor, u64)>,
}

impl LastStates {
    fn new(layer: &Layer, at: u64, bytes: usize) -> Result<Self> {
        let mut places = Self {
            addresses: [0; 2],
            copies: Vec::new(),
        };
        let states = places.addresses.iter_mut().take(layer.cell.states());
        for (which, address) in states.enumerate() {
            let to = moved(at, which * bytes);
            *address = to;
            if !to.is_multiple_of(ALIGNMENT as u64) {
                let own = memory(bytes, DType::U8, layer.weight_memory.device())?;
                *address = address_of(&own)?;
                places.copies.push((own, to));
            }
        }
        Ok(places)
    }

    fn finish(self) -> Result<()> {
        for (own, to) in &self.copies {
            copy_bytes(own.device(), *to, address_of(own)?, own.elem_count())?;
        }
        Ok(())
    }
}
