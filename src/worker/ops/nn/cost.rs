//! What layers and losses cost: operations, and bytes between a card's memory and its cores.

use super::{Attention, Nn};
use crate::worker::meta::{Cost, Meta};

impl Nn {
    /// What it costs to compute.
    pub(in crate::worker::ops) fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let read = inputs
            .iter()
            .map(|it| it.bytes())
            .fold(0, u64::saturating_add);
        let all = read.saturating_add(result.bytes());
        let elements = inputs
            .iter()
            .map(|it| it.count())
            .fold(result.count(), u64::max);
        let of = |at: usize| inputs.get(at).copied();
        let (flops, bytes) = match self {
            Self::Linear | Self::LinearBias => {
                let inner = of(0).and_then(|it| it.shape.last()).copied().unwrap_or(1);
                let products = result.count().saturating_mul(2 * inner as u64);
                let added = of(2).map_or(0, |_bias| result.count());
                (products.saturating_add(added), all)
            }
            Self::Activate(_) | Self::Dropout(_) | Self::FoundInf => (elements, all),
            Self::ActivationBackward(_) | Self::Loss(..) | Self::LossBackward(..) => {
                (elements.saturating_mul(2), all)
            }
            Self::SoftmaxBackward(_) | Self::LogSoftmaxBackward(_) => {
                (elements.saturating_mul(4), all)
            }
            // Mean, difference, square, its mean, scaling, weight and bias.
            Self::Norm(_) => (elements.saturating_mul(7), all),
            Self::NormBackward(_) | Self::NormAffineBackward(_) => {
                (elements.saturating_mul(10), all)
            }
            Self::Nll(_) => {
                // One score of each row is read.
                let picked = of(1).map_or(0, Meta::count);
                let scores = picked.saturating_mul(of(0).map_or(0, |it| it.dtype.size()));
                let rest = of(1).map_or(0, Meta::bytes) + of(2).map_or(0, Meta::bytes);
                (
                    picked.saturating_mul(2),
                    scores.saturating_add(rest).saturating_add(result.bytes()),
                )
            }
            Self::NllBackward(..) => (of(1).map_or(0, Meta::count), all),
            Self::Embedding(_) => {
                let indices = of(1).map_or(0, Meta::bytes);
                (0, result.bytes().saturating_mul(2).saturating_add(indices))
            }
            Self::EmbeddingBackward { .. } => (of(0).map_or(0, Meta::count), all),
            Self::Attention(it) => (products(*it, of(0), of(1), of(2)).saturating_mul(2), all),
            // Five products: the scores again, and the gradients of scores, query, key and value.
            Self::AttentionBackward(it) => {
                (products(*it, of(1), of(2), of(3)).saturating_mul(5), all)
            }
        };
        Cost { flops, bytes }
    }
}

/// Multiplications of the two products of attention: each query with each key that it sees.
fn products(how: Attention, query: Option<&Meta>, key: Option<&Meta>, value: Option<&Meta>) -> u64 {
    let (Some(query), Some(key), Some(value)) = (query, key, value) else {
        return 0;
    };
    let last = |it: &Meta| it.shape.last().copied().unwrap_or(1) as u64;
    let length = |it: &Meta| it.shape.iter().rev().nth(1).copied().unwrap_or(1) as u64;
    let rows = query.count() / last(query).max(1);
    let (queries, keys) = (length(query), length(key));
    // Query `i` sees the keys up to `i`: what the kernel need not compute it leaves out.
    let seen = if how.causal {
        let square = queries.min(keys);
        let triangle = square * (square + 1) / 2;
        let rest = queries.saturating_sub(keys) * keys;
        (rows / queries.max(1)).saturating_mul(triangle + rest)
    } else {
        rows.saturating_mul(keys)
    };
    seen.saturating_mul(last(query).saturating_add(last(value)))
}
