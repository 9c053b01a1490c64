//! Functions of one tensor, element by element.

use super::formula::{Autograd, AutogradOf, Backward, Gradient, Gradients, Output, Primitive};
use super::operation::{
    Autocast, Dispatch, Operand, Operation, ResultOrder, Saved, Types, cost_per_element, first,
    variants,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::elementwise::{map, map_integers};
use crate::kernels::fast;
use crate::kernels::fast::pairs::{Equal, Less, Pair, Unequal, compared};
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::kernels::special;
use crate::meta::{Cost, Meta};
use candle_core::op::CmpOp;
use candle_core::{DType as Stored, Tensor};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, LN_10};

variants! {
    /// A function of one tensor. To add one, add a variant, its row in [`Unary::row`] and its gradient.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Unary {
        Neg, Abs, Exp, Exp2, Expm1, Log, Log2, Log10, Log1p, Sqrt, Rsqrt, Square, Reciprocal,
        Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Asinh, Atanh, Sigmoid, Relu, Gelu, Erf, Erfinv,
        Floor, Ceil, Round, Trunc, Frac, Sign, LogicalNot, BitwiseNot, IsNan, IsInf, IsFinite,
    }
}

struct UnaryFacts {
    name: &'static str,
    types: Types,
    kernel: Kernel,
    saved: Option<Operand>,
    /// For results that are integers or bools.
    integers: Option<fn(i64, DType) -> i64>,
    autocast: Autocast,
    in_place: Option<&'static str>,
}

/// How floating point values are computed.
#[derive(Clone, Copy)]
enum Kernel {
    /// By a kernel of candle or our own.
    Candle(fn(&Tensor) -> candle_core::Result<Tensor>),
    /// By a function of each element on 64 bits, on the host.
    Each(fn(f64) -> f64),
    /// By a kernel of our own where it takes the elements, else by a function of each.
    Ours(Taking, fn(f64) -> f64),
    /// By a kernel that takes any type and gives bools.
    Test(fn(&Tensor) -> candle_core::Result<Tensor>),
    /// There are none: the result is never a floating point number.
    Integers,
}

/// A kernel that leaves some elements to others.
type Taking = fn(&Tensor) -> Option<candle_core::Result<Tensor>>;

const INPUT: Option<Operand> = Some(Operand::Input(0));
const RESULT: Option<Operand> = Some(Operand::Result);
const FLOAT32: Autocast = Autocast::Float32OnCards;

const fn row(
    name: &'static str,
    types: Types,
    kernel: Kernel,
    saved: Option<Operand>,
) -> UnaryFacts {
    UnaryFacts {
        name,
        types,
        kernel,
        saved,
        integers: None,
        autocast: Autocast::Unchanged,
        in_place: None,
    }
}

