//! Which pages of the course the addresses in its texts name.

use super::Session;
use warpup_course::Lesson;

impl Session {
    /// The lesson and the page that an address names, as their indices: `#page` of the lesson `from`, `lesson.md` or
    /// `lesson.md#page`. Nothing for an address outside of the course, or of a page that it does not have.
    pub(crate) fn page_of(&self, address: &str, from: Option<&Lesson>) -> Option<(usize, usize)> {
        let (file, page) = match address.split_once('#') {
            Some((file, page)) => (file, Some(page)),
            None => (address, None),
        };
        let is_meant = |it: &Lesson| {
            if file.is_empty() {
                from.is_some_and(|from| it.id == from.id)
            } else {
                it.name() == file
            }
        };
        let lesson = self.course.lessons.iter().position(|it| is_meant(it))?;
        let pages = &self.course.lessons.get(lesson)?.pages;
        let page = match page {
            Some(page) => pages.iter().position(|it| it.id.as_str() == page)?,
            None => 0,
        };
        Some((lesson, page))
    }
}
