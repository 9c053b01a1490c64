//! The text of a page, laid out for a width, and which part of it is on screen.
//!
//! A page is laid out once for a width, and only as far as the learner has read, so that scrolling costs the visible
//! part. The place on the page is kept as a [`ReadingPosition`], which is the same at every width.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::Line;

use super::marks::{HitMark, marks};
use super::page_view::PageView;
use crate::hyperlink::{self, Hyperlink};
use crate::keymap::Motion;
use crate::page::{PageLayout, Summary};
use crate::scroll::Scroll;
use crate::search::Query;
use crate::theme::{Role, Theme};
use warpup_course::LabId;
use warpup_progress::ReadingPosition;

/// Screens that are laid out below the top of the visible one: a key goes one screen down at most.
const AHEAD: usize = 2;

/// Lines above the blocks of a page: its title and an empty one.
pub(super) const HEADING: usize = 2;

/// The text of a page.
#[derive(Debug, Default)]
pub(super) struct PageText {
    scroll: Scroll,
    /// The page as far as it is laid out, for a width; `None` if that has to begin again.
    layout: Option<(u16, PageLayout)>,
    /// What is at the top of the screen.
    spot: ReadingPosition,
    height: u16,
    /// The addresses that are whole on a line so far, with the number of the line.
    hyperlinks: Vec<(usize, Hyperlink)>,
    /// What is searched for, and where it is on the page.
    found: Option<(Query, Vec<HitMark>)>,
    /// How often a layout was begun.
    #[cfg(test)]
    begun: usize,
}

impl PageText {
    /// Begins with another page, at a place of it.
    pub(super) fn open(&mut self, spot: ReadingPosition) {
        self.layout = None;
        self.spot = spot;
        self.scroll.go_to_top();
    }

    /// Lays the page out again before the next frame, since something on it may have changed.
    pub(super) fn begin_again(&mut self) {
        self.layout = None;
    }

    /// Lays the page out for an area, and keeps its place on screen.
    pub(super) fn fit(&mut self, shown: PageView<'_>, area: Size) {
        let is_kept = self.height == area.height;
        let wanted = shown.session.view.search.as_ref().map(|it| &it.query);
        let found = self.found.as_ref().map(|it| &it.0);
        let is_changed = wanted != found;
        // The line under the page names other keys while a search is open.
        let is_new = wanted.is_some() != found.is_some()
            || self.layout.as_ref().is_none_or(|it| it.0 != area.width);
        if is_new {
            let theme = shown.session.theme;
            let heading = theme.line(&shown.page.title, Role::Heading);
            self.scroll.set(vec![heading, Line::default()]);
            self.hyperlinks.clear();
            let layout = PageLayout::new(area.width, theme).folded(shown.folding());
            self.layout = Some((area.width, layout));
            #[cfg(test)]
            {
                self.begun += 1;
            }
            // Without blocks the layout adds no line, and so no ending.
            if shown.blocks.is_empty() {
                self.scroll.append(shown.ending(area.width));
            }
            while !self.is_whole(shown) && self.starts().len() < self.spot.block + 2 {
                let more = self.scroll.lines().len() + usize::from(area.height);
                self.lay_out(more, shown);
            }
        }
        if is_new || is_changed {
            self.find(shown);
        }
        self.height = area.height;
        let top = if is_new || !is_kept {
            self.line_of(self.spot)
        } else {
            self.scroll.top()
        };
        let screen = usize::from(area.height);
        if self.scroll.lines().len() < top + AHEAD * screen {
            // A screen more than that when the page is scrolled, so that most keys lay nothing out.
            let more = if is_new { AHEAD } else { AHEAD + 1 };
            self.lay_out(top + more * screen, shown);
        }
        self.scroll.fit(area.height);
        self.scroll.go_to(top);
    }

    /// Finds what is searched for in the whole page, once for each search and width.
    fn find(&mut self, shown: PageView<'_>) {
        self.found = None;
        let Some(search) = &shown.session.view.search else {
            return;
        };
        self.lay_out_all(shown);
        let query = search.query.clone();
        let texts = 0..=self.starts().len();
        let marks = texts.flat_map(|number| {
            let lines = self.lines_of(number);
            let text = self.scroll.lines().get(lines.clone()).unwrap_or_default();
            marks(&query, number, lines.start, text)
        });
        let marks = marks.collect();
        self.found = Some((query, marks));
    }

    /// Lays the page out down to a line.
    pub(super) fn lay_out(&mut self, until: usize, shown: PageView<'_>) {
        let Some((width, layout)) = &mut self.layout else {
            return;
        };
        let blocks = shown.blocks;
        if layout.is_complete(blocks) {
            return;
        }
        let card = |id: &LabId| shown.card(id);
        let lines = layout.more(blocks, until, &card);
        for (number, line) in (self.scroll.lines().len()..).zip(&lines) {
            let found = hyperlink::in_line(line, &layout.links, *width);
            self.hyperlinks
                .extend(found.into_iter().map(|it| (number, it)));
        }
        self.scroll.append(lines);
        if layout.is_complete(blocks) {
            self.scroll.append(shown.ending(*width));
        }
    }

