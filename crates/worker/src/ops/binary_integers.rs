//! Functions of two integers of one type on the host, in that type. What [`super::binary`] computes on 64 bits wraps around
//! in the same way.

use super::binary::Binary;
use crate::dtype::DType;
use crate::kernels::fast::pairs::{
    And, Difference, Equal, Integer, Largest, On64Bits, Or, Product, Smallest, Sum, Xor, compared,
    pairs,
};
use crate::kernels::host::is_on_card;
use candle_core::Tensor;

impl Binary {
    /// The result; nothing for values of a card, tensors of two types, and a division by 0. `f` is the function on 64 bits.
    pub(super) fn of_one_type(
        self,
        [a, b]: [&Tensor; 2],
        f: impl Fn(i64, i64) -> i64 + Copy + Sync,
        dtype: DType,
    ) -> candle_core::Result<Option<Tensor>> {
        let divides = matches!(
            self,
            Self::Div | Self::FloorDivide | Self::TruncDivide | Self::Remainder | Self::Fmod
        );
        if is_on_card(a) || a.dtype() != b.dtype() || (divides && has_zero(b)?) {
            return Ok(None);
        }
        self.of_type::<i64>([a, b], f, dtype)
            .or_else(|| self.of_type::<u8>([a, b], f, dtype))
            .or_else(|| self.of_type::<i32>([a, b], f, dtype))
            .or_else(|| self.of_type::<i16>([a, b], f, dtype))
            .transpose()
    }

    /// The same for one type that is stored on the host.
    fn of_type<T: Integer>(
        self,
        [a, b]: [&Tensor; 2],
        f: impl Fn(i64, i64) -> i64 + Copy + Sync,
        dtype: DType,
    ) -> Option<candle_core::Result<Tensor>> {
        let is_bool = dtype == DType::Bool;
        match self {
            Self::Add if is_bool => pairs::<T, _>(Or, a, b),
            Self::Add => pairs::<T, _>(Sum, a, b),
            Self::Sub => pairs::<T, _>(Difference, a, b),
            Self::Mul => pairs::<T, _>(Product, a, b),
            Self::Maximum => pairs::<T, _>(Largest, a, b),
            Self::Minimum => pairs::<T, _>(Smallest, a, b),
            Self::LogicalAnd | Self::BitwiseAnd => pairs::<T, _>(And, a, b),
            Self::LogicalOr | Self::BitwiseOr => pairs::<T, _>(Or, a, b),
            Self::LogicalXor | Self::BitwiseXor => pairs::<T, _>(Xor, a, b),
            Self::Div
            | Self::FloorDivide
            | Self::TruncDivide
            | Self::Remainder
            | Self::Fmod
            | Self::Pow
            | Self::Atan2
            | Self::LeftShift
            | Self::RightShift => {
                let on_64_bits = On64Bits(f);
                (!is_bool).then(|| pairs::<T, _>(on_64_bits, a, b))?
            }
        }
    }
}

/// Whether one of the integers is 0.
fn has_zero(a: &Tensor) -> candle_core::Result<bool> {
    if a.elem_count() == 0 {
        return Ok(false);
    }
    let zero = Tensor::zeros((), a.dtype(), a.device())?;
    let Some(zeros) = compared(Equal, a, &zero) else {
        return Ok(true);
    };
    Ok(zeros?.flatten_all()?.max(0)?.to_scalar::<u8>()? != 0)
}
