//! The candle calls of operations that go element by element.
//!
//! candle has few of them; the others are done on 64 bits here and narrowed afterwards.

use super::host::{cast, is_on_card, read, read_as};
use super::{Done, card, truths, whole};
use crate::worker::dtype::DType;
use crate::worker::meta::Meta;
use crate::worker::ops::{Binary, Compare, Extreme, Side, Unary};
use candle_core::{DType as Stored, Tensor};

/// A function of one tensor.
pub(super) fn unary(how: Unary, a: &Tensor, result: &Meta) -> Done {
    if how == Unary::LogicalNot {
        return Ok(a.eq(&a.zeros_like()?)?);
    }
    if [Unary::IsNan, Unary::IsInf, Unary::IsFinite].contains(&how) {
        return tested(how, a);
    }
    let a = cast(a, result.dtype.stored())?;
    if !result.dtype.is_float() {
        return whole::unary(how, &a, result.dtype);
    }
    let by = |f: fn(f64) -> f64| mapped(&a, f, a.dtype());
    Ok(match how {
        Unary::Neg => a.neg()?,
        Unary::Abs => a.abs()?,
        Unary::Exp => a.exp()?,
        Unary::Log => a.log()?,
        Unary::Sqrt => a.sqrt()?,
        Unary::Rsqrt => a.sqrt()?.recip()?,
        Unary::Square => a.sqr()?,
        Unary::Reciprocal => a.recip()?,
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
        // Halves go to the even neighbour; candle rounds them away from 0.
        Unary::Round => by(f64::round_ties_even)?,
        Unary::Sign => a.sign()?,
        Unary::Exp2 => by(f64::exp2)?,
        Unary::Expm1 => by(f64::exp_m1)?,
        Unary::Log2 => by(f64::log2)?,
        Unary::Log10 => by(f64::log10)?,
        Unary::Log1p => by(f64::ln_1p)?,
        Unary::Tan => by(f64::tan)?,
        Unary::Asin => by(f64::asin)?,
        Unary::Acos => by(f64::acos)?,
        Unary::Atan => by(f64::atan)?,
        Unary::Sinh => by(f64::sinh)?,
        Unary::Cosh => by(f64::cosh)?,
        Unary::Trunc => by(f64::trunc)?,
        Unary::Frac => by(f64::fract)?,
        Unary::LogicalNot | Unary::BitwiseNot | Unary::IsNan | Unary::IsInf | Unary::IsFinite => a,
    })
}

/// What kind of number each element is.
fn tested(how: Unary, a: &Tensor) -> Done {
    if how == Unary::IsNan {
        return Ok(a.ne(a)?);
    }
    let size = a.to_dtype(Stored::F64)?.abs()?;
    let compare = if how == Unary::IsInf {
        Compare::Eq
    } else {
        Compare::Lt
    };
    compare_number(compare, &size, f64::INFINITY)
}

/// A function of each element, made on 64 bits.
fn mapped(a: &Tensor, f: impl Fn(f64) -> f64, to: Stored) -> Done {
    let values: Vec<f64> = read_as(a, Stored::F64)?;
    let values: Vec<f64> = values.into_iter().map(f).collect();
    Ok(Tensor::from_vec(values, a.shape(), a.device())?.to_dtype(to)?)
}

/// A function of two tensors, broadcast.
pub(super) fn binary(how: Binary, a: &Tensor, b: &Tensor, dtype: DType) -> Done {
    if how.is_logical() {
        return whole::binary(how, &truths(a)?, &truths(b)?, dtype);
    }
    let stored = dtype.stored();
    let typed;
    let (a, b) = if a.dtype() == stored && b.dtype() == stored {
        (a, b)
    } else {
        typed = (cast(a, stored)?, cast(b, stored)?);
        (&typed.0, &typed.1)
    };
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
        Binary::Maximum if is_on_card(a) => card::extreme(Extreme::Largest, a, b)?,
        Binary::Minimum if is_on_card(a) => card::extreme(Extreme::Smallest, a, b)?,
        Binary::Maximum => zipped(a, b, larger)?,
        Binary::Minimum => zipped(a, b, smaller)?,
        Binary::Pow => zipped(a, b, f64::powf)?,
        Binary::FloorDiv => zipped(a, b, floor_div)?,
        Binary::TruncDiv => zipped(a, b, |a, b| (a / b).trunc())?,
        Binary::Remainder => zipped(a, b, remainder)?,
        Binary::Fmod => zipped(a, b, |a, b| a % b)?,
        Binary::Atan2 => zipped(a, b, f64::atan2)?,
        Binary::LogicalAnd
        | Binary::LogicalOr
        | Binary::LogicalXor
        | Binary::BitwiseAnd
        | Binary::BitwiseOr
        | Binary::BitwiseXor
        | Binary::LeftShift
        | Binary::RightShift => whole::binary(how, a, b, dtype)?,
    })
}

