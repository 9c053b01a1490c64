//! What most commands work with: a course, what its learner has done, and a console.

use super::console::Console;
use super::course_argument::CourseArgument;
use super::courses::OpenCourse;
use super::failure::{Exit, Result};
use super::learner::{Learner, data_dir};
use super::{consent, courses};
use std::path::Path;
use std::time::SystemTime;
use warpup_course::Course;
use warpup_lab::units::milliseconds;
use warpup_progress::Event;
use warpup_store::consent::MissingConsent;

/// A course, its learner and a console.
pub(super) struct CommandContext<'a, 'c> {
    pub(super) course: &'a Course,
    pub(super) learner: &'a mut Learner,
    pub(super) console: &'a mut Console<'c>,
    /// The consent to run the labs, where it is missing.
    pub(super) consent: Option<MissingConsent>,
    /// Milliseconds since 1970 UTC.
    pub(super) clock: fn() -> u64,
}

impl CommandContext<'_, '_> {
    /// Saves that something happened now.
    pub(super) fn note(&mut self, event: Event) {
        self.learner.note(event, (self.clock)());
    }

    /// Says beside the results that something is not saved, if so.
    pub(super) fn say_if_not_saved(&mut self) -> Result<()> {
        match self.learner.not_saved() {
            Some(said) => self.console.line(&said),
            None => Ok(()),
        }
    }
}

/// Runs a command with a course and its learner, and reports what could not be read or saved.
pub(super) fn with_learner(
    asked: CourseArgument<'_>,
    console: &mut Console<'_>,
    command: impl FnOnce(&mut CommandContext<'_, '_>) -> Result<Exit>,
) -> Result<Exit> {
    with_learner_in(&courses::open(asked)?, asked.dir, console, command)
}

/// The same with a course that is open.
pub(super) fn with_learner_in(
    opened: &OpenCourse,
    course_dir: Option<&Path>,
    console: &mut Console<'_>,
    command: impl FnOnce(&mut CommandContext<'_, '_>) -> Result<Exit>,
) -> Result<Exit> {
    opened.warn(console)?;
    let data = data_dir(console)?;
    let consent = consent::missing(&opened.course, course_dir, data.as_deref());
    let mut learner = Learner::load(data, &opened.course.id);
    let exit = command(&mut CommandContext {
        course: &opened.course,
        learner: &mut learner,
        console,
        consent,
        clock: now_ms,
    })?;
    learner.finish(console, exit)
}

pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, milliseconds)
}
