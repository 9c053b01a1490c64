//! Arithmetic of whole numbers and truth values, element by element.
//!
//! candle panics on some of it and checks for overflow in the rest; PyTorch wraps around. So it is done
//! here, on 64 bits, and narrowed to the stored type afterwards. Sizes are a lab's, not a model's.

use super::host::{is_on_card, read, read_as};
use super::{Done, card};
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::ops::{Binary, Unary};
use candle_core::{DType as Stored, Tensor};

/// A function of two whole numbers.
pub(super) fn binary(how: Binary, a: &Tensor, b: &Tensor, dtype: DType) -> Done {
    let shape = a.shape().broadcast_shape_binary_op(b.shape(), how.name())?;
    let wide = |it: &Tensor| -> Result<Vec<i64>, TorchError> {
        let it = it.to_dtype(Stored::I64)?.broadcast_as(&shape)?;
        Ok(read(&it)?)
    };
    if is_on_card(a)
        && is_on_card(b)
        && dtype == DType::I64
        && let Some(done) = card::whole(how, a, b)?
    {
        return Ok(done);
    }
    let (left, right) = (wide(a)?, wide(b)?);
    let divides = matches!(
        how,
        Binary::FloorDiv | Binary::TruncDiv | Binary::Remainder | Binary::Fmod
    );
    if divides && right.contains(&0) {
        return Err(TorchError::runtime("ZeroDivisionError"));
    }
    let pairs = left.iter().zip(&right);
    let values: Vec<i64> = match how {
        Binary::Add => pairs.map(|(a, b)| a.wrapping_add(*b)).collect(),
        Binary::Sub => pairs.map(|(a, b)| a.wrapping_sub(*b)).collect(),
        Binary::Mul => pairs.map(|(a, b)| a.wrapping_mul(*b)).collect(),
        Binary::FloorDiv => pairs.map(|(a, b)| floor_div(*a, *b)).collect(),
        Binary::Remainder => pairs
            .map(|(a, b)| a.wrapping_sub(floor_div(*a, *b).wrapping_mul(*b)))
            .collect(),
        Binary::TruncDiv => pairs.map(|(a, b)| a.wrapping_div(*b)).collect(),
        Binary::Fmod => pairs.map(|(a, b)| a.wrapping_rem(*b)).collect(),
        Binary::Pow => pairs.map(|(a, b)| power(*a, *b)).collect(),
        Binary::LogicalAnd | Binary::BitwiseAnd => pairs.map(|(a, b)| a & b).collect(),
        Binary::LogicalOr | Binary::BitwiseOr => pairs.map(|(a, b)| a | b).collect(),
        Binary::LogicalXor | Binary::BitwiseXor => pairs.map(|(a, b)| a ^ b).collect(),
        Binary::LeftShift => pairs
            .map(|(a, b)| shifted(*a, *b, dtype, i64::checked_shl))
            .collect(),
        Binary::RightShift => pairs
            .map(|(a, b)| shifted(*a, *b, dtype, i64::checked_shr))
            .collect(),
        Binary::Maximum => pairs.map(|(a, b)| *a.max(b)).collect(),
        Binary::Minimum => pairs.map(|(a, b)| *a.min(b)).collect(),
        Binary::Div | Binary::Atan2 => {
            return Err(TorchError::runtime(format!(
                "{} has no whole-number form",
                how.name()
            )));
        }
    };
    narrowed(values, a, shape.dims(), dtype)
}

/// A function that keeps whole numbers whole.
pub(super) fn unary(how: Unary, a: &Tensor, dtype: DType) -> Done {
    let values: Vec<i64> = read_as(a, Stored::I64)?;
    let values = values.into_iter();
    let values: Vec<i64> = match how {
        Unary::Neg => values.map(i64::wrapping_neg).collect(),
        Unary::Abs => values.map(i64::wrapping_abs).collect(),
        Unary::Relu => values.map(|it| it.max(0)).collect(),
        Unary::Sign => values.map(i64::signum).collect(),
        Unary::Square => values.map(|it| it.wrapping_mul(it)).collect(),
        Unary::BitwiseNot if dtype == DType::Bool => values.map(|it| 1 - it).collect(),
        Unary::BitwiseNot => values.map(|it| !it).collect(),
        Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc => values.collect(),
        Unary::Exp
        | Unary::Exp2
        | Unary::Expm1
        | Unary::Log
        | Unary::Log2
        | Unary::Log10
        | Unary::Log1p
        | Unary::Sqrt
        | Unary::Rsqrt
        | Unary::Reciprocal
        | Unary::Sin
        | Unary::Cos
        | Unary::Tan
        | Unary::Asin
        | Unary::Acos
        | Unary::Atan
        | Unary::Sinh
        | Unary::Cosh
        | Unary::Tanh
        | Unary::Sigmoid
        | Unary::Gelu
        | Unary::Erf
        | Unary::Frac
        | Unary::LogicalNot
        | Unary::IsNan
        | Unary::IsInf
        | Unary::IsFinite => {
            return Err(TorchError::runtime(format!(
                "{} has no whole-number form",
                how.name()
            )));
        }
    };
    narrowed(values, a, a.dims(), dtype)
}

fn narrowed(values: Vec<i64>, like: &Tensor, shape: &[usize], dtype: DType) -> Done {
    let values: Vec<i64> = if dtype == DType::Bool {
        values.into_iter().map(|it| i64::from(it != 0)).collect()
    } else {
        values
    };
    Ok(Tensor::from_vec(values, shape, like.device())?.to_dtype(dtype.stored())?)
}

/// Bits moved by as many places as a type has are gone; what is to the left of a sign is the sign.
fn shifted(a: i64, by: i64, dtype: DType, how: fn(i64, u32) -> Option<i64>) -> i64 {
    let bits = dtype.size() as i64 * 8;
    let known = u32::try_from(by).ok().filter(|_| by < bits);
    let gone = if how(-1, 1) == Some(-1) { a >> 63 } else { 0 };
    known.and_then(|by| how(a, by)).unwrap_or(gone)
}

/// Division that rounds down; the divisor is not 0.
fn floor_div(a: i64, b: i64) -> i64 {
    let (quotient, rest) = (a.wrapping_div(b), a.wrapping_rem(b));
    if rest != 0 && (rest < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

/// As in PyTorch, a negative exponent leaves only 1 and -1 what they are, and 0 of all others.
fn power(base: i64, exponent: i64) -> i64 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 if exponent % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let (mut result, mut square, mut left) = (1_i64, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{floor_div, power};

    #[test]
    fn division_rounds_down_and_powers_wrap_around() {
        assert_eq!(
            [floor_div(7, 2), floor_div(-7, 2), floor_div(7, -2)],
            [3, -4, -4]
        );
        assert_eq!(floor_div(i64::MIN, -1), i64::MIN);
        assert_eq!(
            [power(3, 4), power(2, 64), power(-1, -3), power(5, -1)],
            [81, 0, -1, 0]
        );
    }
}