impl Unary {
    #[rustfmt::skip] // A table: one operation a line.
    fn row(self) -> &'static UnaryFacts {
        use Kernel::{Candle, Each, Integers, Ours, Test};
        use Types::{Bool, Float, NoBool, NoFloat, OnlyFloat, Rule, Same};
        match self {
            Self::Neg => const { &UnaryFacts { integers: Some(|it, _| it.wrapping_neg()), in_place: Some("neg_"), ..row("neg", Rule(negated), Candle(fast::neg), None) } },
            Self::Abs => const { &UnaryFacts { integers: Some(|it, _| it.wrapping_abs()), in_place: Some("abs_"), ..row("abs", NoBool("abs_cpu"), Candle(fast::abs), INPUT) } },
            Self::Exp => const { &UnaryFacts { autocast: FLOAT32, in_place: Some("exp_"), ..row("exp", Float, Candle(fast::exp), RESULT) } },
            Self::Exp2 => const { &row("exp2", Float, Each(f64::exp2), RESULT) },
            Self::Expm1 => const { &UnaryFacts { autocast: FLOAT32, ..row("expm1", Float, Each(f64::exp_m1), RESULT) } },
            Self::Log => const { &UnaryFacts { autocast: FLOAT32, in_place: Some("log_"), ..row("log", Float, Candle(fast::ln), INPUT) } },
            Self::Log2 => const { &UnaryFacts { autocast: FLOAT32, ..row("log2", Float, Ours(fast::log2, f64::log2), INPUT) } },
            Self::Log10 => const { &UnaryFacts { autocast: FLOAT32, ..row("log10", Float, Ours(fast::log10, f64::log10), INPUT) } },
            Self::Log1p => const { &UnaryFacts { autocast: FLOAT32, ..row("log1p", Float, Ours(fast::ln_1p, f64::ln_1p), INPUT) } },
            Self::Sqrt => const { &UnaryFacts { in_place: Some("sqrt_"), ..row("sqrt", Float, Candle(fast::sqrt), RESULT) } },
            Self::Rsqrt => const { &UnaryFacts { autocast: FLOAT32, in_place: Some("rsqrt_"), ..row("rsqrt", Float, Candle(|it| fast::recip(&fast::sqrt(it)?)), RESULT) } },
            Self::Square => const { &UnaryFacts { integers: Some(|it, _| it.wrapping_mul(it)), ..row("square", Rule(squared), Candle(fast::sqr), INPUT) } },
            Self::Reciprocal => const { &UnaryFacts { autocast: FLOAT32, ..row("reciprocal", Float, Candle(fast::recip), RESULT) } },
            Self::Sin => const { &UnaryFacts { in_place: Some("sin_"), ..row("sin", Float, Candle(fast::sin), INPUT) } },
            Self::Cos => const { &UnaryFacts { in_place: Some("cos_"), ..row("cos", Float, Candle(fast::cos), INPUT) } },
            Self::Tan => const { &UnaryFacts { autocast: FLOAT32, ..row("tan", Float, Each(f64::tan), RESULT) } },
            Self::Asin => const { &UnaryFacts { autocast: FLOAT32, ..row("asin", Float, Each(f64::asin), INPUT) } },
            Self::Acos => const { &UnaryFacts { autocast: FLOAT32, ..row("acos", Float, Each(f64::acos), INPUT) } },
            Self::Atan => const { &row("atan", Float, Each(f64::atan), INPUT) },
            Self::Sinh => const { &UnaryFacts { autocast: FLOAT32, ..row("sinh", Float, Each(f64::sinh), INPUT) } },
            Self::Cosh => const { &UnaryFacts { autocast: FLOAT32, ..row("cosh", Float, Each(f64::cosh), INPUT) } },
            Self::Asinh => const { &row("asinh", Float, Each(f64::asinh), INPUT) },
            Self::Atanh => const { &row("atanh", Float, Each(f64::atanh), INPUT) },
            Self::Tanh => const { &UnaryFacts { in_place: Some("tanh_"), ..row("tanh", Float, Candle(fast::tanh), RESULT) } },
            Self::Sigmoid => const { &UnaryFacts { in_place: Some("sigmoid_"), ..row("sigmoid", Float, Candle(fast::sigmoid), RESULT) } },
            Self::Relu => const { &UnaryFacts { integers: Some(|it, _| it.max(0)), in_place: Some("relu_"), ..row("relu", Rule(rectified), Candle(fast::relu), RESULT) } },
            // PyTorch's default is the exact one, with the error function; candle's `gelu` is the tanh form.
            Self::Gelu => const { &row("gelu", OnlyFloat("GeluKernelImpl"), Candle(fast::gelu), INPUT) },
            Self::Erf => const { &UnaryFacts { in_place: Some("erf_"), ..row("erf", Float, Candle(fast::erf), INPUT) } },
            Self::Erfinv => const { &UnaryFacts { autocast: FLOAT32, ..row("erfinv", Float, Each(special::erfinv), RESULT) } },
            Self::Floor => const { &UnaryFacts { integers: Some(|it, _| it), in_place: Some("floor_"), ..row("floor", NoBool("floor_vml_cpu"), Candle(fast::floor), None) } },
            Self::Ceil => const { &UnaryFacts { integers: Some(|it, _| it), in_place: Some("ceil_"), ..row("ceil", NoBool("ceil_vml_cpu"), Candle(fast::ceil), None) } },
            // Halves go to the even neighbour; candle rounds them away from 0.
            Self::Round => const { &UnaryFacts { integers: Some(|it, _| it), in_place: Some("round_"), ..row("round", NoBool("round_vml_cpu"), Ours(fast::round, f64::round_ties_even), None) } },
            Self::Trunc => const { &UnaryFacts { integers: Some(|it, _| it), ..row("trunc", NoBool("trunc_vml_cpu"), Ours(fast::trunc, f64::trunc), None) } },
            Self::Frac => const { &row("frac", OnlyFloat("frac_cpu"), Ours(fast::frac, f64::fract), None) },
            Self::Sign => const { &UnaryFacts { integers: Some(|it, _| it.signum()), ..row("sign", Same, Candle(Tensor::sign), None) } },
            Self::LogicalNot => const { &row("logical_not", Bool, Test(|it| tested(Equal, CmpOp::Eq, (it, 0.0))), None) },
            Self::BitwiseNot => const { &UnaryFacts { integers: Some(|it, dtype| if dtype == DType::Bool { 1 - it } else { !it }), ..row("bitwise_not", NoFloat("bitwise_not_cpu"), Integers, None) } },
            Self::IsNan => const { &row("isnan", Bool, Test(|it| compared(Unequal, it, it).unwrap_or_else(|| it.ne(it))), None) },
            Self::IsInf => const { &row("isinf", Bool, Test(|it| tested(Equal, CmpOp::Eq, (&size(it)?, f64::INFINITY))), None) },
            Self::IsFinite => const { &row("isfinite", Bool, Test(|it| tested(Less, CmpOp::Lt, (&size(it)?, f64::INFINITY))), None) },
        }
    }

    /// The methods of tensors: the function, its method, and the method that works in place if there is one.
    /// `gelu` is in `torch.nn.functional` alone.
    pub(crate) fn methods() -> impl Iterator<Item = (Self, &'static str, Option<&'static str>)> {
        let methods = Self::ALL.iter().filter(|it| **it != Self::Gelu);
        methods.map(|it| (*it, it.row().name, it.row().in_place))
    }

    /// The gradient of the input; nothing if there is none.
    fn derivative<A: Autograd>(
        self,
        e: &A,
        [a, out, grad]: [&A::Tensor; 3],
    ) -> Result<Option<A::Tensor>, TorchError> {
        use Primitive::{AddScalar, Cos, Cosh, Neg, PowScalar, ScalarSub, Sign, Sin, Sinh, Square};
        if let Some((fused, saved)) = self.fused_backward(a, out).filter(|_| !e.creates_graph()) {
            return e.apply(fused, &[grad, saved]).map(Some);
        }
        let times = |slope: &A::Tensor| e.mul(grad, slope).map(Some);
        let over = |below: &A::Tensor| e.div(grad, below).map(Some);
        match self {
            Self::Neg => e.one(Neg, grad).map(Some),
            Self::Abs => times(&e.one(Sign, a)?),
            Self::Exp => times(out),
            Self::Exp2 => times(&e.scale(out, LN_2)?),
            Self::Expm1 => times(&e.one(AddScalar(1.0), out)?),
            Self::Log => over(a),
            Self::Log2 => over(&e.scale(a, LN_2)?),
            Self::Log10 => over(&e.scale(a, LN_10)?),
            Self::Log1p => over(&e.one(AddScalar(1.0), a)?),
            Self::Sqrt => over(&e.scale(out, 2.0)?),
            Self::Rsqrt => times(&e.scale(&e.one(PowScalar(3.0), out)?, -0.5)?),
            Self::Square => times(&e.scale(a, 2.0)?),
            Self::Reciprocal => times(&e.one(Neg, &e.one(Square, out)?)?),
            Self::Sin => times(&e.one(Cos, a)?),
            Self::Cos => times(&e.one(Neg, &e.one(Sin, a)?)?),
            Self::Tan => times(&e.one(AddScalar(1.0), &e.one(Square, out)?)?),
            Self::Asin => times(&arc_slope(e, a)?),
            Self::Acos => times(&e.one(Neg, &arc_slope(e, a)?)?),
            Self::Atan => over(&e.one(AddScalar(1.0), &e.one(Square, a)?)?),
            Self::Sinh => times(&e.one(Cosh, a)?),
            Self::Cosh => times(&e.one(Sinh, a)?),
            Self::Tanh => times(&e.one(ScalarSub(1.0), &e.mul(out, out)?)?),
            Self::Sigmoid => times(&e.mul(out, &e.one(ScalarSub(1.0), out)?)?),
            Self::Relu => {
                let above = e.one(Primitive::GtScalar(0.0), out)?;
                times(&e.one(Primitive::Cast(e.meta(grad).dtype), &above)?)
            }
            Self::Gelu => times(&gelu_slope(e, a)?),
            Self::Erf => times(&e.scale(&bell(e, a, -1.0)?, FRAC_2_SQRT_PI)?),
            Self::Asinh => {
                let square = e.one(Square, a)?;
                times(&e.one(Primitive::Rsqrt, &e.one(AddScalar(1.0), &square)?)?)
            }
            Self::Atanh => over(&e.one(ScalarSub(1.0), &e.one(Square, a)?)?),
            Self::Erfinv => times(&e.scale(&bell(e, out, 1.0)?, 1.0 / FRAC_2_SQRT_PI)?),
            Self::Frac => Ok(Some(grad.clone())),
            Self::Floor | Self::Ceil | Self::Round | Self::Trunc | Self::Sign => {
                e.full_like(grad, 0.0).map(Some)
            }
            Self::LogicalNot | Self::BitwiseNot | Self::IsNan | Self::IsInf | Self::IsFinite => {
                Ok(None)
            }
        }
    }

    /// The one kernel that is its backward, and what it reads beside the gradient.
    fn fused_backward<'a, T>(self, a: &'a T, out: &'a T) -> Option<(Primitive, &'a T)> {
        [
            (Self::Tanh, Primitive::TanhBackward, out),
            (Self::Sigmoid, Primitive::SigmoidBackward, out),
            (Self::Relu, Primitive::ReluBackward, out),
            (Self::Gelu, Primitive::GeluBackward, a),
        ]
        .into_iter()
        .find_map(|(it, fused, saved)| (it == self).then_some((fused, saved)))
    }
}

