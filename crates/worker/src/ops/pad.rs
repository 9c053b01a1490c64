//! `constant_pad_nd`: dimensions with elements of one number at both ends.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{Dispatch, Operation, Saved, all_bytes, first};
use crate::error::TorchError;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::{card, fast};
use crate::meta::{Cost, Meta};
use candle_core::Tensor;

/// How many elements are before and after each dimension, and the number that they are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pad {
    pub(crate) ends: Vec<(usize, usize)>,
    pub(crate) number: f64,
}

impl Operation for Pad {
    fn name(&self) -> &'static str {
        "constant_pad_nd"
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        let sizes = shape.iter().zip(&self.ends);
        Ok(Meta::new(
            sizes
                .map(|(size, (before, after))| before + size + after)
                .collect(),
            dtype,
        ))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        // The result is filled, then a part of it written again.
        let input = first(inputs).bytes();
        Cost::moving(all_bytes(inputs, result).saturating_add(input))
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [input] = *self.operands(inputs)?;
        let before: Vec<usize> = self.ends.iter().map(|it| it.0).collect();
        if let Some(made) = card::padded(input, &result.shape, &before, self.number) {
            return Ok(made?);
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it takes the type of the tensor"
        )]
        let number = self.number as f32;
        let whole = fast::contiguous(input)?;
        if let Some(made) = fast::padded(&whole, &result.shape, &before, number) {
            return Ok(made?);
        }
        let mut out = input.clone();
        for (dim, (before, after)) in self.ends.iter().enumerate() {
            let end = |size: usize| {
                let mut shape = out.dims().to_vec();
                if let Some(it) = shape.get_mut(dim) {
                    *it = size;
                }
                let one = Tensor::full(self.number, (), out.device())?;
                one.to_dtype(out.dtype())?.broadcast_as(shape)?.contiguous()
            };
            let mut parts = Vec::new();
            if *before > 0 {
                parts.push(end(*before)?);
            }
            parts.push(out.clone());
            if *after > 0 {
                parts.push(end(*after)?);
            }
            if parts.len() > 1 {
                out = Tensor::cat(&parts, dim)?;
            }
        }
        Ok(out)
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        Saved::new()
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [input] = self.operands(at.inputs)?;
        let mut grad = at.grad.clone();
        for (dim, (size, (start, _))) in e.shape(input).into_iter().zip(&self.ends).enumerate() {
            let (start, len) = (*start, size);
            grad = e.one(Primitive::Narrow { dim, start, len }, &grad)?;
        }
        Ok(Gradients::first(grad))
    }
}

impl Dispatch for Pad {}