/// A function of two elements each, made on 64 bits.
fn zipped(a: &Tensor, b: &Tensor, f: fn(f64, f64) -> f64) -> Done {
    let shape = a.shape().broadcast_shape_binary_op(b.shape(), "zip")?;
    let wide = |it: &Tensor| -> Result<Vec<f64>, candle_core::Error> {
        let it = it.to_dtype(Stored::F64)?.broadcast_as(&shape)?;
        read(&it)
    };
    let (left, right) = (wide(a)?, wide(b)?);
    let values: Vec<f64> = left.iter().zip(&right).map(|(a, b)| f(*a, *b)).collect();
    Ok(Tensor::from_vec(values, shape, a.device())?.to_dtype(a.dtype())?)
}

/// The larger one; what is not a number wins.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a >= b { a } else { b }
}

/// The smaller one; what is not a number wins.
pub(super) fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a <= b { a } else { b }
}

/// What is left of a division rounded down; it has the divisor's sign.
fn remainder(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        rest + b
    } else {
        rest
    }
}

/// A division rounded down, exact where the quotient is whole.
fn floor_div(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    ((a - remainder(a, b)) / b).round()
}

/// A tensor and a Python number.
pub(super) fn with_number(how: Binary, a: &Tensor, number: f64, side: Side, dtype: DType) -> Done {
    if how.is_logical() || !dtype.is_float() {
        let number = if how.is_logical() {
            Tensor::new(u8::from(number != 0.0), a.device())?
        } else {
            Tensor::new(number as i64, a.device())?
        };
        let a = if how.is_logical() {
            truths(a)?
        } else {
            cast(a, dtype.stored())?
        };
        return match side {
            Side::Right => whole::binary(how, &a, &number, dtype),
            Side::Left => whole::binary(how, &number, &a, dtype),
        };
    }
    let a = &cast(a, dtype.stored())?;
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

/// The first and a multiple of the second.
pub(super) fn scaled(a: &Tensor, b: &Tensor, times: f64, dtype: DType) -> Done {
    let b = with_number(Binary::Mul, b, times, Side::Right, dtype)?;
    binary(Binary::Add, a, &b, dtype)
}

/// As PyTorch does it: exact at either end.
pub(super) fn towards(a: &Tensor, b: &Tensor, far: f64) -> Done {
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

/// A comparison with a Python number.
pub(super) fn compare_number(how: Compare, a: &Tensor, number: f64) -> Done {
    let wide = a.to_dtype(Stored::F64)?;
    compare(how, &wide, &Tensor::new(number, a.device())?)
}

/// A comparison, broadcast.
pub(super) fn compare(how: Compare, a: &Tensor, b: &Tensor) -> Done {
    let float = |it: &Tensor| it.dtype().is_float();
    let wide = if a.dtype() == b.dtype() {
        a.dtype()
    } else if float(a) || float(b) {
        Stored::F64
    } else {
        Stored::I64
    };
    let (a, b) = (cast(a, wide)?, cast(b, wide)?);
    Ok(match how {
        Compare::Eq => a.broadcast_eq(&b)?,
        Compare::Ne => a.broadcast_ne(&b)?,
        Compare::Lt => a.broadcast_lt(&b)?,
        Compare::Le => a.broadcast_le(&b)?,
        Compare::Gt => a.broadcast_gt(&b)?,
        Compare::Ge => a.broadcast_ge(&b)?,
    })
}
