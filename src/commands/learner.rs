//! What the learner has done, and where it is kept.
//!
//! A record counts as soon as it is made. One that could not be saved is said at the end, and makes the
//! command fail: nobody should close the terminal on a pass that is nowhere.

use super::{Console, Exit, Failure};
use crate::course::CourseId;
use crate::progress::{Event, Progress};
use crate::store::log::{self, Log, Problem, SaveError};
use std::path::Path;

/// The learner of one course.
pub(super) struct Learner {
    /// What is done.
    pub progress: Progress,
    /// What could not be read.
    pub problems: Vec<Problem>,
    log: Log,
    /// When the last event was noted.
    at_ms: u64,
    trouble: Option<SaveError>,
}

impl Learner {
    /// Reads what is kept in the data folder `dir`.
    pub(super) fn load(dir: &Path, course: &CourseId) -> Self {
        let loaded = log::read(dir);
        Self {
            progress: Progress::from_records(loaded.records, course),
            problems: loaded.problems,
            log: Log::new(dir, course),
            at_ms: 0,
            trouble: None,
        }
    }

    /// Notes that something happened.
    pub(super) fn note(&mut self, event: Event, at_ms: u64) {
        self.at_ms = at_ms;
        match self.log.append(event, at_ms) {
            Ok(record) => self.progress.apply(record),
            Err(error) => {
                if let Some(record) = error.record() {
                    self.progress.apply(record.clone());
                }
                self.trouble = Some(error);
            }
        }
    }

    /// A name for an attempt.
    pub(super) fn new_id(&mut self, at_ms: u64) -> String {
        self.log.new_id(at_ms)
    }

    /// What the log is made of, for the app, which goes on writing it.
    pub(super) fn into_parts(self) -> (Progress, Vec<Problem>, Log) {
        (self.progress, self.problems, self.log)
    }

    /// Says what could not be read or saved, and turns a good exit into a bad one if records are lost.
    pub(super) fn finish(mut self, console: &mut Console<'_>, exit: Exit) -> Result<Exit, Failure> {
        if let [first, ..] = self.problems.as_slice() {
            let count = self.problems.len();
            console.remark(&format!(
                "warning: {count} places in the progress logs cannot be read, the first is {}:{}: {}",
                first.path.display(),
                first.line,
                first.what
            ))?;
        }
        let flushed = self.log.flush(self.at_ms);
        match (self.trouble.take(), flushed) {
            (None | Some(SaveError::Disk { .. }), Ok(())) => Ok(exit),
            (Some(trouble @ SaveError::TooLong { .. }), _) | (_, Err(trouble)) => {
                let hint = trouble.hint();
                let lost = anyhow::Error::from(trouble).context("your progress is NOT SAVED");
                console.remark(&format!("hint: {hint}"))?;
                Err(lost.into())
            }
        }
    }
}