impl Operation for Unary {
    fn name(&self) -> &'static str {
        self.row().name
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        Ok(Meta::new(shape, self.row().types.result(dtype)?))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [a] = self.operands(inputs)?;
        let row = self.row();
        let cast = || host.cast(a, result.dtype.stored());
        if let Self::BitwiseNot = self
            && is_on_card(a)
        {
            return Ok(inverted(a, result.dtype)?);
        }
        match (row.kernel, row.integers) {
            (Kernel::Test(test), _) => Ok(test(a)?),
            (_, Some(f)) if !result.dtype.is_float() => {
                map_integers(host, &cast()?, result.dtype, |it| f(it, result.dtype))
            }
            (Kernel::Candle(kernel), _) => Ok(kernel(&cast()?)?),
            (Kernel::Each(f), _) => map(host, &cast()?, f),
            (Kernel::Ours(kernel, f), _) => {
                let a = cast()?;
                Ok(kernel(&a)
                    .transpose()?
                    .map_or_else(|| map(host, &a, f), Ok)?)
            }
            // Not reached: a row of this kernel has `integers`, and its types refuse floats.
            (Kernel::Integers, _) => Ok(cast()?),
        }
    }

    fn order(&self) -> ResultOrder {
        ResultOrder::OfInputs
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        self.row().saved.into_iter().collect()
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [a] = self.operands(at.inputs)?;
        let gradient = self.derivative(e, [a, at.result, at.grad])?;
        Ok(gradient.map_or(Gradients::None, Gradients::first))
    }

    fn backward_name(&self, _rank: usize) -> (&'static str, u8) {
        match self.name() {
            "square" => ("pow", 0),
            "log1p" => ("log1_p", 0),
            name => (name, 0),
        }
    }
}

