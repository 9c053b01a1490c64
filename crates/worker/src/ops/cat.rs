//! Tensors joined along a dimension.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{Autocast, Devices, Dispatch, Operation, Saved, all_bytes, first};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::host::{Host, KernelResult};
use crate::meta::{Cost, KernelKind, Meta};
use crate::shape;
use candle_core::Tensor;

/// `cat` along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cat(pub(crate) usize);

impl Operation for Cat {
    fn name(&self) -> &'static str {
        "cat"
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let shapes: Vec<&[usize]> = inputs.iter().map(|it| it.shape.as_slice()).collect();
        let types = inputs.iter().map(|it| it.dtype);
        let dtype = types.fold(first(inputs).dtype, DType::promote);
        Ok(Meta::new(shape::cat(&shapes, self.0)?, dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        Cost::moving(all_bytes(inputs, result))
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let stored = result.dtype.stored();
        let parts: Result<Vec<Tensor>, _> = inputs.iter().map(|it| host.cast(it, stored)).collect();
        let parts = parts?;
        match card::cat(&parts, self.0) {
            Some(joined) => Ok(joined?),
            None => Ok(Tensor::cat(&parts, self.0)?),
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        Saved::new()
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let (dim, mut start) = (self.0, 0);
        let parts = at.inputs.iter().map(|part| {
            let len = e.shape(part).get(dim).copied().unwrap_or(0);
            let own = Primitive::Narrow { dim, start, len };
            start += len;
            e.one(own, at.grad).map(Some)
        });
        Ok(Gradients::Of(parts.collect::<Result<_, _>>()?))
    }
}

impl Dispatch for Cat {
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        KernelKind::Copy
    }

    fn autocast(&self) -> Autocast {
        Autocast::Widest
    }

    fn devices(&self) -> Devices {
        Devices::same("tensors", "cat")
    }
}
