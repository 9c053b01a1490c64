//! What the learner has done, and where it is kept.
//!
//! A record counts as soon as it is made. If one cannot be saved, the command reports it at the end and fails, so that
//! the learner does not take an unsaved pass for a saved one.

use super::console::Console;
use super::failure::{Exit, Failure, Result};
use crate::course::CourseId;
use crate::lab::units::count;
use crate::progress::{Event, Progress};
use crate::store;
use crate::store::log::{self, Log, Problem, SaveError};
use std::path::{Path, PathBuf};

/// The learner of one course.
pub(super) struct Learner {
    /// What is done.
    pub progress: Progress,
    /// What could not be read.
    problems: Vec<Problem>,
    log: Log,
    /// When the last event was noted.
    at_ms: u64,
    trouble: Option<SaveError>,
}

impl Learner {
    /// Reads what is kept in the data folder `dir`.
    pub(super) fn load(dir: &Path, course: &CourseId) -> Self {
        let loaded = log::read(dir);
        let mut log = Log::new(Some(dir.to_owned()), course);
        log.count_others(loaded.uncounted());
        Self {
            progress: Progress::from_records(loaded.records, course),
            problems: loaded.problems,
            log,
            at_ms: 0,
            trouble: None,
        }
    }

    /// Notes that something happened.
    pub(super) fn note(&mut self, event: Event, now_ms: u64) {
        let at_ms = self.progress.stamp(now_ms);
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
    pub(super) fn finish(mut self, console: &mut Console<'_>, exit: Exit) -> Result<Exit> {
        if let Some(warning) = unread(&self.problems) {
            console.remark(&warning)?;
        }
        let flushed = self.log.flush(self.at_ms);
        match (self.trouble.take(), flushed) {
            (None | Some(SaveError::Disk { .. }), Ok(())) => Ok(exit),
            (Some(trouble @ SaveError::TooLong { .. }), Ok(())) => Err(not_saved(trouble)),
            (_, Err(trouble)) => {
                self.save_elsewhere(console)?;
                Err(not_saved(trouble))
            }
        }
    }

    /// Keeps what could not be saved in a new folder among the temporary files, and says where.
    fn save_elsewhere(&mut self, console: &mut Console<'_>) -> Result<()> {
        let count = self.log.unsaved();
        if let Ok(folder) = self.log.save_elsewhere(self.at_ms) {
            let records = log::count_of(count);
            console.remark(&format!(
                "warning: {records} not saved where progress belongs: {}",
                log::how_to_import(&folder)
            ))?;
        }
        Ok(())
    }
}

/// The folder for progress. If there is none, that is an error of usage: the environment is the user's, like the arguments.
pub(super) fn data_dir() -> Result<PathBuf> {
    store::data_dir().map_err(|missing| {
        Failure::arguments_but(
            missing.to_string(),
            "set HOME, or set WARPUP_DATA to a folder that you may write to",
        )
    })
}

/// Says in one line what could not be read, if anything.
pub(super) fn unread(problems: &[Problem]) -> Option<String> {
    let first = problems.first()?;
    Some(format!(
        "warning: the progress logs cannot be read in {}, the first is {}:{}: {}",
        count(problems.len(), "place", "places"),
        first.path.display(),
        first.line,
        first.what
    ))
}

fn not_saved(trouble: SaveError) -> Failure {
    let lost = anyhow::Error::from(trouble);
    lost.context("your progress is not saved where it belongs")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::progress::tests::attempted;
    use crate::commands::sample;
    use crate::course::LessonId;
    use std::fs;
    use tempfile::TempDir;

    #[test]
    fn a_clock_that_was_ahead_does_not_win_for_ever() {
        let dir = TempDir::new().unwrap();
        let course = CourseId::new("warpup");
        let (a_year_ahead, now) = (951_782_400_000 + 31_536_000_000, 951_782_400_000);
        let mut ahead = Learner::load(dir.path(), &course);
        ahead.note(RESET, a_year_ahead);
        let mut learner = Learner::load(dir.path(), &course);
        learner.note(attempted(400), now);
        let later = Learner::load(dir.path(), &course);
        assert!(later.progress.lesson(&LessonId::new("copies")).is_done());
    }

    const RESET: Event = Event::Reset { lesson: None };

    #[test]
    fn what_cannot_be_saved_is_kept_elsewhere_and_fails_the_command() {
        let dir = TempDir::new().unwrap();
        let blocked = dir.path().join("blocked");
        fs::write(&blocked, "").unwrap();
        let (text, exit) = sample::console("", |console| {
            let mut learner = Learner::load(&blocked, &CourseId::new("warpup"));
            learner.note(RESET, 1);
            learner.finish(console, Exit::Fine)
        });
        assert_eq!(exit, Exit::InternalError);
        assert!(text.contains("error: your progress is not saved where it belongs"));
        let elsewhere = text.split("kept in ").nth(1).unwrap();
        let elsewhere = Path::new(elsewhere.split(';').next().unwrap());
        assert_eq!(log::read(elsewhere).records.len(), 1);
        fs::remove_dir_all(elsewhere).unwrap();
    }

    #[test]
    fn damage_in_the_logs_is_said_once_and_costs_nothing_else() {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("log")).unwrap();
        fs::write(dir.path().join("log/a.jsonl"), "x\ny\n").unwrap();
        let (text, exit) = sample::console("", |console| {
            let mut learner = Learner::load(dir.path(), &CourseId::new("warpup"));
            learner.note(RESET, 1);
            learner.finish(console, Exit::Fine)
        });
        assert_eq!(exit, Exit::Fine);
        let text = text.replace(dir.path().to_str().unwrap(), "DATA");
        insta::assert_snapshot!(text, @"warning: the progress logs cannot be read in 2 places, the first is DATA/log/a.jsonl:1: damaged: its checksum is another");
    }
}
