//! The reader as a screen: what keys do, and how it is drawn.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::Reader;
use super::outline;
use super::page_view::{PageView, has_lab};
use crate::frame::{self, Title};
use crate::hyperlink::Hyperlink;
use crate::keymap::{Action, Context, Destination, Motion, PageAction};
use crate::screen::behaviour::{Screen, Start, Step, Target};
use crate::search::{Query, TextSection};
use crate::session::{Session, UpdateContext};
use crate::styled;
use crate::theme::Role;
use warpup_progress::ReadingPosition;

impl Screen for Reader {
    fn context(&self) -> Context {
        if self.word.is_some() {
            Context::WORD_PAGE
        } else if has_lab(&self.lesson, self.page) {
            Context::LAB_PAGE
        } else {
            Context::PAGE
        }
    }

    fn title(&self, session: &Session) -> Title {
        let pages = self.lesson.pages.len();
        let title = self.lesson.pages.get(self.page).map_or("", |it| &it.title);
        let is_first = title == self.lesson.title;
        // At its top the page itself begins with its title, which is not said twice.
        let left = match (self.text.visible().start, is_first) {
            (0, true) => {
                let lessons = &session.course.lessons;
                let at = lessons.iter().position(|it| it.id == self.lesson.id);
                format!("Lesson {} of {}", at.map_or(0, |it| it + 1), lessons.len())
            }
            (0, false) | (_, true) => self.lesson.title.clone(),
            (_, false) => format!("{} · {title}", self.lesson.title),
        };
        // Full on the last page only, and never empty.
        let filled = (10 * (self.page + 1) / pages.max(1)).max(1);
        let bar = format!("{}{}", "█".repeat(filled), "░".repeat(10 - filled.min(10)));
        let page = format!("page {} of {pages}", self.page + 1);
        let right = match &session.view.search {
            Some(search) => match (search.number(), self.hit(session)) {
                ((at, of), Some(_)) => format!("hit {at} of {of} · {page}"),
                ((_, 1), None) => format!("1 hit · {page}"),
                ((_, of), None) => format!("{of} hits · {page}"),
            },
            None if self.number > 0 => format!("link {}… Enter goes there · {page}", self.number),
            None => page,
        };
        Title {
            bar,
            ..Title::new(left, right)
        }
    }

    fn column(&self, area: Rect) -> Rect {
        outline::whole(area)
    }

    fn offers(&self, action: Action, session: &Session) -> bool {
        let is_last = self.page + 1 >= self.lesson.pages.len();
        let has_quiz = self.lesson.quiz.is_some();
        let can_read_on = || {
            let is_at_end = self.text.at_end() && !self.is_paused(session);
            !is_at_end || !is_last && self.word.is_none()
        };
        match action {
            Action::Open => can_read_on() || self.shows_lab(),
            Action::Scroll(Motion::PageDown) => can_read_on(),
            Action::Go(Destination::Quiz) => is_last && has_quiz && self.word.is_none(),
            Action::Page(PageAction::Next) if !is_last || self.is_paused(session) => true,
            Action::Page(PageAction::Next) => {
                let leads_on = has_quiz || self.lesson_behind(session).is_some();
                leads_on && self.word.is_none()
            }
            Action::Page(PageAction::Previous) => self.page > 0,
            Action::Page(PageAction::NextLab) => self.has_next_lab(),
            Action::Page(PageAction::Digit(_) | PageAction::OpenLink(_)) => {
                !self.text.links().is_empty()
            }
            Action::Page(PageAction::Fold) => self.closed_in_sight().is_some(),
            Action::Page(PageAction::Return) => self.has_jumped(),
            Action::Page(PageAction::RunLab | PageAction::EditLab) => self.shows_lab(),
            Action::Page(PageAction::PreviousLab)
            | Action::App(_)
            | Action::Back
            | Action::Scroll(_)
            | Action::Go(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => true,
        }
    }

    fn word(&self, action: Action, session: &Session) -> Option<Cow<'static, str>> {
        let is_last = self.page + 1 >= self.lesson.pages.len();
        let turns_page = self.text.at_end() && !self.is_paused(session) && !is_last;
        match action {
            Action::Open if self.enter_opens_lab(session) => None,
            Action::Open | Action::Scroll(Motion::PageDown)
                if turns_page && self.word.is_none() =>
            {
                Some(Cow::Borrowed("next page"))
            }
            Action::Open | Action::Scroll(Motion::PageDown)
                if self.text.at_end() && self.is_paused(session) =>
            {
                Some(Cow::Borrowed("more"))
            }
            Action::Open => Some(Cow::Borrowed("continue")),
            Action::Page(PageAction::Return) if self.word.is_some() => Some(Cow::Borrowed("back")),
            Action::Page(PageAction::Next) if self.is_paused(session) => {
                let is_at_end = self.text.at_end();
                Some(Cow::Borrowed(if is_at_end { "more" } else { "continue" }))
            }
            Action::Page(PageAction::Next) if is_last => {
                let next = self.lesson_behind(session);
                Some(Cow::Borrowed(next.map_or("quiz", |_| "next lesson")))
            }
            Action::App(_)
            | Action::Back
            | Action::Scroll(_)
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => None,
        }
    }

