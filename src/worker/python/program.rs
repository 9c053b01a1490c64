//! A program and the settings of its run.

use crate::protocol::Aim;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A program to run.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The file name in tracebacks.
    pub(crate) name: String,
    /// Its Python source.
    pub(crate) source: String,
    /// Python source of the lab's check, which runs after the program in the same namespace.
    pub(crate) check: Option<String>,
    /// Whether the program is run or planned.
    pub(crate) aim: Aim,
    /// Whether lines are traced. Without it, a run can be cancelled at tensor operations only.
    pub(crate) steps: bool,
    /// Set by another thread to cancel the run.
    pub(crate) interrupt: Arc<AtomicBool>,
}
