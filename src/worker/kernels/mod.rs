//! The candle call of each operation.
//!
//! Inputs are tensors of candle in their stored types, on the host or on a real card; the result has the type that the table says.
//! candle neither broadcasts nor promotes by itself, so that is settled here, before it is called; what
//! it cannot do is in [`lanes`] and [`whole`].

mod card;
mod host;
mod index;
mod lanes;
mod nn;
mod order;
mod picks;
mod pointwise;
mod reduce;
mod ternary;
mod whole;

use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::ops::{Op, View};
use candle_core::{D, Tensor};

pub(in crate::worker) use host::{cast, fits_on_card, settled, was_read};

type Done = Result<Tensor, TorchError>;

/// Computes an operation whose result is `result`.
pub(crate) fn run(op: &Op, inputs: &[&Tensor], result: &Meta) -> Done {
    match host::together(inputs, result)? {
        None => in_one_place(op, inputs, result),
        Some(moved) => {
            let moved: Vec<&Tensor> = moved.iter().collect();
            in_one_place(op, &moved, result)
        }
    }
}

fn in_one_place(op: &Op, inputs: &[&Tensor], result: &Meta) -> Done {
    let [first, ..] = inputs else {
        return Err(TorchError::runtime(format!("{} needs a tensor", op.name())));
    };
    let stored = result.dtype.stored();
    let out = match (op, inputs) {
        (Op::Unary(how), _) => pointwise::unary(*how, first, result)?,
        (Op::Binary(how), [a, b]) => pointwise::binary(*how, a, b, result.dtype)?,
        (Op::AddAlpha(times), [a, b]) => pointwise::scaled(a, b, *times, result.dtype)?,
        (Op::LerpScalar(far), [a, b]) => pointwise::towards(a, b, *far)?,
        (
            Op::WithNumber {
                how, number, side, ..
            },
            _,
        ) => pointwise::with_number(*how, first, *number, *side, result.dtype)?,
        (Op::Compare(how), [a, b]) => pointwise::compare(*how, a, b)?,
        (Op::CompareNumber(how, number), _) => pointwise::compare_number(*how, first, *number)?,
        (Op::MatMul, [a, b]) => matmul(a, b, &result.shape)?,
        (Op::Reduce(how, dims, _), _) => reduce::reduce(*how, first, dims, result)?,
        (Op::Arg(which, dim, _), _) => reduce::arg(*which, first, *dim)?.reshape(&*result.shape)?,
        (Op::Softmax(dim), _) => softmax(first, *dim, candle_nn::ops::softmax)?,
        (Op::LogSoftmax(dim), _) => softmax(first, *dim, candle_nn::ops::log_softmax)?,
        (Op::View(view), _) => seen_as(view, first)?,
        (Op::Cat(dim), _) => {
            let parts: Result<Vec<Tensor>, _> = inputs.iter().map(|it| cast(it, stored)).collect();
            Tensor::cat(&parts?, *dim)?
        }
        (Op::IndexSelect(dim), [a, index]) => picks::index_select(a, index, *dim, result)?,
        (Op::Gather(dim), [a, index]) => picks::gather(a, index, *dim, result)?,
        (Op::Taken(_, dim, _), [a, index]) => picks::taken(a, index, *dim, result)?,
        (Op::Index(dims), [a, indices @ ..]) => index::pick(a, dims, indices)?,
        (Op::IndexPut(dims, how), [a, values, at @ ..]) => index::put(a, values, (dims, at), *how)?,
        (Op::Nn(op), inputs) => nn::run(op, inputs, result)?,
        (Op::ScatterAdd(dim, shape), [source, index]) => {
            picks::scatter_add(source, index, *dim, shape)?
        }
        (Op::IndexAdd(dim, shape), [source, index]) => {
            picks::index_add(source, index, *dim, shape)?
        }
        (Op::Where, [condition, a, b]) => condition.broadcast_as(&*result.shape)?.where_cond(
            &cast(a, stored)?.broadcast_as(&*result.shape)?,
            &cast(b, stored)?.broadcast_as(&*result.shape)?,
        )?,
        (Op::Cast(DType::Bool), _) => truths(first)?,
        (Op::Cast(_), _) => cast(first, stored)?,
        (Op::Clone, _) => first.force_contiguous()?,
        (Op::Tril(diagonal), _) => triangle(first, |row, column| column <= row + diagonal)?,
        (Op::Triu(diagonal), _) => triangle(first, |row, column| column >= row + diagonal)?,
        (Op::Order(how, dim), _) => order::positions(*how, first, *dim, result)?,
        (Op::Scan(how, dim), _) => order::scan(*how, first, *dim, result)?,
        (Op::Flip(dims), _) => order::flip(first, dims)?,
        (Op::Scatter(how, dim), [target, index, source]) => {
            picks::scatter(*how, [target, index, source], *dim, result)?
        }
        (Op::Ternary(how), [a, b, c]) => ternary::ternary(*how, [a, b, c], result)?,
        (
            Op::Binary(_)
            | Op::AddAlpha(_)
            | Op::LerpScalar(_)
            | Op::Compare(_)
            | Op::MatMul
            | Op::IndexSelect(_)
            | Op::Gather(_)
            | Op::Index(_)
            | Op::IndexPut(..)
            | Op::Taken(..)
            | Op::ScatterAdd(..)
            | Op::IndexAdd(..)
            | Op::Where
            | Op::Scatter(..)
            | Op::Ternary(_),
            _,
        ) => {
            return Err(TorchError::runtime(format!(
                "{} needs more tensors",
                op.name()
            )));
        }
    };
    Ok(out)
}

