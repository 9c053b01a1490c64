//! `interpolate`: other sizes of the spatial dimensions, by the nearest element or between two of them.
//!
//! PyTorch has one kernel for all dimensions, and so much is charged.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{Autocast, Dispatch, Operation, Saved, Types, all_bytes, first};
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::elementwise::at_least_float32;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::resample::Axis;
use crate::meta::{Cost, Meta};
use candle_core::Tensor;

/// A change of sizes, or its backward kernel; the tensor has a batch and channels before its spatial dimensions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Resample {
    Forward(Vec<Axis>),
    Backward(Vec<Axis>),
}

impl Operation for Resample {
    fn name(&self) -> &'static str {
        let (Self::Forward(axes) | Self::Backward(axes)) = self;
        let is_nearest = axes.iter().all(|it| it.is_nearest());
        match (self, is_nearest, axes.len()) {
            (Self::Forward(_), true, 1) => "upsample_nearest1d",
            (Self::Forward(_), true, 2) => "upsample_nearest2d",
            (Self::Forward(_), true, _) => "upsample_nearest3d",
            (Self::Forward(_), false, 1) => "upsample_linear1d",
            (Self::Forward(_), false, 2) => "upsample_bilinear2d",
            (Self::Forward(_), false, _) => "upsample_trilinear3d",
            (Self::Backward(_), true, 1) => "upsample_nearest1d_backward",
            (Self::Backward(_), true, 2) => "upsample_nearest2d_backward",
            (Self::Backward(_), true, _) => "upsample_nearest3d_backward",
            (Self::Backward(_), false, 1) => "upsample_linear1d_backward",
            (Self::Backward(_), false, 2) => "upsample_bilinear2d_backward",
            (Self::Backward(_), false, _) => "upsample_trilinear3d_backward",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        let dtype = Types::OnlyFloat("upsample").result(dtype)?;
        let sizes: Vec<usize> = match self {
            Self::Forward(axes) => axes.iter().map(|it| it.to).collect(),
            Self::Backward(axes) => axes.iter().map(|it| it.from).collect(),
        };
        let ends = shape.get(..2).unwrap_or_default();
        Ok(Meta::new([ends, &sizes].concat(), dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let (Self::Forward(axes) | Self::Backward(axes)) = self;
        let larger = first(inputs).count().max(result.count());
        let is_nearest = axes.iter().all(|it| it.is_nearest());
        let each = if is_nearest { 1 } else { 4 << axes.len() };
        Cost {
            flops: larger.saturating_mul(each),
            bytes: all_bytes(inputs, result),
        }
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [input] = *self.operands(inputs)?;
        let made = match self {
            Self::Forward(axes) => card::resample::forward(input, axes, &result.shape),
            Self::Backward(axes) => card::resample::backward(input, axes, &result.shape),
        };
        if let Some(made) = made {
            return Ok(made?);
        }
        let (Self::Forward(axes) | Self::Backward(axes)) = self;
        let is_back = matches!(self, Self::Backward(_));
        let mut out = input.to_dtype(at_least_float32(input.dtype()))?;
        for (at, axis) in axes.iter().enumerate() {
            out = axis.apply(&out, at + 2, is_back)?;
        }
        Ok(out.contiguous()?.to_dtype(input.dtype())?)
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        Saved::new()
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let back = match self {
            Self::Forward(axes) => Self::Backward(axes.clone()),
            Self::Backward(axes) => Self::Forward(axes.clone()),
        };
        Ok(Gradients::first(e.apply(back, &[at.grad])?))
    }
}

impl Dispatch for Resample {
    fn autocast(&self) -> Autocast {
        Autocast::Unchanged
    }
}
