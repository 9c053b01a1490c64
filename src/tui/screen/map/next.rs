//! What a learner does next: a pure function of what is done.

use super::super::behaviour::Route;
use crate::course::Lesson;
use crate::tui::session::Session;

/// The next step, in words and as the screen to open.
#[derive(Debug)]
pub(crate) struct NextStep {
    pub(crate) words: String,
    pub(crate) route: Route,
}

/// The next step of the course; nothing once every lesson is done.
pub(crate) fn next_step(session: &Session) -> Option<NextStep> {
    let read = session.progress.place();
    let is_open = |it: &&Lesson| !session.progress.lesson(&it.id).is_done();
    let lessons = || session.lessons.iter().map(AsRef::as_ref).filter(is_open);
    let begun = read.and_then(|(lesson, page)| {
        let lesson = lessons().find(|it| it.id == lesson)?;
        let at = lesson.pages.iter().position(|it| it.id == page)?;
        Some((lesson, at))
    });
    let Some((lesson, at)) = begun else {
        return lessons().next().map(|it| NextStep {
            words: if session.course.is_for_instructors {
                format!("{}, {} min", it.title, it.minutes)
            } else {
                it.title.clone()
            },
            route: Route::Lesson(it.id.clone(), None),
        });
    };
    let (title, pages) = (&lesson.title, lesson.pages.len());
    let is_in_quiz = session.progress.lesson(&lesson.id).open.is_some();
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
    Some(NextStep {
        words: format!("{title}, page {} of {pages}", at + 1),
        route: Route::Lesson(lesson.id.clone(), None),
    })
}
