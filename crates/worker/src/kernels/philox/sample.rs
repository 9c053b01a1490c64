//! What is drawn: numbers of a distribution, or whole numbers.

use crate::dtype::DType;

/// What real numbers are drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Distribution {
    /// From a number up to, not including, another one.
    Uniform(f64, f64),
    /// With a mean and a standard deviation.
    Normal(f64, f64),
    /// 1 with this probability, else 0.
    Bernoulli(f64),
    /// With this rate.
    Exponential(f64),
    /// With a median and a scale.
    Cauchy(f64, f64),
    /// The exponential of a normal number.
    LogNormal(f64, f64),
    /// Trials until one succeeds, which each does with this probability.
    Geometric(f64),
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sample {
    Of(Distribution),
    /// Whole numbers from the first up to, not including, the second.
    Range(i64, i64),
    /// Whole numbers of all that a dtype has and that are not negative (`random_()`).
    Whole,
}

impl Sample {
    /// PyTorch's name of the function that draws it.
    pub(crate) fn function(self) -> &'static str {
        match self {
            Self::Of(Distribution::Uniform(..)) => "uniform_",
            Self::Of(Distribution::Normal(..)) => "normal_",
            Self::Of(Distribution::Bernoulli(_)) => "bernoulli_",
            Self::Of(Distribution::Exponential(_)) => "exponential_",
            Self::Of(Distribution::Cauchy(..)) => "cauchy_",
            Self::Of(Distribution::LogNormal(..)) => "log_normal_",
            Self::Of(Distribution::Geometric(_)) => "geometric_",
            Self::Range(..) | Self::Whole => "random_",
        }
    }

    /// How many elements of this type a group of four numbers makes.
    pub(crate) fn each(self, dtype: DType) -> u64 {
        let takes_two = match self {
            Self::Of(_) => dtype == DType::F64,
            Self::Range(low, high) => is_wide(low, high),
            Self::Whole => matches!(dtype, DType::F64 | DType::I64),
        };
        if takes_two { 2 } else { 4 }
    }
}

/// Whether a range is so long that 32 bits would prefer some of its numbers.
pub(crate) fn is_wide(low: i64, high: i64) -> bool {
    range(low, high) >= 1 << 28
}

/// How many numbers are in a range.
pub(crate) fn range(low: i64, high: i64) -> u64 {
    high.wrapping_sub(low).cast_unsigned().max(1)
}

/// What `random_()` takes the remainder by.
pub(crate) fn whole_range(dtype: DType) -> u64 {
    match dtype {
        DType::Bool => 2,
        DType::U8 => 1 << 8,
        DType::I8 => 1 << 7,
        DType::I16 => 1 << 15,
        DType::I32 => 1 << 31,
        DType::I64 => 1 << 63,
        DType::F16 => (1 << 11) + 1,
        DType::BF16 => (1 << 8) + 1,
        DType::F32 => (1 << 24) + 1,
        DType::F64 => (1 << 53) + 1,
    }
}
