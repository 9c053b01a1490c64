//! Attention without holding all scores: a few heads after each other, as fused kernels do with tiles.

use super::{Done, wide};
use crate::worker::error::TorchError;
use crate::worker::ops::nn::{Attention, Dropped};
use candle_core::{D, Tensor};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Scores that are held at a time, at most, if a single head has no more.
const MAX_SCORES: usize = 1 << 22;

/// Query, key and value with one dimension for all batches and heads.
pub(super) struct Heads {
    how: Attention,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    /// Added to the scores: 0 and minus infinity, or what the program wants; for one head or for each.
    bias: Option<Tensor>,
}

/// Three dimensions: all of the first together, and the last two.
fn flat(it: &Tensor) -> Done {
    let (rows, columns) = (it.dim(D::Minus2)?, it.dim(D::Minus1)?);
    let heads = it.elem_count() / (rows * columns).max(1);
    Ok(it
        .reshape((heads, rows, columns))?
        .to_dtype(wide(it.dtype()))?
        .contiguous()?)
}

impl Heads {
    pub(super) fn of(
        how: Attention,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Option<&Tensor>,
    ) -> Result<Self, TorchError> {
        let (rows, columns) = (query.dim(D::Minus2)?, key.dim(D::Minus2)?);
        let batch = query.rank().saturating_sub(2);
        let scores: Vec<usize> = query
            .dims()
            .iter()
            .take(batch)
            .chain([&rows, &columns])
            .copied()
            .collect();
        let query = flat(query)?;
        let bias = match mask {
            Some(mask) => {
                let added = if mask.dtype() == candle_core::DType::U8 {
                    let open = mask.zeros_like()?.to_dtype(query.dtype())?;
                    let shut = (&open + f64::NEG_INFINITY)?;
                    mask.where_cond(&open, &shut)?
                } else {
                    mask.to_dtype(query.dtype())?
                };
                Some(if added.rank() <= 2 {
                    added
                        .broadcast_as((rows, columns))?
                        .contiguous()?
                        .unsqueeze(0)?
                } else {
                    flat(&added.broadcast_as(scores)?)?
                })
            }
            None if how.causal => {
                let open = (0..rows).flat_map(|row| {
                    (0..columns).map(move |column| {
                        if column <= row {
                            0.0
                        } else {
                            f32::NEG_INFINITY
                        }
                    })
                });
                let open = Tensor::from_vec(open.collect(), (1, rows, columns), query.device())?;
                Some(open.to_dtype(query.dtype())?)
            }
            None => None,
        };
        Ok(Self {
            how,
            query,
            key: flat(key)?,
            value: flat(value)?,
            bias,
        })
    }

    /// Where each group of heads starts, and how many it has.
    fn groups(&self) -> Result<Vec<(usize, usize)>, TorchError> {
        let heads = self.query.dim(0)?;
        let scores = self.query.dim(1)? * self.key.dim(1)?;
        let size = (MAX_SCORES / scores.max(1)).max(1);
        Ok((0..heads)
            .step_by(size)
            .map(|start| (start, size.min(heads - start)))
            .collect())
    }

    /// The weights of the values, and which of them chance leaves in, for one group.
    fn weights(&self, start: usize, len: usize) -> Result<(Tensor, Option<Tensor>), TorchError> {
        let query = self.query.narrow(0, start, len)?;
        let key = self.key.narrow(0, start, len)?;
        let mut scores = query.matmul(&key.t()?)?.affine(self.how.scale, 0.0)?;
        if let Some(bias) = &self.bias {
            let own = if bias.dim(0)? == 1 {
                bias.clone()
            } else {
                bias.narrow(0, start, len)?
            };
            scores = scores.broadcast_add(&own)?;
        }
        let mut weights = candle_nn::ops::softmax_last_dim(&scores)?;
        if self.bias.is_some() {
            // A query that sees no key takes nothing from any; softmax would make it no number.
            let seen = weights.eq(&weights)?;
            weights = seen.where_cond(&weights, &weights.zeros_like()?)?;
        }
        let kept = match self.how.dropout {
            Some(Dropped { p, seed }) => {
                let mut random = StdRng::seed_from_u64(seed.wrapping_add(start as u64));
                let factor = if p < 1.0 { 1.0 / (1.0 - p) } else { 0.0 };
                let draws = (0..weights.elem_count())
                    .map(|_| {
                        if random.random::<f64>() < p {
                            0.0
                        } else {
                            factor
                        }
                    })
                    .collect();
                let kept = Tensor::from_vec(draws, weights.shape(), weights.device())?;
                Some(kept.to_dtype(weights.dtype())?)
            }
            None => None,
        };
        Ok((weights, kept))
    }

    /// The result, with one dimension for all batches and heads.
    pub(super) fn forward(&self, stored: candle_core::DType) -> Done {
        let mut parts = Vec::new();
        for (start, len) in self.groups()? {
            let (mut weights, kept) = self.weights(start, len)?;
            if let Some(kept) = kept {
                weights = weights.mul(&kept)?;
            }
            parts.push(weights.matmul(&self.value.narrow(0, start, len)?)?);
        }
        Ok(Tensor::cat(&parts, 0)?.to_dtype(stored)?)
    }

    /// The gradients of query, key and value, one after the other.
    pub(super) fn back(&self, grad: &Tensor) -> Done {
        let stored = grad.dtype();
        let grad = flat(grad)?;
        let (mut of_query, mut of_key, mut of_value) = (Vec::new(), Vec::new(), Vec::new());
        for (start, len) in self.groups()? {
            let (weights, kept) = self.weights(start, len)?;
            let grad = grad.narrow(0, start, len)?;
            let value = self.value.narrow(0, start, len)?;
            let mut of_weights = grad.matmul(&value.t()?)?;
            let used = match &kept {
                Some(kept) => {
                    of_weights = of_weights.mul(kept)?;
                    weights.mul(kept)?
                }
                None => weights.clone(),
            };
            of_value.push(used.t()?.matmul(&grad)?);
            let product = of_weights.mul(&weights)?;
            let share = weights.broadcast_mul(&product.sum_keepdim(D::Minus1)?)?;
            let of_scores = product.sub(&share)?.affine(self.how.scale, 0.0)?;
            of_query.push(of_scores.matmul(&self.key.narrow(0, start, len)?)?);
            of_key.push(of_scores.t()?.matmul(&self.query.narrow(0, start, len)?)?);
        }
        let parts: Result<Vec<Tensor>, candle_core::Error> = [of_query, of_key, of_value]
            .into_iter()
            .map(|parts| Tensor::cat(&parts, 0)?.flatten_all())
            .collect();
        Ok(Tensor::cat(&parts?, 0)?.to_dtype(stored)?)
    }
}
