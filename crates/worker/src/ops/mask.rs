//! Elements chosen by a mask: of two tensors, or on one side of a diagonal.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{
    Devices, Dispatch, Operand, Operation, ResultOrder, Saved, broadcast_all, cost_per_element,
    first,
};
use crate::dtype::{DType, PromotionCategory, result_type};
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::fast;
use crate::kernels::host::{Host, KernelResult};
use crate::meta::{Cost, Meta};
use crate::shape::Shape;
use candle_core::{D, Tensor};

/// A choice by a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    /// `where`: elements of the second tensor where the first is true, else of the third.
    Where,
    /// `masked_fill`: the same of a mask, a scalar and a tensor.
    Fill,
    /// `tril`: what is on and below a diagonal of the last two dimensions, else 0.
    Tril(i64),
    /// `triu`: what is on and above a diagonal of the last two dimensions, else 0.
    Triu(i64),
}

impl Operation for Mask {
    fn name(&self) -> &'static str {
        match self {
            Self::Where => "where",
            Self::Fill => "masked_fill",
            Self::Tril(_) => "tril",
            Self::Triu(_) => "triu",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        match self {
            Self::Where | Self::Fill => Ok(Meta::new(broadcast_all(inputs)?, where_type(inputs)?)),
            Self::Tril(_) | Self::Triu(_) => {
                let input = first(inputs);
                if input.shape.len() < 2 {
                    return Err(TorchError::runtime(format!(
                        "{}: input tensor must have at least 2 dimensions",
                        self.name()
                    )));
                }
                Ok(input)
            }
        }
    }

    fn order(&self) -> ResultOrder {
        match self {
            Self::Where => ResultOrder::OfInputs,
            Self::Fill | Self::Tril(_) | Self::Triu(_) => ResultOrder::RowMajor,
        }
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        match *self {
            Self::Where | Self::Fill => {
                let [condition, a, b] = self.operands(inputs)?;
                let shape = &*result.shape;
                let typed = |it| host.cast(it, result.dtype.stored());
                let (a, b) = (typed(a)?, typed(b)?);
                if let Some(made) = card::chosen(condition, [&a, &b], shape) {
                    return Ok(made?);
                }
                let condition = condition.broadcast_as(shape)?;
                Ok(condition.where_cond(&a.broadcast_as(shape)?, &b.broadcast_as(shape)?)?)
            }
            Self::Tril(diagonal) => {
                let [a] = self.operands(inputs)?;
                match card::triangle(a, diagonal, false) {
                    Some(made) => Ok(made?),
                    None => triangle(a, |row, column| column <= row + diagonal),
                }
            }
            Self::Triu(diagonal) => {
                let [a] = self.operands(inputs)?;
                match card::triangle(a, diagonal, true) {
                    Some(made) => Ok(made?),
                    None => triangle(a, |row, column| column >= row + diagonal),
                }
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::Where | Self::Fill => Operand::Input(0).into(),
            Self::Tril(_) | Self::Triu(_) => Saved::new(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        match self {
            Self::Where => {
                let [condition, a, b] = self.operands(at.inputs)?;
                // A scalar on the device of the gradient, as in PyTorch.
                let meta = Meta::new(Shape::new(), e.meta(at.grad).dtype);
                let zero = e.full(meta, at.grad, 0.0)?;
                let chosen = |choices: [&A::Tensor; 2], like: &A::Tensor| {
                    let [yes, no] = choices;
                    e.wanted(like, || {
                        e.sum_to(&e.apply(Self::Where, &[condition, yes, no])?, like)
                    })
                };
                let of_a = chosen([at.grad, &zero], a)?;
                let of_b = chosen([&zero, at.grad], b)?;
                Ok(Gradients::Of(vec![None, of_a, of_b]))
            }
            Self::Fill => {
                let [mask, value, a] = self.operands(at.inputs)?;
                let zero = e.cpu_scalar(e.meta(at.grad).dtype, 0.0)?;
                let of_value = e.wanted(value, || {
                    let kept = e.apply(Self::Where, &[mask, at.grad, &zero])?;
                    e.sum_to(&kept, value)
                })?;
                let of_a = e.wanted(a, || {
                    e.sum_to(&e.apply(Self::Fill, &[mask, &zero, at.grad])?, a)
                })?;
                Ok(Gradients::Of(vec![None, of_value, of_a]))
            }
            Self::Tril(_) | Self::Triu(_) => Ok(Gradients::first(e.apply(*self, &[at.grad])?)),
        }
    }

    fn copies_first(&self) -> bool {
        *self == Self::Fill
    }
}

impl Dispatch for Mask {
    fn devices(&self) -> Devices {
        match self {
            Self::Where | Self::Fill => Devices::CpuScalarsToo,
            Self::Tril(_) | Self::Triu(_) => Devices::Same(None),
        }
    }
}

fn where_type(inputs: &[&Meta]) -> Result<DType, TorchError> {
    let [condition, choices @ ..] = inputs else {
        return Err(TorchError::runtime("where needs tensors"));
    };
    if !matches!(condition.dtype, DType::Bool | DType::U8) {
        return Err(TorchError::runtime(format!(
            "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
            condition.dtype.scalar_name()
        )));
    }
    let typed = choices.iter().map(|it| (it.dtype, it.promotion_category()));
    let wide = typed.reduce(|a, b| {
        let standing = if a.1 == PromotionCategory::Tensor {
            a.1
        } else {
            b.1
        };
        (result_type(a, b), standing)
    });
    Ok(wide.map_or(condition.dtype, |it| it.0))
}

fn triangle(a: &Tensor, keeps: impl Fn(i64, i64) -> bool + Sync) -> KernelResult {
    let (rows, columns) = (a.dim(D::Minus2)?, a.dim(D::Minus1)?);
    let mask = |row: i64| (0..columns as i64).map(move |column| (row, column));
    let a = fast::contiguous(a)?;
    let kept = fast::of_type([&a], |[it]: [&[f32]; 1]| {
        let mut out = it.to_vec();
        let rows = out
            .chunks_exact_mut(columns.max(1))
            .zip((0..rows as i64).cycle());
        for (out, row) in rows {
            for (out, (row, column)) in out.iter_mut().zip(mask(row)) {
                if !keeps(row, column) {
                    *out = 0.0;
                }
            }
        }
        out
    });
    if let Some(kept) = kept {
        return Ok(Tensor::from_vec(kept, a.shape(), a.device())?);
    }
    let keeps = &keeps;
    let mask: Vec<u8> = (0..rows as i64)
        .flat_map(|row| mask(row).map(move |(row, column)| u8::from(keeps(row, column))))
        .collect();
    let mask = Tensor::from_vec(mask, (rows, columns), a.device())?.broadcast_as(a.shape())?;
    Ok(mask.where_cond(&a, &a.zeros_like()?)?)
}
