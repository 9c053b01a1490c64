//! Functions of one tensor, element by element: their names and their dtype rule.

use crate::worker::dtype::{DType, default_float};
use crate::worker::error::TorchError;

/// Operations on one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the ones of torch")]
pub enum Unary {
    Neg,
    Abs,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sqrt,
    Rsqrt,
    Square,
    Reciprocal,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Sigmoid,
    Relu,
    Gelu,
    Erf,
    Floor,
    Ceil,
    Round,
    Trunc,
    Frac,
    Sign,
    LogicalNot,
    BitwiseNot,
    IsNan,
    IsInf,
    IsFinite,
}

impl Unary {
    /// All of them.
    pub const ALL: [Self; 37] = [
        Self::Neg,
        Self::Abs,
        Self::Exp,
        Self::Exp2,
        Self::Expm1,
        Self::Log,
        Self::Log2,
        Self::Log10,
        Self::Log1p,
        Self::Sqrt,
        Self::Rsqrt,
        Self::Square,
        Self::Reciprocal,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Sigmoid,
        Self::Relu,
        Self::Gelu,
        Self::Erf,
        Self::Floor,
        Self::Ceil,
        Self::Round,
        Self::Trunc,
        Self::Frac,
        Self::Sign,
        Self::LogicalNot,
        Self::BitwiseNot,
        Self::IsNan,
        Self::IsInf,
        Self::IsFinite,
    ];

    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Neg => "neg",
            Self::Abs => "abs",
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::Expm1 => "expm1",
            Self::Log => "log",
            Self::Log2 => "log2",
            Self::Log10 => "log10",
            Self::Log1p => "log1p",
            Self::Sqrt => "sqrt",
            Self::Rsqrt => "rsqrt",
            Self::Square => "square",
            Self::Reciprocal => "reciprocal",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Sigmoid => "sigmoid",
            Self::Relu => "relu",
            Self::Gelu => "gelu",
            Self::Erf => "erf",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
            Self::Trunc => "trunc",
            Self::Frac => "frac",
            Self::Sign => "sign",
            Self::LogicalNot => "logical_not",
            Self::BitwiseNot => "bitwise_not",
            Self::IsNan => "isnan",
            Self::IsInf => "isinf",
            Self::IsFinite => "isfinite",
        }
    }

    /// The type of the result.
    pub(super) fn dtype(self, of: DType) -> Result<DType, TorchError> {
        let lacks = |kernel: &str| Err(lacking(kernel, of));
        match self {
            Self::LogicalNot | Self::IsNan | Self::IsInf | Self::IsFinite => Ok(DType::Bool),
            Self::Neg if of == DType::Bool => Err(of_truths("Negation", "on a bool tensor")),
            Self::Abs if of == DType::Bool => lacks("abs_cpu"),
            Self::Relu if of == DType::Bool => {
                Err(TorchError::missing("Boolean inputs not supported for relu"))
            }
            Self::Floor if of == DType::Bool => lacks("floor_vml_cpu"),
            Self::Ceil if of == DType::Bool => lacks("ceil_vml_cpu"),
            Self::Round if of == DType::Bool => lacks("round_vml_cpu"),
            Self::Trunc if of == DType::Bool => lacks("trunc_vml_cpu"),
            Self::Square if of == DType::Bool => Ok(DType::I64),
            Self::Frac if !of.is_float() => lacks("frac_cpu"),
            Self::Gelu if !of.is_float() => lacks("GeluKernelImpl"),
            Self::BitwiseNot if of.is_float() => lacks("bitwise_not_cpu"),
            Self::Neg
            | Self::Abs
            | Self::Relu
            | Self::Floor
            | Self::Ceil
            | Self::Round
            | Self::Trunc
            | Self::Sign
            | Self::Square
            | Self::Frac
            | Self::Gelu
            | Self::BitwiseNot => Ok(of),
            Self::Exp
            | Self::Exp2
            | Self::Expm1
            | Self::Log
            | Self::Log2
            | Self::Log10
            | Self::Log1p
            | Self::Sqrt
            | Self::Rsqrt
            | Self::Reciprocal
            | Self::Sin
            | Self::Cos
            | Self::Tan
            | Self::Asin
            | Self::Acos
            | Self::Atan
            | Self::Sinh
            | Self::Cosh
            | Self::Tanh
            | Self::Sigmoid
            | Self::Erf => Ok(if of.is_float() { of } else { default_float() }),
        }
    }
}

/// What PyTorch says of a kernel that there is not for a type.
pub(super) fn lacking(kernel: &str, dtype: DType) -> TorchError {
    TorchError::missing(format!(
        "\"{kernel}\" not implemented for '{}'",
        dtype.scalar_name()
    ))
}

/// What PyTorch says of `-` beside truth values.
pub(super) fn of_truths(what: &str, where_: &str) -> TorchError {
    TorchError::missing(format!(
        "{what}, the `-` operator, {where_} is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
    ))
}
