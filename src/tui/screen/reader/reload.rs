//! The lesson on screen has changed in its file.

use std::rc::Rc;

use super::Reader;
use crate::course::{Lesson, PageId};
use crate::progress::Spot;
use crate::tui::session::Session;

impl Reader {
    /// Takes the new text of the lesson, at the same page and line. Says whether the lesson is still there.
    pub(super) fn take_new_text(&mut self, session: &Session) -> bool {
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
        self.page = page_again(&self.lesson, self.page, lesson);
        self.lesson = Rc::clone(lesson);
        // Pages may have other numbers now.
        self.left.clear();
        self.number = 0;
        self.goal = None;
        self.text.open(if self.page_id() == id {
            spot
        } else {
            Spot::default()
        });
        true
    }

    fn page_id(&self) -> Option<PageId> {
        self.lesson.pages.get(self.page).map(|it| it.id.clone())
    }
}

/// The number of the same page in another version of a lesson; the one in its place if it is gone.
fn page_again(old: &Lesson, page: usize, new: &Lesson) -> usize {
    let id = old.pages.get(page).map(|it| &it.id);
    let same = new.pages.iter().position(|it| Some(&it.id) == id);
    same.unwrap_or(page.min(new.pages.len().saturating_sub(1)))
}
