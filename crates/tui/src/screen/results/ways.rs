//! Where the results of a quiz lead: to the next lesson, to a page to read again, and to questions that are asked again.

use super::Results;
use crate::keymap::{Action, Destination};
use crate::screen::behaviour::{Route, Step};
use crate::session::Session;
use warpup_grade::AttemptQuestion;

impl Results {
    /// Where Enter goes on: to the next lesson when nothing is left to do here, or else to what is worth reading again.
    pub(super) fn way_on(&self, session: &Session) -> Destination {
        if self.is_well() && session.lesson_after(&self.lesson.id).is_some() {
            Destination::NextLesson
        } else {
            Destination::ReadAgain
        }
    }

    /// The destination of an action, if it has one.
    pub(super) fn destination(&self, action: Action, session: &Session) -> Option<Destination> {
        match action {
            Action::Open => Some(self.way_on(session)),
            Action::Go(destination) => Some(destination),
            Action::App(_)
            | Action::Back
            | Action::Scroll(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => None,
        }
    }

    /// Where a destination leads, if anywhere.
    pub(super) fn leads_to(&self, destination: Destination, session: &Session) -> Option<Step> {
        let asked = self.attempt.asked();
        let lesson = self.lesson.id.clone();
        match destination {
            Destination::ReadAgain => {
                let chosen = asked.get(*self.order.get(self.chosen)?)?;
                let page = chosen.question.see.clone()?;
                // Over the results: who has read comes back to them.
                Some(Step::Open(Route::Lesson(lesson, Some(page))))
            }
            Destination::RetryMissed => asked
                .iter()
                .any(AttemptQuestion::is_missed)
                .then(|| Step::Replace(Route::Missed(lesson, Box::new(self.attempt.clone())))),
            Destination::RetryAll => Some(Step::Replace(Route::NewQuiz(lesson))),
            Destination::Explain => {
                self.explained(session)?;
                Some(Step::Open(Route::Explain(lesson)))
            }
            Destination::NextLesson => {
                let next = session.lesson_after(&lesson)?;
                Some(Step::FromMap(Route::Lesson(next.id.clone(), None)))
            }
            Destination::Quiz
            | Destination::WordLesson
            | Destination::Problems
            | Destination::Doctor
            | Destination::Program => None,
        }
    }
}
