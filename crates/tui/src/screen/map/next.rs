//! What a learner does next: a pure function of what is done.

use super::super::behaviour::Route;
use crate::session::Session;
use warpup_course::{Lesson, LessonId};

/// The next step, in words and as the screen to open.
#[derive(Debug)]
pub(crate) struct NextStep {
    pub(crate) words: String,
    pub(crate) route: Route,
}

/// The next step of the course; nothing once every lesson is done or handed in.
pub(crate) fn next_step(session: &Session) -> Option<NextStep> {
    let is_open = |it: &&Lesson| !session.learner.progress.lesson(&it.id).is_finished();
    let lessons = || {
        session
            .course
            .lessons
            .iter()
            .map(AsRef::as_ref)
            .filter(is_open)
    };
    let Some((lesson, at)) = reached(session).or_else(|| read_last(session)) else {
        return lessons().next().map(|it| NextStep {
            words: if session.course.about.is_for_instructors {
                format!("{}, {} min", it.title, it.minutes)
            } else {
                it.title.clone()
            },
            route: Route::Lesson(it.id.clone(), None),
        });
    };
    let (title, pages) = (&lesson.title, lesson.pages.len());
    let is_in_quiz = session.learner.progress.lesson(&lesson.id).open.is_some();
    if lesson.quiz.is_some() && (is_in_quiz || at + 1 == pages) {
        let word = if is_in_quiz {
            "the open quiz"
        } else {
            "the quiz"
        };
        return Some(NextStep {
            words: format!("{title}, {word}"),
            route: Route::Quiz(lesson.id.clone()),
        });
    }
    let page = lesson.pages.get(at)?.id.clone();
    Some(NextStep {
        words: format!("{title}, page {} of {pages}", at + 1),
        route: Route::ReadOn(lesson.id.clone(), page),
    })
}

/// How far the learner has come in the open lesson that they read last: the last page before the first one that they have not
/// read. A page that they only looked up lies behind a gap, and so does a lesson of which they have not read the first page.
fn reached(session: &Session) -> Option<(&Lesson, usize)> {
    session
        .learner
        .progress
        .newest_read()
        .into_iter()
        .find_map(|id| {
            let (lesson, progress) = (
                open_lesson(session, id)?,
                session.learner.progress.lesson(id),
            );
            let mut pages = lesson.pages.iter();
            let unread = pages.position(|it| !progress.pages.contains(&it.id));
            let read = unread.unwrap_or(lesson.pages.len());
            Some((lesson, read.checked_sub(1)?))
        })
}

/// The page that was read last, if its lesson is open.
fn read_last(session: &Session) -> Option<(&Lesson, usize)> {
    let (lesson, page) = session.learner.progress.place()?;
    let lesson = open_lesson(session, &lesson)?;
    let at = lesson.pages.iter().position(|it| it.id == page)?;
    Some((lesson, at))
}

fn open_lesson<'a>(session: &'a Session, id: &LessonId) -> Option<&'a Lesson> {
    let lesson = session.lesson(id)?;
    (!session.learner.progress.lesson(id).is_finished()).then_some(lesson)
}
