//! `warpup` in a terminal, and `warpup worker`: hands over to those who own stdin and stdout.

use super::learner::Learner;
use super::{Exit, Failure, courses};
use crate::store;
use std::path::Path;

/// Opens the app where the learner left off.
pub(super) fn app(dir: Option<&Path>) -> Result<Exit, Failure> {
    let opened = courses::open(dir)?;
    let data = store::data_dir().map_err(anyhow::Error::from)?;
    let (progress, _, log) = Learner::load(&data, &opened.course.id).into_parts();
    crate::tui::run(opened.course, opened.diagnostics, progress, log)?;
    Ok(Exit::Fine)
}

/// Serves labs until stdin ends.
pub(super) fn worker() -> Exit {
    crate::worker::main();
    Exit::Fine
}
