//! The language of gradient formulas: a fixed set of operations, and what can be asked of a tensor.
//!
//! A formula is generic over [`Autograd`], which `autograd` implements with the engine. So each formula is beside
//! its operation, and knows neither tensors nor devices nor other operations' files. As in PyTorch, every step is an
//! operation of the table again, which costs time and memory like any other.

use crate::dtype::DType;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::shape::Shape;

/// A tensor that a formula computes.
pub(crate) type Output<A> = Result<<A as FormulaEngine>::Tensor, TorchError>;

/// The gradients of an operation's inputs, or why there are none.
pub(crate) type Gradient<A> = Result<Gradients<<A as FormulaEngine>::Tensor>, TorchError>;

#[derive(Debug)]
pub(crate) enum Gradients<T> {
    /// The operation is not differentiable: it compares, counts or finds positions.
    None,
    /// One for each input; nothing for an input that gets none.
    Of(Vec<Option<T>>),
}

impl<T> Gradients<T> {
    /// The gradient of the only input, or of the first one where the others get none.
    pub(super) fn first(gradient: T) -> Self {
        Self::Of(vec![Some(gradient)])
    }
}

pub(crate) struct Backward<'a, A: Autograd> {
    /// The operation's inputs. Those that were not saved have a shape and a type but no values.
    pub(crate) inputs: &'a [A::Tensor],
    /// Its result, with values if it was saved.
    pub(crate) result: &'a A::Tensor,
    pub(crate) grad: &'a A::Tensor,
}

/// The operations that formulas are made of, beside the formula's own operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Primitive {
    Abs,
    Cos,
    Cosh,
    Erf,
    Exp,
    Log,
    Neg,
    Rsqrt,
    Sign,
    Sin,
    Sinh,
    Square,
    ReluBackward,
    GeluBackward,
    SigmoidBackward,
    TanhBackward,
    Add,
    Sub,
    Mul,
    Div,
    FloorDivide,
    TruncDivide,
    Pow,
    LogicalAnd,
    MatMul,
    /// Tensor and number.
    AddScalar(f64),
    SubScalar(f64),
    MulScalar(f64),
    DivScalar(f64),
    PowScalar(f64),
    /// Number and tensor.
    ScalarSub(f64),
    ScalarDiv(f64),
    ScalarFloorDivide(f64),
    ScalarTruncDivide(f64),
    Eq,
    Gt,
    Lt,
    EqScalar(f64),
    GtScalar(f64),
    GeScalar(f64),
    LtScalar(f64),
    Where,
    Cast(DType),
    Flip(Vec<usize>),
    Cat(usize),
    CumProd(usize),
    /// Reduced dimensions stay with size 1.
    Sum(Vec<usize>),
    Mean(Vec<usize>),
    Reshape(Shape),
    Permute(Vec<usize>),
    Expand(Shape),
    Narrow {
        dim: usize,
        start: usize,
        len: usize,
    },
    Gather(usize),
    IndexSelect(usize),
    Index(Vec<usize>),
    /// Into a copy of the first tensor.
    IndexPutAccumulate(Vec<usize>),
    /// Into zeros of this shape.
    GatherBackward(usize, Shape),
    IndexSelectBackward(usize, Shape),
}

/// An [`Autograd`] that can run the operation whose formula it computes.
pub(crate) trait AutogradOf<F>: Autograd<Op: From<F>> {}

impl<F, A: Autograd<Op: From<F>>> AutogradOf<F> for A {}

/// What gradient formulas are computed with: an engine, and the words that are made of its operations.
pub(crate) trait Autograd: Arithmetic {}

impl<A: Arithmetic> Autograd for A {}

/// Runs the operations of formulas.
pub(crate) trait FormulaEngine: Sized {
    type Tensor: Clone;
    /// An operation of the table.
    type Op: From<Primitive>;

    fn apply(&self, op: impl Into<Self::Op>, inputs: &[&Self::Tensor]) -> Output<Self>;

    /// Runs an operation and writes its result to the first input.
    fn apply_in_place(
        &self,
        op: impl Into<Self::Op>,
        inputs: &[&Self::Tensor],
    ) -> Result<(), TorchError>;

    /// Copies the values of `from` to `into`, broadcast.
    fn copy_in_place(&self, into: &Self::Tensor, from: &Self::Tensor) -> Result<(), TorchError>;

    /// A tensor filled with one number, on the device of `beside`.
    fn full(&self, meta: Meta, beside: &Self::Tensor, number: f64) -> Output<Self>;

    /// A scalar tensor on the CPU.
    fn cpu_scalar(&self, dtype: DType, number: f64) -> Output<Self>;

