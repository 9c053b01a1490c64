//! The pages of a lesson, with its labs among the text.

use std::rc::Rc;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::behaviour::{Route, ScreenBehaviour, Start, Step};
use crate::course::{BlockKind, LabId, Lesson, LessonId, Page, PageId};
use crate::progress::Event;
use crate::tui::frame::{self, Title};
use crate::tui::keymap::{Action, Context, Destination, Motion, PageAction};
use crate::tui::page::{LabCard, PageLayout};
use crate::tui::scroll::Scroll;
use crate::tui::session::{Session, UpdateContext};
use crate::tui::styled;
use crate::tui::theme::Role;

#[derive(Debug)]
pub(crate) struct Reader {
    lesson: Rc<Lesson>,
    page: usize,
    /// Which lab on the page is chosen.
    lab: usize,
    scroll: Scroll,
    /// The page as far as it is laid out, for a width; `None` if that has to begin again.
    layout: Option<(u16, PageLayout)>,
}

/// Screens that are laid out below the top of the visible one.
const AHEAD: usize = 3;

/// Lines above the blocks of a page: its title and an empty one.
const HEADING: usize = 2;

impl Reader {
    /// Opens a lesson at a page, or where it was left, or at its start.
    pub(super) fn open(
        lesson: &LessonId,
        page: Option<&PageId>,
        ctx: &mut UpdateContext<'_>,
    ) -> Option<Self> {
        let lesson = Rc::clone(ctx.session.lesson(lesson)?);
        let left = ctx.session.progress.lesson(&lesson.id).place.clone();
        let wanted = page.or(left.as_ref());
        let at = lesson.pages.iter().position(|it| Some(&it.id) == wanted);
        let mut reader = Self {
            lesson,
            page: 0,
            lab: 0,
            scroll: Scroll::default(),
            layout: None,
        };
        reader.turn_to(at.unwrap_or(0), ctx);
        Some(reader)
    }

    fn turn_to(&mut self, page: usize, ctx: &mut UpdateContext<'_>) {
        let Some(shown) = self.lesson.pages.get(page) else {
            return;
        };
        let id = shown.id.clone();
        let known = ctx.session.progress.place();
        self.page = page;
        self.lab = 0;
        self.layout = None;
        self.scroll.go_to_top();
        if known != Some((self.lesson.id.clone(), id.clone())) {
            ctx.note(Event::Read {
                lesson: self.lesson.id.clone(),
                page: id,
            });
        }
    }

