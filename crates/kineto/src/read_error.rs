//! Why a trace cannot be read, and where.

use thiserror::Error;

/// Why a trace cannot be read. Positions are in the text: in a compressed file, in what it decompresses to.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The text is not JSON, or not what a trace has.
    #[error("byte {at}: {why}")]
    Broken {
        /// How many bytes are before it.
        at: u64,
        /// What is wrong there.
        why: String,
    },
    /// The text ends too early.
    #[error("byte {at}: the file ends here, before the trace does")]
    Ends {
        /// The length of the text.
        at: u64,
    },
    /// More than is kept in memory.
    #[error("byte {at}: {what}: a trace of a few steps is much smaller")]
    TooMuch {
        /// Where the bound was passed.
        at: u64,
        /// Of what there is too much.
        what: String,
    },
}

impl ReadError {
    /// Something is wrong at a byte.
    pub(super) fn broken(at: u64, why: impl Into<String>) -> Self {
        Self::Broken {
            at,
            why: why.into(),
        }
    }

    /// There is too much of something at a byte.
    pub(super) fn too_much(at: u64, what: impl Into<String>) -> Self {
        Self::TooMuch {
            at,
            what: what.into(),
        }
    }
}
