//! Attention a few heads at a time, so that not all scores are held at once, as fused kernels do with tiles.

use super::card;
use super::elementwise::at_least_float32;
use super::fast;
use super::host::{KernelResult, is_on_card};
use super::philox::DrawShift;
use crate::error::TorchError;
use crate::meta::AttentionKernel;
use candle_core::{D, DType, Tensor};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The most scores that are held at a time, unless a single head has more.
const MAX_SCORES: usize = 1 << 22;

/// The scores of a group where threads share the groups: they stay in a thread's cache.
const SHARED_SCORES: usize = 1 << 14;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AttentionOptions {
    /// Whether a position attends only to itself and to those before it.
    pub(crate) causal: bool,
    pub(crate) scale: f64,
    /// PyTorch's kernel, which a model takes the time of.
    pub(crate) kernel: AttentionKernel,
    pub(crate) dropout: Option<AttentionDropout>,
}

impl AttentionOptions {
    /// The same with another mask, when the generator has moved on.
    pub(crate) fn redrawn(self, moved: DrawShift) -> Self {
        let dropout = self.dropout.map(|it| AttentionDropout {
            seed: it.seed.wrapping_add(moved.numbers().wrapping_mul(GOLDEN)),
            ..it
        });
        Self { dropout, ..self }
    }
}

/// An odd number without a pattern in its bits: seeds of neighbouring offsets are far apart (Knuth's multiplicative hash).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Dropout of attention weights. Backward draws the same mask again from the seed, so no mask is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AttentionDropout {
    /// The probability that a weight is dropped.
    pub(crate) p: f64,
    pub(crate) seed: u64,
}

/// Query, key and value with one dimension for all batches and heads.
pub(crate) struct Heads {
    options: AttentionOptions,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    /// What is added to the scores, such as 0 and minus infinity; for one head or for each.
    bias: Option<Tensor>,
}

/// Three dimensions: all leading ones joined, and the last two.
fn flat(it: &Tensor) -> KernelResult {
    let (rows, columns) = (it.dim(D::Minus2)?, it.dim(D::Minus1)?);
    let heads = it.elem_count() / (rows * columns).max(1);
    let wide = it.to_dtype(at_least_float32(it.dtype()))?;
    Ok(fast::reshape(&wide, &[heads, rows, columns])?)
}

impl Heads {
    pub(crate) fn of(
        options: AttentionOptions,
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
        let seen = if options.causal && mask.is_none() {
            let all = Tensor::ones((rows, columns), DType::U8, query.device())?;
            card::triangle(&all, 0, false).transpose()?
        } else {
            None
        };
        let bias = match mask.or(seen.as_ref()) {
            Some(mask) => {
                let added = if mask.dtype() == DType::U8 {
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
            None if options.causal => {
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
            options,
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
        let most = if self.has_threads() {
            SHARED_SCORES
        } else {
            MAX_SCORES
        };
        let size = (most / scores.max(1)).max(1);
        Ok((0..heads)
            .step_by(size)
            .map(|start| (start, size.min(heads - start)))
            .collect())
    }

    /// Whether threads share the groups: on the host, unless the groups decide what dropout draws.
    fn has_threads(&self) -> bool {
        self.options.dropout.is_none() && !is_on_card(&self.query)
    }

    /// What a function makes of each group, in order.
    fn of_groups<T: Send>(
        &self,
        of: impl Fn((usize, usize)) -> Result<T, TorchError> + Sync,
    ) -> Result<Vec<T>, TorchError> {
        let groups = self.groups()?;
        if self.has_threads() {
            if groups.len() > 1 {
                fast::stay_awake();
            }
            groups.into_par_iter().map(&of).collect()
        } else {
            groups.into_iter().map(of).collect()
        }
    }

    /// The weights of the values, and the factors of dropout, for one group of heads.
    fn weights(&self, start: usize, len: usize) -> Result<(Tensor, Option<Tensor>), TorchError> {
        let query = self.query.narrow(0, start, len)?;
        let key = self.key.narrow(0, start, len)?;
        let mut scores = fast::affine(&query.matmul(&key.t()?)?, self.options.scale, 0.0)?;
        if let Some(bias) = &self.bias {
            let own = if bias.dim(0)? == 1 {
                bias.clone()
            } else {
                bias.narrow(0, start, len)?
            };
            scores = fast::add(&scores, &own)?;
        }
        let mut weights = fast::softmax(&scores, 2)?;
        if self.bias.is_some() {
            // A query that attends to no key gets 0 from all; softmax would give NaN.
            let seen = weights.eq(&weights)?;
            weights = seen.where_cond(&weights, &weights.zeros_like()?)?;
        }
        let kept = match self.options.dropout {
            Some(AttentionDropout { p, seed }) => {
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
    pub(crate) fn forward(&self, stored: DType) -> KernelResult {
        let parts = self.of_groups(|(start, len)| {
            let (mut weights, kept) = self.weights(start, len)?;
            if let Some(kept) = kept {
                weights = weights.mul(&kept)?;
            }
            Ok(weights.matmul(&self.value.narrow(0, start, len)?)?)
        })?;
        Ok(Tensor::cat(&parts, 0)?.to_dtype(stored)?)
    }

    /// The gradients of query, key and value, one after the other.
    pub(crate) fn backward(&self, grad: &Tensor) -> KernelResult {
        let stored = grad.dtype();
        let grad = flat(grad)?;
        let parts = self.of_groups(|(start, len)| {
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
            let of_value = used.t()?.matmul(&grad)?;
            let of_scores = fast::softmax_backward(&of_weights, &weights, 2)?;
            let of_scores = fast::affine(&of_scores, self.options.scale, 0.0)?;
            let of_query = of_scores.matmul(&self.key.narrow(0, start, len)?)?;
            let of_key = of_scores.t()?.matmul(&self.query.narrow(0, start, len)?)?;
            let flat = [of_query, of_key, of_value].map(|it| it.flatten_all());
            Ok(flat.into_iter().collect::<Result<Vec<Tensor>, _>>()?)
        })?;
        let of_each = |which: usize| parts.iter().filter_map(move |it| it.get(which));
        let all: Vec<&Tensor> = (0..3).flat_map(of_each).collect();
        Ok(Tensor::cat(&all, 0)?.to_dtype(stored)?)
    }
}
