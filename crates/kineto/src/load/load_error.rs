//! Why a file is no trace, and what to try.

use crate::read_error::ReadError;
use std::io;
use thiserror::Error;

/// Why a file is no trace.
#[derive(Debug, Error)]
pub enum LoadError {
    /// It cannot be read.
    #[error("cannot read {file}")]
    File {
        /// The file.
        file: String,
        /// Why.
        #[source]
        why: io::Error,
    },
    /// It is compressed, and what it decompresses to is damaged or ends early.
    #[error(
        "{file}: byte {at} of the decompressed text: the compressed data is damaged or ends here"
    )]
    Compressed {
        /// The file.
        file: String,
        /// Bytes that came before.
        at: u64,
        /// What the decompression says.
        #[source]
        why: io::Error,
    },
    /// It is not a trace.
    #[error("{file}: {why}")]
    Text {
        /// The file.
        file: String,
        /// What is wrong, and where.
        why: ReadError,
    },
    /// It is text as a trace is, and has no event.
    #[error("{file}: there is no event in it")]
    Empty {
        /// The file.
        file: String,
    },
    /// The caller did not want to go on.
    #[error("reading {file} was stopped")]
    Stopped {
        /// The file.
        file: String,
    },
}

impl LoadError {
    /// What is wrong, with its cause.
    pub fn with_cause(&self) -> String {
        match self {
            Self::File { why, .. } if why.kind() == io::ErrorKind::IsADirectory => {
                format!("{self}: it is a folder")
            }
            Self::File { why, .. } | Self::Compressed { why, .. } => format!("{self}: {why}"),
            Self::Text { .. } | Self::Empty { .. } | Self::Stopped { .. } => self.to_string(),
        }
    }

    /// What to try; nothing where the system refuses, or the caller stopped.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::File { why, .. } if why.kind() == io::ErrorKind::IsADirectory => {
                Some("name a trace in it, such as trace.json.gz")
            }
            Self::File { why, .. } if why.kind() == io::ErrorKind::NotFound => Some(
                "`warpup record -- python train.py` records one; `warpup trace --how` prints lines for the program that do",
            ),
            Self::Compressed { .. } => Some(
                "was a copy of the file, or its recording, interrupted? Copy or record it once more",
            ),
            Self::Text { .. } | Self::Empty { .. } => Some(
                "a trace is what `warpup record -- python train.py` writes, or `export_chrome_trace` of torch.profiler (`warpup trace --how`)",
            ),
            Self::File { .. } | Self::Stopped { .. } => None,
        }
    }
}
