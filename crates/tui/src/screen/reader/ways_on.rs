//! Where a page leads: the next page, the next lesson, the quiz, and its labs.

use std::rc::Rc;

use super::Reader;
use super::page_view::lesson_behind;
use crate::keymap::{Action, Motion, PageAction};
use crate::screen::behaviour::{Route, Screen, Start, Step};
use crate::session::{Session, UpdateContext};
use warpup_course::Lesson;

impl Reader {
    pub(super) fn next_page(&mut self, ctx: &mut UpdateContext<'_>) -> Step {
        if self.is_paused(ctx.session) && !self.text.at_end() {
            // What comes before a pause is read first.
            return self.act(Action::Scroll(Motion::PageDown), ctx);
        }
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

    /// Goes on from the end of a page: to what follows it, after a word about the end of the lesson.
    pub(super) fn go_on(&mut self, ctx: &mut UpdateContext<'_>) -> Step {
        let is_last = self.page + 1 >= self.lesson.pages.len();
        let is_end = is_last && self.lesson_behind(ctx.session).is_none();
        if is_end && (self.lesson.quiz.is_none() || !self.since_turned.is_end_named) {
            self.since_turned.is_end_named = true;
            ctx.session.view.notice = Some(self.end(ctx.session));
            return Step::Stay;
        }
        self.next_page(ctx)
    }

    /// What is said at the end of a lesson, from which the quiz or only the map follows.
    fn end(&self, session: &Session) -> String {
        if self.lesson.quiz.is_none() {
            let back = session.keys.name(self.context(), Action::Back);
            return format!("This is the end of the lesson: {back} goes back to the map.");
        }
        let next = session
            .keys
            .name(self.context(), Action::Page(PageAction::Next));
        format!("This is the end of the lesson: {next}, or this key again, takes the quiz.")
    }

    /// Whether Enter opens the chosen lab. After a lab that has passed Enter reads on, until the page is turned.
    pub(super) fn enter_opens_lab(&self, session: &Session) -> bool {
        let progress = session.learner.progress.lesson(&self.lesson.id);
        let chosen = self.text.labs().nth(self.lab).map(|it| it.0);
        let has_passed = chosen.is_some_and(|it| progress.lab(it).has_passed());
        self.shows_lab() && !(has_passed && self.since_turned.opened_lab == Some(self.lab))
    }

    /// The chosen lab, if there is one on the page.
    pub(super) fn open_lab(&mut self, start: Start, ctx: &mut UpdateContext<'_>) -> Step {
        self.lay_out_all(ctx.session);
        self.since_turned.is_lab_met = true;
        let lab = self.text.labs().nth(self.lab).map(|it| it.0.clone());
        let Some(lab) = lab else {
            return Step::Stay;
        };
        self.since_turned.opened_lab = Some(self.lab);
        self.begin_here(ctx);
        Step::Open(Route::Lab(self.lesson.id.clone(), lab, start))
    }
}
