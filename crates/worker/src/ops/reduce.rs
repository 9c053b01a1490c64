//! Reductions over dimensions: `sum`, `mean`, `amax` and their relatives.

use super::formula::{Autograd, AutogradOf, Backward, Gradient, Gradients, Output, Primitive};
use super::operation::{
    Autocast, Dispatch, Operand, Operation, Saved, Types, cost_per_element, first, resized,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::elementwise::{Extreme, sum_type, to_bool};
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::reduce::{extreme, log_sum_exp, product, variance, vector_norm};
use crate::kernels::{card, fast};
use crate::meta::{Cost, KernelKind, Meta};
use crate::shape::{self, Keep};
use candle_core::{DType as Stored, Tensor};

/// A reduction over dimensions, all of them if none is named.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reduce {
    pub(crate) reduction: Reduction,
    pub(crate) dims: Vec<usize>,
    pub(crate) keep: Keep,
}

/// What a reduction computes. To add one, add a variant, its row in [`Reduction::row`], its kernel and its
/// gradient; one whose arguments are `dim` and `keepdim` also joins [`Reduction::METHODS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reduction {
    Sum,
    Mean,
    Prod,
    /// `max` of the whole tensor.
    Max,
    /// `min` of the whole tensor.
    Min,
    AMax,
    AMin,
    /// PyTorch's `correction`: the sum of squared deviations is divided by `n - correction`.
    Var(f64),
    /// The correction, as for `Var`.
    Std(f64),
    /// `linalg.vector_norm` of this order.
    Norm(f64),
    LogSumExp,
    All,
    Any,
    CountNonzero,
}

struct ReduceFacts {
    name: &'static str,
    types: Types,
    /// Floating point operations for each element read.
    flops: u64,
    /// The result for no elements.
    of_nothing: f64,
    saved: &'static [Operand],
}

const INPUT: &[Operand] = &[Operand::Input(0)];
const INPUT_AND_RESULT: &[Operand] = &[Operand::Input(0), Operand::Result];

fn row(
    name: &'static str,
    types: Types,
    flops: u64,
    of_nothing: f64,
    saved: &'static [Operand],
) -> ReduceFacts {
    ReduceFacts {
        name,
        types,
        flops,
        of_nothing,
        saved,
    }
}

impl Reduction {
    /// Those that are methods of tensors with `dim` and `keepdim`.
    pub(crate) const METHODS: [Self; 9] = [
        Self::Sum,
        Self::Mean,
        Self::Prod,
        Self::AMax,
        Self::AMin,
        Self::LogSumExp,
        Self::All,
        Self::Any,
        Self::CountNonzero,
    ];

