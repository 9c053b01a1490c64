//! Functions of two tensors, or of a tensor and a Python number, element by element and broadcast.
//!
//! [`super::binary_scalar`] has the operation with a number; what it depends on for each function is here.

use super::binary_rows::{GradientRule, Kernel};
use super::formula::{Autograd, AutogradOf, Backward, Gradient, Gradients, Output, Primitive};
use super::operation::{
    Autocast, Devices, Dispatch, Operand, Operation, ResultOrder, Saved, broadcast_all,
    cost_per_element, each_for_the_other, inputs as all_of, not_implemented, variants,
};
use crate::dtype::{DType, PromotionCategory, result_type};
use crate::error::TorchError;
use crate::kernels::elementwise::{Extreme, extreme_of_two, to_bool, zip, zip_integers};
use crate::kernels::fast::{self, pair_functions};
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::kernels::scalar::{larger, smaller};
use crate::meta::{Cost, Meta};
use candle_core::{DType as Stored, Tensor};

variants! {
    /// A function of two operands. To add one, add a variant and its row in `binary_rows`; a new gradient is a
    /// variant of [`GradientRule`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Binary {
        Add, Sub, Mul, Div, FloorDivide, TruncDivide, Remainder, Fmod, Pow, Atan2, Maximum, Minimum,
        LogicalAnd, LogicalOr, LogicalXor, BitwiseAnd, BitwiseOr, BitwiseXor, LeftShift, RightShift,
    }
}

/// Type and standing of an operand.
pub(super) type OperandType = (DType, PromotionCategory);

impl Binary {
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
            Self::Maximum => fast::with_two(pair_functions::MaximumOf, a, b),
            Self::Minimum => fast::with_two(pair_functions::MinimumOf, a, b),
            Self::Remainder => fast::with_two(pair_functions::Remainder, a, b),
            Self::FloorDivide => fast::with_two(pair_functions::FloorDivide, a, b),
            Self::Pow => fast::with_two(pair_functions::Power, a, b),
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
