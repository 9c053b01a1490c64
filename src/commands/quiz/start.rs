//! Starting a quiz session on the command line, and saving the records that it returns.

use crate::commands::context::CommandContext;
use crate::commands::failure::Failure;
use crate::commands::find;
use warpup_course::Lesson;
use warpup_progress::Event;
use warpup_quiz::{Round, Session, SessionStart};

/// Begins a session.
pub(super) fn session(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    begin: SessionStart<'_>,
) -> Result<Session, Failure> {
    find::quiz(lesson)?;
    let now = (context.clock)();
    let id = context.learner.new_id(now);
    let progress = context.learner.progress.lesson(&lesson.id);
    Session::begin(lesson, progress, begin, id, now).ok_or_else(|| {
        Failure::arguments(match begin {
            SessionStart::New(Round::Short) => {
                format!("the quiz of `{}` has no short form", lesson.id)
            }
            SessionStart::New(Round::Whole)
            | SessionStart::ResumeOrNew
            | SessionStart::Retry(_) => {
                format!("no question in the quiz of `{}` counts", lesson.id)
            }
        })
    })
}

/// Saves a record, if there is one.
pub(super) fn save(context: &mut CommandContext<'_, '_>, event: Option<Event>) {
    if let Some(event) = event {
        context.learner.note(event, (context.clock)());
    }
}
