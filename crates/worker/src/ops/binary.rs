//! Functions of two tensors, or of a tensor and a Python number, element by element and broadcast.
//!
//! [`super::binary_scalar`] has the operation with a number; what it depends on for each function is here.

use super::formula::{Autograd, AutogradOf, Backward, Gradient, Gradients, Output, Primitive};
use super::operation::{
    Autocast, Devices, Dispatch, Operand, Operation, ResultOrder, Saved, Types, broadcast_all,
    cost_per_element, each_for_the_other, inputs as all_of, not_implemented, variants,
};
use crate::dtype::{DType, PromotionCategory, result_type};
use crate::error::TorchError;
use crate::kernels::elementwise::{Extreme, extreme_of_two, to_bool, zip, zip_integers};
use crate::kernels::fast::{self, chosen};
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::kernels::scalar::{
    floor_divide, floor_divide_integers, integer_power, integer_remainder, larger, remainder,
    shift, smaller,
};
use crate::meta::{Cost, Meta};
use candle_core::{DType as Stored, Tensor};

variants! {
    /// A function of two operands. To add one, add a variant and its row in [`Binary::row`]; a new gradient is a
    /// variant of [`GradientRule`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Binary {
        Add, Sub, Mul, Div, FloorDivide, TruncDivide, Remainder, Fmod, Pow, Atan2, Maximum, Minimum,
        LogicalAnd, LogicalOr, LogicalXor, BitwiseAnd, BitwiseOr, BitwiseXor, LeftShift, RightShift,
    }
}

/// Type and standing of an operand.
pub(super) type OperandType = (DType, PromotionCategory);

pub(super) struct Row {
    name: &'static str,
    /// The type of the result for the type that both operands promote to.
    types: Types,
    float: Kernel,
    /// How integers and bools are computed on 64 bits; `None` where the result is never one.
    integers: Option<fn(i64, i64, DType) -> i64>,
    pub(super) derivative: GradientRule,
    /// The methods of tensors that do it.
    methods: &'static [&'static str],
    /// The method that does it in place.
    in_place: Option<&'static str>,
    takes_numbers: bool,
}

/// How floating point values are computed.
#[derive(Clone, Copy)]
enum Kernel {
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

type Pair = fn(&Tensor, &Tensor) -> candle_core::Result<Tensor>;

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

    /// The methods of tensors, with what they do.
    pub(crate) fn methods() -> impl Iterator<Item = (Self, &'static str)> {
        let all = Self::ALL.iter();
        all.flat_map(|it| it.row().methods.iter().map(|name| (*it, *name)))
    }

    /// The methods of tensors that work in place, with what they do.
    pub(crate) fn methods_in_place() -> impl Iterator<Item = (Self, &'static str)> {
        let all = Self::ALL.iter();
        all.filter_map(|it| it.row().in_place.map(|name| (*it, name)))
    }

    pub(crate) fn takes_numbers(self) -> bool {
        self.row().takes_numbers
    }

    /// Whether the operands count as bools.
    pub(super) fn is_logical(self) -> bool {
        matches!(self.row().float, Kernel::Logical)
    }

    pub(super) fn dtype(self, a: OperandType, b: OperandType) -> Result<DType, TorchError> {
        let wide = result_type(a, b);
        if self == Self::Sub {
            difference(a.0, b.0)?;
        }
        if self == Self::Pow && b.1 == PromotionCategory::Number {
            return Ok(wide);
        }
        self.row().types.result(wide)
    }

    /// The values of a result of this type.
    pub(super) fn compute(self, host: &Host, [a, b]: [&Tensor; 2], dtype: DType) -> KernelResult {
        let row = self.row();
        if matches!(row.float, Kernel::Logical) {
            return self.of_integers(host, [&to_bool(a)?, &to_bool(b)?], dtype);
        }
        let stored = dtype.stored();
        let typed;
        let (a, b) = if a.dtype() == stored && b.dtype() == stored {
            (a, b)
        } else {
            typed = (host.cast(a, stored)?, host.cast(b, stored)?);
            (&typed.0, &typed.1)
        };
        if !dtype.is_float() {
            return self.of_integers(host, [a, b], dtype);
        }
        if let Some(made) = self.fast(a, b) {
            return Ok(made?);
        }
        match row.float {
            Kernel::Candle(kernel) => Ok(kernel(a, b)?),
            Kernel::Each(f) => zip(host, a, b, f),
            Kernel::Extreme(which) if is_on_card(a) => extreme_of_two(which, a, b),
            Kernel::Extreme(Extreme::Largest) => zip(host, a, b, larger),
            Kernel::Extreme(Extreme::Smallest) => zip(host, a, b, smaller),
            Kernel::Logical | Kernel::Integers => self.of_integers(host, [a, b], dtype),
        }
    }

