//! Element types and how they promote.

use candle_core as candle;
use std::cell::Cell;

thread_local! {
    /// Each run has its own thread, and type rules apply where no run is at hand.
    static DEFAULT: Cell<DType> = const { Cell::new(DType::F32) };
}

/// The default floating point type (`torch.get_default_dtype`).
pub(crate) fn default_float() -> DType {
    DEFAULT.get()
}

/// Sets it, as `torch.set_default_dtype` does; a run starts with `float32`.
pub(crate) fn set_default_float(dtype: DType) {
    DEFAULT.set(dtype);
}

/// The element types that a lab can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum DType {
    /// `torch.bool`; candle has none, so it is kept as `u8` of 0 and 1.
    Bool,
    U8,
    /// `torch.int8`; candle has none, so it is kept as `i16` of -128 to 127.
    I8,
    I16,
    I32,
    I64,
    F16,
    BF16,
    F32,
    F64,
}

/// The category of a type, in the order of promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Category {
    Bool,
    Int,
    Float,
}

/// What is known of a type.
struct DtypeFacts {
    /// Its names after `torch.`, in PyTorch's messages, and in C++.
    names: [&'static str; 3],
    size: u64,
    category: Category,
    stored: candle::DType,
}

const fn row(
    names: [&'static str; 3],
    size: u64,
    category: Category,
    stored: candle::DType,
) -> DtypeFacts {
    DtypeFacts {
        names,
        size,
        category,
        stored,
    }
}

impl DType {
    pub(crate) const ALL: [Self; 10] = [
        Self::Bool,
        Self::U8,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::F16,
        Self::BF16,
        Self::F32,
        Self::F64,
    ];

    #[rustfmt::skip] // A table: one type a line.
    fn row(self) -> &'static DtypeFacts {
        use candle::DType as Stored;
        use Category::{Bool, Float, Int};
        match self {
            Self::Bool => const { &row(["bool", "Bool", "bool"], 1, Bool, Stored::U8) },
            Self::U8 => const { &row(["uint8", "Byte", "unsigned char"], 1, Int, Stored::U8) },
            Self::I8 => const { &row(["int8", "Char", "signed char"], 1, Int, Stored::I16) },
            Self::I16 => const { &row(["int16", "Short", "short int"], 2, Int, Stored::I16) },
            Self::I32 => const { &row(["int32", "Int", "int"], 4, Int, Stored::I32) },
            Self::I64 => const { &row(["int64", "Long", "long int"], 8, Int, Stored::I64) },
            Self::F16 => const { &row(["float16", "Half", "c10::Half"], 2, Float, Stored::F16) },
            Self::BF16 => const { &row(["bfloat16", "BFloat16", "c10::BFloat16"], 2, Float, Stored::BF16) },
            Self::F32 => const { &row(["float32", "Float", "float"], 4, Float, Stored::F32) },
            Self::F64 => const { &row(["float64", "Double", "double"], 8, Float, Stored::F64) },
        }
    }

    /// The name after `torch.`.
    pub(crate) fn name(self) -> &'static str {
        let [name, _, _] = self.row().names;
        name
    }

    /// The name that PyTorch's error messages use.
    pub(crate) fn scalar_name(self) -> &'static str {
        let [_, name, _] = self.row().names;
        name
    }

    /// The type as C++ names it in PyTorch's messages.
    pub(crate) fn cpp_name(self) -> &'static str {
        let [_, _, name] = self.row().names;
        name
    }

    /// Bytes of one element.
    pub(crate) fn size(self) -> u64 {
        self.row().size
    }

    pub(crate) fn category(self) -> Category {
        self.row().category
    }

    pub(crate) fn is_float(self) -> bool {
        self.category() == Category::Float
    }

    /// Whether a whole number is one of this type of integers.
    pub(crate) fn holds(self, number: i64) -> bool {
        match self {
            Self::Bool => matches!(number, 0 | 1),
            Self::U8 => u8::try_from(number).is_ok(),
            Self::I8 => i8::try_from(number).is_ok(),
            Self::I16 => i16::try_from(number).is_ok(),
            Self::I32 => i32::try_from(number).is_ok(),
            Self::I64 => true,
            Self::F16 | Self::BF16 | Self::F32 | Self::F64 => false,
        }
    }

    /// The type that candle stores it as.
    pub(crate) fn stored(self) -> candle::DType {
        self.row().stored
    }

    /// The promoted type of two types (`torch.promote_types`).
    #[must_use]
    pub(crate) fn promote(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::F16, Self::BF16) | (Self::BF16, Self::F16) => Self::F32,
            (Self::U8, Self::I8 | Self::I16) | (Self::I8 | Self::I16, Self::U8) => Self::I16,
            (a, b) if a.category() == b.category() => a.max(b),
            (a, b) if a.category() > b.category() => a,
            (_, b) => b,
        }
    }
}

