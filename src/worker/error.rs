//! Why an operation could not be done, with the exception type that PyTorch raises for it.

use candle_core as candle;

/// A failed operation, on its way to becoming a Python exception.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TorchError {
    /// The exception's type.
    pub kind: Kind,
    /// Its text.
    pub message: String,
}

/// The exception types that operations raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `RuntimeError`: shapes, devices, dtypes that an operation does not take.
    Runtime,
    /// `TypeError`: arguments of the wrong type.
    Type,
    /// `ValueError`: arguments of the right type that make no sense.
    Value,
    /// `IndexError`: positions and dimensions out of range.
    Index,
    /// `NotImplementedError`: PyTorch has it, warpup does not.
    NotImplemented,
    /// `torch.cuda.OutOfMemoryError`, a `RuntimeError`.
    OutOfMemory,
    /// `torch.AcceleratorError`, a `RuntimeError`: what CUDA says.
    Accelerator,
}

impl TorchError {
    /// A `RuntimeError`.
    pub fn runtime(message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Runtime,
            message: message.into(),
        }
    }

    /// A `TypeError`.
    pub fn typed(message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Type,
            message: message.into(),
        }
    }

    /// A `ValueError`.
    pub fn value(message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Value,
            message: message.into(),
        }
    }

    /// An `IndexError`.
    pub fn index(message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Index,
            message: message.into(),
        }
    }

    /// A refusal of candle's. With a backtrace asked for in the environment, candle prints it as part of the
    /// message.
    pub(crate) fn from_text(text: &str) -> Self {
        let first = text.lines().next();
        Self::runtime(first.unwrap_or("candle refused the operation"))
    }

    /// A `NotImplementedError`.
    pub fn missing(message: impl Into<String>) -> Self {
        Self {
            kind: Kind::NotImplemented,
            message: message.into(),
        }
    }
}

impl From<candle::Error> for TorchError {
    /// Rules run before candle does, so what candle still refuses is a gap of ours; its words are kept.
    fn from(error: candle::Error) -> Self {
        #[cfg(feature = "cuda")]
        if let Some(fault) = crate::worker::device::cuda::error(&error) {
            return error;
        }
        Self::from_text(&error.to_string())
    }
}
