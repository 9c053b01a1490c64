//! The line in which the learner types what to search for, drawn instead of the footer.

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::field::Field;
use super::keymap::TextAction;
use super::search::{Counts, Hit, Index, Query, Search, TextSection};
use super::styled;
use super::theme::{Role, Theme};

/// A footer narrower than this beside the line is left out.
const FOOTER: u16 = 26;

/// What is typed, and how often it is found.
#[derive(Debug)]
pub(super) struct SearchLine {
    field: Field,
    index: Index,
    /// Where the learner is; on the map nowhere.
    here: Option<TextSection>,
    counts: Option<Counts>,
    /// Whether only the first line of what was pasted is in it, until the next key.
    is_cut: bool,
}

impl SearchLine {
    /// An empty line for a search from a place on, or from the map.
    pub(super) fn new(index: Index, here: Option<TextSection>) -> Self {
        Self {
            field: Field::default(),
            index,
            here,
            counts: None,
            is_cut: false,
        }
    }

    pub(super) fn key(&mut self, key: KeyEvent) {
        self.is_cut = false;
        self.change(|it| it.key(key));
    }

    /// Moves the cursor or cuts.
    pub(super) fn edit(&mut self, action: TextAction) {
        self.is_cut = false;
        self.change(|it| it.act(action));
    }

    /// Takes the first line of pasted text that says something: all of them would be found nowhere.
    pub(super) fn paste(&mut self, text: &str) {
        let mut lines = text.split(['\n', '\r']).filter(|it| !it.trim().is_empty());
        let first = lines.next().unwrap_or_default();
        self.is_cut = lines.next().is_some();
        self.change(|it| it.insert(first));
    }

    /// Changes the text, and counts again where that can find other hits: a full line takes no letter, and what goes on from
    /// words that are nowhere is nowhere. Many letters may be typed before a frame is drawn.
    fn change(&mut self, change: impl FnOnce(&mut Field)) {
        let before = self.field.text();
        change(&mut self.field);
        let after = self.field.text();
        let is_nowhere = self.counts.is_some_and(|it| it.course == 0) && after.starts_with(&before);
        if after != before && !is_nowhere {
            self.count();
        }
    }

    /// Whether nothing is typed.
    pub(super) fn is_empty(&self) -> bool {
        self.query().is_none()
    }

    /// The search from a place on, without so many hits of its first text; nothing if the words are nowhere.
    pub(super) fn search(
        &self,
        from: TextSection,
        read: impl Fn(&Query) -> usize,
    ) -> Option<Search> {
        let query = self.query()?;
        let from = Hit {
            place: from,
            nth: read(&query),
        };
        Search::new(query, &self.index, from)
    }

    /// The text that is searched.
    pub(super) fn into_index(self) -> Index {
        self.index
    }

    fn query(&self) -> Option<Query> {
        Query::new(&self.field.text())
    }

    fn count(&mut self) {
        let here = self.here.unwrap_or_default();
        let query = self.query();
        self.counts = query.map(|it| Search::count(&it, &self.index, here));
    }

    /// Draws the line at the left end of a row, and returns the rest of the row for the keys.
    pub(super) fn view(&self, frame: &mut Frame<'_>, row: Rect, theme: Theme) -> Rect {
        let said = self.said(row.width, theme);
        let said = said.map_or_else(Line::default, |it| {
            Line::from(vec![theme.span("   ", Role::Dim), it])
        });
        // A column is for the slash, and one for the cursor behind the text.
        let room = usize::from(row.width).saturating_sub(said.width() + 2);
        let typed = styled::span(&self.field.text(), theme.style(Role::Text));
        let column = self.field.column();
        let hidden = column.saturating_sub(room);
        let shown = styled::skip(&Line::from(typed), hidden);
        let mut line = Line::from(theme.span("/", Role::Key));
        line.spans.extend(shown.spans);
        let width = line.width().min(room + 1) + 1;
        styled::put(frame, row, 0, &line);
        styled::put_cursor(frame, row, Some(0), Some(1 + column - hidden));
        let end = u16::try_from(width).unwrap_or(u16::MAX).min(row.width);
        let right = Rect {
            x: row.x + end,
            width: row.width - end,
            ..row
        };
        styled::put(frame, right, 0, &said);
        let used = u16::try_from(said.width() + 3).unwrap_or(u16::MAX);
        let left = right.width.saturating_sub(used);
        Rect {
            x: right.right() - left,
            width: if left < FOOTER { 0 } else { left },
            ..row
        }
    }

    /// How often the words are found.
    fn said(&self, width: u16, theme: Theme) -> Option<Span<'static>> {
        if self.is_cut {
            return Some(theme.span("only the first line was taken", Role::Warn));
        }
        let Counts {
            page,
            lesson,
            course,
        } = self.counts?;
        if course == 0 {
            return Some(theme.span("not found", Role::Warn));
        }
        let said = if self.here.is_none() {
            format!("{course} in the course")
        } else if width < 60 {
            format!("{page} here · {course} in all")
        } else {
            format!("{page} on this page · {lesson} in the lesson · {course} in all")
        };
        Some(theme.span(&said, Role::Dim))
    }
}
