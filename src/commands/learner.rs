//! What the learner has done, and where it is kept.
//!
//! A record counts as soon as it is made. If one cannot be saved, the command reports it at the end and fails, so that
//! the learner does not take an unsaved pass for a saved one.

use super::console::Console;
use super::failure::{Exit, Failure, Result};
use std::path::{Path, PathBuf};
use warpup_course::{CourseId, Lesson};
use warpup_lab::units::count;
use warpup_progress::{Event, Feedback, Progress, Remark};
use warpup_store as store;
use warpup_store::log::{self, ImportSummary, Log, Problem, RecordLines, SaveError};
use warpup_store::returned::{note_seen, returned};
use warpup_store::{NoDataDir, OpenTo};

/// The learner of one course.
pub(super) struct Learner {
    /// What is done.
    pub(crate) progress: Progress,
    /// What an instructor has sent back, once it was looked for.
    pub(super) feedback: Feedback,
    /// The data folder, if there is one.
    dir: Option<PathBuf>,
    /// What could not be read.
    problems: Vec<Problem>,
    log: Log,
    /// When the last event was noted.
    at_ms: u64,
    trouble: Option<SaveError>,
}

impl Learner {
    /// Reads what is kept in the data folder `dir`. Without one nothing is known, and nothing can be saved.
    pub(super) fn load(dir: Option<PathBuf>, course: &CourseId) -> Self {
        let loaded = dir.as_deref().map(log::read).unwrap_or_default();
        let mut log = Log::new(dir.clone(), course);
        log.count_others(loaded.uncounted());
        Self {
            progress: Progress::from_records(loaded.records, course),
            feedback: Feedback::default(),
            dir,
            problems: loaded.problems,
            log,
            at_ms: 0,
            trouble: None,
        }
    }

    /// The data folder, if there is one.
    pub(super) fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// Looks for what an instructor has sent back. Says why there may be more, if so.
    pub(super) fn look_for_feedback(&mut self) -> Option<String> {
        let why;
        (self.feedback, why) = returned(self.dir.as_deref()?, self.progress.course());
        why
    }