    /// For `float32` on the host, those that candle has no kernel for and programs use much.
    fn fast(self, a: &Tensor, b: &Tensor) -> Option<candle_core::Result<Tensor>> {
        match self {
            Self::Maximum => fast::with_two(chosen::Larger, a, b),
            Self::Minimum => fast::with_two(chosen::Smaller, a, b),
            Self::Remainder => fast::with_two(chosen::Remainder, a, b),
            Self::FloorDivide => fast::with_two(chosen::FloorDivide, a, b),
            Self::Pow => fast::with_two(chosen::Power, a, b),
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::TruncDivide
            | Self::Fmod
            | Self::Atan2
            | Self::LogicalAnd
            | Self::LogicalOr
            | Self::LogicalXor
            | Self::BitwiseAnd
            | Self::BitwiseOr
            | Self::BitwiseXor
            | Self::LeftShift
            | Self::RightShift => None,
        }
    }

    /// The values of a result whose elements are integers or bools.
    pub(super) fn of_integers(
        self,
        host: &Host,
        [a, b]: [&Tensor; 2],
        dtype: DType,
    ) -> KernelResult {
        let row = self.row();
        let Some(integers) = row.integers else {
            return Err(not_implemented(row.name, dtype));
        };
        let is_i64 = dtype == DType::I64 && a.dtype() == Stored::I64 && b.dtype() == Stored::I64;
        if is_i64 && is_on_card(a) && is_on_card(b) {
            let shape = a.shape().broadcast_shape_binary_op(b.shape(), row.name)?;
            let (a, b) = (a.broadcast_as(&shape)?, b.broadcast_as(&shape)?);
            match row.float {
                Kernel::Candle(kernel) => return Ok(kernel(&a, &b)?),
                Kernel::Extreme(Extreme::Largest) => return Ok(a.maximum(&b)?),
                Kernel::Extreme(Extreme::Smallest) => return Ok(a.minimum(&b)?),
                Kernel::Each(_) | Kernel::Logical | Kernel::Integers => {}
            }
        }
        let divides = matches!(
            self,
            Self::Div | Self::FloorDivide | Self::TruncDivide | Self::Remainder | Self::Fmod
        );
        if let Some(made) = self.of_one_type([a, b], |a, b| integers(a, b, dtype), dtype)? {
            return Ok(made);
        }
        zip_integers(host, a, b, dtype, |a, b| {
            if divides && b == 0 {
                return Err(TorchError::runtime("ZeroDivisionError"));
            }
            Ok(integers(a, b, dtype))
        })
    }

    /// The gradient of the first operand, before broadcasting is undone.
    fn of_first<A: Autograd>(self, e: &A, [a, b]: [&A::Tensor; 2], grad: &A::Tensor) -> Output<A> {
        use Primitive::{EqScalar, Pow, SubScalar};
        match self.row().derivative {
            GradientRule::Add
            | GradientRule::Sub
            | GradientRule::Remainder
            | GradientRule::Fmod => Ok(grad.clone()),
            GradientRule::Mul => e.mul(grad, b),
            GradientRule::Div => e.div(grad, b),
            GradientRule::Pow => {
                let lower = e.apply(Pow, &[a, &e.one(SubScalar(1.0), b)?])?;
                let slope = e.mul(grad, &e.mul(b, &lower)?)?;
                // Where the exponent is 0 the gradient is 0; 0 times infinity would be NaN.
                e.zero_where(&e.one(EqScalar(0.0), b)?, &slope)
            }
            GradientRule::Atan2 => e.mul(&over_squares(e, [a, b], grad)?, b),
            GradientRule::Maximum => e.mul(grad, &share(e, Primitive::Gt, [a, b], grad)?),
            GradientRule::Minimum => e.mul(grad, &share(e, Primitive::Lt, [a, b], grad)?),
            GradientRule::Zero | GradientRule::None => e.full_like(grad, 0.0),
        }
    }

