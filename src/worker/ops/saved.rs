//! What each operation holds on to for its gradient, as PyTorch's does.
//!
//! This is what activations cost: what stands here stays charged until the way back has been gone. The
//! rules get everything else as ghosts, which have a shape but no values.

use super::nn::{Nn, SavedOperand};
use super::{Binary, Op, Reduction, Side, Ternary, Unary};

/// Tells which inputs, by position, and whether the result (as nothing) have to be held, if those inputs
/// want gradients of which `wants` is true.
pub fn saved_tensors(op: &Op, wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    match op {
        Op::Unary(how) => unary(*how, hold),
        Op::Binary(how) => binary(*how, wants, hold),
        Op::WithNumber { how, side, .. } => with_number(*how, *side, hold),
        Op::MatMul => each_for_the_other(wants, hold),
        Op::Reduce(how, ..) => reduction(*how, hold),
        Op::Softmax(_) | Op::LogSoftmax(_) => hold(None),
        Op::IndexSelect(_)
        | Op::Gather(_)
        | Op::Taken(..)
        | Op::ScatterAdd(..)
        | Op::IndexAdd(..)
        | Op::Scatter(..) => hold(Some(1)),
        Op::Index(dims) => (1..=dims.len()).for_each(|at| hold(Some(at))),
        Op::IndexPut(dims, _) => (2..dims.len() + 2).for_each(|at| hold(Some(at))),
        Op::Ternary(how) => ternary(*how, wants, hold),
        Op::Where => hold(Some(0)),
        Op::Nn(op) => layer(op, wants, hold),
        Op::AddAlpha(_)
        | Op::LerpScalar(_)
        | Op::Compare(_)
        | Op::CompareNumber(..)
        | Op::Arg(..)
        | Op::View(_)
        | Op::Cat(_)
        | Op::Cast(_)
        | Op::Clone
        | Op::Tril(_)
        | Op::Triu(_)
        | Op::Order(..)
        | Op::Scan(..)
        | Op::Flip(_) => {}
    }
}

fn unary(how: Unary, hold: &mut dyn FnMut(Option<usize>)) {
    match how {
        Unary::Exp
        | Unary::Exp2
        | Unary::Expm1
        | Unary::Sqrt
        | Unary::Rsqrt
        | Unary::Reciprocal
        | Unary::Tan
        | Unary::Tanh
        | Unary::Sigmoid
        | Unary::Relu => hold(None),
        Unary::Abs
        | Unary::Log
        | Unary::Log2
        | Unary::Log10
        | Unary::Log1p
        | Unary::Square
        | Unary::Sin
        | Unary::Cos
        | Unary::Asin
        | Unary::Acos
        | Unary::Atan
        | Unary::Sinh
        | Unary::Cosh
        | Unary::Gelu
        | Unary::Erf => hold(Some(0)),
        Unary::Neg
        | Unary::Floor
        | Unary::Ceil
        | Unary::Round
        | Unary::Trunc
        | Unary::Frac
        | Unary::Sign
        | Unary::LogicalNot
        | Unary::BitwiseNot
        | Unary::IsNan
        | Unary::IsInf
        | Unary::IsFinite => {}
    }
}

fn with_number(how: Binary, side: Side, hold: &mut dyn FnMut(Option<usize>)) {
    match (how, side) {
        (Binary::Pow, Side::Left) => {
            hold(Some(0));
            hold(None);
        }
        (Binary::Div | Binary::Remainder | Binary::Fmod, Side::Left)
        | (Binary::Pow, Side::Right)
        | (Binary::Maximum | Binary::Minimum, _) => hold(Some(0)),
        (Binary::Div | Binary::Remainder | Binary::Fmod, Side::Right)
        | (
            Binary::Add
            | Binary::Sub
            | Binary::Mul
            | Binary::FloorDiv
            | Binary::TruncDiv
            | Binary::Atan2
            | Binary::LogicalAnd
            | Binary::LogicalOr
            | Binary::LogicalXor
            | Binary::BitwiseAnd
            | Binary::BitwiseOr
            | Binary::BitwiseXor
            | Binary::LeftShift
            | Binary::RightShift,
            _,
        ) => {}
    }
}