    /// Lays the whole page out.
    pub(super) fn lay_out_all(&mut self, shown: PageView<'_>) {
        self.lay_out(usize::MAX, shown);
    }

    /// Whether the whole page is laid out.
    pub(super) fn is_whole(&self, shown: PageView<'_>) -> bool {
        let layout = self.layout.as_ref();
        layout.is_none_or(|it| it.1.is_complete(shown.blocks))
    }

    /// The labs as far as the page is laid out, each with its first line.
    pub(super) fn labs(&self) -> impl Iterator<Item = (&LabId, usize)> {
        let labs = self.layout.iter().flat_map(|it| &it.1.labs);
        labs.map(|(id, line)| (id, line + HEADING))
    }

    /// The parts that can be folded, as far as the page is laid out, each with the line of its summary.
    pub(super) fn summaries(&self) -> impl Iterator<Item = Summary> {
        let summaries = self.layout.iter().flat_map(|it| &it.1.summaries);
        summaries.map(|it| Summary {
            line: it.line + HEADING,
            ..*it
        })
    }

    /// The addresses of the links as far as the page is laid out.
    pub(super) fn links(&self) -> &[String] {
        self.layout.as_ref().map_or(&[], |it| it.1.links.as_slice())
    }

    /// The whole addresses that are visible in the column.
    pub(super) fn hyperlinks(&self, column: Rect) -> Vec<Hyperlink> {
        let visible = self.scroll.visible();
        let found = self
            .hyperlinks
            .iter()
            .filter(|(line, _)| visible.contains(line));
        let placed = found.filter_map(|(line, link)| {
            let row = u16::try_from(line - visible.start).ok()?;
            let place = Position::new(column.x, column.y.saturating_add(row));
            Some(link.clone().moved(place))
        });
        placed.collect()
    }

    /// The line at a place of the column.
    pub(super) fn line_at(&self, place: Position, column: Rect) -> Option<usize> {
        self.scroll.line_at(place, column)
    }

    /// All lines so far.
    pub(super) fn lines(&self) -> &[Line<'static>] {
        self.scroll.lines()
    }

    /// The lines of the block with this line.
    pub(super) fn block_with(&self, line: usize) -> Range<usize> {
        self.block(self.spot_of(line).block)
    }

    pub(super) fn visible(&self) -> Range<usize> {
        self.scroll.visible()
    }

    /// Whether the last line is visible.
    pub(super) fn at_end(&self) -> bool {
        self.scroll.at_end()
    }

    /// Moves the window.
    pub(super) fn go(&mut self, motion: Motion) {
        self.scroll.go(motion);
        self.spot = self.spot_of(self.scroll.top());
    }

    /// Moves the window to show these lines, the first one above all.
    pub(super) fn show(&mut self, lines: &Range<usize>) {
        self.scroll.show(lines);
        self.spot = self.spot_of(self.scroll.top());
    }

    /// Shows these lines, the first one in this row if they fit below it.
    pub(super) fn show_at(&mut self, row: usize, lines: &Range<usize>) {
        self.scroll.go_to(lines.start.saturating_sub(row));
        self.show(lines);
    }

    /// Brings a text of the page into sight, or a hit in it. What is visible already stays where it is.
    pub(super) fn show_text(&mut self, number: usize, nth: Option<usize>) {
        let marks = self.found.iter().flat_map(|it| &it.1);
        let mut marks = marks.filter(|it| Some(it.hit) == nth.map(|nth| (number, nth)));
        let line = marks.next().map(|it| it.line);
        let lines = self.lines_of(number);
        let line = line.unwrap_or_else(|| {
            let is_gap = |it: &usize| {
                self.scroll
                    .lines()
                    .get(*it)
                    .is_some_and(|it| it.width() == 0)
            };
            lines.clone().find(|it| !is_gap(it)).unwrap_or(lines.start)
        });
        if !self.scroll.visible().contains(&line) {
            // Some lines above say what it is about.
            self.scroll
                .go_to(line.saturating_sub(usize::from(self.height / 3)));
            self.spot = self.spot_of(self.scroll.top());
        }
    }

    /// How many hits of a query are above the screen in the block at its top.
    pub(super) fn hits_above(&self, query: &Query) -> usize {
        let top = self.scroll.top();
        let start = self.line_of(ReadingPosition {
            above: 0,
            ..self.spot
        });
        let above = self.scroll.lines().get(start..top).unwrap_or_default();
        let above: Vec<_> = above.iter().map(Line::to_string).collect();
        query.ranges(&above.join("\n")).len()
    }

    /// What is at the top of the screen.
    pub(super) fn spot(&self) -> ReadingPosition {
        self.spot
    }

    /// Draws the visible lines; hits are marked, and the one that the learner is at more than others.
    pub(super) fn view(
        &self,
        frame: &mut Frame<'_>,
        column: Rect,
        current: Option<(usize, usize)>,
        theme: Theme,
    ) {
        self.scroll.view(frame, column);
        let visible = self.scroll.visible();
        let marks = self.found.iter().flat_map(|it| &it.1);
        for mark in marks.filter(|it| visible.contains(&it.line)) {
            mark.view(
                frame,
                column,
                visible.start,
                (theme, Some(mark.hit) == current),
            );
        }
    }

