//! Starting a quiz session on the command line, and saving the records that it returns.

use crate::commands::context::CommandContext;
use crate::commands::failure::Failure;
use crate::commands::find;
use crate::course::Lesson;
use crate::progress::Event;
use crate::quiz::{Round, Session};

/// Starts a new attempt.
pub(super) fn session(
    seat: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    round: Round,
) -> Result<Session, Failure> {
    find::quiz(lesson)?;
    let now = (seat.clock)();
    let id = seat.learner.new_id(now);
    let progress = seat.learner.progress.lesson(&lesson.id);
    let session = Session::start(lesson, progress, round, id, now);
    session.ok_or_else(|| nothing_to_ask(lesson, round))
}

/// Resumes the attempt that was left open, or starts a new one.
pub(super) fn resumed(
    seat: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
) -> Result<Session, Failure> {
    find::quiz(lesson)?;
    let now = (seat.clock)();
    let id = seat.learner.new_id(now);
    let progress = seat.learner.progress.lesson(&lesson.id);
    let session = Session::resume_or_start(lesson, progress, || id, now);
    session.ok_or_else(|| nothing_to_ask(lesson, Round::Whole))
}

/// Starts an attempt that asks only what was missed before.
pub(super) fn retry(
    seat: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    before: &Session,
) -> Result<Session, Failure> {
    let now = (seat.clock)();
    let id = seat.learner.new_id(now);
    let progress = seat.learner.progress.lesson(&lesson.id);
    let session = Session::retry(before.attempt(), lesson, progress, id, now);
    session.ok_or_else(|| nothing_to_ask(lesson, Round::Whole))
}

/// Saves a record, if there is one.
pub(super) fn save(seat: &mut CommandContext<'_, '_>, event: Option<Event>) {
    if let Some(event) = event {
        seat.learner.note(event, (seat.clock)());
    }
}

fn nothing_to_ask(lesson: &Lesson, round: Round) -> Failure {
    Failure::arguments(match round {
        Round::Whole => format!("no question in the quiz of `{}` counts", lesson.id),
        Round::Short => format!("the quiz of `{}` has no short form", lesson.id),
    })
}
