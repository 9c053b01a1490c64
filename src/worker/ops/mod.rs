//! The table of operations. Everything a lab can compute goes through [`Op`], so that shapes, types, times, memory
//! and the device check exist once.
//!
//! One file is one family, which holds everything about its operations: name, shape and type of the result, cost,
//! candle's call, gradient, what is saved for backward, and how devices and `torch.autocast` treat them. The facts
//! are listed in [`operation::Operation`]; gradients are written in the language of [`formula`].

mod activation;
mod arg_reduction;
mod attention;
mod binary;
mod binary_scalar;
mod cat;
mod compare;
mod dropout;
mod embedding;
mod formula;
mod found_inf;
mod index;
mod loss;
mod mask;
mod matmul;
mod nll;
mod norm;
mod operation;
mod reduce;
mod scan;
mod scatter;
mod softmax;
mod sort;
mod ternary;
mod to_copy;
mod unary;
mod view;

pub(crate) use activation::{Activate, Activation};
pub(crate) use arg_reduction::ArgReduction;
pub(crate) use attention::Attention;
pub(crate) use binary::Binary;
pub(crate) use binary_scalar::{BinaryScalar, NumberSide};
pub(crate) use cat::Cat;
pub(crate) use compare::{Compare, CompareScalar};
pub(crate) use dropout::Dropout;
pub(crate) use embedding::Embedding;
pub(crate) use formula::{Autograd, Backward, Gradient, Gradients, Primitive};
pub(crate) use found_inf::FoundInf;
pub(crate) use index::{Index, ValuesOf};
pub(crate) use loss::{Loss, LossFunction, LossReduction};
pub(crate) use mask::Mask;
pub(crate) use matmul::MatMul;
pub(crate) use nll::{Nll, NllOptions};
pub(crate) use norm::{Norm, NormKind, NormOptions, check_normalized_shape};
pub(crate) use operation::{Argument, Autocast, Devices, Operand, Saved};
pub(crate) use reduce::{Reduce, Reduction};
pub(crate) use scan::Scan;
pub(crate) use scatter::Scatter;
pub(crate) use softmax::Softmax;
pub(crate) use sort::{Order, SortIndices};
pub(crate) use ternary::Ternary;
pub(crate) use to_copy::ToCopy;
pub(crate) use unary::Unary;
pub(crate) use view::{View, follow, view_gradient};

pub(crate) use super::kernels::attention::{AttentionDropout, AttentionOptions};
pub(crate) use super::kernels::card::Extreme;
pub(crate) use super::kernels::index::Accumulate;

use super::error::TorchError;
use super::kernels::host::{Host, KernelResult};
use super::meta::{Cost, Meta};
use candle_core::Tensor;
use operation::Operation;

/// Defines [`Op`] with one variant for each family, and asks the family for each fact.
macro_rules! families {
    ($($(#[$doc:meta])* $family:ident),* $(,)?) => {
        /// An operation with everything it takes besides tensors.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Op {
            $($(#[$doc])* $family($family)),*
        }

        $(impl From<$family> for Op {
            fn from(it: $family) -> Self {
                Self::$family(it)
            }
        })*

        impl Op {
            /// PyTorch's name, for spans and messages.
            pub(crate) fn name(&self) -> &'static str {
                match self { $(Self::$family(it) => it.name()),* }
            }

            /// Shape and type of the result.
            pub(crate) fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
                match self { $(Self::$family(it) => it.result(inputs)),* }
            }

            /// What it costs to compute.
            pub(crate) fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
                match self { $(Self::$family(it) => it.cost(inputs, result)),* }
            }

            fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
                match self { $(Self::$family(it) => it.kernel(host, inputs, result)),* }
            }

            /// The tensors that backward needs; `wants` says which inputs require gradients.
            pub(crate) fn saved(&self, wants: &dyn Fn(usize) -> bool) -> Saved {
                match self { $(Self::$family(it) => it.saved(wants)),* }
            }

            /// The gradients of the inputs, given that of the result.
            pub(crate) fn gradient<A: Autograd<Op = Self>>(
                &self,
                e: &A,
                at: Backward<'_, A>,
            ) -> Gradient<A> {
                match self { $(Self::$family(it) => it.gradient(e, at)),* }
            }

            /// The name of PyTorch's backward function, and the number of its overload.
            pub(crate) fn backward_name(&self, rank: usize) -> (&'static str, u8) {
                match self { $(Self::$family(it) => it.backward_name(rank)),* }
            }

            /// Whether matrix units (tensor cores) do the work.
            pub(crate) fn uses_matrix_units(&self) -> bool {
                match self { $(Self::$family(it) => it.uses_matrix_units()),* }
            }

            /// What `torch.autocast` does with the inputs.
            pub(crate) fn autocast(&self) -> Autocast {
                match self { $(Self::$family(it) => it.autocast()),* }
            }

            /// How inputs on two devices are treated.
            pub(crate) fn devices(&self) -> Devices {
                match self { $(Self::$family(it) => it.devices()),* }
            }

            /// Whether an index out of range is a device-side assertion on a card.
            pub(crate) fn asserts_indices(&self) -> bool {
                match self { $(Self::$family(it) => it.asserts_indices()),* }
            }

            /// Whether PyTorch keeps a number for backward.
            pub(crate) fn saves_number(&self) -> bool {
                match self { $(Self::$family(it) => it.saves_number()),* }
            }
        }
    };
}