    #[rustfmt::skip] // A table: one operation a line.
    fn row(self) -> ReduceFacts {
        use Types::{Float, Rule, Same};
        match self {
            Self::Sum => row("sum", Rule(summed), 1, 0.0, &[]),
            Self::Mean => row("mean", Rule(averaged), 1, f64::NAN, &[]),
            Self::Prod => row("prod", Rule(summed), 1, 1.0, INPUT),
            Self::Max => row("max", Same, 1, f64::NAN, INPUT_AND_RESULT),
            Self::Min => row("min", Same, 1, f64::NAN, INPUT_AND_RESULT),
            Self::AMax => row("amax", Same, 1, f64::NAN, INPUT_AND_RESULT),
            Self::AMin => row("amin", Same, 1, f64::NAN, INPUT_AND_RESULT),
            // The running mean and the running sum of squares.
            Self::Var(_) => row("var", Rule(spread), 5, f64::NAN, INPUT),
            Self::Std(_) => row("std", Rule(spread), 5, f64::NAN, INPUT_AND_RESULT),
            // Multiply and add.
            Self::Norm(_) => row("linalg_vector_norm", Rule(norm_type), 2, 0.0, INPUT_AND_RESULT),
            // Largest, difference, power, sum.
            Self::LogSumExp => row("logsumexp", Float, 4, f64::NEG_INFINITY, INPUT_AND_RESULT),
            Self::All => row("all", Rule(bools), 1, 1.0, &[]),
            Self::Any => row("any", Rule(bools), 1, 0.0, &[]),
            Self::CountNonzero => row("count_nonzero", Rule(|_| Ok(DType::I64)), 1, 0.0, &[]),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    /// Refuses to reduce nothing where that has no value.
    fn check(self, from: &[usize], dims: &[usize]) -> Result<(), TorchError> {
        if matches!(self, Self::Max | Self::Min | Self::AMax | Self::AMin) {
            return not_empty(self.name(), from, dims);
        }
        let is_empty = |dim: &usize| from.get(*dim) == Some(&0);
        if let Self::Norm(order) = self
            && (order.is_infinite() || order < 0.0)
            && shape::count(from) == 0
            && (dims.is_empty() || dims.iter().any(is_empty))
        {
            return Err(TorchError::runtime(format!(
                "linalg.vector_norm cannot compute the {order} norm on an empty tensor because the operation does not have an identity"
            )));
        }
        Ok(())
    }

    /// The kernel of a card over so many elements, if it has one.
    fn on_card(self, count: usize) -> Option<card::Reducer> {
        let named = card::Reducer::named;
        let plain = |name| named(name, [0.0; 2]);
        Some(match self {
            Self::Sum => named("sum", [1.0, 0.0]),
            Self::Mean => named("sum", [count as f64, 0.0]),
            Self::Prod => named("product", [1.0, 0.0]),
            Self::Max | Self::AMax => plain("largest"),
            Self::Min | Self::AMin => plain("smallest"),
            Self::Var(correction) => named("variance", [correction, 0.0]),
            Self::Std(correction) => named("variance", [correction, 1.0]),
            Self::Norm(1.0) => named("abs_sum", [1.0, 0.0]),
            Self::Norm(2.0) => plain("square_sum"),
            Self::Norm(f64::INFINITY) => plain("largest_abs"),
            Self::Norm(0.0 | f64::NEG_INFINITY) => return None,
            Self::Norm(order) => named("power_sum", [order, 0.0]),
            Self::LogSumExp => plain("log_sum_exp"),
            Self::All => plain("all"),
            Self::Any => plain("any"),
            Self::CountNonzero => plain("count"),
        })
    }

    /// The result, with size 1 in each reduced dimension.
    fn compute(self, host: &Host, a: &Tensor, dims: &[usize], stored: Stored) -> KernelResult {
        let count = dims.iter().filter_map(|dim| a.dims().get(*dim)).product();
        let made = self.on_card(count);
        let made = made.and_then(|it| card::reduce(it, a, dims));
        if let Some(made) = made {
            return Ok(made?);
        }
        Ok(match self {
            Self::Sum if stored.is_float() => fast::sum(&a.to_dtype(sum_type(a))?, dims)?,
            Self::Sum => a.to_dtype(Stored::I64)?.sum_keepdim(dims)?,
            Self::Mean => fast::mean(&a.to_dtype(sum_type(a))?, dims)?,
            Self::CountNonzero => to_bool(a)?.to_dtype(Stored::I64)?.sum_keepdim(dims)?,
            Self::Any => extreme(Extreme::Largest, &to_bool(a)?, dims)?,
            Self::All => extreme(Extreme::Smallest, &to_bool(a)?, dims)?,
            Self::Var(correction) => variance(a, dims, correction)?,
            Self::Std(correction) => variance(a, dims, correction)?.sqrt()?,
            Self::Norm(order) => vector_norm(a, dims, order)?,
            Self::LogSumExp => log_sum_exp(&a.to_dtype(stored)?, dims)?,
            Self::Max | Self::AMax => extreme(Extreme::Largest, a, dims)?,
            Self::Min | Self::AMin => extreme(Extreme::Smallest, a, dims)?,
            Self::Prod => product(host, a, dims)?,
        })
    }

    /// The gradient of the input; nothing if there is none. Result and gradient have size 1 in each reduced
    /// dimension.
    fn derivative<A: Autograd>(
        self,
        e: &A,
        dims: &[usize],
        [a, grad]: [&A::Tensor; 2],
        out: impl FnOnce() -> Output<A>,
    ) -> Result<Option<A::Tensor>, TorchError> {
        use Primitive::{DivScalar, EqScalar, Exp, Expand, Sub};
        let from = e.meta(a);
        let count = from.count() / e.meta(grad).count().max(1);
        let per_degree = |scale: f64, correction: f64| scale / (count as f64 - correction).max(0.0);
        match self {
            Self::Sum => e.one(Expand(from.shape), grad),
            Self::Mean => e.one(Expand(from.shape), &e.one(DivScalar(count as f64), grad)?),
            Self::Prod => of_product(e, dims, a, grad),
            Self::Max | Self::Min | Self::AMax | Self::AMin => shared(e, dims, a, [&out()?, grad]),
            Self::Var(correction) => {
                let away = from_mean(e, dims, a)?;
                let scaled = e.scale(grad, per_degree(2.0, correction))?;
                e.mul(&away, &scaled)
            }
            Self::Std(correction) => {
                let away = from_mean(e, dims, a)?;
                let out = out()?;
                let share = e.div(grad, &out)?;
                let constant = e.one(EqScalar(0.0), &out)?;
                let share = e.scale(
                    &e.zero_where(&constant, &share)?,
                    per_degree(1.0, correction),
                )?;
                e.mul(&away, &share)
            }
            Self::Norm(order) => of_norm(e, (order, dims), a, [&out()?, grad]),
            Self::LogSumExp => {
                let share = e.one(Exp, &e.apply(Sub, &[a, &out()?])?)?;
                e.mul(&share, grad)
            }
            Self::All | Self::Any | Self::CountNonzero => return Ok(None),
        }
        .map(Some)
    }
}

impl Operation for Reduce {
    fn name(&self) -> &'static str {
        self.reduction.name()
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        self.reduction.check(&shape, &self.dims)?;
        let shape = shape::reduce(&shape, &self.dims, self.keep);
        Ok(Meta::new(shape, self.reduction.row().types.result(dtype)?))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, self.reduction.row().flops)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [a] = *self.operands(inputs)?;
        let stored = result.dtype.stored();
        if a.elem_count() == 0 {
            let one =
                Tensor::full(self.reduction.row().of_nothing, (), a.device())?.to_dtype(stored)?;
            return Ok(one.broadcast_as(&*result.shape)?.force_contiguous()?);
        }
        // No dimension means all of them. A scalar accepts dimension 0 or -1, but has none to reduce.
        let dims: Vec<usize> = if self.dims.is_empty() || a.rank() == 0 {
            (0..a.rank()).collect()
        } else {
            self.dims.clone()
        };
        let kept = self.reduction.compute(host, a, &dims, stored)?;
        Ok(kept.reshape(&*result.shape)?.to_dtype(stored)?)
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        self.reduction.row().saved.iter().copied().collect()
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [a] = self.operands(at.inputs)?;
        let from = e.shape(a);
        // A scalar has no dimension, whatever was named.
        let dims: &[usize] = if from.is_empty() { &[] } else { &self.dims };
        let kept = shape::reduce(&from, dims, Keep::AsOne);
        let grad = e.reshape(at.grad, kept.clone())?;
        let out = || e.reshape(at.result, kept.clone());
        let gradient = self.reduction.derivative(e, dims, [a, &grad], out)?;
        Ok(gradient.map_or(Gradients::None, Gradients::first))
    }