    /// The gradient of the second operand, before broadcasting is undone.
    fn of_second<A: Autograd>(
        self,
        e: &A,
        [a, b]: [&A::Tensor; 2],
        [out, grad]: [&A::Tensor; 2],
    ) -> Output<A> {
        use Primitive::{EqScalar, FloorDivide, GeScalar, Log, LogicalAnd, Neg, TruncDivide};
        match self.row().derivative {
            GradientRule::Add => Ok(grad.clone()),
            GradientRule::Sub => e.one(Neg, grad),
            GradientRule::Mul => e.mul(grad, a),
            GradientRule::Div => {
                let slope = e.div(&e.div(a, b)?, b)?;
                e.mul(&e.one(Neg, grad)?, &slope)
            }
            GradientRule::Pow => {
                let slope = e.mul(grad, &e.mul(out, &e.one(Log, a)?)?)?;
                let zero = e.one(EqScalar(0.0), a)?;
                let upward = e.one(GeScalar(0.0), b)?;
                e.zero_where(&e.apply(LogicalAnd, &[&zero, &upward])?, &slope)
            }
            GradientRule::Remainder => e.one(Neg, &e.mul(grad, &e.apply(FloorDivide, &[a, b])?)?),
            GradientRule::Fmod => e.one(Neg, &e.mul(grad, &e.apply(TruncDivide, &[a, b])?)?),
            GradientRule::Atan2 => e.one(Neg, &e.mul(&over_squares(e, [a, b], grad)?, a)?),
            GradientRule::Maximum => e.mul(grad, &share(e, Primitive::Gt, [b, a], grad)?),
            GradientRule::Minimum => e.mul(grad, &share(e, Primitive::Lt, [b, a], grad)?),
            GradientRule::Zero | GradientRule::None => e.full_like(grad, 0.0),
        }
    }
}

impl Operation for Binary {
    fn name(&self) -> &'static str {
        self.row().name
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let shape = broadcast_all(inputs)?;
        let [a, b] = self.operands(inputs)?;
        let dtype = self.dtype(
            (a.dtype, a.promotion_category()),
            (b.dtype, b.promotion_category()),
        )?;
        Ok(Meta::new(shape, dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        self.compute(host, *self.operands(inputs)?, result.dtype)
    }

    fn order(&self) -> ResultOrder {
        ResultOrder::OfInputs
    }

    fn saved(&self, wants: &dyn Fn(usize) -> bool) -> Saved {
        let mut saved = Saved::new();
        match self.row().derivative {
            GradientRule::None | GradientRule::Zero | GradientRule::Add | GradientRule::Sub => {}
            GradientRule::Mul => saved = each_for_the_other(wants, [0, 1]),
            GradientRule::Div => {
                saved.push(Operand::Input(1));
                saved.extend(wants(1).then_some(Operand::Input(0)));
            }
            GradientRule::Pow => {
                saved = all_of(0..2);
                saved.extend(wants(1).then_some(Operand::Result));
            }
            GradientRule::Remainder | GradientRule::Fmod if !wants(1) => {}
            GradientRule::Remainder
            | GradientRule::Fmod
            | GradientRule::Maximum
            | GradientRule::Minimum
            | GradientRule::Atan2 => saved = all_of(0..2),
        }
        saved
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        if self.row().derivative == GradientRule::None {
            return Ok(Gradients::None);
        }
        let [a, b] = self.operands(at.inputs)?;
        let of_a = e.wanted(a, || e.sum_to(&self.of_first(e, [a, b], at.grad)?, a))?;
        let of_b = e.wanted(b, || {
            let of_b = self.of_second(e, [a, b], [at.result, at.grad])?;
            e.sum_to(&of_b, b)
        })?;
        Ok(Gradients::Of(vec![of_a, of_b]))
    }

    fn backward_name(&self, _rank: usize) -> (&'static str, u8) {
        (self.name(), u8::from(*self == Self::Pow))
    }
}

impl Dispatch for Binary {
    fn autocast(&self) -> Autocast {
        if *self == Self::Pow {
            Autocast::Float32OnCards
        } else {
            Autocast::Unchanged
        }
    }

    fn devices(&self) -> Devices {
        Devices::CpuScalarsToo
    }
}

/// PyTorch subtracts no bools.
fn difference(a: DType, b: DType) -> Result<(), TorchError> {
    match (a == DType::Bool, b == DType::Bool) {
        (true, true) => Err(TorchError::missing(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
        )),
        (true, false) | (false, true) => Err(TorchError::missing(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        )),
        (false, false) => Ok(()),
    }
}

/// `grad / (a² + b²)`
fn over_squares<A: Autograd>(e: &A, [a, b]: [&A::Tensor; 2], grad: &A::Tensor) -> Output<A> {
    let (a, b) = (e.one(Primitive::Square, a)?, e.one(Primitive::Square, b)?);
    e.div(grad, &e.apply(Primitive::Add, &[&a, &b])?)
}

/// 1 where the first tensor is the one that was chosen, a half where both are equal.
fn share<A: Autograd>(
    e: &A,
    compare: Primitive,
    [a, b]: [&A::Tensor; 2],
    grad: &A::Tensor,
) -> Output<A> {
    let dtype = e.meta(grad).dtype;
    let chosen = e.apply(compare, &[a, b])?;
    let chosen = e.one(Primitive::Cast(dtype), &chosen)?;
    let both = e.apply(Primitive::Eq, &[a, b])?;
    let both = e.scale(&e.one(Primitive::Cast(dtype), &both)?, 0.5)?;
    e.apply(Primitive::Add, &[&chosen, &both])
}
