//! The rows of [`Binary`]: what is known of each function of two operands.

use super::binary::Binary;
use super::operation::Types::{self, Bool, Float, NoBool, NoFloat, OnlyIntegers, Same};
use crate::dtype::DType;
use crate::kernels::elementwise::Extreme;
use crate::kernels::fast;
use crate::kernels::scalar::{
    floor_divide, floor_divide_integers, integer_power, integer_remainder, remainder, shift,
};
use candle_core::Tensor;

/// What is known of a function.
pub(super) struct BinaryFacts {
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

impl BinaryFacts {
    /// What a row says only where it has something else.
    const DEFAULT: Self = Self {
        name: "",
        types: Same,
        float: Kernel::Integers,
        integers: None,
        derivative: GradientRule::None,
        methods: &[],
        in_place: None,
        takes_numbers: true,
    };
}

impl Binary {
    pub(super) fn row(self) -> &'static BinaryFacts {
        match self {
            Self::Add => &ADD,
            Self::Sub => &SUB,
            Self::Mul => &MUL,
            Self::Div => &DIV,
            Self::FloorDivide => &FLOOR_DIVIDE,
            Self::TruncDivide => &TRUNC_DIVIDE,
            Self::Remainder => &REMAINDER,
            Self::Fmod => &FMOD,
            Self::Pow => &POW,
            Self::Atan2 => &ATAN2,
            Self::Maximum => &MAXIMUM,
            Self::Minimum => &MINIMUM,
            Self::LogicalAnd => &LOGICAL_AND,
            Self::LogicalOr => &LOGICAL_OR,
            Self::LogicalXor => &LOGICAL_XOR,
            Self::BitwiseAnd => &BITWISE_AND,
            Self::BitwiseOr => &BITWISE_OR,
            Self::BitwiseXor => &BITWISE_XOR,
            Self::LeftShift => &LEFT_SHIFT,
            Self::RightShift => &RIGHT_SHIFT,
        }
    }
}

static ADD: BinaryFacts = BinaryFacts {
    name: "add",
    types: Same,
    float: Kernel::Candle(fast::add),
    integers: Some(|a, b, _| a.wrapping_add(b)),
    derivative: GradientRule::Add,
    methods: &["add"],
    in_place: Some("add_"),
    ..BinaryFacts::DEFAULT
};

static SUB: BinaryFacts = BinaryFacts {
    name: "sub",
    types: Same,
    float: Kernel::Candle(fast::sub),
    integers: Some(|a, b, _| a.wrapping_sub(b)),
    derivative: GradientRule::Sub,
    methods: &["sub", "subtract"],
    in_place: Some("sub_"),
    ..BinaryFacts::DEFAULT
};

static MUL: BinaryFacts = BinaryFacts {
    name: "mul",
    types: Same,
    float: Kernel::Candle(fast::mul),
    integers: Some(|a, b, _| a.wrapping_mul(b)),
    derivative: GradientRule::Mul,
    methods: &["mul", "multiply"],
    in_place: Some("mul_"),
    ..BinaryFacts::DEFAULT
};

static DIV: BinaryFacts = BinaryFacts {
    name: "div",
    types: Float,
    float: Kernel::Candle(fast::div),
    derivative: GradientRule::Div,
    methods: &["div", "divide", "true_divide"],
    in_place: Some("div_"),
    ..BinaryFacts::DEFAULT
};

static FLOOR_DIVIDE: BinaryFacts = BinaryFacts {
    name: "floor_divide",
    types: NoBool("div_floor_cpu"),
    float: Kernel::Each(floor_divide),
    integers: Some(|a, b, _| floor_divide_integers(a, b)),
    derivative: GradientRule::Zero,
    methods: &["floor_divide"],
    in_place: Some("floor_divide_"),
    ..BinaryFacts::DEFAULT
};

/// `div(rounding_mode="trunc")`
static TRUNC_DIVIDE: BinaryFacts = BinaryFacts {
    name: "div",
    types: NoBool("div_trunc_cpu"),
    float: Kernel::Each(|a, b| (a / b).trunc()),
    integers: Some(|a, b, _| a.wrapping_div(b)),
    derivative: GradientRule::Zero,
    ..BinaryFacts::DEFAULT
};

static REMAINDER: BinaryFacts = BinaryFacts {
    name: "remainder",
    types: NoBool("remainder_cpu"),
    float: Kernel::Each(remainder),
    integers: Some(|a, b, _| integer_remainder(a, b)),
    derivative: GradientRule::Remainder,
    methods: &["remainder"],
    in_place: Some("remainder_"),
    ..BinaryFacts::DEFAULT
};

