//! A learner's way through the course in a pseudo-terminal: to a lesson, a page, a lab, through a quiz.
//!
//! What there is comes from the course itself, and what can be chosen is read from the screen, since options
//! change places with each attempt. So lessons may come, go and change without a word here.

mod answers;
mod go;
mod screen;

pub(crate) use answers::{Plan, failing, guess, passing, right, short_of_passing, wrong};
pub(crate) use go::{answer, take, to, to_lab, to_lesson, to_map, to_page, told_to_be_short};

use warpup::course::{Course, Lesson, Question, Quiz};

/// Rows that are enough for the longest question with all of its options.
pub(crate) const TALL: u16 = 70;

/// A lesson of the course.
pub(crate) fn lesson<'a>(course: &'a Course, id: &str) -> &'a Lesson {
    let found = course.lessons.iter().find(|it| it.id.as_str() == id);
    found.unwrap_or_else(|| panic!("the course has no lesson {id}"))
}

/// A lesson's quiz.
pub(crate) fn quiz(lesson: &Lesson) -> &Quiz {
    let quiz = lesson.quiz.as_ref();
    quiz.unwrap_or_else(|| panic!("{} has no quiz", lesson.id))
}

/// The questions that a quiz asks.
pub(crate) fn questions(lesson: &Lesson) -> Vec<&Question> {
    quiz(lesson).counted().collect()
}
