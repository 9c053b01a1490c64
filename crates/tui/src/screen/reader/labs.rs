//! The labs of a page: which one is chosen, and the way to the next.

use std::rc::Rc;

use super::page_view::has_lab;
use super::state::{Goal, Reader};
use crate::keymap::{Action, PageAction};
use crate::screen::behaviour::Screen as _;
use crate::session::{UpdateContext, lab_blocks};

impl Reader {
    /// Whether some of the chosen lab's card is on the screen.
    pub(super) fn shows_lab(&self) -> bool {
        let visible = self.text.visible();
        let line = self.text.labs().nth(self.lab).map(|it| it.1);
        line.is_some_and(|it| it < visible.end && self.text.block_with(it).end > visible.start)
    }

    pub(super) fn choose_lab(&mut self, lab: usize) {
        let line = self.text.labs().nth(lab).map(|it| it.1);
        if let Some(line) = line {
            self.lab = lab;
            self.since_turned.is_lab_met = true;
            self.since_turned.opened_lab = None;
            let end = self.text.block_with(line).end;
            self.text.show(&(line..end));
        }
    }

    /// Goes to the next lab of the lesson, or after the last one to the first. The last one of the page is shown
    /// first, unless a key has led to it since the page was turned.
    pub(super) fn next_lab(&mut self, ctx: &mut UpdateContext<'_>) {
        self.lay_out_all(ctx.session);
        self.notice_lab();
        let labs: Vec<_> = self.text.labs().map(|it| it.1).collect();
        let visible = self.text.visible();
        let is_ahead = labs.get(self.lab).is_some_and(|it| {
            let end = self.text.block_with(*it).end;
            *it > visible.start && end > visible.end
        });
        let lab = self.lab + usize::from(!is_ahead);
        if lab < labs.len() {
            return self.choose_lab(lab);
        }
        if !labs.is_empty() && !self.since_turned.is_lab_met {
            return self.choose_lab(self.lab);
        }
        if labs.len() < lab_blocks(&self.lesson, self.page).len() {
            return self.go_to_lab(self.page, labs.len(), ctx);
        }
        if let Some(page) = self.next_page_with_lab() {
            self.go_to_lab(page, 0, ctx);
        }
    }

    /// The next page with a lab, or after the last one the first. Who only looks something up stays near it, and does not
    /// begin the lesson by that.
    pub(super) fn next_page_with_lab(&self) -> Option<usize> {
        let mut pages = self.pages_with_labs();
        let later = pages.clone().find(|it| *it > self.page);
        later.or_else(|| pages.next().filter(|_| !self.is_visit))
    }

    /// Whether Tab leads to a lab.
    pub(super) fn has_next_lab(&self) -> bool {
        let is_alone = self.lesson.labs.len() == 1 && self.shows_lab();
        let is_here = has_lab(&self.lesson, self.page);
        !is_alone && (is_here || self.next_page_with_lab().is_some())
    }

    /// Goes to the previous lab of the lesson, if there is one.
    pub(super) fn previous_lab(&mut self, ctx: &mut UpdateContext<'_>) {
        if let Some(lab) = self.lab.checked_sub(1) {
            return self.choose_lab(lab);
        }
        let earlier = self.pages_with_labs().rfind(|it| *it < self.page);
        if let Some(page) = earlier {
            self.go_to_lab(page, usize::MAX, ctx);
        }
    }

    pub(super) fn go_to_lab(&mut self, page: usize, lab: usize, ctx: &mut UpdateContext<'_>) {
        if page.abs_diff(self.page) > 1 {
            self.leap_to(page, ctx);
        } else if page != self.page {
            self.turn_to(page, ctx);
        }
        self.reveal_lab(lab, ctx);
        self.goal = Some(Goal::Lab(lab));
    }

    /// Turns past other pages, and says where that is and how to come back.
    fn leap_to(&mut self, page: usize, ctx: &mut UpdateContext<'_>) {
        let from = self.page + 1;
        self.push_jump(None);
        self.turn_to(page, ctx);
        let (at, of) = (page + 1, self.lesson.pages.len());
        let back = Action::Page(PageAction::Return);
        let back = ctx.session.keys.name(self.context(), back);
        let said = format!("Page {at} of {of}, at a lab: {back} goes back to page {from}.");
        ctx.session.view.notice = Some(said);
    }

    /// Goes on reading behind the lab that was opened, which is left now.
    pub(crate) fn read_on_behind_lab(&mut self) {
        self.goal = self.since_turned.opened_lab.map(Goal::BehindLab);
    }

    pub(super) fn show_behind_lab(&mut self, lab: usize) {
        let line = self.text.labs().nth(lab).map(|it| it.1);
        if let Some(line) = line {
            let behind = self.text.block_with(line).end;
            self.text.show_at(0, &(behind..self.text.lines().len()));
        }
    }

    /// The pages that have a lab.
    fn pages_with_labs(&self) -> impl DoubleEndedIterator<Item = usize> + Clone + use<> {
        let lesson = Rc::clone(&self.lesson);
        (0..self.lesson.pages.len()).filter(move |it| has_lab(&lesson, *it))
    }

    /// Chooses the lab nearest to the visible lines.
    pub(super) fn notice_lab(&mut self) {
        let visible = self.text.visible();
        let labs: Vec<_> = self.text.labs().map(|it| it.1).collect();
        let is_seen = |it: &usize| visible.contains(it);
        if labs.get(self.lab).is_some_and(is_seen) {
            return;
        }
        let seen = labs.iter().position(is_seen);
        let above = labs.iter().rposition(|it| *it < visible.start);
        let nearest = seen.or(above).unwrap_or(0);
        self.since_turned.is_lab_met &= nearest == self.lab;
        self.lab = nearest;
    }
}