    /// What an instructor has sent back that belongs here and was not seen; it was seen then.
    pub(super) fn new_remarks(
        &mut self,
        lesson: &Lesson,
        is_here: impl Fn(&Remark) -> bool,
    ) -> Vec<Remark> {
        let new = self.feedback.take_new(lesson, is_here);
        if let Some(dir) = &self.dir {
            // Where it cannot be noted, they are shown again.
            for it in &new {
                drop(note_seen(dir, it));
            }
        }
        new
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

    /// Takes over records of other logs.
    pub(super) fn import(
        &mut self,
        lines: &RecordLines,
        now_ms: u64,
    ) -> Result<ImportSummary, SaveError> {
        self.at_ms = now_ms;
        let known = self.dir.as_deref().map(log::read).unwrap_or_default();
        self.log.import(lines, &known, now_ms)
    }

    /// A name for an attempt.
    pub(super) fn new_id(&mut self, at_ms: u64) -> String {
        self.log.new_id(at_ms)
    }

    /// Notes that all problems of reading were listed.
    pub(super) fn problems_were_listed(&mut self) {
        let problems = std::mem::take(&mut self.problems);
        if let Some(dir) = &self.dir {
            // Where it cannot be noted, they are said again.
            drop(log::note_reported(dir, &problems));
        }
    }

    /// What to say where something would look saved that is not.
    pub(super) fn not_saved(&self) -> Option<String> {
        let unsaved = self.log.unsaved();
        let trouble = self.trouble.as_ref()?;
        let is_lost = matches!(trouble, SaveError::TooLong { .. });
        if unsaved == 0 && !is_lost {
            return None;
        }
        let cause = std::error::Error::source(trouble).map(ToString::to_string);
        let why = cause.unwrap_or_else(|| trouble.to_string());
        Some(format!("NOT SAVED ({}): {why}", unsaved.max(1)))
    }

    /// What the log is made of, for the app, which goes on writing it.
    pub(super) fn into_parts(self) -> (Progress, Log, LogNotices) {
        let reading = LogNotices {
            dir: self.dir,
            problems: self.problems,
        };
        (self.progress, self.log, reading)
    }

    /// Says what could not be read or saved, and turns a good exit into a bad one if records are lost.
    pub(super) fn finish(mut self, console: &mut Console<'_>, exit: Exit) -> Result<Exit> {
        let reading = LogNotices {
            dir: self.dir.take(),
            problems: std::mem::take(&mut self.problems),
        };
        if let Some(warning) = reading.warn_once() {
            console.remark(&warning)?;
        }
        let flushed = self.log.flush(self.at_ms);
        match (self.trouble.take(), flushed) {
            (None | Some(SaveError::Disk { .. }), Ok(())) => Ok(exit),
            (Some(trouble @ SaveError::TooLong { .. }), Ok(())) => Err(not_saved(trouble)),
            (_, Err(trouble)) => {
                let said = self.save_elsewhere();
                Err(anyhow::Error::from(trouble).context(said).into())
            }
        }
    }

    /// Keeps what could not be saved in a new private folder, and says where.
    fn save_elsewhere(&mut self) -> String {
        let unsaved = self.log.unsaved();
        match self.log.save_elsewhere(self.at_ms) {
            Ok(folder) => log::kept(unsaved, &folder),
            Err(_) => format!("{} NOT SAVED anywhere", log::count_of(unsaved)),
        }
    }
}

/// What is to be said about reading the logs.
pub(super) struct LogNotices {
    dir: Option<PathBuf>,
    problems: Vec<Problem>,
}

impl LogNotices {
    /// Says in one line what could not be read, if anything that was not said before.
    pub(super) fn warn_once(&self) -> Option<String> {
        let dir = self.dir.as_deref()?;
        let new = log::not_reported(dir, &self.problems);
        let first = new.first()?;
        // Where it cannot be noted, it is said again.
        drop(log::note_reported(dir, &new));
        Some(format!(
            "warning: the progress logs cannot be read in {}, the first is {}; `warpup progress repair` lists them",
            count(new.len(), "place", "places"),
            place(first)
        ))
    }
}

/// A problem with its place, in one line.
pub(super) fn place(problem: &Problem) -> String {
    let path = problem.path.display();
    match problem.line {
        0 => format!("{path}: {}", problem.what),
        line => format!("{path}:{line}: {}", problem.what),
    }
}

/// The folder for progress. Without one, everything but saving works.
pub(super) fn data_dir(console: &mut Console<'_>) -> Result<Option<PathBuf>> {
    let found = store::data_dir();
    for warning in warnings(&found) {
        console.remark(&warning)?;
    }
    Ok(found.ok())
}

/// What is to be said about the folder for progress.
pub(super) fn warnings(found: &Result<PathBuf, NoDataDir>) -> Vec<String> {
    if store::guest().is_some() {
        return vec!["guest: what you do is forgotten when warpup ends".to_owned()];
    }
    match found {
        Err(missing) => vec![format!(
            "warning: nothing will be saved: {missing}; set WARPUP_DATA to a folder that you may write to"
        )],
        Ok(dir) => store::open_to_others(dir)
            .into_iter()
            .map(|(folder, open_to)| {
                let it = folder.display();
                match open_to {
                    OpenTo::Owner(user) => format!(
                        "warning: the folder {it} belongs to another user (number {user}), who can change your progress in it: set WARPUP_DATA to a folder of your own"
                    ),
                    OpenTo::Everybody => format!(
                        "warning: other users can change your progress in {it}: chmod go-w {it}"
                    ),
                }
            })
            .collect(),
    }
}

fn not_saved(trouble: SaveError) -> Failure {
    let lost = anyhow::Error::from(trouble);
    lost.context("your progress is not saved where it belongs")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample::{self, attempted};
    use std::fs;
    use tempfile::TempDir;
    use warpup_course::LessonId;

    #[test]
    fn a_clock_that_was_ahead_does_not_win_for_ever() {
        let dir = TempDir::new().unwrap();
        let course = CourseId::new("warpup");
        let (a_year_ahead, now) = (951_782_400_000 + 31_536_000_000, 951_782_400_000);
        let mut ahead = Learner::load(Some(dir.path().to_owned()), &course);
        ahead.note(RESET, a_year_ahead);
        let mut learner = Learner::load(Some(dir.path().to_owned()), &course);
        learner.note(attempted(400), now);
        let later = Learner::load(Some(dir.path().to_owned()), &course);
        assert!(later.progress.lesson(&LessonId::new("copies")).is_done());
    }

    #[test]
    fn no_clock_costs_what_was_done() {
        const YEAR_2000: u64 = 951_782_400_000;
        const YEAR_40000: u64 = 1_200_085_200_000_000;
        let course = CourseId::new("warpup");
        let copies = LessonId::new("copies");
        for clock in [
            // Before 1970, and never set.
            [0, 0, 0],
            [YEAR_2000; 3],
            [YEAR_40000; 3],
            [u64::MAX; 3],
            [YEAR_2000, YEAR_2000 - 3_600_000, 0],
            [YEAR_40000, YEAR_2000, YEAR_40000],
        ] {
            let dir = TempDir::new().unwrap();
            let load = || Learner::load(Some(dir.path().to_owned()), &course);
            let mut learner = load();
            for (now_ms, earned) in clock.into_iter().zip([100, 200, 400]) {
                learner.note(attempted(earned), now_ms);
            }
            let loaded = log::read(dir.path());
            assert_eq!(loaded.problems, [], "{clock:?}");
            let later = load().progress;
            assert_eq!(later, learner.progress, "{clock:?}");
            assert!(later.lesson(&copies).is_done(), "{clock:?}");
            // They are in the order in which they were done, and after the next start, too.
            let attempts = later.lesson(&copies).attempts.iter();
            let earned: Vec<_> = attempts.map(|it| it.score.earned).collect();
            assert_eq!(earned, [100, 200, 400], "{clock:?}");
            let mut next = load();
            next.note(RESET, 0);
            assert!(!load().progress.lesson(&copies).is_done(), "{clock:?}");
        }
    }

    const RESET: Event = Event::Reset { lesson: None };

    #[test]
    fn what_cannot_be_saved_is_kept_elsewhere_and_fails_the_command() {
        let dir = TempDir::new().unwrap();
        let blocked = dir.path().join("blocked");
        fs::write(&blocked, "").unwrap();
        let (text, exit) = sample::console("", |console| {
            let mut learner = Learner::load(Some(blocked.clone()), &CourseId::new("warpup"));
            learner.note(RESET, 1);
            learner.finish(console, Exit::Fine)
        });
        assert_eq!(exit, Exit::InternalError);
        assert!(
            text.contains("\nerror: 1 record is not saved where progress belongs: it is kept in "),
            "{text}"
        );
        assert_eq!(text.matches("kept in ").count(), 1, "{text}");
        let hint = text.lines().last().unwrap_or_default();
        insta::assert_snapshot!(hint, @"hint: set WARPUP_DATA to a folder that you may write to");
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
            let mut learner = Learner::load(Some(dir.path().to_owned()), &CourseId::new("warpup"));
            learner.note(RESET, 1);
            learner.finish(console, Exit::Fine)
        });
        assert_eq!(exit, Exit::Fine);
        let text = text.replace(dir.path().to_str().unwrap(), "DATA");
        insta::assert_snapshot!(text, @"warning: the progress logs cannot be read in 2 places, the first is DATA/log/a.jsonl:1: damaged: its checksum is another; `warpup progress repair` lists them");
    }
}
