//! The candle call of each operation.
//!
//! Inputs are CPU tensors of candle in their stored types; the result has the type that the table says.
//! candle neither broadcasts nor promotes by itself, so that is settled here, before it is called; what
//! it cannot do with whole numbers is in [`whole`].

mod index;
mod nn;
mod ternary;
mod whole;

use super::dtype::DType;
use super::fault::Fault;
use super::op::{Binary, Compare, Extreme, Meta, Op, Reduction, Side, Unary, View};
use super::shape::Keep;
use candle_core::{D, Tensor};

type Done = Result<Tensor, Fault>;

/// Computes an operation whose result is `result`.
pub fn run(op: &Op, inputs: &[&Tensor], result: &Meta) -> Done {
    let [first, ..] = inputs else {
        return Err(Fault::runtime(format!("{} needs a tensor", op.name())));
    };
    let stored = result.dtype.stored();
    let out = match (op, inputs) {
        (Op::Unary(how), _) => unary(*how, first, result)?,
        (Op::Binary(how), [a, b]) => binary(
            *how,
            &a.to_dtype(stored)?,
            &b.to_dtype(stored)?,
            result.dtype,
        )?,
        (Op::AddScaled(times), [a, b]) => scaled(a, b, *times, result.dtype)?,
        (Op::Ternary(how), [a, b, c]) => ternary::ternary(*how, [a, b, c], result)?,
        (Op::Towards(far), [a, b]) => towards(a, b, *far)?,
        (
            Op::WithNumber {
                how, number, side, ..
            },
            _,
        ) => with_number(*how, &first.to_dtype(stored)?, *number, *side, result.dtype)?,
        (Op::Compare(how), [a, b]) => compare(*how, a, b)?,
        (Op::CompareNumber(how, number), _) => {
            let wide = first.to_dtype(candle_core::DType::F64)?;
            compare(*how, &wide, &Tensor::new(*number, first.device())?)?
        }
        (Op::MatMul, [a, b]) => matmul(a, b, &result.shape)?,
        (Op::Reduce(how, dims, keep), _) => reduce(*how, &first.to_dtype(stored)?, dims, *keep)?,
        (Op::Arg(which, dim, _), _) => arg(*which, first, *dim)?.reshape(&*result.shape)?,
        (Op::Softmax(dim), _) => candle_nn::ops::softmax(first, *dim)?,
        (Op::LogSoftmax(dim), _) => candle_nn::ops::log_softmax(first, *dim)?,
        (Op::View(view), _) => seen_as(view, first)?,
        (Op::Cat(dim), _) => {
            let parts: Result<Vec<Tensor>, _> =
                inputs.iter().map(|it| it.to_dtype(stored)).collect();
            Tensor::cat(&parts?, *dim)?
        }
        (Op::IndexSelect(dim), [a, index]) => index_select(a, index, *dim)?,
        (Op::Gather(dim), [a, index]) => gather(a, index, *dim)?,
        (Op::Index(dims), [a, indices @ ..]) => index::pick(a, dims, indices)?,
        (Op::IndexPut(dims, how), [a, values, at @ ..]) => index::put(a, values, (dims, at), *how)?,
        (Op::ScatterAdd(dim, shape), [source, index]) => {
            let zeros = Tensor::zeros(&**shape, stored, source.device())?;
            zeros.scatter_add(&index.contiguous()?, &source.contiguous()?, *dim)?
        }
        (Op::IndexAdd(dim, shape), [source, index]) => {
            let zeros = Tensor::zeros(&**shape, stored, source.device())?;
            zeros.index_add(&index.flatten_all()?, &source.contiguous()?, *dim)?
        }
        (Op::Where, [condition, a, b]) => condition.broadcast_as(&*result.shape)?.where_cond(
            &a.to_dtype(stored)?.broadcast_as(&*result.shape)?,
            &b.to_dtype(stored)?.broadcast_as(&*result.shape)?,
        )?,
        (Op::Cast(DType::Bool), _) => first.ne(&first.zeros_like()?)?,
        (Op::Cast(_), _) => first.to_dtype(stored)?,
        (Op::Clone, _) => first.force_contiguous()?,
        (Op::Tril(diagonal), _) => tril(first, *diagonal)?,
        (Op::Nn(op), inputs) => nn::run(op, inputs, result)?,
        (
            Op::Binary(_)
            | Op::AddScaled(_)
            | Op::Towards(_)
            | Op::Ternary(_)
            | Op::Compare(_)
            | Op::MatMul
            | Op::IndexSelect(_)
            | Op::Gather(_)
            | Op::Index(_)
            | Op::IndexPut(..)
            | Op::ScatterAdd(..)
            | Op::IndexAdd(..)
            | Op::Where,
            _,
        ) => {
            return Err(Fault::runtime(format!("{} needs more tensors", op.name())));
        }
    };
    Ok(out)
}

