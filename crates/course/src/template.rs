//! The text of new course files, which an author changes.
//!
//! Each is a whole example without mistakes, so that `warpup check` accepts it as it is. Files are not written here.

use super::toml_walk::name;

const COURSE: &str = include_str!("template/course.toml");
const LESSON: &str = include_str!("template/lesson.md");
const SECTION: &str = include_str!("template/section.md");
const LAB: &str = include_str!("template/lab.md");
const QUIZ: &str = include_str!("template/quiz.toml");

/// The minutes that a new page with a lab adds to its lesson: 3 for the lab, and its text.
pub const LAB_MINUTES: u32 = 4;

/// `lessons/course.toml` of a course with one lesson.
pub fn course(id: &str, lesson: &str) -> String {
    filled(COURSE, id).replace("@lesson@", lesson)
}

/// A lesson of two pages with one lab.
pub fn lesson(id: &str) -> String {
    filled(LESSON, id).replace("@lab@", lab("try-it").trim_end())
}

/// A page with one lab, for the end of a lesson.
pub fn section(lab_id: &str, page: &str) -> String {
    let section = filled(SECTION, lab_id).replace("@page@", page);
    section.replace("@lab@", lab(lab_id).trim_end())
}

/// A quiz of two questions about this page of its lesson.
pub fn quiz(id: &str, page: &str) -> String {
    filled(QUIZ, id).replace("@page@", page)
}

/// A lab whose program has to be repaired, with check, solution and hint.
fn lab(id: &str) -> String {
    filled(LAB, id)
}

fn filled(text: &str, id: &str) -> String {
    let title = name::in_words(id);
    text.replace("@id@", id).replace("@title@", &title)
}
