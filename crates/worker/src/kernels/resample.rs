//! Weights of elements in planes of other sizes, and products with them.
//!
//! Interpolation is linear and done dimension by dimension, each as a product with the weights of its elements; so backward is
//! the product with the transposed weights. `card::resample` has the kernels for values on a card.

use super::host::KernelResult;
use super::matmul::matmul;
use candle_core::Tensor;

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

    pub(crate) fn is_nearest(self) -> bool {
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

    /// The elements in the other size, or gradients in the one before.
    pub(crate) fn apply(self, a: &Tensor, dim: usize, is_back: bool) -> KernelResult {
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