fn unary(how: Unary, a: &Tensor, result: &Meta) -> Done {
    if how == Unary::LogicalNot {
        return Ok(a.eq(&a.zeros_like()?)?);
    }
    let a = a.to_dtype(result.dtype.stored())?;
    if !result.dtype.is_float() {
        return whole::unary(how, &a, result.dtype);
    }
    Ok(match how {
        Unary::Neg => a.neg()?,
        Unary::Abs => a.abs()?,
        Unary::Exp => a.exp()?,
        Unary::Log => a.log()?,
        Unary::Sqrt => a.sqrt()?,
        Unary::Rsqrt => a.sqrt()?.recip()?,
        Unary::Sin => a.sin()?,
        Unary::Cos => a.cos()?,
        Unary::Tanh => a.tanh()?,
        Unary::Sigmoid => candle_nn::ops::sigmoid(&a)?,
        Unary::Relu => a.relu()?,
        // torch's default is the exact one, with the error function; candle's `gelu` is the tanh form.
        Unary::Gelu => a.gelu_erf()?,
        Unary::Erf => a.erf()?,
        Unary::Floor => a.floor()?,
        Unary::Ceil => a.ceil()?,
        Unary::Round => round(&a)?,
        Unary::Sign => a.sign()?,
        Unary::LogicalNot => a,
    })
}

/// Rounds halves to the even neighbour; candle rounds them away from 0.
fn round(a: &Tensor) -> Done {
    let values: Vec<f64> = a
        .to_dtype(candle_core::DType::F64)?
        .flatten_all()?
        .to_vec1()?;
    let values: Vec<f64> = values.into_iter().map(f64::round_ties_even).collect();
    Ok(Tensor::from_vec(values, a.shape(), a.device())?.to_dtype(a.dtype())?)
}

fn binary(how: Binary, a: &Tensor, b: &Tensor, dtype: DType) -> Done {
    if !dtype.is_float() {
        return whole::binary(how, a, b, dtype);
    }
    let same = a.shape() == b.shape();
    Ok(match how {
        Binary::Add if same => a.add(b)?,
        Binary::Sub if same => a.sub(b)?,
        Binary::Mul if same => a.mul(b)?,
        Binary::Div if same => a.div(b)?,
        Binary::Add => a.broadcast_add(b)?,
        Binary::Sub => a.broadcast_sub(b)?,
        Binary::Mul => a.broadcast_mul(b)?,
        Binary::Div => a.broadcast_div(b)?,
        Binary::Maximum => a.broadcast_maximum(b)?,
        Binary::Minimum => a.broadcast_minimum(b)?,
        Binary::Pow => a.broadcast_pow(b)?,
        Binary::FloorDiv => a.broadcast_div(b)?.floor()?,
        Binary::Remainder => {
            let whole = a.broadcast_div(b)?.floor()?;
            a.broadcast_sub(&whole.broadcast_mul(b)?)?
        }
    })
}

fn with_number(how: Binary, a: &Tensor, number: f64, side: Side, dtype: DType) -> Done {
    if !dtype.is_float() {
        let number = Tensor::new(number as i64, a.device())?;
        return match side {
            Side::Right => whole::binary(how, a, &number, dtype),
            Side::Left => whole::binary(how, &number, a, dtype),
        };
    }
    Ok(match (how, side) {
        (Binary::Add, _) => a.affine(1.0, number)?,
        (Binary::Sub, Side::Right) => a.affine(1.0, -number)?,
        (Binary::Sub, Side::Left) => a.affine(-1.0, number)?,
        (Binary::Mul, _) => a.affine(number, 0.0)?,
        (Binary::Pow, Side::Right) => power(a, number)?,
        // Dividing and multiplying by the reciprocal differ in the last bit, so it is a division.
        _ => {
            let number = Tensor::new(number, a.device())?.to_dtype(a.dtype())?;
            match side {
                Side::Right => binary(how, a, &number, dtype)?,
                Side::Left => binary(how, &number, a, dtype)?,
            }
        }
    })
}

fn scaled(a: &Tensor, b: &Tensor, times: f64, dtype: DType) -> Done {
    let (a, b) = (a.to_dtype(dtype.stored())?, b.to_dtype(dtype.stored())?);
    let b = with_number(Binary::Mul, &b, times, Side::Right, dtype)?;
    binary(Binary::Add, &a, &b, dtype)
}

/// As PyTorch does it: exact at either end.
fn towards(a: &Tensor, b: &Tensor, far: f64) -> Done {
    let way = b.broadcast_sub(a)?;
    Ok(if far < 0.5 {
        a.broadcast_add(&way.affine(far, 0.0)?)?
    } else {
        b.broadcast_sub(&way.affine(1.0 - far, 0.0)?)?
    })
}

fn power(a: &Tensor, exponent: f64) -> Done {
    Ok(match exponent {
        2.0 => a.sqr()?,
        0.5 => a.sqrt()?,
        1.0 => a.clone(),
        3.0 => a.sqr()?.mul(a)?,
        _ => a.powf(exponent)?,
    })
}

