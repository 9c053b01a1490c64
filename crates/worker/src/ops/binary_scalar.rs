//! Functions of a tensor and a Python number. What depends on the function is in [`super::binary`].

use super::binary::{Binary, OperandType};
use super::binary_rows::GradientRule;
use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{
    Autocast, Dispatch, Operand, Operation, ResultOrder, Saved, cost_per_element, first,
};
use crate::dtype::{Category, DType, PromotionCategory};
use crate::error::TorchError;
use crate::kernels::elementwise::to_bool;
use crate::kernels::fast::{self, pair_functions::Power};
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::meta::{Cost, Meta};
use candle_core::Tensor;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BinaryScalar {
    pub(crate) function: Binary,
    pub(crate) number: f64,
    pub(crate) kind: Category,
    pub(crate) side: NumberSide,
}

/// On which side of the operator the number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberSide {
    /// `number op tensor`
    Left,
    /// `tensor op number`
    Right,
}

impl BinaryScalar {
    /// `tensor op number` with a Python float.
    pub(crate) fn right(function: Binary, number: f64) -> Self {
        Self {
            function,
            number,
            kind: Category::Float,
            side: NumberSide::Right,
        }
    }

    /// `number op tensor` with a Python float.
    pub(crate) fn left(function: Binary, number: f64) -> Self {
        Self {
            side: NumberSide::Left,
            ..Self::right(function, number)
        }
    }

    fn derivative(&self) -> GradientRule {
        self.function.row().derivative
    }

    fn dtype(&self, tensor: OperandType) -> Result<DType, TorchError> {
        if self.function == Binary::Atan2 {
            let kind = match self.kind {
                Category::Bool => "bool",
                Category::Int => "int",
                Category::Float => "float",
            };
            return Err(TorchError::typed(format!(
                "atan2(): argument 'other' (position 2) must be Tensor, not {kind}"
            )));
        }
        let is_exponent = self.function == Binary::Pow && self.side == NumberSide::Right;
        let of_integers = self.kind != Category::Float && !tensor.0.is_float();
        if is_exponent && self.number < 0.0 && of_integers {
            return Err(TorchError::runtime(
                "Integers to negative integer powers are not allowed.",
            ));
        }
        let number = match self.kind {
            Category::Bool => DType::Bool,
            Category::Int => DType::I64,
            Category::Float => DType::F64,
        };
        let number = (number, PromotionCategory::Number);
        match self.side {
            NumberSide::Right => self.function.dtype(tensor, number),
            NumberSide::Left => self.function.dtype(number, tensor),
        }
    }

    fn of_integers(&self, host: &Host, a: &Tensor, dtype: DType) -> KernelResult {
        let (a, number) = if self.function.is_logical() {
            let number = u8::from(self.number != 0.0);
            (to_bool(a)?, Tensor::full(number, (), a.device())?)
        } else {
            let (wide, a) = (self.number as i64, host.cast(a, dtype.stored())?);
            let number = Tensor::full(wide, (), a.device())?;
            // In the type of the tensor if it is a number of that type, so that one kernel takes both.
            let fits = dtype != DType::Bool && dtype.holds(wide);
            let number = if fits && !is_on_card(&a) {
                number.to_dtype(dtype.stored())?
            } else {
                number
            };
            (a, number)
        };
        let operands = match self.side {
            NumberSide::Right => [&a, &number],
            NumberSide::Left => [&number, &a],
        };
        self.function.of_integers(host, operands, dtype)
    }
}

