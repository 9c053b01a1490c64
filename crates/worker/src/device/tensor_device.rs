//! Which memory a tensor is in: the counterpart of `torch.device`.

use candle_core::DType;
use std::fmt;

/// The device that holds a tensor's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TensorDevice {
    /// Host memory; operations on it run on the CPU.
    Cpu,
    /// The memory of the card with this ordinal.
    Card(u32),
}

impl fmt::Display for TensorDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Card(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

/// Whether candle can keep these values on a real card: it has no kernels for 16 and 32 bit integers, and no
/// kernel runs over zero elements. Such values of a card's tensors stay in host memory.
pub(crate) fn fits_on_card(stored: DType, count: usize) -> bool {
    count > 0 && ![DType::I16, DType::I32].contains(&stored)
}