families! {
    Unary,
    Binary,
    BinaryScalar,
    Ternary,
    Compare,
    CompareScalar,
    MatMul,
    Reduce,
    ArgReduction,
    SortIndices,
    Scan,
    Softmax,
    View,
    ToCopy,
    Cat,
    Mask,
    Index,
    Scatter,
    Activate,
    Norm,
    Loss,
    Nll,
    Embedding,
    Dropout,
    Attention,
    FoundInf,
}

/// The values of a result.
#[derive(Debug)]
pub(crate) struct Computed {
    /// The values.
    pub(crate) values: Tensor,
    /// Whether a card's values were read on the host for them: no kernel of the card did the work.
    pub(crate) on_host: bool,
}

impl Op {
    /// Computes the values of a result of this shape and type.
    pub(crate) fn run(&self, inputs: &[&Tensor], result: &Meta) -> Result<Computed, TorchError> {
        let host = Host::default();
        let values = match host.together(inputs, result)? {
            None => self.kernel(&host, inputs, result)?,
            Some(moved) => self.kernel(&host, &moved.iter().collect::<Vec<_>>(), result)?,
        };
        let on_host = host.has_read();
        Ok(Computed { values, on_host })
    }
}

impl From<Primitive> for Op {
    fn from(it: Primitive) -> Self {
        let compare = |compare, number| Self::from(CompareScalar(compare, number));
        let reduce = |reduction, dims| {
            Self::from(Reduce {
                reduction,
                dims,
                keep: super::shape::Keep::AsOne,
            })
        };
        match it {
            Primitive::Abs => Unary::Abs.into(),
            Primitive::Cos => Unary::Cos.into(),
            Primitive::Cosh => Unary::Cosh.into(),
            Primitive::Erf => Unary::Erf.into(),
            Primitive::Exp => Unary::Exp.into(),
            Primitive::Log => Unary::Log.into(),
            Primitive::Neg => Unary::Neg.into(),
            Primitive::Rsqrt => Unary::Rsqrt.into(),
            Primitive::Sign => Unary::Sign.into(),
            Primitive::Sin => Unary::Sin.into(),
            Primitive::Sinh => Unary::Sinh.into(),
            Primitive::Square => Unary::Square.into(),
            Primitive::ReluBackward => Activate::Backward(Activation::Relu).into(),
            Primitive::GeluBackward => Activate::Backward(Activation::Gelu).into(),
            Primitive::SigmoidBackward => Activate::Backward(Activation::Sigmoid).into(),
            Primitive::TanhBackward => Activate::Backward(Activation::Tanh).into(),
            Primitive::Add => Binary::Add.into(),
            Primitive::Sub => Binary::Sub.into(),
            Primitive::Mul => Binary::Mul.into(),
            Primitive::Div => Binary::Div.into(),
            Primitive::FloorDivide => Binary::FloorDivide.into(),
            Primitive::TruncDivide => Binary::TruncDivide.into(),
            Primitive::Pow => Binary::Pow.into(),
            Primitive::LogicalAnd => Binary::LogicalAnd.into(),
            Primitive::MatMul => MatMul::MatMul.into(),
            Primitive::AddScalar(it) => BinaryScalar::right(Binary::Add, it).into(),
            Primitive::SubScalar(it) => BinaryScalar::right(Binary::Sub, it).into(),
            Primitive::MulScalar(it) => BinaryScalar::right(Binary::Mul, it).into(),
            Primitive::DivScalar(it) => BinaryScalar::right(Binary::Div, it).into(),
            Primitive::PowScalar(it) => BinaryScalar::right(Binary::Pow, it).into(),
            Primitive::ScalarSub(it) => BinaryScalar::left(Binary::Sub, it).into(),
            Primitive::ScalarDiv(it) => BinaryScalar::left(Binary::Div, it).into(),
            Primitive::ScalarFloorDivide(it) => BinaryScalar::left(Binary::FloorDivide, it).into(),
            Primitive::ScalarTruncDivide(it) => BinaryScalar::left(Binary::TruncDivide, it).into(),
            Primitive::Eq => Compare::Eq.into(),
            Primitive::Gt => Compare::Gt.into(),
            Primitive::Lt => Compare::Lt.into(),
            Primitive::EqScalar(it) => compare(Compare::Eq, it),
            Primitive::GtScalar(it) => compare(Compare::Gt, it),
            Primitive::GeScalar(it) => compare(Compare::Ge, it),
            Primitive::LeScalar(it) => compare(Compare::Le, it),
            Primitive::Where => Mask::Where.into(),
            Primitive::Cast(to) => ToCopy::Cast(to).into(),
            Primitive::Flip(dims) => ToCopy::Flip(dims).into(),
            Primitive::Cat(dim) => Cat(dim).into(),
            Primitive::CumProd(dim) => Scan::CumProd(dim).into(),
            Primitive::Sum(dims) => reduce(Reduction::Sum, dims),
            Primitive::Mean(dims) => reduce(Reduction::Mean, dims),
            Primitive::Reshape(to) => View::Reshape(to).into(),
            Primitive::Permute(order) => View::Permute(order).into(),
            Primitive::Expand(to) => View::Expand(to).into(),
            Primitive::Narrow { dim, start, len } => View::Narrow { dim, start, len }.into(),
            Primitive::Gather(dim) => Index::Gather(dim).into(),
            Primitive::IndexSelect(dim) => Index::IndexSelect(dim).into(),
            Primitive::Index(dims) => Index::Index(dims).into(),
            Primitive::IndexPutAccumulate(dims) => Scatter::IndexPut(dims, Accumulate::Yes).into(),
            Primitive::GatherBackward(dim, to) => Scatter::GatherBackward(dim, to).into(),
            Primitive::IndexSelectBackward(dim, to) => Scatter::IndexSelectBackward(dim, to).into(),
        }
    }
}
