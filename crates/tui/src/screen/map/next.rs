//! What a learner does next, as a screen to open.

use super::super::behaviour::Route;
use crate::session::Session;
use warpup_course::{LessonId, PageId};
use warpup_progress::WayOn;

/// The next step, in words and as the screen to open.
#[derive(Debug)]
pub(crate) struct NextStep {
    pub(crate) words: String,
    /// The same for the footer: which lesson, by its number, and whether its quiz.
    pub(crate) short: String,
    pub(crate) route: Route,
}

impl NextStep {
    /// The page of this lesson at which it reads on, if it does.
    pub(super) fn page_of(&self, lesson: &LessonId) -> Option<&PageId> {
        let Route::ReadOn(of, page) = &self.route else {
            return None;
        };
        (of == lesson).then_some(page)
    }
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
    let mut lessons = session.course.lessons.iter();
    let number = lessons.position(|it| it.id == way.lesson().id)? + 1;
    let what = match way {
        WayOn::Begin(_) | WayOn::Read(..) => "lesson",
        WayOn::Quiz(_) | WayOn::OpenQuiz(_) => "quiz",
    };
    Some(NextStep {
        words: way.to_string(),
        short: format!("{what} {number}"),
        route,
    })
}
