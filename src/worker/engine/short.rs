//! Short ways to ask for common operations.

use super::create::Fill;
use super::state::Engine;
use crate::worker::device::TensorDevice;
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::tensor::Tensor;

impl Engine {
    /// Gives a tensor one number everywhere.
    pub(crate) fn number_in_place(
        &self,
        into: &Tensor,
        number: f64,
        function: &'static str,
    ) -> Result<(), TorchError> {
        let meta = into.meta();
        let make = |on: &candle_core::Device| full(&meta, number, on);
        self.fill_in_place(into, &Fill::Full(&make), function)
    }

    /// A tensor full of one number, like another in shape, type and device.
    pub(crate) fn full_like(&self, like: &Tensor, number: f64) -> Result<Tensor, TorchError> {
        self.full(like.meta(), like.device(), number)
    }

    /// A tensor full of one number.
    pub(crate) fn full(
        &self,
        meta: Meta,
        device: TensorDevice,
        number: f64,
    ) -> Result<Tensor, TorchError> {
        let like = meta.clone();
        let make = |on: &candle_core::Device| full(&like, number, on);
        self.create(meta, device, &Fill::Full(&make))
    }
}

fn full(
    meta: &Meta,
    number: f64,
    on: &candle_core::Device,
) -> Result<candle_core::Tensor, TorchError> {
    let one = candle_core::Tensor::new(number, on)?;
    let one = if meta.dtype == DType::Bool {
        one.ne(&one.zeros_like()?)?
    } else {
        one.to_dtype(meta.dtype.stored())?
    };
    Ok(one.broadcast_as(&*meta.shape)?.force_contiguous()?)
}
