//! The trace that is built in: a slow run for the lesson *First-line debugging*.
//!
//! It is synthetic: `scripts/trace-faults` computes it, and its key `synthetic` says so wherever it is shown.

use warpup_kineto::Trace;
use warpup_kineto::load::{self, LoadError};

/// Its name.
pub(super) const NAME: &str = "slow-run.json.gz";

/// The file, compressed.
pub(super) const SLOW_RUN: &[u8] = include_bytes!("../../../assets/traces/slow-run.json.gz");

/// The trace of the slow run.
pub(super) fn load() -> Result<Trace, LoadError> {
    load::text(NAME, SLOW_RUN)
}