/// 1 where an element is not 0, which is how a bool tensor is stored.
fn truths(a: &Tensor) -> Done {
    Ok(a.ne(&a.zeros_like()?)?)
}

/// A tensor whose dimension can be named: a scalar becomes one element.
fn with_dims(a: &Tensor) -> Done {
    Ok(if a.rank() == 0 {
        a.reshape(1)?
    } else {
        a.clone()
    })
}

/// The type that sums are made in: halves would stop growing at 2048.
fn summed_in(a: &Tensor) -> candle_core::DType {
    let half = [candle_core::DType::F16, candle_core::DType::BF16].contains(&a.dtype());
    if half {
        candle_core::DType::F32
    } else {
        a.dtype()
    }
}

fn softmax(a: &Tensor, dim: usize, how: fn(&Tensor, usize) -> candle_core::Result<Tensor>) -> Done {
    if a.elem_count() == 0 {
        return Ok(a.force_contiguous()?);
    }
    let wide = with_dims(a)?.to_dtype(summed_in(a))?;
    Ok(how(&wide, dim)?.to_dtype(a.dtype())?.reshape(a.shape())?)
}

fn matmul(a: &Tensor, b: &Tensor, shape: &[usize]) -> Done {
    if a.elem_count() == 0 || b.elem_count() == 0 {
        // Sums of nothing.
        return Ok(Tensor::zeros(shape, a.dtype(), a.device())?);
    }
    let whole = !a.dtype().is_float();
    let wide = if whole {
        candle_core::DType::F64
    } else {
        a.dtype()
    };
    let (a_wide, b_wide) = (a.to_dtype(wide)?, b.to_dtype(wide)?);
    let a_rows = if a.rank() == 1 {
        a_wide.unsqueeze(0)?
    } else {
        a_wide
    };
    let b_columns = if b.rank() == 1 {
        b_wide.unsqueeze(1)?
    } else {
        b_wide
    };
    let out = if b_columns.rank() == 2 {
        // One large product instead of one for each batch: candle would expand the second matrix.
        let inner = a_rows.dim(D::Minus1)?;
        let rows = a_rows.elem_count() / inner.max(1);
        let flat = if a_rows.rank() == 2 {
            a_rows
        } else {
            a_rows.reshape((rows, inner))?
        };
        dense(&flat)?.matmul(&dense(&b_columns)?)?
    } else {
        a_rows.contiguous()?.broadcast_matmul(&dense(&b_columns)?)?
    };
    Ok(out.reshape(shape)?.to_dtype(a.dtype())?)
}

/// The matrices in a memory that candle multiplies from: rows or columns one after the other, and nothing
/// between two matrices. Views of batches seldom are.
fn dense(a: &Tensor) -> Done {
    if a.is_contiguous() || a.t()?.is_contiguous() {
        return Ok(a.clone());
    }
    Ok(a.contiguous()?)
}

/// The same elements seen otherwise.
pub(in crate::worker) fn seen_as(view: &View, a: &Tensor) -> Done {
    Ok(match view {
        View::Reshape(shape) => a.reshape(&**shape)?,
        View::Permute(order) => a.permute(order.clone())?,
        // candle looks for the first element even if there is none.
        View::Narrow { dim, len, .. } if a.elem_count() == 0 || *len == 0 => {
            a.narrow(*dim, 0, *len)?
        }
        View::Narrow { dim, start, len } => a.narrow(*dim, *start, *len)?,
        View::Select { dim, at } => {
            let at = if a.elem_count() == 0 { 0 } else { *at };
            a.narrow(*dim, at, 1)?.squeeze(*dim)?
        }
        View::Every { dim, step } => {
            let size = a.dim(*dim)?;
            let positions: Vec<i64> = (0..size as i64).step_by((*step).max(1)).collect();
            let count = positions.len();
            let positions = Tensor::from_vec(positions, count, a.device())?;
            a.contiguous()?.index_select(&positions, *dim)?
        }
        View::Expand(shape) => a.broadcast_as(&**shape)?,
    })
}

fn triangle(a: &Tensor, stays: impl Fn(i64, i64) -> bool) -> Done {
    let (rows, columns) = (a.dim(D::Minus2)?, a.dim(D::Minus1)?);
    let stays = &stays;
    let mask: Vec<u8> = (0..rows as i64)
        .flat_map(|row| (0..columns as i64).map(move |column| u8::from(stays(row, column))))
        .collect();
    let mask = Tensor::from_vec(mask, (rows, columns), a.device())?.broadcast_as(a.shape())?;
    Ok(mask.where_cond(&a.contiguous()?, &a.zeros_like()?)?)
}
