//! Functions of three operands in one kernel, element by element and broadcast. The third operand may be a number.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{
    Devices, Dispatch, Operand, Operation, ResultOrder, Saved, broadcast_all, cost_per_element,
    each_for_the_other, inputs as all_of, not_implemented,
};
use super::{binary::Binary, binary_scalar::BinaryScalar};
use crate::dtype::{DType, PromotionCategory, result_type};
use crate::error::TorchError;
use crate::kernels::fast::{self, fused};
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::meta::{Cost, Meta};
use candle_core::Tensor;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ternary {
    /// `a + alpha · b`: `add` with `alpha`.
    AddAlpha(f64),
    /// `a + weight · (b - a)`: `lerp` with a number.
    LerpScalar(f64),
    /// `a + c · (b - a)`
    Lerp,
    /// `a + value · b · c`
    AddCMul(f64),
    /// `a + value · b / c`
    AddCDiv(f64),
}

impl Ternary {
    fn dtype(self, inputs: &[&Meta]) -> Result<DType, TorchError> {
        let typed = |it: &Meta| (it.dtype, it.promotion_category());
        match self {
            Self::AddAlpha(_) => {
                let [a, b] = self.operands(inputs)?;
                Binary::Add.dtype(typed(a), typed(b))
            }
            Self::LerpScalar(_) => {
                let [a, end] = self.operands(inputs)?;
                lerp_type(a, &[("end", *end)], "lerp_kernel_scalar")
            }
            Self::Lerp => {
                let [a, end, weight] = self.operands(inputs)?;
                lerp_type(
                    a,
                    &[("end", *end), ("weight", *weight)],
                    "lerp_kernel_tensor",
                )
            }
            Self::AddCMul(_) | Self::AddCDiv(_) => {
                let [a, b, c] = *self.operands(inputs)?;
                let (a, b, c) = (typed(a), typed(b), typed(c));
                let higher =
                    |x: PromotionCategory, y| if x == PromotionCategory::Tensor { x } else { y };
                let wide = result_type((result_type(a, b), higher(a.1, b.1)), c);
                if matches!(self, Self::AddCDiv(_)) && !wide.is_float() {
                    return Err(TorchError::runtime(
                        "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.",
                    ));
                }
                if wide == DType::Bool {
                    return Err(not_implemented("addcmul_cpu_out", wide));
                }
                Ok(wide)
            }
        }
    }

    /// The gradients of a weighted sum of two tensors.
    fn of_sum<A: AutogradOf<Self>>(
        self,
        e: &A,
        at: &Backward<'_, A>,
        weights: [f64; 2],
    ) -> Gradient<A> {
        let [a, b] = self.operands(at.inputs)?;
        let share = |like: &A::Tensor, weight: f64| {
            e.wanted(like, || {
                if (weight - 1.0).abs() < f64::EPSILON {
                    return e.sum_to(at.grad, like);
                }
                e.sum_to(&e.scale(at.grad, weight)?, like)
            })
        };
        let [of_a, of_b] = weights;
        Ok(Gradients::Of(vec![share(a, of_a)?, share(b, of_b)?]))
    }

    /// The gradients of `a + value · b · c` or `a + value · b / c`.
    fn of_fused_product<A: AutogradOf<Self>>(
        self,
        e: &A,
        at: &Backward<'_, A>,
        (value, factor): (f64, Factor),
    ) -> Gradient<A> {
        let [a, b, c] = self.operands(at.inputs)?;
        let by_value = || match value {
            1.0 => Ok(at.grad.clone()),
            _ => e.scale(at.grad, value),
        };
        let of_b = || match factor {
            Factor::Times => e.mul(&by_value()?, c),
            Factor::Over => e.div(&by_value()?, c),
        };
        let of_c = || match factor {
            Factor::Times => e.mul(&by_value()?, b),
            Factor::Over => {
                let slope = e.div(&e.div(b, c)?, c)?;
                e.one(Primitive::Neg, &e.mul(&by_value()?, &slope)?)
            }
        };
        Ok(Gradients::Of(vec![
            e.wanted(a, || e.sum_to(&at.grad.clone(), a))?,
            e.wanted(b, || e.sum_to(&of_b()?, b))?,
            e.wanted(c, || e.sum_to(&of_c()?, c))?,
        ]))
    }
}

/// One pass over `float32` on the host, and over floats on a card.
impl Ternary {
    fn fused(self, inputs: &[&Tensor]) -> Option<candle_core::Result<Tensor>> {
        match (self, inputs) {
            (Self::AddAlpha(it), [a, b]) => fast::with_two(fused::AddAlpha(it), a, b),
            (Self::LerpScalar(it), [a, b]) => fast::with_two(fused::Lerp(it), a, b),
            (Self::AddCMul(it), &[a, b, c]) => fast::with_three(fused::AddCMul(it), [a, b, c]),
            (Self::AddCDiv(it), &[a, b, c]) => fast::with_three(fused::AddCDiv(it), [a, b, c]),
            (
                Self::AddAlpha(_)
                | Self::LerpScalar(_)
                | Self::Lerp
                | Self::AddCMul(_)
                | Self::AddCDiv(_),
                _,
            ) => None,
        }
    }
}

/// What the third tensor is to the second.
#[derive(Clone, Copy)]
enum Factor {
    Times,
    Over,
}

