//! `scaled_dot_product_attention` and its backward kernel.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{
    Autocast, Dispatch, Operand, Operation, ResultOrder, Saved, all_bytes, first, inputs as all_of,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::attention::{AttentionOptions, Heads};
use crate::kernels::card;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::philox::DrawShift;
use crate::meta::{AttentionWork, Cost, KernelKind, Meta};
use crate::shape::{self, Shape};
use candle_core::Tensor;

/// Attention or its backward kernel; the tensors are in brackets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Attention {
    /// `softmax(query @ key.T · scale + mask) @ value` (query, key, value, and a mask if there is one).
    Forward(AttentionOptions),
    /// The gradients of query, key and value, one after the other (gradient, query, key, value, result, mask).
    Backward(AttentionOptions),
}

impl Attention {
    /// The same when a CUDA graph is replayed: its dropout is drawn from where the generator is now.
    pub(super) fn redrawn(self, shift: DrawShift) -> Self {
        match self {
            Self::Forward(it) => Self::Forward(it.redrawn(shift)),
            Self::Backward(it) => Self::Backward(it.redrawn(shift)),
        }
    }
}

impl Operation for Attention {
    fn name(&self) -> &'static str {
        match self {
            Self::Forward(_) => "scaled_dot_product_attention",
            Self::Backward(_) => "scaled_dot_product_attention_backward",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let shape = match self {
            Self::Forward(_) => Self::accept(inputs)?,
            Self::Backward(_) => {
                let parts = inputs.iter().skip(1).take(3);
                vec![parts.map(|it| it.count() as usize).sum()]
            }
        };
        Ok(Meta::new(shape, first(inputs).dtype))
    }

