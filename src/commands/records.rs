//! All records of the learner as they are in the logs, for commands that pass them on.

use super::context::CommandContext;
use super::failure::{Failure, Result};
use super::file_failure::unreadable;
use super::learner::place;
use std::path::{Path, PathBuf};
use warpup_lab::units::count;
use warpup_store::log::{self, Problem, RecordLines};

/// The most damaged places that are listed.
const WARNINGS: usize = 20;

/// Reads all records, and says what could not be read.
pub(super) fn all(context: &mut CommandContext<'_, '_>) -> Result<RecordLines> {
    let lines = match data_dir(context)? {
        dir if dir.exists() => log::lines_in(&dir).map_err(|error| unreadable(&dir, &error))?,
        _ => RecordLines::default(),
    };
    warn(context, &lines.problems)?;
    Ok(lines)
}

/// The folder of the learner's progress.
pub(super) fn data_dir(context: &CommandContext<'_, '_>) -> Result<PathBuf> {
    let dir = context.learner.dir().map(Path::to_owned);
    dir.ok_or_else(|| {
        Failure::arguments_but(
            "there is no folder for progress",
            "set HOME, or set WARPUP_DATA to a folder that you may write to",
        )
    })
}

/// A record cannot go into a file with others.
pub(super) fn too_long(bytes: usize) -> Failure {
    let most = log::MAX_LINE;
    let what = format!("a record needs a line of {bytes} bytes, and a file takes at most {most}");
    Failure::arguments_but(what, "nothing was written; please report how it was made")
}

/// Says what could not be read.
pub(super) fn warn(context: &mut CommandContext<'_, '_>, problems: &[Problem]) -> Result<()> {
    let (first, rest) = problems.split_at(problems.len().min(WARNINGS));
    for problem in first {
        let said = format!("warning: {}", place(problem));
        context.console.remark(&said)?;
    }
    if !rest.is_empty() {
        let more = count(rest.len(), "more place", "more places");
        context.console.remark(&format!("warning: and {more}"))?;
    }
    Ok(())
}