    fn backward_name(&self, _rank: usize) -> (&'static str, u8) {
        use Reduction::{Max, Mean, Min, Prod, Sum};
        let overload = matches!(self.reduction, Max | Min)
            || (matches!(self.reduction, Sum | Mean | Prod) && !self.dims.is_empty());
        (self.name(), u8::from(overload))
    }
}

/// Elements of a column from which on several blocks share it: 256 for each thread, of which 16 are one above the other in a
/// block (PyTorch, `setReduceConfig` in `Reduce.cuh`).
const LONG_COLUMN: usize = 4096;

impl Dispatch for Reduce {
    fn kernel_kind(&self, inputs: &[&Meta], _result: &Meta) -> KernelKind {
        let shape = first(inputs).shape;
        let over_columns = !self.dims.is_empty() && !self.dims.contains(&(shape.len().max(1) - 1));
        let of_dim = |it: &usize| shape.get(*it).copied().unwrap_or(1);
        let length: usize = self.dims.iter().map(of_dim).product();
        if over_columns && length >= LONG_COLUMN {
            KernelKind::ColumnParts
        } else {
            KernelKind::Reduction
        }
    }

    fn autocast(&self) -> Autocast {
        use Reduction::{Norm, Prod, Sum};
        if matches!(self.reduction, Sum | Prod | Norm(_)) {
            Autocast::Float32OnCards
        } else {
            Autocast::Unchanged
        }
    }
}

