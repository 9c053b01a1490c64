//! The rows of [`Binary`]: what is known of each function of two operands.

use super::binary::Binary;
use super::operation::Types;
use crate::dtype::DType;
use crate::kernels::elementwise::Extreme;
use crate::kernels::fast;
use crate::kernels::scalar::{
    floor_divide, floor_divide_integers, integer_power, integer_remainder, remainder, shift,
};
use candle_core::Tensor;

/// What is known of a function.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// The type of the result for the type that both operands promote to.
    pub(super) types: Types,
    pub(super) float: Kernel,
    /// How integers and bools are computed on 64 bits; `None` where the result is never one.
    pub(super) integers: Option<fn(i64, i64, DType) -> i64>,
    pub(super) derivative: GradientRule,
    /// The methods of tensors that do it.
    pub(super) methods: &'static [&'static str],
    /// The method that does it in place.
    pub(super) in_place: Option<&'static str>,
    pub(super) takes_numbers: bool,
}

/// How floating point values are computed.
#[derive(Clone, Copy)]
pub(super) enum Kernel {
    /// By a kernel that broadcasts.
    Candle(Pair),
    /// By a function of pairs of elements on 64 bits, on the host.
    Each(fn(f64, f64) -> f64),
    /// The larger or smaller one, by kernels of candle on a card.
    Extreme(Extreme),
    /// There are none: the operands count as bools.
    Logical,
    /// There are none: it takes integers only.
    Integers,
}

pub(super) type Pair = fn(&Tensor, &Tensor) -> candle_core::Result<Tensor>;

/// Which gradient formula a function has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GradientRule {
    /// It is not differentiable.
    None,
    /// 0 everywhere.
    Zero,
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    /// A remainder of a division that is rounded down.
    Remainder,
    /// A remainder of a division that is rounded towards 0.
    Fmod,
    Atan2,
    Maximum,
    Minimum,
}

impl Row {
    /// What a row says only where it has something else.
    const DEFAULT: Self = Self {
        name: "",
        types: Types::Same,
        float: Kernel::Integers,
        integers: None,
        derivative: GradientRule::None,
        methods: &[],
        in_place: None,
        takes_numbers: true,
    };
}