fn reduction(how: Reduction, hold: &mut dyn FnMut(Option<usize>)) {
    match how {
        Reduction::Sum
        | Reduction::Mean
        | Reduction::All
        | Reduction::Any
        | Reduction::CountNonzero => {}
        Reduction::Prod | Reduction::Var(_) => hold(Some(0)),
        Reduction::Max
        | Reduction::Min
        | Reduction::AMax
        | Reduction::AMin
        | Reduction::Std(_)
        | Reduction::Norm(_)
        | Reduction::LogSumExp => {
            hold(Some(0));
            hold(None);
        }
    }
}

fn ternary(how: Ternary, wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    // The first tensor is only added; the other two are factors of each other.
    let mut factors = |at: usize| {
        if wants(at) {
            hold(Some(3 - at));
        }
    };
    match how {
        Ternary::AddCMul(_) | Ternary::AddMM { .. } | Ternary::BAddBMM { .. } => {
            factors(1);
            factors(2);
        }
        Ternary::AddCDiv(_) => {
            if wants(1) || wants(2) {
                hold(Some(2));
            }
            if wants(2) {
                hold(Some(1));
            }
        }
        Ternary::Lerp => {
            if wants(0) || wants(1) {
                hold(Some(2));
            }
            if wants(2) {
                hold(Some(0));
                hold(Some(1));
            }
        }
    }
}

fn layer(op: &Nn, wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    match op {
        Nn::Linear | Nn::LinearBias => each_for_the_other(wants, hold),
        Nn::Activate(how) => match how.saved_operand() {
            SavedOperand::Input => hold(Some(0)),
            SavedOperand::Result => hold(None),
        },
        // Classes or indices, and weights where there are; scores and rows only lend their shape.
        Nn::Nll(_)
        | Nn::NllBackward(..)
        | Nn::Embedding(_)
        | Nn::EmbeddingBackward { .. }
        | Nn::Dropout(_) => {
            hold(Some(1));
            hold(Some(2));
        }
        Nn::Norm(_) | Nn::Loss(..) => {
            hold(Some(0));
            hold(Some(1));
        }
        Nn::Attention(_) => {
            for at in 0..4 {
                hold(Some(at));
            }
            // The kernel of the way back reads the result, too.
            hold(None);
        }
        Nn::SoftmaxBackward(_)
        | Nn::LogSoftmaxBackward(_)
        | Nn::ActivationBackward(_)
        | Nn::NormBackward(_)
        | Nn::NormAffineBackward(_)
        | Nn::LossBackward(..)
        | Nn::AttentionBackward(_)
        | Nn::FoundInf => {}
    }
}

fn binary(how: Binary, wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    match how {
        Binary::Add
        | Binary::Sub
        | Binary::FloorDiv
        | Binary::TruncDiv
        | Binary::LogicalAnd
        | Binary::LogicalOr
        | Binary::LogicalXor
        | Binary::BitwiseAnd
        | Binary::BitwiseOr
        | Binary::BitwiseXor
        | Binary::LeftShift
        | Binary::RightShift => {}
        Binary::Mul => each_for_the_other(wants, hold),
        Binary::Div => {
            hold(Some(1));
            if wants(1) {
                hold(Some(0));
            }
        }
        Binary::Pow => {
            hold(Some(0));
            hold(Some(1));
            if wants(1) {
                hold(None);
            }
        }
        Binary::Remainder | Binary::Fmod => {
            if wants(1) {
                hold(Some(0));
                hold(Some(1));
            }
        }
        Binary::Maximum | Binary::Minimum | Binary::Atan2 => {
            hold(Some(0));
            hold(Some(1));
        }
    }
}

/// A product: the gradient of each factor needs the other one.
fn each_for_the_other(wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    if wants(1) {
        hold(Some(0));
    }
    if wants(0) {
        hold(Some(1));
    }
}
