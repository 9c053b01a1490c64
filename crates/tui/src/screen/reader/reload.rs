//! The lesson on screen has changed in its file.

use std::rc::Rc;

use super::Reader;
use crate::session::Session;
use warpup_course::{BlockKind, Container, Lesson, Page, PageId};
use warpup_progress::ReadingPosition;

impl Reader {
    /// Takes the new text of the lesson, at the same page and line. Says whether the lesson is still there.
    pub(in crate::screen) fn take_new_text(&mut self, session: &Session) -> bool {
        self.jumps.retain_mut(|jump| {
            let Some(lesson) = session.lesson(&jump.lesson.id) else {
                return false;
            };
            jump.page = page_again(&jump.lesson, jump.page, lesson);
            jump.lesson = Rc::clone(lesson);
            true
        });
        let Some(lesson) = session.lesson(&self.lesson.id) else {
            return false;
        };
        let spot = self.text.spot();
        let id = self.page_id();
        let again = page_again(&self.lesson, self.page, lesson);
        // Who writes the lesson wants to see what was written.
        let written = session.course.preview.as_ref();
        let written = written.and_then(|_| changed_page(&self.lesson, again, lesson));
        self.page = written.unwrap_or(again);
        self.lesson = Rc::clone(lesson);
        // Pages may have other numbers now.
        self.left.clear();
        self.number = 0;
        self.goal = None;
        self.text.open(if self.page_id() == id {
            spot
        } else {
            ReadingPosition::default()
        });
        true
    }

    fn page_id(&self) -> Option<PageId> {
        self.lesson.pages.get(self.page).map(|it| it.id.clone())
    }
}

/// The page that has changed: this one, else the first one in the lesson; nothing where none has.
fn changed_page(old: &Lesson, this: usize, new: &Lesson) -> Option<usize> {
    let has_changed = |at: &usize| {
        new.pages.get(*at).is_some_and(|page| {
            let before = old.pages.iter().find(|it| it.id == page.id);
            before.is_none_or(|it| !has_same_text(it, page))
                || !labs_of(old, page).eq(labs_of(new, page))
        })
    };
    let all = 0..new.pages.len();
    [this].into_iter().chain(all).find(has_changed)
}

/// Whether two pages say the same, wherever in the file they are.
fn has_same_text(one: &Page, other: &Page) -> bool {
    one.title == other.title && content(one).eq(content(other))
}

/// The blocks of a page without their places.
fn content(page: &Page) -> impl Iterator<Item = (&BlockKind, &[Container])> {
    let blocks = page.blocks.iter();
    blocks.map(|it| (&it.kind, it.within.as_slice()))
}

/// What the labs of a page run.
fn labs_of<'a>(
    lesson: &'a Lesson,
    page: &Page,
) -> impl Iterator<Item = (&'a str, Option<&'a str>, Option<&'a str>)> {
    let labs = lesson.labs.iter().filter(|it| it.page == page.id);
    labs.map(|it| {
        (
            it.starter.as_str(),
            it.check.as_deref(),
            it.solution_program(),
        )
    })
}

/// The number of the same page in another version of a lesson; the one in its place if it is gone.
fn page_again(old: &Lesson, page: usize, new: &Lesson) -> usize {
    let id = old.pages.get(page).map(|it| &it.id);
    let same = new.pages.iter().position(|it| Some(&it.id) == id);
    same.unwrap_or(page.min(new.pages.len().saturating_sub(1)))
}