/// PyTorch's refusal to reduce dimensions of size 0.
pub(super) fn not_empty(name: &str, from: &[usize], dims: &[usize]) -> Result<(), TorchError> {
    if dims.is_empty() && shape::count(from) == 0 {
        return Err(TorchError::runtime(format!(
            "{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
        )));
    }
    match dims.iter().find(|dim| from.get(**dim) == Some(&0)) {
        Some(dim) => Err(TorchError::index(format!(
            "{name}(): Expected reduction dim {dim} to have non-zero size."
        ))),
        None => Ok(()),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is one of several rules")]
fn summed(of: DType) -> Result<DType, TorchError> {
    Ok(if of.is_float() { of } else { DType::I64 })
}

/// PyTorch's one exception: `all` and `any` of `uint8` are `uint8`.
#[expect(clippy::unnecessary_wraps, reason = "it is one of several rules")]
fn bools(of: DType) -> Result<DType, TorchError> {
    Ok(if of == DType::U8 { of } else { DType::Bool })
}

fn averaged(of: DType) -> Result<DType, TorchError> {
    let found = of.scalar_name();
    float_or(
        of,
        format!(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {found}"
        ),
    )
}

fn spread(of: DType) -> Result<DType, TorchError> {
    float_or(
        of,
        "std and var only support floating point and complex dtypes",
    )
}

fn norm_type(of: DType) -> Result<DType, TorchError> {
    let found = of.scalar_name();
    float_or(
        of,
        format!(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {found}"
        ),
    )
}

fn float_or(of: DType, refusal: impl Into<String>) -> Result<DType, TorchError> {
    of.is_float()
        .then_some(of)
        .ok_or_else(|| TorchError::missing(refusal))
}

fn from_mean<A: Autograd>(e: &A, dims: &[usize], a: &A::Tensor) -> Output<A> {
    let mean = e.one(Primitive::Mean(dims.to_vec()), a)?;
    e.apply(Primitive::Sub, &[a, &mean])
}

/// The gradient of an extreme: equal elements share it.
fn shared<A: Autograd>(
    e: &A,
    dims: &[usize],
    a: &A::Tensor,
    [out, grad]: [&A::Tensor; 2],
) -> Output<A> {
    let hit = e.apply(Primitive::Eq, &[a, out])?;
    let hit = e.one(Primitive::Cast(e.meta(grad).dtype), &hit)?;
    let hits = e.one(Primitive::Sum(dims.to_vec()), &hit)?;
    let share = e.div(&hit, &hits)?;
    e.mul(&share, grad)
}

fn of_norm<A: Autograd>(
    e: &A,
    (order, dims): (f64, &[usize]),
    a: &A::Tensor,
    [out, grad]: [&A::Tensor; 2],
) -> Output<A> {
    use Primitive::{Abs, EqScalar, PowScalar, Sign};
    let zero = || e.one(EqScalar(0.0), out);
    let sign = || e.one(Sign, a);
    match order {
        0.0 => e.full(Meta::new(e.shape(a), e.meta(grad).dtype), grad, 0.0),
        1.0 => e.mul(&sign()?, grad),
        2.0 => {
            let share = e.zero_where(&zero()?, &e.div(a, out)?)?;
            e.mul(&share, grad)
        }
        f64::INFINITY | f64::NEG_INFINITY => {
            let size = e.one(Abs, a)?;
            let share = shared(e, dims, &size, [out, grad])?;
            e.mul(&sign()?, &share)
        }
        _ => {
            let size = e.one(PowScalar(order - 1.0), &e.one(Abs, a)?)?;
            let below = e.one(PowScalar(order - 1.0), out)?;
            let share = e.zero_where(&zero()?, &e.div(grad, &below)?)?;
            let nothing = e.one(EqScalar(0.0), a)?;
            let size = e.zero_where(&nothing, &e.mul(&sign()?, &size)?)?;
            e.mul(&size, &share)
        }
    }
}

/// The product of all the others, made of those before and those behind, so that nothing is divided by 0.
fn of_product<A: Autograd>(e: &A, dims: &[usize], a: &A::Tensor, grad: &A::Tensor) -> Output<A> {
    let from = e.meta(a);
    let (lanes, dim) = match dims {
        [dim] => (a.clone(), *dim),
        _ => (e.reshape(a, vec![from.count() as usize])?, 0),
    };
    let flip = |it: &A::Tensor| e.one(Primitive::Flip(vec![dim]), it);
    let before = product_before(e, &lanes, dim)?;
    let reversed = flip(&lanes)?;
    let behind = flip(&product_before(e, &reversed, dim)?)?;
    let others = e.reshape(&e.mul(&before, &behind)?, from.shape)?;
    e.mul(&others, grad)
}

/// The product of all elements before each.
fn product_before<A: Autograd>(e: &A, a: &A::Tensor, dim: usize) -> Output<A> {
    let Meta { shape, dtype } = e.meta(a);
    let Some(len) = shape.get(dim).and_then(|size| size.checked_sub(1)) else {
        return Ok(a.clone());
    };
    let one = e.full(Meta::new(resized(shape, dim, 1), dtype), a, 1.0)?;
    let start = 0;
    let rest = e.one(Primitive::Narrow { dim, start, len }, a)?;
    let shifted = e.apply(Primitive::Cat(dim), &[&one, &rest])?;
    e.one(Primitive::CumProd(dim), &shifted)
}
