//! Operations on two operands, element by element: their names and their dtype rule.

use super::unary::{lacking, of_truths};
use crate::worker::dtype::{Category, DType, Standing, default_float, result_type};
use crate::worker::error::TorchError;

/// Operations on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the ones of torch")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    TruncDiv,
    Remainder,
    Fmod,
    Pow,
    Atan2,
    Maximum,
    Minimum,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    BitwiseAnd,
    BitwiseOr,
    BitwiseXor,
    LeftShift,
    RightShift,
}

impl Binary {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::FloorDiv,
        Self::TruncDiv,
        Self::Remainder,
        Self::Fmod,
        Self::Pow,
        Self::Atan2,
        Self::Maximum,
        Self::Minimum,
        Self::LogicalAnd,
        Self::LogicalOr,
        Self::LogicalXor,
        Self::BitwiseAnd,
        Self::BitwiseOr,
        Self::BitwiseXor,
        Self::LeftShift,
        Self::RightShift,
    ];

    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Div | Self::TruncDiv => "div",
            Self::FloorDiv => "floor_divide",
            Self::Remainder => "remainder",
            Self::Fmod => "fmod",
            Self::Pow => "pow",
            Self::Atan2 => "atan2",
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
            Self::LogicalAnd => "logical_and",
            Self::LogicalOr => "logical_or",
            Self::LogicalXor => "logical_xor",
            Self::BitwiseAnd => "bitwise_and",
            Self::BitwiseOr => "bitwise_or",
            Self::BitwiseXor => "bitwise_xor",
            Self::LeftShift => "bitwise_left_shift",
            Self::RightShift => "bitwise_right_shift",
        }
    }

    /// Whether the operands count as true or false, and nothing else of them.
    pub fn is_logical(self) -> bool {
        matches!(self, Self::LogicalAnd | Self::LogicalOr | Self::LogicalXor)
    }

    /// The type of the result.
    pub(super) fn dtype(
        self,
        a: (DType, Standing),
        b: (DType, Standing),
    ) -> Result<DType, TorchError> {
        let wide = result_type(a, b);
        let lacks = |kernel: &str| Err(lacking(kernel, wide));
        let (truths, float) = (wide == DType::Bool, wide.is_float());
        match self {
            Self::Sub => no_truths(a.0, b.0).map(|()| wide),
            Self::LogicalAnd | Self::LogicalOr | Self::LogicalXor => Ok(DType::Bool),
            Self::Div | Self::Atan2 => Ok(if float { wide } else { default_float() }),
            Self::FloorDiv if truths => lacks("div_floor_cpu"),
            Self::TruncDiv if truths => lacks("div_trunc_cpu"),
            Self::Remainder if truths => lacks("remainder_cpu"),
            Self::Fmod if truths => lacks("fmod_cpu"),
            Self::Pow if truths && b.1 != Standing::Number => lacks("pow"),
            Self::BitwiseAnd if float => lacks("bitwise_and_cpu"),
            Self::BitwiseOr if float => lacks("bitwise_or_cpu"),
            Self::BitwiseXor if float => lacks("bitwise_xor_cpu"),
            Self::LeftShift if float || truths => lacks("lshift_cpu"),
            Self::RightShift if float || truths => lacks("rshift_cpu"),
            Self::Add
            | Self::Mul
            | Self::FloorDiv
            | Self::TruncDiv
            | Self::Remainder
            | Self::Fmod
            | Self::Pow
            | Self::Maximum
            | Self::Minimum
            | Self::BitwiseAnd
            | Self::BitwiseOr
            | Self::BitwiseXor
            | Self::LeftShift
            | Self::RightShift => Ok(wide),
        }
    }

    /// The type of the result with a Python number on one side.
    pub(super) fn dtype_with_number(
        self,
        tensor: (DType, Standing),
        (number, kind): (f64, Category),
        side: Side,
    ) -> Result<DType, TorchError> {
        if self == Self::Atan2 {
            let kind = match kind {
                Category::Bool => "bool",
                Category::Int => "int",
                Category::Float => "float",
            };
            return Err(TorchError::typed(format!(
                "atan2(): argument 'other' (position 2) must be Tensor, not {kind}"
            )));
        }
        let exponent = self == Self::Pow && side == Side::Right;
        if exponent && number < 0.0 && kind != Category::Float && !tensor.0.is_float() {
            return Err(TorchError::runtime(
                "Integers to negative integer powers are not allowed.",
            ));
        }
        let number = match kind {
            Category::Bool => DType::Bool,
            Category::Int => DType::I64,
            Category::Float => DType::F64,
        };
        match side {
            Side::Right => self.dtype(tensor, (number, Standing::Number)),
            Side::Left => self.dtype((number, Standing::Number), tensor),
        }
    }
}

/// Where a Python number stands beside a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `number op tensor`
    Left,
    /// `tensor op number`
    Right,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the ones of torch")]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Compare {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Eq, Self::Ne, Self::Lt, Self::Le, Self::Gt, Self::Ge];

    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::Lt => "lt",
            Self::Le => "le",
            Self::Gt => "gt",
            Self::Ge => "ge",
        }
    }
}

/// PyTorch subtracts no truth values.
fn no_truths(a: DType, b: DType) -> Result<(), TorchError> {
    match (a, b) {
        (DType::Bool, DType::Bool) => Err(TorchError::missing(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
        )),
        (DType::Bool, _) | (_, DType::Bool) => Err(of_truths("Subtraction", "with a bool tensor")),
        _ => Ok(()),
    }
}
