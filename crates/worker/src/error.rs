//! The error of an operation, with the exception type that PyTorch raises for it.
//!
//! Knows no device. A device whose errors reach us through candle registers how to read them.

use candle_core as candle;
use std::sync::OnceLock;

/// The error of an operation, which becomes a Python exception.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct TorchError {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    /// The cause in the program and what to try, where it is known; below the message, which is PyTorch's.
    pub(crate) hint: Option<String>,
}

/// The exception types that operations raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `RuntimeError`: shapes, devices or dtypes that an operation does not support.
    Runtime,
    /// `TypeError`: arguments of the wrong type.
    Type,
    /// `ValueError`: arguments of the right type that make no sense.
    Value,
    /// `IndexError`: indices and dimensions out of range.
    Index,
    /// `NotImplementedError`: PyTorch has it, warpup does not.
    NotImplemented,
    /// `torch.cuda.OutOfMemoryError`, a `RuntimeError`.
    OutOfMemory,
    /// `torch.AcceleratorError`, a `RuntimeError`: errors of CUDA.
    Accelerator,
    /// An exception that Python code raised; the run holds it.
    Raised,
}

impl TorchError {
    /// An error of an exception type that has no function of its own below.
    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
        }
    }

    /// The same with a hint.
    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// A `RuntimeError`.
    pub(crate) fn runtime(message: impl Into<String>) -> Self {
        Self::new(Kind::Runtime, message)
    }

    /// A `TypeError`.
    pub(crate) fn typed(message: impl Into<String>) -> Self {
        Self::new(Kind::Type, message)
    }

    /// A `ValueError`.
    pub(crate) fn value(message: impl Into<String>) -> Self {
        Self::new(Kind::Value, message)
    }

    /// An `IndexError`.
    pub(crate) fn index(message: impl Into<String>) -> Self {
        Self::new(Kind::Index, message)
    }

    /// An error of candle's: the first line, since candle appends a backtrace where the environment asks for one.
    pub(crate) fn from_text(text: &str) -> Self {
        let first = text.lines().next();
        Self::runtime(first.unwrap_or("candle refused the operation"))
    }

    /// A `NotImplementedError`.
    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self::new(Kind::NotImplemented, message)
    }
}

/// What a device says of candle's errors, such as those of CUDA; `None` for an error that it does not know.
type Interpreter = fn(&candle::Error) -> Option<TorchError>;

static INTERPRETER: OnceLock<Interpreter> = OnceLock::new();

/// Lets a device interpret candle's errors from now on. Only the first call of a process counts.
#[cfg(feature = "cuda")]
pub(crate) fn interpret_candle_errors(interpreter: Interpreter) {
    // A worker opens one kind of card, so a second call brings the same function.
    let _ = INTERPRETER.set(interpreter);
}

impl From<candle::Error> for TorchError {
    /// The device's error, or candle's own message. Our checks run before candle's, so such a message is a gap in
    /// them.
    fn from(error: candle::Error) -> Self {
        let interpreted = INTERPRETER.get().and_then(|interpret| interpret(&error));
        interpreted.unwrap_or_else(|| Self::from_text(&error.to_string()))
    }
}
