//! Where a page leads: the next page, the next lesson, the quiz, and its labs.

use std::rc::Rc;

use super::Reader;
use super::shown::lesson_behind;
use crate::course::Lesson;
use crate::tui::screen::behaviour::{Route, Start, Step};
use crate::tui::session::{Session, UpdateContext};

impl Reader {
    pub(super) fn next_page(&mut self, ctx: &mut UpdateContext<'_>) -> Step {
        if self.reveal_next(ctx) {
            return Step::Stay;
        }
        if self.page + 1 < self.lesson.pages.len() {
            self.turn_to(self.page + 1, ctx);
            return Step::Stay;
        }
        match self.lesson_behind(ctx.session) {
            Some(next) => Step::FromMap(Route::Lesson(next.id.clone(), None)),
            None => self.quiz(ctx),
        }
    }

    /// The lesson that follows the last page: the next one, unless the quiz comes first.
    pub(super) fn lesson_behind<'a>(&self, session: &'a Session) -> Option<&'a Rc<Lesson>> {
        lesson_behind(&self.lesson, session)
    }

    pub(super) fn quiz(&mut self, ctx: &mut UpdateContext<'_>) -> Step {
        if self.lesson.quiz.is_none() {
            return Step::Stay;
        }
        self.begin_here(ctx);
        Step::Open(Route::Quiz(self.lesson.id.clone()))
    }

    /// The chosen lab, if there is one on the page.
    pub(super) fn open_lab(&mut self, start: Start, ctx: &mut UpdateContext<'_>) -> Step {
        self.lay_out_all(ctx.session);
        self.is_lab_met = true;
        let lab = self.text.labs().nth(self.lab).map(|it| it.0.clone());
        let Some(lab) = lab else {
            return Step::Stay;
        };
        self.begin_here(ctx);
        Step::Open(Route::Lab(self.lesson.id.clone(), lab, start))
    }
}