impl Operation for BinaryScalar {
    fn name(&self) -> &'static str {
        self.function.name()
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let input = first(inputs);
        let dtype = self.dtype((input.dtype, input.promotion_category()))?;
        Ok(Meta::new(input.shape, dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [a] = self.operands(inputs)?;
        let dtype = result.dtype;
        if self.function.is_logical() || !dtype.is_float() {
            return self.of_integers(host, a, dtype);
        }
        let a = &host.cast(a, dtype.stored())?;
        let (number, left) = (self.number, self.side == NumberSide::Left);
        Ok(match self.derivative() {
            GradientRule::Add => fast::affine(a, 1.0, number)?,
            GradientRule::Sub if left => fast::affine(a, -1.0, number)?,
            GradientRule::Sub => fast::affine(a, 1.0, -number)?,
            GradientRule::Mul => fast::times(a, number)?,
            GradientRule::Pow if !left => power(a, number)?,
            // Dividing and multiplying by the reciprocal differ in the last bit, so it is a division.
            GradientRule::Div if left => fast::under(a, number)?,
            GradientRule::Div => fast::over(a, number)?,
            GradientRule::Pow
            | GradientRule::Remainder
            | GradientRule::Fmod
            | GradientRule::Atan2
            | GradientRule::Maximum
            | GradientRule::Minimum
            | GradientRule::Zero
            | GradientRule::None => {
                let number = Tensor::full(number, (), a.device())?.to_dtype(a.dtype())?;
                let operands = if left { [&number, a] } else { [a, &number] };
                self.function.compute(host, operands, dtype)?
            }
        })
    }

    fn order(&self) -> ResultOrder {
        ResultOrder::OfInputs
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        let left = self.side == NumberSide::Left;
        let (input, result) = match self.derivative() {
            GradientRule::Pow => (true, left),
            GradientRule::Div | GradientRule::Remainder | GradientRule::Fmod => (left, false),
            GradientRule::Maximum | GradientRule::Minimum => (true, false),
            GradientRule::Add
            | GradientRule::Sub
            | GradientRule::Mul
            | GradientRule::Atan2
            | GradientRule::Zero
            | GradientRule::None => (false, false),
        };
        let input = input.then_some(Operand::Input(0));
        let result = result.then_some(Operand::Result);
        input.into_iter().chain(result).collect()
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        use Primitive::{
            Cast, DivScalar, GeScalar, GtScalar, LtScalar, Neg, PowScalar, ScalarDiv,
            ScalarFloorDivide, ScalarTruncDivide,
        };
        let [a] = self.operands(at.inputs)?;
        let (number, left, grad) = (self.number, self.side == NumberSide::Left, at.grad);
        let where_chosen = |compare: Primitive| {
            let chosen = e.one(compare, a)?;
            e.mul(grad, &e.one(Cast(e.meta(grad).dtype), &chosen)?)
        };
        let gradient = match self.derivative() {
            GradientRule::Sub if left => e.one(Neg, grad)?,
            GradientRule::Mul => e.scale(grad, number)?,
            GradientRule::Div if left => {
                let slope = e.div(&e.one(ScalarDiv(number), a)?, a)?;
                e.one(Neg, &e.mul(grad, &slope)?)?
            }
            GradientRule::Div => e.one(DivScalar(number), grad)?,
            GradientRule::Pow if left => {
                let slope = e.mul(grad, &e.scale(at.result, number.ln())?)?;
                if number == 0.0 {
                    e.zero_where(&e.one(GeScalar(0.0), a)?, &slope)?
                } else {
                    slope
                }
            }
            GradientRule::Pow if number == 0.0 => e.full_like(grad, 0.0)?,
            GradientRule::Pow => {
                let lower = e.one(PowScalar(number - 1.0), a)?;
                e.mul(grad, &e.scale(&lower, number)?)?
            }
            // At the limit itself `clamp` has none.
            GradientRule::Maximum => where_chosen(GtScalar(number))?,
            GradientRule::Minimum => where_chosen(LtScalar(number))?,
            GradientRule::Remainder if left => {
                e.one(Neg, &e.mul(grad, &e.one(ScalarFloorDivide(number), a)?)?)?
            }
            GradientRule::Fmod if left => {
                e.one(Neg, &e.mul(grad, &e.one(ScalarTruncDivide(number), a)?)?)?
            }
            GradientRule::Add
            | GradientRule::Sub
            | GradientRule::Remainder
            | GradientRule::Fmod => grad.clone(),
            GradientRule::Zero => e.full_like(grad, 0.0)?,
            GradientRule::Atan2 | GradientRule::None => return Ok(Gradients::None),
        };
        Ok(Gradients::first(e.cast(gradient, e.meta(a).dtype)?))
    }

    fn backward_name(&self, _rank: usize) -> (&'static str, u8) {
        match (self.function, self.side) {
            (Binary::Sub, NumberSide::Left) => ("rsub", 1),
            // PyTorch multiplies with the reciprocal.
            (Binary::Div, NumberSide::Left) => ("mul", 0),
            (Binary::Pow, NumberSide::Left) => ("pow", 2),
            _ => (self.function.name(), 0),
        }
    }

    fn saves_number(&self) -> bool {
        matches!(self.function, Binary::Mul | Binary::Div)
    }
}

impl Dispatch for BinaryScalar {
    fn autocast(&self) -> Autocast {
        let divides = self.function == Binary::Div && self.side == NumberSide::Left;
        if divides || self.function == Binary::Pow {
            Autocast::Float32OnCards
        } else {
            Autocast::Unchanged
        }
    }
}

fn power(a: &Tensor, exponent: f64) -> KernelResult {
    Ok(match exponent {
        2.0 => fast::sqr(a)?,
        0.5 => fast::sqrt(a)?,
        1.0 => a.clone(),
        3.0 => fast::mul(&fast::sqr(a)?, a)?,
        -1.0 => fast::recip(a)?,
        _ => match fast::with_two(
            Power,
            a,
            &Tensor::full(exponent, (), a.device())?.to_dtype(a.dtype())?,
        ) {
            Some(made) => made?,
            None => a.powf(exponent)?,
        },
    })
}
