//! The trace that is on the screen, as last reported by the shell.

use crate::kineto::Trace;
use crate::kineto::analysis::Analysis;
use crate::kineto::findings::Report;

/// A learner's own trace.
#[derive(Clone, Debug, Default)]
pub(crate) enum TraceState {
    /// There is none.
    #[default]
    None,
    /// It is being read.
    Reading {
        /// The file.
        file: String,
        /// How much of it was read, in percent, where its size is known.
        percent: Option<u64>,
    },
    /// It was read.
    Read(Box<ReadTrace>),
    /// It cannot be read, for this reason.
    Failed(String),
}

/// A trace and what it shows.
#[derive(Clone, Debug)]
pub(crate) struct ReadTrace {
    pub(crate) trace: Trace,
    pub(crate) analysis: Analysis,
    pub(crate) report: Report,
}

impl TraceState {
    /// The trace, if it was read.
    pub(crate) fn read(&self) -> Option<&ReadTrace> {
        match self {
            Self::Read(it) => Some(it),
            Self::None | Self::Reading { .. } | Self::Failed(_) => None,
        }
    }
}