    fn turn_pages(&mut self, action: PageAction, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            PageAction::Next => return self.next_page(ctx),
            PageAction::Previous => self.turn_to(self.page.saturating_sub(1), ctx),
            PageAction::NextLab => self.next_lab(ctx),
            PageAction::PreviousLab => self.choose_lab(self.lab.saturating_sub(1)),
            PageAction::RunLab => return self.open_lab(Start::Run, ctx.session),
            PageAction::EditLab => return self.open_lab(Start::Edit, ctx.session),
        }
        Step::Stay
    }

    fn next_page(&mut self, ctx: &mut UpdateContext<'_>) -> Step {
        if self.page + 1 < self.lesson.pages.len() {
            self.turn_to(self.page + 1, ctx);
            return Step::Stay;
        }
        match self.next_lesson(ctx.session) {
            Some(next) if self.lesson.quiz.is_none() => {
                Step::FromMap(Route::Lesson(next.id.clone(), None))
            }
            Some(_) | None => self.quiz(),
        }
    }

    fn next_lesson<'a>(&self, session: &'a Session) -> Option<&'a Rc<Lesson>> {
        session.lesson_after(&self.lesson.id)
    }

    fn quiz(&self) -> Step {
        match self.lesson.quiz {
            Some(_) => Step::Open(Route::Quiz(self.lesson.id.clone())),
            None => Step::Stay,
        }
    }

    /// The chosen lab, if there is one on the page.
    fn open_lab(&mut self, start: Start, session: &Session) -> Step {
        self.lay_out(usize::MAX, session);
        match self.labs().get(self.lab) {
            Some((id, _)) => Step::Open(Route::Lab(self.lesson.id.clone(), id.clone(), start)),
            None => Step::Stay,
        }
    }

    /// The labs as far as the page is laid out, each with its first line below the heading.
    fn labs(&self) -> &[(LabId, usize)] {
        self.layout.as_ref().map_or(&[], |it| it.1.labs.as_slice())
    }

    fn choose_lab(&mut self, lab: usize) {
        let line = self.labs().get(lab).map(|it| it.1 + HEADING);
        if let Some(line) = line {
            self.lab = lab;
            let end = (line + self.scroll.visible().len()).min(self.scroll.lines().len());
            self.scroll.show(&(line..end));
        }
    }

    /// Goes to the next lab on the page, or on a page without one to the next page that has one.
    fn next_lab(&mut self, ctx: &mut UpdateContext<'_>) {
        if self.context() == Context::PAGE
            && let Some(page) = self.page_with_lab()
        {
            return self.turn_to(page, ctx);
        }
        self.lay_out(usize::MAX, ctx.session);
        let labs = self.labs();
        let seen = |it: &(LabId, usize)| self.scroll.visible().contains(&(it.1 + HEADING));
        let is_seen = labs.get(self.lab).is_some_and(seen);
        let step = usize::from(is_seen || self.lab > 0);
        self.choose_lab((self.lab + step) % labs.len().max(1));
    }

    /// The next page that has a lab.
    fn page_with_lab(&self) -> Option<usize> {
        let mut pages = self.lesson.pages.iter().enumerate().skip(self.page + 1);
        pages.find(|(_, it)| has_lab(it)).map(|it| it.0)
    }

    /// Lays the page out down to a line.
    fn lay_out(&mut self, until: usize, session: &Session) {
        let Some(page) = self.lesson.pages.get(self.page) else {
            return;
        };
        let card = |id: &LabId| card(&self.lesson, id, session);
        let ending = self.ending(session);
        let Some((_, layout)) = &mut self.layout else {
            return;
        };
        if layout.is_complete(&page.blocks) {
            return;
        }
        self.scroll.append(layout.more(&page.blocks, until, &card));
        if layout.is_complete(&page.blocks) {
            self.scroll.append(ending);
        }
    }

    /// Chooses the lab nearest to the visible lines.
    fn notice_lab(&mut self) {
        let visible = self.scroll.visible();
        let labs = self.labs();
        let is_seen = |it: &(LabId, usize)| visible.contains(&(it.1 + HEADING));
        if labs.get(self.lab).is_some_and(is_seen) {
            return;
        }
        let seen = labs.iter().position(is_seen);
        let above = labs.iter().rposition(|it| it.1 + HEADING < visible.start);
        self.lab = seen.or(above).unwrap_or(0);
    }
}

impl ScreenBehaviour for Reader {
    fn context(&self) -> Context {
        if self.lesson.pages.get(self.page).is_some_and(has_lab) {
            Context::LAB_PAGE
        } else {
            Context::PAGE
        }
    }

    fn title(&self, _session: &Session) -> Title {
        let pages = self.lesson.pages.len();
        let title = self.lesson.pages.get(self.page).map_or("", |it| &it.title);
        let left = if title == self.lesson.title {
            title.to_owned()
        } else {
            format!("{} · {title}", self.lesson.title)
        };
        // Full on the last page only, and never empty.
        let filled = (10 * (self.page + 1) / pages.max(1)).max(1);
        let bar = format!("{}{}", "█".repeat(filled), "░".repeat(10 - filled.min(10)));
        Title {
            left,
            right: format!("page {} of {pages}", self.page + 1),
            bar,
        }
    }

