//! Goes through the course in a pseudo-terminal: to a lesson, a page, a lab, and through a quiz.
//!
//! Lessons and questions come from the course itself, and the labels of choices from the screen, since options
//! change their order with each attempt. So a change of the lessons needs no change here.

mod answers;
mod choice_labels;
mod navigate;
mod shown_question;

pub(crate) use answers::{
    AnswerPlan, choices, failing, just_not_passing, passing, predicted, right, wrong,
};
pub(crate) use navigate::{
    enter_answer, open_lab, open_lesson, press_until, take_quiz, turn_to_page, wait_for_map,
    wait_for_not_passed,
};
pub(crate) use shown_question::shown_question;

use warpup_course::{Course, Lesson, Quiz};

/// Terminal rows that show the longest question with all its options.
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
