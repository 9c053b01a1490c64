//! The hits of a search as a list over the screen: by lesson and page, each with the text around it.
//!
//! A row is laid out when it is drawn: a search for one letter has tens of thousands of hits.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::frame::{self, Title};
use super::keymap::Motion;
use super::search::{Hit, Index, Search, excerpt};
use super::session::Session;
use super::styled;
use super::theme::Role;

/// Columns in front of the text: those of a page's row, and the mark.
const BEFORE: usize = 4;

/// The list, and the hit that is chosen in it.
#[derive(Debug)]
pub(super) struct HitList {
    search: Search,
    index: Index,
    rows: Vec<Row>,
    /// The row of the chosen hit.
    chosen: usize,
    top: usize,
    height: usize,
}

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    /// The lesson with this index, and how many hits it has.
    Lesson(usize, usize),
    /// A page, by the indices of its lesson and of itself.
    Page(usize, usize),
    /// The hit with this number, from 0.
    Hit(usize),
}

impl HitList {
    /// All hits of a search; chosen is the one that it is at.
    pub(super) fn new(search: Search, index: Index) -> Self {
        let mut rows = Vec::new();
        let numbered: Vec<_> = search.hits().iter().enumerate().collect();
        for of_lesson in numbered.chunk_by(|a, b| a.1.place.lesson == b.1.place.lesson) {
            let lesson = of_lesson.first().map_or(0, |it| it.1.place.lesson);
            rows.push(Row::Lesson(lesson, of_lesson.len()));
            for of_page in of_lesson.chunk_by(|a, b| a.1.place.page == b.1.place.page) {
                let page = of_page.first().map_or(0, |it| it.1.place.page);
                rows.push(Row::Page(lesson, page));
                rows.extend(of_page.iter().map(|it| Row::Hit(it.0)));
            }
        }
        let at = Row::Hit(search.number().0.saturating_sub(1));
        let chosen = rows.iter().position(|it| *it == at).unwrap_or(0);
        Self {
            search,
            index,
            rows,
            chosen,
            top: 0,
            height: 1,
        }
    }

    pub(super) fn title(&self) -> Title {
        let (_, of) = self.search.number();
        Title::new(
            format!("Found: {}", self.search.query.words()),
            format!("{of} hits"),
        )
    }

    /// Moves the choice; lessons and pages are passed over.
    pub(super) fn go(&mut self, motion: Motion) {
        let screen = self.height.saturating_sub(1).max(1);
        let wanted = match motion {
            Motion::Up => self.chosen.saturating_sub(1),
            Motion::Down => self.chosen + 1,
            Motion::PageUp => self.chosen.saturating_sub(screen),
            Motion::PageDown => self.chosen + screen,
            Motion::Top => 0,
            Motion::Bottom => usize::MAX,
        };
        let wanted = wanted.min(self.rows.len().saturating_sub(1));
        let is_hit = |at: &usize| matches!(self.rows.get(*at), Some(Row::Hit(_)));
        let found = match motion {
            // The first row of all is a lesson.
            Motion::Up | Motion::PageUp => (0..=wanted).rev().find(is_hit),
            Motion::Down | Motion::PageDown | Motion::Top | Motion::Bottom => {
                (wanted..self.rows.len()).find(is_hit)
            }
        };
        self.chosen = found.unwrap_or(self.chosen);
    }

    /// The search, at the chosen hit.
    pub(super) fn into_search(mut self) -> Search {
        if let Some(Row::Hit(number)) = self.rows.get(self.chosen) {
            self.search.choose(*number);
        }
        self.search
    }

    pub(super) fn fit(&mut self, body: Rect) {
        self.height = usize::from(body.height).max(1);
        let lowest = self.rows.len().saturating_sub(self.height);
        // The headings above the first hit of a page are visible with it.
        let above = self.rows.get(..self.chosen).unwrap_or_default();
        let headings = above.iter().rev();
        let headings = headings.take_while(|it| !matches!(it, Row::Hit(_)));
        let first = self.chosen - headings.count().min(self.height - 1);
        let least = (self.chosen + 1).saturating_sub(self.height);
        self.top = self.top.max(least).min(first).min(lowest);
    }

    pub(super) fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let column = frame::column(body);
        let visible = self
            .rows
            .iter()
            .enumerate()
            .skip(self.top)
            .take(self.height);
        for (at, (number, row)) in visible.enumerate() {
            let line = match row {
                Row::Lesson(lesson, count) => lesson_row(*lesson, *count, session),
                Row::Page(lesson, page) => page_row(*lesson, *page, session),
                Row::Hit(hit) => self.hit_row(*hit, number == self.chosen, (column.width, session)),
            };
            styled::put(frame, column, at, &line);
        }
        let more = self.rows.len().saturating_sub(self.top + self.height);
        let more = if more == 0 {
            String::new()
        } else {
            more.to_string()
        };
        frame::more_below(frame, column, &more, session.theme);
    }

    /// A hit with the text around it.
    fn hit_row(
        &self,
        number: usize,
        is_chosen: bool,
        (width, session): (u16, &Session),
    ) -> Line<'static> {
        let Some(Hit { place, nth }) = self.search.hits().get(number).copied() else {
            return Line::default();
        };
        let theme = session.theme;
        let text = self.index.text(place);
        let room = usize::from(width).saturating_sub(BEFORE).max(1);
        let found = self.search.query.ranges(text).into_iter().nth(nth);
        let around = excerpt(text, found.unwrap_or_default(), room);
        let mark = if is_chosen { "  ▸ " } else { "    " };
        let role = if is_chosen { Role::Strong } else { Role::Text };
        let hit = theme.style(Role::Key).underlined();
        Line::from(vec![
            theme.span(mark, Role::Key),
            theme.span(&around.before, role),
            styled::span(&around.hit, hit),
            theme.span(&around.after, role),
        ])
    }
}

fn lesson_row(lesson: usize, count: usize, session: &Session) -> Line<'static> {
    let theme = session.theme;
    let title = session.course.lessons.get(lesson);
    let title = title.map_or("", |it| it.title.as_str());
    Line::from(vec![
        theme.span(title, Role::Heading),
        theme.span(&format!("  {count}"), Role::Dim),
    ])
}

fn page_row(lesson: usize, page: usize, session: &Session) -> Line<'static> {
    let lesson = session.course.lessons.get(lesson);
    let title = lesson.and_then(|it| it.outline().pages.get(page));
    let title = title.map_or("", |it| it.title.as_str());
    let said = format!("  page {}: {title}", page + 1);
    session.theme.line(&said, Role::Dim)
}
