//! The table of operations. Every computation on tensors goes through [`Op`] (creation does not), so that shapes,
//! types, times, memory and the device check exist once.
//!
//! One file is one family, which holds everything about its operations: name, shape and type of the result, cost,
//! candle's call, gradient, what is saved for backward, and how devices and `torch.autocast` treat them. The facts
//! are listed in [`operation::Operation`]; gradients are written in the language of [`formula`].

mod activation;
mod arg_reduction;
mod attention;
mod attention_backends;
mod binary;
mod binary_integers;
mod binary_rows;
mod binary_scalar;
mod cat;
mod channel_norm;
#[cfg(test)]
mod channel_norm_tests;
mod compare;
mod convolution;
mod convolution_memory;
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
mod pad;
mod pool;
mod product_shape;
mod recurrent;
mod reduce;
mod resample;
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
pub(crate) use attention_backends::{AttentionBackend, AttentionBackends, AttentionCall};
pub(crate) use binary::Binary;
pub(crate) use binary_scalar::{BinaryScalar, NumberSide};
pub(crate) use cat::Cat;
pub(crate) use channel_norm::{ChannelNorm, ChannelNormOptions, StatisticsGroup};
pub(crate) use compare::{Compare, CompareScalar};
pub(crate) use convolution::{Convolution, Direction};
pub(crate) use dropout::Dropout;
pub(crate) use embedding::Embedding;
pub(crate) use formula::{
    Arithmetic, Autograd, Backward, FormulaEngine, Gradient, Gradients, Primitive, Shapes,
    TensorFacts,
};
pub(crate) use found_inf::FoundInf;
pub(crate) use index::{Index, ValuesOf};
pub(crate) use loss::{Loss, LossFunction, LossReduction};
pub(crate) use mask::Mask;
pub(crate) use matmul::MatMul;
pub(crate) use nll::{Nll, NllOptions};
pub(crate) use norm::{Norm, NormKind, NormOptions, check_normalized_shape};
pub(crate) use operation::{
    AllowTf32, Argument, Autocast, Devices, Operand, Operation, ResultOrder, Saved,
};
pub(crate) use pad::Pad;
pub(crate) use pool::{Average, Pool, PositionsOf};
pub(crate) use recurrent::{Recurrent, RecurrentOptions, RecurrentStack};
pub(crate) use reduce::{Reduce, Reduction};
pub(crate) use resample::Resample;
pub(crate) use scan::Scan;
pub(crate) use scatter::Scatter;
pub(crate) use softmax::Softmax;
pub(crate) use sort::{IndexKind, SortIndices};
pub(crate) use ternary::Ternary;
pub(crate) use to_copy::ToCopy;
pub(crate) use unary::Unary;
pub(crate) use view::{View, follow, view_gradient};

pub(crate) use super::kernels::attention::{AttentionDropout, AttentionOptions};
pub(crate) use super::kernels::convolution::Steps;
pub(crate) use super::kernels::elementwise::Extreme;
pub(crate) use super::kernels::index::Accumulate;
pub(crate) use super::kernels::pool::{Divisor, RoundingMode, Windows};
pub(crate) use super::kernels::recurrent::{Cell, Order};
pub(crate) use super::kernels::resample::{Axis, InterpolationMode};

use super::error::TorchError;
use super::kernels::elementwise;
use super::kernels::host::{CardRead, Host};
use super::kernels::philox::DrawShift;
use super::meta::Meta;
use super::shape::Keep;
use candle_core::Tensor;

/// Defines [`Op`] with one variant for each family, which answers for its operations.
macro_rules! families {
    ($($family:ident),* $(,)?) => {
        /// An operation with everything it takes besides tensors.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Op {
            $($family($family)),*
        }

        $(impl From<$family> for Op {
            fn from(it: $family) -> Self {
                Self::$family(it)
            }
        })*

        impl Op {
            /// What the table holds for it.
            pub(crate) fn facts(&self) -> &dyn Operation {
                match self { $(Self::$family(it) => it),* }
            }

            /// The gradients of the inputs, given that of the result.
            pub(crate) fn gradient<A: Autograd<Op = Self>>(
                &self,
                e: &A,
                at: Backward<'_, A>,
            ) -> Gradient<A> {
                match self { $(Self::$family(it) => it.gradient(e, at)),* }
            }
        }
    };
}

families! {
    Unary, Binary, BinaryScalar, Ternary, Compare, CompareScalar, MatMul, Reduce, ArgReduction,
    SortIndices, Scan, Softmax, View, ToCopy, Cat, Mask, Index, Scatter, Activate, Norm, Loss, Nll,
    Embedding, Dropout, Attention, FoundInf, Convolution, Pool, ChannelNorm, Recurrent,
    Resample, Pad,
}

#[derive(Debug)]
pub(crate) struct OpOutput {
    pub(crate) values: Tensor,
    /// When a card's values were read on the host for them, if they were: then no kernel of the card did the work.
    pub(crate) on_host: Option<CardRead>,
}

impl Op {
    /// Computes the values of a result of this shape and type.
    pub(crate) fn run(&self, inputs: &[&Tensor], result: &Meta) -> Result<OpOutput, TorchError> {
        let host = Host::default();
        let computed = match host.together(inputs, result)? {
            None => self.facts().kernel(&host, inputs, result)?,
            Some(moved) => self
                .facts()
                .kernel(&host, &moved.iter().collect::<Vec<_>>(), result)?,
        };
        let values = elementwise::in_range(computed, result.dtype)?;
        let on_host = host.card_read();
        Ok(OpOutput { values, on_host })
    }
}

impl Op {
    /// The same operation when a CUDA graph is replayed: what it draws is drawn from where the generator is now.
    pub(crate) fn redrawn(&self, moved: DrawShift) -> Self {
        if let Self::Dropout(Dropout::Forward(of)) = self {
            return Self::Dropout(Dropout::Forward(of.moved(moved)));
        }
        if let Self::Attention(it) = self {
            return Self::Attention(it.redrawn(moved));
        }
        self.clone()
    }
}

impl From<Primitive> for Op {
    #[rustfmt::skip] // A table: what the words of gradient formulas mean.
    fn from(it: Primitive) -> Self {
        let compare = |compare, number| Self::from(CompareScalar(compare, number));
        let right = |function, number| Self::from(BinaryScalar::right(function, number));
        let left = |function, number| Self::from(BinaryScalar::left(function, number));
        let reduce = |reduction, dims| Self::from(Reduce { reduction, dims, keep: Keep::AsOne });
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
            Primitive::AddScalar(it) => right(Binary::Add, it),
            Primitive::SubScalar(it) => right(Binary::Sub, it),
            Primitive::MulScalar(it) => right(Binary::Mul, it),
            Primitive::DivScalar(it) => right(Binary::Div, it),
            Primitive::PowScalar(it) => right(Binary::Pow, it),
            Primitive::ScalarSub(it) => left(Binary::Sub, it),
            Primitive::ScalarDiv(it) => left(Binary::Div, it),
            Primitive::ScalarFloorDivide(it) => left(Binary::FloorDivide, it),
            Primitive::ScalarTruncDivide(it) => left(Binary::TruncDivide, it),
            Primitive::Eq => Compare::Eq.into(),
            Primitive::Gt => Compare::Gt.into(),
            Primitive::Lt => Compare::Lt.into(),
            Primitive::EqScalar(it) => compare(Compare::Eq, it),
            Primitive::GtScalar(it) => compare(Compare::Gt, it),
            Primitive::GeScalar(it) => compare(Compare::Ge, it),
            Primitive::LtScalar(it) => compare(Compare::Lt, it),
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