impl Dispatch for Unary {
    fn autocast(&self) -> Autocast {
        self.row().autocast
    }
}

fn negated(of: DType) -> Result<DType, TorchError> {
    if of == DType::Bool {
        return Err(TorchError::missing(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        ));
    }
    Ok(of)
}

#[expect(clippy::unnecessary_wraps, reason = "it is one of several rules")]
fn squared(of: DType) -> Result<DType, TorchError> {
    Ok(if of == DType::Bool { DType::I64 } else { of })
}

fn rectified(of: DType) -> Result<DType, TorchError> {
    if of == DType::Bool {
        return Err(TorchError::missing("Boolean inputs not supported for relu"));
    }
    Ok(of)
}

/// The inverted bits, by kernels that compute: those that a card holds are flags, bytes and `int64`.
fn inverted(a: &Tensor, dtype: DType) -> candle_core::Result<Tensor> {
    match dtype {
        DType::Bool => card::compared_with("eq", a, 0.0).unwrap_or_else(|| a.eq(0_u8)),
        DType::U8 => Tensor::full(u8::MAX, (), a.device())?.broadcast_sub(a),
        DType::I8
        | DType::I16
        | DType::I32
        | DType::I64
        | DType::F16
        | DType::BF16
        | DType::F32
        | DType::F64 => a.affine(-1.0, -1.0),
    }
}