    fn offers(&self, action: Action, session: &Session) -> bool {
        let is_last = self.page + 1 >= self.lesson.pages.len();
        let Action::Page(action) = action else {
            return if action == Action::Scroll(Motion::PageDown) {
                !is_last || !self.scroll.at_end()
            } else {
                action != Action::Go(Destination::Quiz) || is_last && self.lesson.quiz.is_some()
            };
        };
        match action {
            PageAction::Next => {
                !is_last || (self.lesson.quiz.is_none() && self.next_lesson(session).is_some())
            }
            PageAction::Previous => self.page > 0,
            PageAction::NextLab if self.context() == Context::LAB_PAGE => self.labs().len() > 1,
            PageAction::NextLab => self.page_with_lab().is_some(),
            PageAction::PreviousLab | PageAction::RunLab | PageAction::EditLab => true,
        }
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            Action::Back => return Step::Back,
            Action::Open => return self.open_lab(Start::Look, ctx.session),
            Action::Page(action) => return self.turn_pages(action, ctx),
            Action::Go(Destination::Quiz) => return self.quiz(),
            Action::Scroll(Motion::PageDown) if self.scroll.at_end() => {
                if self.page + 1 < self.lesson.pages.len() {
                    self.turn_to(self.page + 1, ctx);
                }
            }
            Action::Scroll(motion) => {
                if motion == Motion::Bottom {
                    self.lay_out(usize::MAX, ctx.session);
                }
                self.scroll.go(motion);
                self.notice_lab();
            }
            Action::Go(_)
            | Action::App(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => {}
        }
        Step::Stay
    }

    fn come_back(&mut self, _turn: &mut UpdateContext<'_>) {
        self.layout = None;
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let width = frame::column(body).width;
        let top = self.scroll.top();
        if self.layout.as_ref().is_none_or(|it| it.0 != width) {
            let Some(page) = self.lesson.pages.get(self.page) else {
                return;
            };
            let heading = session.theme.line(&page.title, Role::Heading);
            self.scroll.set(vec![heading, Line::default()]);
            self.layout = Some((width, PageLayout::new(width, session.theme)));
            // Without blocks the layout adds no line, and so no ending.
            if page.blocks.is_empty() {
                self.scroll.append(self.ending(session));
            }
        }
        self.lay_out(top + AHEAD * usize::from(body.height), session);
        self.scroll.fit(body.height);
        self.scroll.go_to(top);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let column = frame::column(body);
        self.scroll.view(frame, column);
        if let Some((_, line)) = self.labs().get(self.lab)
            && let Some(row) = (line + HEADING).checked_sub(self.scroll.top())
            && row < usize::from(column.height)
        {
            let mark = session.theme.line("▶", Role::Selected);
            styled::put(frame, column, row, &mark);
        }
        let page = self.layout.as_ref().zip(self.lesson.pages.get(self.page));
        let is_whole = page.is_none_or(|((_, layout), page)| layout.is_complete(&page.blocks));
        let below = if is_whole {
            self.scroll.below()
        } else {
            "more".to_owned()
        };
        frame::more_below(frame, column, &below, session.theme);
    }
}

impl Reader {
    /// The line under a page: where to go from here.
    fn ending(&self, session: &Session) -> Vec<Line<'static>> {
        let theme = session.theme;
        let next = self.lesson.pages.get(self.page + 1);
        let words = match (next, &self.lesson.quiz) {
            (Some(next), _) => format!("n  {}", next.title),
            (None, Some(_)) if session.progress.lesson(&self.lesson.id).is_done() => {
                "z  quiz again (● done)".to_owned()
            }
            (None, Some(quiz)) => format!("z  quiz: {} questions", quiz.counted().count()),
            (None, None) => match self.next_lesson(session) {
                Some(next) => format!("n  next lesson: {}", next.title),
                None => "This was the last page of the course.".to_owned(),
            },
        };
        vec![Line::default(), theme.line(&words, Role::Key)]
    }
}

fn has_lab(page: &Page) -> bool {
    let mut blocks = page.blocks.iter();
    blocks.any(|it| matches!(it.kind, BlockKind::Lab(_)))
}

/// What the page shows of a lab.
fn card(lesson: &Lesson, id: &LabId, session: &Session) -> Option<LabCard> {
    let lab = lesson.labs.iter().find(|it| &it.id == id)?;
    let done = session.progress.lesson(&lesson.id).lab(id);
    let (word, role) = if done.has_passed() {
        ("● passed", Role::Good)
    } else if done.newest.is_some() || done.source.is_some() {
        ("◐ begun", Role::Warn)
    } else {
        ("○ new", Role::Dim)
    };
    Some(LabCard {
        title: lab.title.clone(),
        state: session.theme.span(word, role),
        source: done.source.clone().unwrap_or_else(|| lab.starter.clone()),
    })
}
