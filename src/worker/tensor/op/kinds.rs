//! What operations are made of: functions of one and two operands, comparisons, reductions, views.

use crate::worker::tensor::shape::Shape;

/// Operations on one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the ones of torch")]
pub enum Unary {
    Neg,
    Abs,
    Exp,
    Log,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Tanh,
    Sigmoid,
    Relu,
    Gelu,
    Erf,
    Floor,
    Ceil,
    Round,
    Sign,
    LogicalNot,
}

impl Unary {
    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Neg => "neg",
            Self::Abs => "abs",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Sqrt => "sqrt",
            Self::Rsqrt => "rsqrt",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tanh => "tanh",
            Self::Sigmoid => "sigmoid",
            Self::Relu => "relu",
            Self::Gelu => "gelu",
            Self::Erf => "erf",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
            Self::Sign => "sign",
            Self::LogicalNot => "logical_not",
        }
    }

    /// Whether whole numbers stay whole numbers.
    pub(super) fn keeps_integers(self) -> bool {
        matches!(
            self,
            Self::Neg
                | Self::Abs
                | Self::Relu
                | Self::Floor
                | Self::Ceil
                | Self::Round
                | Self::Sign
        )
    }
}

/// Operations on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the ones of torch")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Remainder,
    Pow,
    Maximum,
    Minimum,
}

impl Binary {
    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Div => "div",
            Self::FloorDiv => "floor_divide",
            Self::Remainder => "remainder",
            Self::Pow => "pow",
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
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

/// Reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the ones of torch")]
pub enum Reduction {
    Sum,
    Mean,
    Max,
    Min,
}

/// Which end is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// `argmax`
    Largest,
    /// `argmin`
    Smallest,
}

/// What becomes of the elements that are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// They are replaced; of several values for one place, the last one stays.
    Replace,
    /// They are added to.
    Add,
}

/// Ways to see the same elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// Other sizes, same order.
    Reshape(Shape),
    /// Dimensions in another order.
    Permute(Vec<usize>),
    /// Part of one dimension.
    Narrow {
        /// The dimension.
        dim: usize,
        /// Where the part begins.
        start: usize,
        /// Its length.
        len: usize,
    },
    /// One element of a dimension, which goes away.
    Select {
        /// The dimension.
        dim: usize,
        /// The position there.
        at: usize,
    },
    /// Each so-and-so-many-th element of one dimension, beginning with the first.
    Every {
        /// The dimension.
        dim: usize,
        /// How many elements one step is.
        step: usize,
    },
    /// Dimensions of size 1 repeated.
    Expand(Shape),
}