impl DType {
    /// The type of an operation on two arrays of NumPy: floats are as wide as the whole numbers beside them need.
    #[must_use]
    pub(crate) fn promote_as_numpy(self, other: Self) -> Self {
        let (low, high) = if self.category() <= other.category() {
            (self, other)
        } else {
            (other, self)
        };
        let needed = match (low.category(), high.category()) {
            (Category::Int, Category::Float) => match low.size() {
                1 => Self::F16,
                2 => Self::F32,
                _ => Self::F64,
            },
            (Category::Bool | Category::Int | Category::Float, _) => low,
        };
        needed.promote(high)
    }
}

/// The category of an operand in type promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PromotionCategory {
    /// A tensor with dimensions.
    Tensor,
    /// A tensor without dimensions.
    ZeroDim,
    /// A Python number.
    Number,
}

/// The type of a binary operation's result, as in `torch.result_type`.
///
/// An operand of a lower standing changes the type only if its category is higher; a Python number then brings the
/// default type of its category.
pub(crate) fn result_type(a: (DType, PromotionCategory), b: (DType, PromotionCategory)) -> DType {
    let rank = |standing| match standing {
        PromotionCategory::Tensor => 2,
        PromotionCategory::ZeroDim => 1,
        PromotionCategory::Number => 0,
    };
    let (high, low) = if rank(a.1) >= rank(b.1) {
        (a, b)
    } else {
        (b, a)
    };
    if rank(high.1) == rank(low.1) {
        return high.0.promote(low.0);
    }
    if low.0.category() <= high.0.category() {
        return high.0;
    }
    match (low.1, low.0.category()) {
        (PromotionCategory::Number, Category::Float) => default_float(),
        (PromotionCategory::Number, Category::Int) => DType::I64,
        (PromotionCategory::Number, Category::Bool)
        | (PromotionCategory::ZeroDim | PromotionCategory::Tensor, _) => low.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotion_is_that_of_torch() {
        use DType::{BF16, Bool, F16, F32, F64, I8, I16, I32, I64, U8};
        for (a, b, wide) in [
            (U8, I8, I16),
            (I8, I16, I16),
            (Bool, I8, I8),
            (I64, F32, F32),
            (F16, BF16, F32),
            (Bool, U8, U8),
            (I32, I64, I64),
            (F32, F64, F64),
            (U8, I32, I32),
            (I64, F16, F16),
        ] {
            assert_eq!(a.promote(b), wide);
            assert_eq!(b.promote(a), wide);
        }
    }

    #[test]
    fn promotion_of_arrays_is_that_of_numpy() {
        use DType::{Bool, F16, F32, F64, I16, I32, I64, U8};
        for (a, b, wide) in [
            (I64, F32, F64),
            (I32, F16, F64),
            (I16, F16, F32),
            (U8, F16, F16),
            (Bool, F32, F32),
            (U8, I16, I16),
            (I32, I64, I64),
        ] {
            assert_eq!(a.promote_as_numpy(b), wide);
            assert_eq!(b.promote_as_numpy(a), wide);
        }
    }

    #[test]
    fn a_number_changes_the_type_only_by_its_kind() {
        use PromotionCategory::{Number, Tensor, ZeroDim};
        let of = |a, sa, b, sb| result_type((a, sa), (b, sb));
        assert_eq!(of(DType::I64, Tensor, DType::F64, Number), DType::F32);
        assert_eq!(of(DType::F16, Tensor, DType::F64, Number), DType::F16);
        assert_eq!(of(DType::U8, Tensor, DType::I64, Number), DType::U8);
        assert_eq!(of(DType::F32, Tensor, DType::F64, ZeroDim), DType::F32);
        assert_eq!(of(DType::I64, Tensor, DType::F64, ZeroDim), DType::F64);
    }
}
