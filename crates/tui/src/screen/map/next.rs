//! What a learner does next, as a screen to open.

use super::super::behaviour::Route;
use crate::session::Session;
use warpup_progress::WayOn;

/// The next step, in words and as the screen to open.
#[derive(Debug)]
pub(crate) struct NextStep {
    pub(crate) words: String,
    pub(crate) route: Route,
}

/// The next step of the course; nothing once every lesson is done or handed in.
pub(crate) fn next_step(session: &Session) -> Option<NextStep> {
    let lessons = session.course.lessons.iter().map(AsRef::as_ref);
    let way = WayOn::of(lessons, &session.learner.progress)?;
    let id = way.lesson().id.clone();
    let route = match way {
        WayOn::Begin(_) => Route::Lesson(id, None),
        WayOn::Read(lesson, at) => {
            let page = lesson.outline().pages.get(at)?;
            Route::ReadOn(id, page.id.clone())
        }
        WayOn::Quiz(_) | WayOn::OpenQuiz(_) => Route::Quiz(id),
    };
    Some(NextStep {
        words: way.to_string(),
        route,
    })
}