    /// Marks a word where a text of the page has it first.
    pub(super) fn view_word(
        &self,
        frame: &mut Frame<'_>,
        (column, theme): (Rect, Theme),
        number: usize,
        word: &str,
    ) {
        let Some(query) = Query::new(word) else {
            return;
        };
        let lines = self.lines_of(number);
        let text = self.scroll.lines().get(lines.clone()).unwrap_or_default();
        let visible = self.scroll.visible();
        let first = |it: &HitMark| it.hit.1 == 0 && visible.contains(&it.line);
        for mark in marks(&query, number, lines.start, text)
            .iter()
            .filter(|it| first(it))
        {
            mark.view(frame, column, visible.start, (theme, true));
        }
    }

    /// How much is below the visible lines, as text.
    pub(super) fn below(&self, shown: PageView<'_>) -> String {
        if self.is_whole(shown) {
            self.scroll.below()
        } else {
            "more".to_owned()
        }
    }

    /// The first line of each block so far, below the heading.
    fn starts(&self) -> &[usize] {
        self.layout
            .as_ref()
            .map_or(&[], |it| it.1.starts.as_slice())
    }

    /// The lines of a text with its number: the title, then the blocks.
    fn lines_of(&self, number: usize) -> Range<usize> {
        number.checked_sub(1).map_or(0..1, |it| self.block(it))
    }

    /// The lines of a block.
    pub(super) fn block(&self, block: usize) -> Range<usize> {
        let start = |at: usize| self.starts().get(at).map(|it| it + HEADING);
        let end = start(block + 1).unwrap_or(self.scroll.lines().len());
        start(block).unwrap_or(end)..end
    }

    /// The line at a place. The heading belongs to the start of the page.
    fn line_of(&self, spot: ReadingPosition) -> usize {
        if spot == ReadingPosition::default() {
            return 0;
        }
        let block = self.block(spot.block);
        block.start + spot.line(block.len())
    }

    /// The place of a line.
    fn spot_of(&self, line: usize) -> ReadingPosition {
        let starts = self.starts();
        let above = starts.partition_point(|it| it + HEADING <= line);
        let Some(at) = above.checked_sub(1) else {
            return ReadingPosition::default();
        };
        let block = self.block(at);
        ReadingPosition::in_block(at, line - block.start, block.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::open_folds::OpenFolds;
    use super::*;
    use crate::theme::{Colours, Letters};
    use warpup_course::{Block, BlockKind, Text, sample};
    use warpup_progress::Progress;

    /// A session with a page of many paragraphs, each of one line and an empty one.
    fn session() -> crate::session::Session {
        let mut course = sample::course();
        let blocks = (0..2000).map(|it| Block {
            within: Vec::new(),
            kind: BlockKind::Paragraph(Text::of(format!("paragraph {it}"))),
            span: 0..0,
        });
        let page = course.lessons.first_mut().unwrap().pages.first_mut();
        page.unwrap().blocks = blocks.collect();
        let progress = Progress::new(&course.id);
        let theme = Theme {
            colours: Colours::None,
            letters: Letters::Unicode,
        };
        crate::session::Session::new(course, progress, theme, 1)
    }

    #[test]
    fn scrolling_costs_the_visible_part() {
        let session = session();
        let lesson = session.course.lessons.first().unwrap();
        let opened = OpenFolds::default();
        let shown = PageView::new(lesson, 0, &opened, &session).unwrap();
        let mut text = PageText::default();
        let area = Size::new(80, 20);
        text.open(ReadingPosition::default());
        text.fit(shown, area);
        let laid_out = |it: &PageText| (it.begun, it.starts().len());
        assert_eq!(laid_out(&text), (1, 21));
        for _ in 0..10 {
            text.go(Motion::Down);
            text.fit(shown, area);
        }
        assert_eq!(laid_out(&text), (1, 33));
        for _ in 0..10 {
            text.go(Motion::Up);
            text.fit(shown, area);
        }
        assert_eq!(laid_out(&text), (1, 33));
        // Another height needs no other lines, another width does.
        text.fit(shown, Size::new(80, 10));
        assert_eq!(laid_out(&text), (1, 33));
        text.fit(shown, Size::new(70, 10));
        assert_eq!(laid_out(&text), (2, 11));
    }

    #[test]
    fn a_page_is_laid_out_as_far_as_the_line_that_was_left() {
        let session = session();
        let lesson = session.course.lessons.first().unwrap();
        let opened = OpenFolds::default();
        let shown = PageView::new(lesson, 0, &opened, &session).unwrap();
        let mut text = PageText::default();
        text.open(ReadingPosition {
            block: 500,
            above: 500,
        });
        text.fit(shown, Size::new(80, 20));
        let top = text.scroll.lines().get(text.visible().start).unwrap();
        assert_eq!(top.to_string(), "paragraph 500");
        assert!(text.starts().len() < 540, "{}", text.starts().len());
    }
}
