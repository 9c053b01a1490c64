//! `interpolate`: other sizes of the spatial dimensions, by the nearest element or between two of them.
//!
//! Both are linear and done dimension by dimension, each as a product with the weights of its elements; so backward is
//! the product with the transposed weights. PyTorch has one kernel for all dimensions, and so much is charged.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{Autocast, Dispatch, Operation, Saved, Types, all_bytes, first};
use crate::error::TorchError;
use crate::kernels::elementwise::at_least_float32;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::matmul::matmul;
use crate::meta::{Cost, Meta};
use candle_core::Tensor;

/// A change of sizes, or its backward kernel; the tensor has a batch and channels before its spatial dimensions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Resample {
    Forward(Vec<Axis>),
    Backward(Vec<Axis>),
}

/// One spatial dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// How far apart in the input are two neighbours of the result.
    pub(crate) step: f64,
    pub(crate) between: InterpolationMode,
}

/// What is taken for a place between elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InterpolationMode {
    Nearest,
    /// `nearest-exact`: by the middles of the elements.
    NearestMiddle,
    Linear,
    /// `align_corners=True`: by the first and the last element.
    LinearCorners,
}

impl Axis {
    /// For each element of the result the two of the input around it, and the share of the second.
    fn around(self) -> Vec<(usize, usize, f64)> {
        let last = self.from.saturating_sub(1);
        let of = |at: usize| {
            let at = at as f64;
            let place = match self.between {
                InterpolationMode::NearestMiddle => (at + 0.5) * self.step,
                InterpolationMode::Linear => ((at + 0.5) * self.step - 0.5).max(0.0),
                InterpolationMode::Nearest | InterpolationMode::LinearCorners => at * self.step,
            };
            let low = (place.floor() as usize).min(last);
            let share = match self.between {
                InterpolationMode::Nearest | InterpolationMode::NearestMiddle => 0.0,
                InterpolationMode::Linear | InterpolationMode::LinearCorners => {
                    (place - low as f64).min(1.0)
                }
            };
            (low, (low + 1).min(last), share)
        };
        (0..self.to).map(of).collect()
    }

    /// The weights of the input's elements in each element of the result: (to, from).
    fn weights(self) -> Vec<f64> {
        let mut weights = vec![0.0; self.to * self.from];
        let rows = weights.chunks_mut(self.from.max(1));
        for (row, (low, high, share)) in rows.zip(self.around()) {
            for (index, part) in [(low, 1.0 - share), (high, share)] {
                if let Some(weight) = row.get_mut(index) {
                    *weight += part;
                }
            }
        }
        weights
    }

    fn is_nearest(self) -> bool {
        matches!(
            self.between,
            InterpolationMode::Nearest | InterpolationMode::NearestMiddle
        )
    }

    /// The elements that are taken, where each element of the result is one of the input.
    fn picked(self) -> Vec<i64> {
        let weights = self.weights();
        let rows = weights.chunks(self.from.max(1));
        let place = |row: &[f64]| row.iter().position(|it| *it > 0.0).unwrap_or(0) as i64;
        rows.map(place).collect()
    }

    /// The two elements around each place and the share of the second. A product with all weights would spread NaN.
    fn between(self, a: &Tensor, dim: usize) -> KernelResult {
        let around = self.around();
        let pick = |of: fn(&(usize, usize, f64)) -> usize| {
            let places: Vec<i64> = around.iter().map(|it| of(it) as i64).collect();
            a.index_select(&Tensor::new(places, a.device())?, dim)
        };
        let shares: Vec<f64> = around.iter().map(|it| it.2).collect();
        let mut shape = vec![1; a.rank()];
        if let Some(it) = shape.get_mut(dim) {
            *it = self.to;
        }
        let part = |of: fn(f64) -> f64| {
            let shares: Vec<f64> = shares.iter().map(|it| of(*it)).collect();
            Tensor::from_vec(shares, &*shape, a.device())?.to_dtype(a.dtype())
        };
        let low = pick(|it| it.0)?.broadcast_mul(&part(|it| 1.0 - it)?)?;
        let high = pick(|it| it.1)?.broadcast_mul(&part(|it| it)?)?;
        Ok((low + high)?)
    }

    fn apply(self, a: &Tensor, dim: usize, is_back: bool) -> KernelResult {
        if self.is_nearest() && !is_back {
            let picked = Tensor::new(self.picked(), a.device())?;
            return Ok(a.contiguous()?.index_select(&picked, dim)?);
        }
        if !is_back {
            return self.between(&a.contiguous()?, dim);
        }
        let weights = Tensor::from_vec(self.weights(), (self.to, self.from), a.device())?;
        let weights = weights.to_dtype(a.dtype())?;
        let last = a.rank() - 1;
        let rows = a.transpose(dim, last)?.contiguous()?;
        let mut shape = rows.dims().to_vec();
        if let Some(size) = shape.last_mut() {
            *size = self.from;
        }
        Ok(matmul(&rows, &weights, &shape)?.transpose(dim, last)?)
    }
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

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        let [input] = *self.operands(inputs)?;
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