impl Operation for Ternary {
    fn name(&self) -> &'static str {
        match self {
            Self::AddAlpha(_) => "add",
            Self::LerpScalar(_) | Self::Lerp => "lerp",
            Self::AddCMul(_) => "addcmul",
            Self::AddCDiv(_) => "addcdiv",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        Ok(Meta::new(broadcast_all(inputs)?, self.dtype(inputs)?))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        match self {
            Self::AddAlpha(_) | Self::LerpScalar(_) => cost_per_element(inputs, result, 1),
            Self::Lerp | Self::AddCMul(_) | Self::AddCDiv(_) => Cost {
                flops: result.count().saturating_mul(3),
                ..cost_per_element(inputs, result, 1)
            },
        }
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let two =
            |function: Binary, a: &Tensor, b: &Tensor| function.compute(host, [a, b], result.dtype);
        let times = |a: &Tensor, number| scaled(host, a, number, result.dtype);
        let on_card = inputs.first().is_some_and(|it| is_on_card(it));
        if (result.dtype == DType::F32 || (on_card && result.dtype.is_float()))
            && let Some(made) = self.fused(inputs)
        {
            return Ok(made?);
        }
        match *self {
            Self::AddAlpha(alpha) => {
                let [a, b] = self.operands(inputs)?;
                let scale = BinaryScalar::right(Binary::Mul, alpha);
                two(Binary::Add, a, &scale.kernel(host, &[b], result)?)
            }
            Self::LerpScalar(weight) => {
                let [a, b] = self.operands(inputs)?;
                let way = b.broadcast_sub(a)?;
                // Exact at either end, as in PyTorch.
                Ok(if weight < 0.5 {
                    a.broadcast_add(&way.affine(weight, 0.0)?)?
                } else {
                    b.broadcast_sub(&way.affine(1.0 - weight, 0.0)?)?
                })
            }
            Self::Lerp => {
                let [a, b, c] = self.operands(inputs)?;
                let way = two(Binary::Mul, c, &two(Binary::Sub, b, a)?)?;
                two(Binary::Add, a, &way)
            }
            Self::AddCMul(value) => {
                let [a, b, c] = self.operands(inputs)?;
                two(Binary::Add, a, &times(&two(Binary::Mul, b, c)?, value)?)
            }
            Self::AddCDiv(value) => {
                let [a, b, c] = self.operands(inputs)?;
                two(Binary::Add, a, &times(&two(Binary::Div, b, c)?, value)?)
            }
        }
    }

    fn order(&self) -> ResultOrder {
        ResultOrder::OfInputs
    }

    fn saved(&self, wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::AddAlpha(_) | Self::LerpScalar(_) => Saved::new(),
            // The first tensor is only added; the other two are factors of each other.
            Self::AddCMul(_) => {
                let mut saved = each_for_the_other(wants, [1, 2]);
                saved.reverse();
                saved
            }
            Self::AddCDiv(_) => {
                let below = (wants(1) || wants(2)).then_some(Operand::Input(2));
                let above = wants(2).then_some(Operand::Input(1));
                below.into_iter().chain(above).collect()
            }
            Self::Lerp => {
                let weight = (wants(0) || wants(1)).then_some(Operand::Input(2));
                let ends = if wants(2) { all_of(0..2) } else { Saved::new() };
                weight.into_iter().chain(ends).collect()
            }
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        match *self {
            Self::AddAlpha(alpha) => self.of_sum(e, &at, [1.0, alpha]),
            Self::LerpScalar(weight) => self.of_sum(e, &at, [1.0 - weight, weight]),
            Self::AddCMul(value) => self.of_fused_product(e, &at, (value, Factor::Times)),
            Self::AddCDiv(value) => self.of_fused_product(e, &at, (value, Factor::Over)),
            Self::Lerp => {
                let [a, b, c] = self.operands(at.inputs)?;
                let rest = || e.one(Primitive::ScalarSub(1.0), c);
                let way = || e.apply(Primitive::Sub, &[b, a]);
                Ok(Gradients::Of(vec![
                    e.wanted(a, || e.sum_to(&e.mul(at.grad, &rest()?)?, a))?,
                    e.wanted(b, || e.sum_to(&e.mul(at.grad, c)?, b))?,
                    e.wanted(c, || e.sum_to(&e.mul(at.grad, &way()?)?, c))?,
                ]))
            }
        }
    }
}

impl Dispatch for Ternary {
    fn devices(&self) -> Devices {
        match self {
            Self::LerpScalar(_) => Devices::Same(None),
            Self::AddAlpha(_) | Self::Lerp | Self::AddCMul(_) | Self::AddCDiv(_) => {
                Devices::CpuScalarsToo
            }
        }
    }
}

/// A tensor of this type times a number.
pub(super) fn scaled(host: &Host, a: &Tensor, number: f64, dtype: DType) -> KernelResult {
    if dtype.is_float() {
        return Ok(fast::affine(&a.to_dtype(dtype.stored())?, number, -0.0)?);
    }
    // The factor of integers is an integer, as in PyTorch.
    let number = Tensor::full(number as i64, (), a.device())?;
    Binary::Mul.compute(host, [a, &number], dtype)
}

fn lerp_type(a: &Meta, others: &[(&str, &Meta)], kernel: &str) -> Result<DType, TorchError> {
    for (name, other) in others {
        if other.dtype != a.dtype {
            return Err(TorchError::runtime(format!(
                "expected dtype {} for `{name}` but got dtype {}",
                a.dtype.cpp_name(),
                other.dtype.cpp_name()
            )));
        }
    }
    if a.dtype.is_float() {
        Ok(a.dtype)
    } else {
        Err(not_implemented(kernel, a.dtype))
    }
}
