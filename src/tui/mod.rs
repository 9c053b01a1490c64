//! The terminal app.

use crate::course::{Course, Diagnostic};
use crate::progress::Progress;
use crate::store::log::Log;

/// Runs the app until the learner leaves it.
pub fn run(
    _course: Course,
    _problems: Vec<Diagnostic>,
    _progress: Progress,
    _log: Log,
) -> anyhow::Result<()> {
    Ok(())
}