    fn order(&self) -> ResultOrder {
        match self {
            Self::Forward(it) if it.dropout.is_none() => ResultOrder::OfFirst,
            // On the CPU, dropout needs the scores, and the products with them make a new tensor.
            Self::Forward(_) => ResultOrder::OfFirstOnCards,
            Self::Backward(_) => ResultOrder::RowMajor,
        }
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        Cost {
            flops: self.flops(inputs, 1),
            bytes: all_bytes(inputs, result),
        }
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        match self {
            Self::Forward(it) => {
                let [query, key, value] = *self.operands(inputs)?;
                let given = card::AttentionInputs {
                    options: *it,
                    tensors: [query, key, value],
                    mask: inputs.get(3).copied(),
                };
                if let Some(made) = card::attention(given) {
                    return Ok(made?);
                }
                let heads = Heads::of(*it, query, key, value, given.mask)?;
                Ok(heads.forward(query.dtype())?.reshape(&*result.shape)?)
            }
            Self::Backward(it) => {
                let [grad, query, key, value, made] = *self.operands(inputs)?;
                let given = card::AttentionInputs {
                    options: *it,
                    tensors: [query, key, value],
                    mask: inputs.get(5).copied(),
                };
                if let Some(made) = card::attention_backward(given, [grad, made]) {
                    return Ok(made?);
                }
                Heads::of(*it, query, key, value, given.mask)?.backward(grad)
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::Forward(_) => {
                let mut saved = all_of(0..4);
                // The backward kernel reads the result, too.
                saved.push(Operand::Result);
                saved
            }
            Self::Backward(_) => Saved::new(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let Self::Forward(options) = *self else {
            return Err(self.no_second_gradient());
        };
        let mut given = vec![at.grad];
        given.extend(at.inputs.iter().take(3));
        given.push(at.result);
        given.extend(at.inputs.iter().skip(3));
        let all = e.apply(Self::Backward(options), &given)?;
        let mut start = 0;
        let mut gradients = Vec::new();
        for input in at.inputs.iter().take(3) {
            let meta = e.meta(input);
            let len = meta.count() as usize;
            let own = e.one(Primitive::Narrow { dim: 0, start, len }, &all)?;
            gradients.push(Some(e.reshape(&own, meta.shape)?));
            start += len;
        }
        gradients.resize_with(at.inputs.len(), || None);
        Ok(Gradients::Of(gradients))
    }
}

impl Dispatch for Attention {
    fn kernel_kind(&self, inputs: &[&Meta], _result: &Meta) -> KernelKind {
        let times = match self {
            Self::Forward(_) => 1,
            Self::Backward(_) => BACKWARD_SCORES,
        };
        KernelKind::Attention(AttentionWork {
            kernel: self.options().kernel,
            flops: self.flops(inputs, BLOCK),
            scores: self.scores(inputs, BLOCK).saturating_mul(times),
        })
    }

    fn autocast(&self) -> Autocast {
        Autocast::Lower
    }
}

/// Keys and queries of a block of scores, which the kernel computes as a whole (FlashAttention-2, section 3.3).
const BLOCK: u64 = 128;

/// What a backward kernel does for each score, in the terms of the forward one: the exponential again, then differences,
/// products and roundings. Assumed, from 170 TFLOP/s of FlashAttention-2 backward on an A100 with heads of 64 (Dao, 2023).
const BACKWARD_SCORES: u64 = 3;

impl Attention {
    /// The shape of the result of query, key, value and a mask if there is one, or PyTorch's refusal of them.
    pub(crate) fn accept(inputs: &[&Meta]) -> Result<Shape, TorchError> {
        let [query, key, value, ..] = inputs else {
            return Err(TorchError::runtime("attention needs query, key and value"));
        };
        let shape = forward_shape(&query.shape, &key.shape, &value.shape, inputs.get(3))?;
        check_types(inputs)?;
        Ok(shape)
    }

    fn options(self) -> AttentionOptions {
        let (Self::Forward(it) | Self::Backward(it)) = self;
        it
    }

    /// Query, key and value.
    fn operands_of<'a>(self, inputs: &[&'a Meta]) -> Option<[&'a Meta; 3]> {
        let rest = match self {
            Self::Forward(_) => inputs,
            Self::Backward(_) => inputs.get(1..)?,
        };
        rest.first_chunk().copied()
    }

    /// Floating point operations of the products, if scores are computed in blocks of this size.
    fn flops(self, inputs: &[&Meta], block: u64) -> u64 {
        let Some([query, _, value]) = self.operands_of(inputs) else {
            return 0;
        };
        let last = |it: &Meta| it.shape.last().copied().unwrap_or(1) as u64;
        let each = last(query).saturating_add(last(value));
        let products = match self {
            Self::Forward(_) => 2,
            // Five products: the scores again, and the gradients of scores, query, key and value.
            Self::Backward(_) => 5,
        };
        let scores = self.scores(inputs, block);
        scores.saturating_mul(each).saturating_mul(products)
    }

    /// The scores of all heads: each query with each key that it sees, in blocks of this size.
    fn scores(self, inputs: &[&Meta], block: u64) -> u64 {
        let Some([query, key, _]) = self.operands_of(inputs) else {
            return 0;
        };
        let length = |it: &Meta| it.shape.iter().rev().nth(1).copied().unwrap_or(1) as u64;
        let width = query.shape.last().copied().unwrap_or(1) as u64;
        let (queries, keys) = (length(query), length(key));
        let heads = query.count() / width.saturating_mul(queries).max(1);
        // Query `i` sees the keys up to `i`: what the kernel need not compute it leaves out.
        let of_head = if self.options().causal {
            let square = queries.min(keys);
            let blocks = square.div_ceil(block);
            let triangle = (blocks * (blocks + 1) / 2 * block * block).min(square * square);
            let rest = queries.saturating_sub(keys) * keys;
            triangle + rest
        } else {
            queries.next_multiple_of(block) * keys.next_multiple_of(block)
        };
        heads.saturating_mul(of_head)
    }
}

fn forward_shape(
    query: &[usize],
    key: &[usize],
    value: &[usize],
    mask: Option<&&Meta>,
) -> Result<Shape, TorchError> {
    if query.len() < 2 || key.len() < 2 || value.len() < 2 {
        return Err(TorchError::runtime(format!(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {} key.dim: {} and value.dim: {} instead.",
            query.len(),
            key.len(),
            value.len()
        )));
    }
    let mut transposed = key.to_vec();
    let rank = transposed.len();
    transposed.swap(rank - 1, rank - 2);
    let scores = shape::matmul(query, &transposed)?;
    if let Some(mask) = mask {
        shape::broadcast(&scores, &mask.shape)?;
    }
    shape::matmul(&scores, value)
}

/// Refuses types of query, key, value and mask that do not fit together.
fn check_types(inputs: &[&Meta]) -> Result<(), TorchError> {
    let [query, key, value, mask @ ..] = inputs else {
        return Err(TorchError::runtime("attention needs query, key and value"));
    };
    if query.dtype != key.dtype || query.dtype != value.dtype {
        return Err(TorchError::runtime(format!(
            "Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} and value.dtype: {} instead.",
            query.dtype.cpp_name(),
            key.dtype.cpp_name(),
            value.dtype.cpp_name()
        )));
    }
    match mask.first() {
        Some(mask)
            if mask.dtype != DType::Bool
                && mask.dtype != DType::F32
                && mask.dtype != query.dtype =>
        {
            Err(TorchError::runtime(format!(
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {} and  query.dtype: {} instead.",
                mask.dtype.cpp_name(),
                query.dtype.cpp_name()
            )))
        }
        Some(_) | None => Ok(()),
    }
}