impl Binary {
    pub(super) fn row(self) -> &'static Row {
        use Kernel::{Candle, Each, Integers, Logical};
        use Types::{Bool, Float, NoBool, NoFloat, OnlyIntegers, Same};
        match self {
            Self::Add => {
                const {
                    &Row {
                        name: "add",
                        types: Same,
                        float: Candle(fast::add),
                        integers: Some(|a, b, _| a.wrapping_add(b)),
                        derivative: GradientRule::Add,
                        methods: &["add"],
                        in_place: Some("add_"),
                        ..Row::DEFAULT
                    }
                }
            }
            Self::Sub => {
                const {
                    &Row {
                        name: "sub",
                        types: Same,
                        float: Candle(fast::sub),
                        integers: Some(|a, b, _| a.wrapping_sub(b)),
                        derivative: GradientRule::Sub,
                        methods: &["sub", "subtract"],
                        in_place: Some("sub_"),
                        ..Row::DEFAULT
                    }
                }
            }
            Self::Mul => {
                const {
                    &Row {
                        name: "mul",
                        types: Same,
                        float: Candle(fast::mul),
                        integers: Some(|a, b, _| a.wrapping_mul(b)),
                        derivative: GradientRule::Mul,
                        methods: &["mul", "multiply"],
                        in_place: Some("mul_"),
                        ..Row::DEFAULT
                    }
                }
            }
            Self::Div => {
                const {
                    &Row {
                        name: "div",
                        types: Float,
                        float: Candle(fast::div),
                        derivative: GradientRule::Div,
                        methods: &["div", "divide", "true_divide"],
                        in_place: Some("div_"),
                        ..Row::DEFAULT
                    }
                }
            }
            Self::FloorDivide => {
                const {
                    &Row {
                        name: "floor_divide",
                        types: NoBool("div_floor_cpu"),
                        float: Each(floor_divide),
                        integers: Some(|a, b, _| floor_divide_integers(a, b)),
                        derivative: GradientRule::Zero,
                        methods: &["floor_divide"],
                        in_place: Some("floor_divide_"),
                        ..Row::DEFAULT
                    }
                }
            }
            // `div(rounding_mode="trunc")`
            Self::TruncDivide => {
                const {
                    &Row {
                        name: "div",
                        types: NoBool("div_trunc_cpu"),
                        float: Each(|a, b| (a / b).trunc()),
                        integers: Some(|a, b, _| a.wrapping_div(b)),
                        derivative: GradientRule::Zero,
                        ..Row::DEFAULT
                    }
                }
            }
            Self::Remainder => {
                const {
                    &Row {
                        name: "remainder",
                        types: NoBool("remainder_cpu"),
                        float: Each(remainder),
                        integers: Some(|a, b, _| integer_remainder(a, b)),
                        derivative: GradientRule::Remainder,
                        methods: &["remainder"],
                        in_place: Some("remainder_"),
                        ..Row::DEFAULT
                    }
                }
            }
            Self::Fmod => {
                const {
                    &Row {
                        name: "fmod",
                        types: NoBool("fmod_cpu"),
                        float: Each(|a, b| a % b),
                        integers: Some(|a, b, _| a.wrapping_rem(b)),
                        derivative: GradientRule::Fmod,
                        methods: &["fmod"],
                        ..Row::DEFAULT
                    }
                }
            }
            Self::Pow => {
                const {
                    &Row {
                        name: "pow",
                        types: NoBool("pow"),
                        float: Each(f64::powf),
                        integers: Some(|a, b, _| integer_power(a, b)),
                        derivative: GradientRule::Pow,
                        methods: &["pow"],
                        in_place: Some("pow_"),
                        ..Row::DEFAULT
                    }
                }
            }
            Self::Atan2 => {
                const {
                    &Row {
                        name: "atan2",
                        types: Float,
                        float: Each(f64::atan2),
                        derivative: GradientRule::Atan2,
                        methods: &["atan2"],
                        takes_numbers: false,
                        ..Row::DEFAULT
                    }
                }
            }
            Self::Maximum => {
                const {
                    &Row {
                        name: "maximum",
                        types: Same,
                        float: Kernel::Extreme(Extreme::Largest),
                        integers: Some(|a, b, _| a.max(b)),
                        derivative: GradientRule::Maximum,
                        methods: &["maximum"],
                        takes_numbers: false,
                        ..Row::DEFAULT
                    }
                }
            }
            Self::Minimum => {
                const {
                    &Row {
                        name: "minimum",
                        types: Same,
                        float: Kernel::Extreme(Extreme::Smallest),
                        integers: Some(|a, b, _| a.min(b)),
                        derivative: GradientRule::Minimum,
                        methods: &["minimum"],
                        takes_numbers: false,
                        ..Row::DEFAULT
                    }
                }
            }
            Self::LogicalAnd => {
                const {
                    &Row {
                        name: "logical_and",
                        types: Bool,
                        float: Logical,
                        integers: Some(|a, b, _| a & b),
                        methods: &["logical_and"],
                        takes_numbers: false,
                        ..Row::DEFAULT
                    }
                }
            }
            Self::LogicalOr => {
                const {
                    &Row {
                        name: "logical_or",
                        types: Bool,
                        float: Logical,
                        integers: Some(|a, b, _| a | b),
                        methods: &["logical_or"],
                        takes_numbers: false,
                        ..Row::DEFAULT
                    }
                }
            }
            Self::LogicalXor => {
                const {
                    &Row {
                        name: "logical_xor",
                        types: Bool,
                        float: Logical,
                        integers: Some(|a, b, _| a ^ b),
                        methods: &["logical_xor"],
                        takes_numbers: false,
                        ..Row::DEFAULT
                    }
                }
            }
            Self::BitwiseAnd => {
                const {
                    &Row {
                        name: "bitwise_and",
                        types: NoFloat("bitwise_and_cpu"),
                        float: Integers,
                        integers: Some(|a, b, _| a & b),
                        methods: &["bitwise_and"],
                        ..Row::DEFAULT
                    }
                }
            }
            Self::BitwiseOr => {
                const {
                    &Row {
                        name: "bitwise_or",
                        types: NoFloat("bitwise_or_cpu"),
                        float: Integers,
                        integers: Some(|a, b, _| a | b),
                        methods: &["bitwise_or"],
                        ..Row::DEFAULT
                    }
                }
            }
            Self::BitwiseXor => {
                const {
                    &Row {
                        name: "bitwise_xor",
                        types: NoFloat("bitwise_xor_cpu"),
                        float: Integers,
                        integers: Some(|a, b, _| a ^ b),
                        methods: &["bitwise_xor"],
                        ..Row::DEFAULT
                    }
                }
            }
            Self::LeftShift => {
                const {
                    &Row {
                        name: "bitwise_left_shift",
                        types: OnlyIntegers("lshift_cpu"),
                        float: Integers,
                        integers: Some(|a, b, dtype| shift(a, b, dtype, i64::checked_shl)),
                        methods: &["bitwise_left_shift"],
                        ..Row::DEFAULT
                    }
                }
            }
            Self::RightShift => {
                const {
                    &Row {
                        name: "bitwise_right_shift",
                        types: OnlyIntegers("rshift_cpu"),
                        float: Integers,
                        integers: Some(|a, b, dtype| shift(a, b, dtype, i64::checked_shr)),
                        methods: &["bitwise_right_shift"],
                        ..Row::DEFAULT
                    }
                }
            }
        }
    }
}