    /// The gradients that lie one after the other in a flat tensor, for these inputs, each in memory of its own as far
    /// as it is wanted.
    fn parts(
        &self,
        all: Self::Tensor,
        inputs: &[Self::Tensor],
    ) -> Result<Vec<Option<Self::Tensor>>, TorchError>;
}

/// What formulas ask of tensors.
pub(crate) trait TensorFacts: FormulaEngine {
    fn meta(&self, of: &Self::Tensor) -> Meta;

    /// Whether a gradient is wanted for it.
    fn requires_grad(&self, of: &Self::Tensor) -> bool;

    /// Whether it is a matrix in column-major order, as the transpose of a matrix is.
    fn is_transposed(&self, of: &Self::Tensor) -> bool;

    /// Whether the formula's own steps are recorded, to be differentiated again (`create_graph=True`). They then
    /// have to be operations with a gradient.
    fn creates_graph(&self) -> bool;
}

/// Shapes and types, and the operations that change only these.
pub(crate) trait Shapes: TensorFacts {
    fn shape(&self, of: &Self::Tensor) -> Shape {
        self.meta(of).shape
    }

    /// The same elements in another shape.
    fn reshape(&self, a: &Self::Tensor, shape: Shape) -> Output<Self> {
        if self.shape(a) == shape {
            return Ok(a.clone());
        }
        self.apply(Primitive::Reshape(shape), &[a])
    }

    /// The last two dimensions exchanged.
    fn transpose(&self, a: &Self::Tensor) -> Output<Self> {
        let mut order: Vec<usize> = (0..self.shape(a).len()).collect();
        let last = order.len();
        if last >= 2 {
            order.swap(last - 1, last - 2);
        }
        self.apply(Primitive::Permute(order), &[a])
    }

    fn cast(&self, a: Self::Tensor, dtype: DType) -> Output<Self> {
        if self.meta(&a).dtype == dtype {
            Ok(a)
        } else {
            self.apply(Primitive::Cast(dtype), &[&a])
        }
    }

    /// Undoes broadcasting: sums until the shape is that of the operand, in its type.
    fn sum_to(&self, grad: &Self::Tensor, like: &Self::Tensor) -> Output<Self> {
        let Meta { shape, dtype } = self.meta(like);
        let summed = self.sum_to_size(grad, &shape)?;
        self.cast(summed, dtype)
    }

    /// Undoes broadcasting: sums until the shape is this one.
    fn sum_to_size(&self, grad: &Self::Tensor, to: &[usize]) -> Output<Self> {
        let from = self.shape(grad);
        let extra = from.len().saturating_sub(to.len());
        let dims: Vec<usize> = (0..from.len())
            .filter(|at| {
                let wanted = at.checked_sub(extra).and_then(|it| to.get(it));
                wanted.is_none_or(|size| *size == 1 && from.get(*at) != Some(&1))
            })
            .collect();
        let grad = if dims.is_empty() {
            grad.clone()
        } else {
            self.apply(Primitive::Sum(dims), &[grad])?
        };
        self.reshape(&grad, to.to_vec())
    }
}

impl<A: TensorFacts> Shapes for A {}

/// The words that most formulas are made of.
pub(crate) trait Arithmetic: Shapes {
    fn full_like(&self, like: &Self::Tensor, number: f64) -> Output<Self> {
        self.full(self.meta(like), like, number)
    }

    /// The gradient of an input, if one is wanted.
    fn wanted(
        &self,
        input: &Self::Tensor,
        gradient: impl FnOnce() -> Output<Self>,
    ) -> Result<Option<Self::Tensor>, TorchError> {
        self.requires_grad(input).then(gradient).transpose()
    }

    fn mul(&self, a: &Self::Tensor, b: &Self::Tensor) -> Output<Self> {
        self.apply(Primitive::Mul, &[a, b])
    }

    fn div(&self, a: &Self::Tensor, b: &Self::Tensor) -> Output<Self> {
        self.apply(Primitive::Div, &[a, b])
    }

    fn scale(&self, a: &Self::Tensor, number: f64) -> Output<Self> {
        self.apply(Primitive::MulScalar(number), &[a])
    }

    fn one(&self, op: Primitive, a: &Self::Tensor) -> Output<Self> {
        self.apply(op, &[a])
    }

    /// 0 where the condition is true, else the elements of `a`.
    fn zero_where(&self, condition: &Self::Tensor, a: &Self::Tensor) -> Output<Self> {
        // A scalar on the device of `a`, as in PyTorch.
        let zero = self.full(Meta::new(Shape::new(), self.meta(a).dtype), a, 0.0)?;
        self.apply(Primitive::Where, &[condition, &zero, a])
    }
}

impl<A: TensorFacts> Arithmetic for A {}