fn size(a: &Tensor) -> candle_core::Result<Tensor> {
    if a.dtype() == Stored::F32 {
        return fast::abs(a);
    }
    a.to_dtype(Stored::F64)?.abs()
}

/// A comparison with a number.
fn tested<F>(f: F, candles: CmpOp, (a, number): (&Tensor, f64)) -> candle_core::Result<Tensor>
where
    F: Pair<u8> + Pair<i16> + Pair<i32> + Pair<i64> + Pair<f32> + Pair<f64>,
{
    let name = match candles {
        CmpOp::Eq => "eq",
        CmpOp::Ne => "ne",
        CmpOp::Le => "le",
        CmpOp::Ge => "ge",
        CmpOp::Lt => "lt",
        CmpOp::Gt => "gt",
    };
    if let Some(made) = card::compared_with(name, a, number) {
        return made;
    }
    let number_of_type = Tensor::full(number, (), a.device())?.to_dtype(a.dtype())?;
    match compared(f, a, &number_of_type) {
        Some(made) => made,
        None => a.cmp(&number_of_type.broadcast_as(a.shape())?, candles),
    }
}

/// `1 / sqrt(1 - a²)`
fn arc_slope<A: Autograd>(e: &A, a: &A::Tensor) -> Output<A> {
    let square = e.one(Primitive::Square, a)?;
    e.one(
        Primitive::Rsqrt,
        &e.one(Primitive::ScalarSub(1.0), &square)?,
    )
}

/// `exp(scale · a²)`
fn bell<A: Autograd>(e: &A, a: &A::Tensor, scale: f64) -> Output<A> {
    let square = e.mul(a, a)?;
    e.one(Primitive::Exp, &e.scale(&square, scale)?)
}

/// `Φ(a) + a·φ(a)`
fn gelu_slope<A: Autograd>(e: &A, a: &A::Tensor) -> Output<A> {
    let erf = e.one(Primitive::Erf, &e.scale(a, FRAC_1_SQRT_2)?)?;
    let phi = e.scale(&e.one(Primitive::AddScalar(1.0), &erf)?, 0.5)?;
    let density = 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;
    let bell = e.scale(&bell(e, a, -0.5)?, density)?;
    e.apply(Primitive::Add, &[&phi, &e.mul(a, &bell)?])
}