static FMOD: BinaryFacts = BinaryFacts {
    name: "fmod",
    types: NoBool("fmod_cpu"),
    float: Kernel::Each(|a, b| a % b),
    integers: Some(|a, b, _| a.wrapping_rem(b)),
    derivative: GradientRule::Fmod,
    methods: &["fmod"],
    ..BinaryFacts::DEFAULT
};

static POW: BinaryFacts = BinaryFacts {
    name: "pow",
    types: NoBool("pow"),
    float: Kernel::Each(f64::powf),
    integers: Some(|a, b, _| integer_power(a, b)),
    derivative: GradientRule::Pow,
    methods: &["pow"],
    in_place: Some("pow_"),
    ..BinaryFacts::DEFAULT
};

static ATAN2: BinaryFacts = BinaryFacts {
    name: "atan2",
    types: Float,
    float: Kernel::Each(f64::atan2),
    derivative: GradientRule::Atan2,
    methods: &["atan2"],
    takes_numbers: false,
    ..BinaryFacts::DEFAULT
};

static MAXIMUM: BinaryFacts = BinaryFacts {
    name: "maximum",
    types: Same,
    float: Kernel::Extreme(Extreme::Largest),
    integers: Some(|a, b, _| a.max(b)),
    derivative: GradientRule::Maximum,
    methods: &["maximum"],
    takes_numbers: false,
    ..BinaryFacts::DEFAULT
};

static MINIMUM: BinaryFacts = BinaryFacts {
    name: "minimum",
    types: Same,
    float: Kernel::Extreme(Extreme::Smallest),
    integers: Some(|a, b, _| a.min(b)),
    derivative: GradientRule::Minimum,
    methods: &["minimum"],
    takes_numbers: false,
    ..BinaryFacts::DEFAULT
};

static LOGICAL_AND: BinaryFacts = BinaryFacts {
    name: "logical_and",
    types: Bool,
    float: Kernel::Logical,
    integers: Some(|a, b, _| a & b),
    methods: &["logical_and"],
    takes_numbers: false,
    ..BinaryFacts::DEFAULT
};

static LOGICAL_OR: BinaryFacts = BinaryFacts {
    name: "logical_or",
    types: Bool,
    float: Kernel::Logical,
    integers: Some(|a, b, _| a | b),
    methods: &["logical_or"],
    takes_numbers: false,
    ..BinaryFacts::DEFAULT
};

static LOGICAL_XOR: BinaryFacts = BinaryFacts {
    name: "logical_xor",
    types: Bool,
    float: Kernel::Logical,
    integers: Some(|a, b, _| a ^ b),
    methods: &["logical_xor"],
    takes_numbers: false,
    ..BinaryFacts::DEFAULT
};

static BITWISE_AND: BinaryFacts = BinaryFacts {
    name: "bitwise_and",
    types: NoFloat("bitwise_and_cpu"),
    float: Kernel::Integers,
    integers: Some(|a, b, _| a & b),
    methods: &["bitwise_and"],
    ..BinaryFacts::DEFAULT
};

static BITWISE_OR: BinaryFacts = BinaryFacts {
    name: "bitwise_or",
    types: NoFloat("bitwise_or_cpu"),
    float: Kernel::Integers,
    integers: Some(|a, b, _| a | b),
    methods: &["bitwise_or"],
    ..BinaryFacts::DEFAULT
};

static BITWISE_XOR: BinaryFacts = BinaryFacts {
    name: "bitwise_xor",
    types: NoFloat("bitwise_xor_cpu"),
    float: Kernel::Integers,
    integers: Some(|a, b, _| a ^ b),
    methods: &["bitwise_xor"],
    ..BinaryFacts::DEFAULT
};

static LEFT_SHIFT: BinaryFacts = BinaryFacts {
    name: "bitwise_left_shift",
    types: OnlyIntegers("lshift_cpu"),
    float: Kernel::Integers,
    integers: Some(|a, b, dtype| shift(a, b, dtype, i64::checked_shl)),
    methods: &["bitwise_left_shift"],
    ..BinaryFacts::DEFAULT
};

static RIGHT_SHIFT: BinaryFacts = BinaryFacts {
    name: "bitwise_right_shift",
    types: OnlyIntegers("rshift_cpu"),
    float: Kernel::Integers,
    integers: Some(|a, b, dtype| shift(a, b, dtype, i64::checked_shr)),
    methods: &["bitwise_right_shift"],
    ..BinaryFacts::DEFAULT
};