fn compare(how: Compare, a: &Tensor, b: &Tensor) -> Done {
    let wide = if a.dtype() == b.dtype() {
        a.dtype()
    } else {
        candle_core::DType::F64
    };
    let (a, b) = (a.to_dtype(wide)?, b.to_dtype(wide)?);
    Ok(match how {
        Compare::Eq => a.broadcast_eq(&b)?,
        Compare::Ne => a.broadcast_ne(&b)?,
        Compare::Lt => a.broadcast_lt(&b)?,
        Compare::Le => a.broadcast_le(&b)?,
        Compare::Gt => a.broadcast_gt(&b)?,
        Compare::Ge => a.broadcast_ge(&b)?,
    })
}

fn matmul(a: &Tensor, b: &Tensor, shape: &[usize]) -> Done {
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

fn reduce(how: Reduction, a: &Tensor, dims: &[usize], keep: Keep) -> Done {
    let every: Vec<usize> = (0..a.rank()).collect();
    let dims = if dims.is_empty() {
        every
    } else {
        dims.to_vec()
    };
    if a.elem_count() == 0 && matches!(how, Reduction::Max | Reduction::Min) {
        return Err(Fault::runtime(
            "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.",
        ));
    }
    let kept = match how {
        Reduction::Sum => a.sum_keepdim(dims.clone())?,
        Reduction::Mean => a.mean_keepdim(dims.clone())?,
        Reduction::Max => dims
            .iter()
            .try_fold(a.clone(), |it, dim| it.max_keepdim(*dim))?,
        Reduction::Min => dims
            .iter()
            .try_fold(a.clone(), |it, dim| it.min_keepdim(*dim))?,
    };
    let shape = super::shape::reduce(a.dims(), &dims, keep);
    // A scalar has no dimension to name, and "no dimension" means all of them.
    let shape = if a.rank() == 0 { vec![] } else { shape };
    Ok(kept.reshape(shape)?)
}

fn arg(which: Extreme, a: &Tensor, dim: Option<usize>) -> Done {
    let (a, dim) = match dim {
        Some(dim) => (a.clone(), dim),
        None => (a.flatten_all()?, 0),
    };
    let found = match which {
        Extreme::Largest => a.argmax(dim)?,
        Extreme::Smallest => a.argmin(dim)?,
    };
    Ok(found.to_dtype(candle_core::DType::I64)?)
}

/// The same elements seen otherwise.
pub(super) fn seen_as(view: &View, a: &Tensor) -> Done {
    Ok(match view {
        View::Reshape(shape) => a.reshape(&**shape)?,
        View::Permute(order) => a.permute(order.clone())?,
        View::Narrow { dim, start, len } => a.narrow(*dim, *start, *len)?,
        View::Select { dim, at } => a.narrow(*dim, *at, 1)?.squeeze(*dim)?,
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

fn index_select(a: &Tensor, index: &Tensor, dim: usize) -> Done {
    if let Some((value, size)) = outside(a, index, dim)? {
        // PyTorch names dimension 0 here whichever it is.
        return Err(Fault::index(format!(
            "index {value} is out of bounds for dimension 0 with size {size}"
        )));
    }
    let index = index.flatten_all()?.to_dtype(candle_core::DType::I64)?;
    Ok(a.contiguous()?.index_select(&index, dim)?)
}

fn gather(a: &Tensor, index: &Tensor, dim: usize) -> Done {
    if let Some((value, size)) = outside(a, index, dim)? {
        return Err(Fault::runtime(format!(
            "index {value} is out of bounds for dimension {dim} with size {size}"
        )));
    }
    let index = index.contiguous()?.to_dtype(candle_core::DType::I64)?;
    Ok(a.contiguous()?.gather(&index, dim)?)
}

/// The first index that is out of range, and the size that it is beyond.
fn outside(a: &Tensor, index: &Tensor, dim: usize) -> Result<Option<(i64, i64)>, Fault> {
    let size = a.dim(dim)? as i64;
    let values = index
        .flatten_all()?
        .to_dtype(candle_core::DType::I64)?
        .to_vec1::<i64>()?;
    let found = values
        .into_iter()
        .find(|value| *value < 0 || *value >= size);
    Ok(found.map(|value| (value, size)))
}

fn tril(a: &Tensor, diagonal: i64) -> Done {
    let rank = a.rank();
    let (rows, columns) = (
        a.dim(rank.saturating_sub(2))?,
        a.dim(rank.saturating_sub(1))?,
    );
    let mask: Vec<u8> = (0..rows as i64)
        .flat_map(|row| (0..columns as i64).map(move |column| u8::from(column <= row + diagonal)))
        .collect();
    let mask = Tensor::from_vec(mask, (rows, columns), a.device())?.broadcast_as(a.shape())?;
    Ok(mask.where_cond(&a.contiguous()?, &a.zeros_like()?)?)
}