    fn why_not(&self, action: Action, _session: &Session) -> Option<&'static str> {
        let Action::Page(action) = action else {
            return None;
        };
        match action {
            PageAction::Previous => Some("This is the first page of the lesson."),
            PageAction::NextLab if self.lesson.labs.is_empty() => Some("This lesson has no labs."),
            PageAction::NextLab if !self.has_next_lab() => {
                Some("No lab follows on the pages from here.")
            }
            PageAction::Next if self.word.is_some() => {
                Some("You looked a word up: Backspace goes back, z takes the quiz of this lesson.")
            }
            PageAction::Return => {
                Some("You came here page by page: there is no jump to go back from.")
            }
            PageAction::Fold if self.newest_in_sight().is_none() => {
                Some("No closed answer (▸) is on the screen.")
            }
            PageAction::Digit(_)
            | PageAction::OpenLink(_)
            | PageAction::Fold
            | PageAction::NextLab
            | PageAction::Next
            | PageAction::PreviousLab
            | PageAction::RunLab
            | PageAction::EditLab => None,
        }
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        let number = self.number;
        if number > 0 && !matches!(action, Action::Page(PageAction::Digit(_))) {
            // Enter ends a number to which another digit could be added, Esc drops it, and other keys do as well.
            self.number = 0;
            match action {
                Action::Open | Action::Scroll(Motion::PageDown) => {
                    return self.open_link(number, ctx);
                }
                Action::Back => return Step::Stay,
                Action::Page(_)
                | Action::Scroll(_)
                | Action::Go(_)
                | Action::App(_)
                | Action::Lab(_)
                | Action::Form(_)
                | Action::Doctor(_) => {}
            }
        }
        let action = if action == Action::Open && !self.enter_opens_lab(ctx.session) {
            // What is not on the screen is read before it is opened.
            Action::Scroll(Motion::PageDown)
        } else {
            action
        };
        match action {
            Action::Back if self.word.is_some() && self.has_jumped() => {
                return self.return_from_jump(ctx);
            }
            Action::Back => return Step::Back,
            Action::Open => return self.open_lab(Start::Look, ctx),
            Action::Page(action) => return self.turn_pages(action, ctx),
            Action::Go(Destination::Quiz) => return self.quiz(ctx),
            Action::Scroll(Motion::PageDown | Motion::Down)
                if self.text.at_end() && self.is_paused(ctx.session) =>
            {
                self.reveal_next(ctx);
            }
            Action::Scroll(Motion::PageDown) if self.text.at_end() && self.word.is_some() => {
                let said = "This is the end of the page: Backspace goes back.";
                ctx.session.view.notice = Some(said.to_owned());
            }
            Action::Scroll(Motion::PageDown) if self.text.at_end() => return self.go_on(ctx),
            Action::Scroll(motion) => {
                if motion == Motion::Bottom {
                    self.lay_out_all(ctx.session);
                }
                self.text.go(motion);
                self.notice_lab();
                match motion {
                    Motion::Down | Motion::PageDown => self.read_on(ctx),
                    // Going up, or to an end, is looking around.
                    Motion::Up | Motion::PageUp | Motion::Top | Motion::Bottom => {
                        self.note_place(ctx);
                    }
                }
            }
            Action::Go(_)
            | Action::App(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => {}
        }
        Step::Stay
    }

    fn at(&self, place: Position, body: Rect, session: &Session) -> Option<Target> {
        self.clicked(place, body, session)
    }

    fn click(&mut self, target: Target, ctx: &mut UpdateContext<'_>) -> Step {
        self.number = 0;
        self.clicked_on(target, ctx)
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        if let Some(shown) = PageView::new(&self.lesson, self.page, &self.opened, session) {
            let shown = shown.looked_up(self.word.is_some());
            let (beside, page) = outline::areas(body);
            self.text.fit(shown, page.as_size());
            if let Some(beside) = beside {
                let drawn = outline::draw(&self.lesson, self.page, session);
                self.outline.draw(drawn, beside.height);
            }
        }
        self.reach_goal(session);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let Some(shown) = self.shown(session) else {
            return;
        };
        let (beside, column) = outline::areas(body);
        if let Some(beside) = beside {
            self.outline.view(frame, beside);
        }
        let hit = self.hit(session).map(|it| (it.place.block, it.nth));
        self.text.view(frame, column, hit, session.theme);
        if let Some(it) = self.word.as_ref().filter(|_| session.view.search.is_none()) {
            let look = (column, session.theme);
            self.text.view_word(frame, look, it.number, &it.word);
        }
        if let Some((_, line)) = self.text.labs().nth(self.lab)
            && let Some(row) = line.checked_sub(self.text.visible().start)
            && row < usize::from(column.height)
        {
            let mark = session.theme.line("▶", Role::Key);
            styled::put(frame, column, row, &mark);
        }
        let below = self.text.below(shown);
        frame::more_below(frame, column, &below, session.theme);
    }
}

impl Reader {
    pub(in crate::screen) fn come_back(&mut self) {
        self.text.begin_again();
    }

    pub(in crate::screen) fn visible(&self) -> &[Line<'static>] {
        let lines = self.text.lines();
        lines.get(self.text.visible()).unwrap_or_default()
    }

    pub(crate) fn hyperlinks(&self, body: Rect) -> Vec<Hyperlink> {
        let (_, column) = outline::areas(body);
        self.text.hyperlinks(column)
    }

    pub(crate) fn links(&self) -> &[String] {
        self.text.links()
    }

    pub(crate) fn place(&self, session: &Session) -> Option<TextSection> {
        let spot = self.text.spot();
        let is_top = spot == ReadingPosition::default();
        self.place_of(if is_top { 0 } else { spot.block + 1 }, session)
    }

    pub(crate) fn hits_above(&self, query: &Query) -> usize {
        self.text.hits_above(query)
    }
}
