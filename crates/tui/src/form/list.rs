//! Rows, one of which may be marked.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::draw::hanging;
use crate::keymap::{Action, Motion};
use crate::scroll::VisibleLines;
use crate::styled;
use crate::theme::{Role, Theme};
use warpup_course::{ChoiceId, Text};
use warpup_grade as grade;

/// Rows, one of which may be marked.
#[derive(Debug)]
pub(super) struct List {
    pub(super) rows: Vec<ListItem>,
    /// The marked row; nothing where the mark is the answer and none is chosen yet.
    pub(super) at: Option<usize>,
}

/// Something to choose or move.
#[derive(Debug)]
pub(super) struct ListItem {
    pub(super) id: ChoiceId,
    pub(super) text: Text,
}

impl ListItem {
    pub(super) fn all(rows: &[grade::AnswerOption<'_>]) -> Vec<Self> {
        let rows = rows.iter().map(|it| Self {
            id: it.id.clone(),
            text: it.text.clone(),
        });
        rows.collect()
    }
}

impl List {
    /// Rows with the mark on the first one.
    pub(super) fn new(rows: &[grade::AnswerOption<'_>]) -> Self {
        let rows = ListItem::all(rows);
        let at = (!rows.is_empty()).then_some(0);
        Self { rows, at }
    }

    /// Rows without a mark.
    pub(super) fn unmarked(rows: &[grade::AnswerOption<'_>]) -> Self {
        let rows = ListItem::all(rows);
        Self { rows, at: None }
    }

    /// The marked row.
    pub(super) fn marked(&self) -> Option<&ListItem> {
        self.rows.get(self.at?)
    }

    /// Marks another row, if an action asks for that: without a mark, the first one below or the last one above.
    pub(super) fn act(&mut self, action: Action) -> bool {
        let Some(last) = self.rows.len().checked_sub(1) else {
            return false;
        };
        if action == Action::Scroll(Motion::Up) {
            self.at = Some(self.at.map_or(last, |it| it.saturating_sub(1)));
        } else if action == Action::Scroll(Motion::Down) {
            self.at = Some(self.at.map_or(0, |it| (it + 1).min(last)));
        } else {
            return false;
        }
        true
    }

    /// Marks a row, if there is one with this number; says whether there is.
    pub(super) fn mark(&mut self, row: usize) -> bool {
        let is_there = row < self.rows.len();
        if is_there {
            self.at = Some(row);
        }
        is_there
    }

    /// Marks the row of a digit, if there is one; says whether there is.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let KeyCode::Char(letter) = key.code else {
            return false;
        };
        let row = letter.to_digit(10).and_then(|it| it.checked_sub(1));
        let row = row.and_then(|it| usize::try_from(it).ok());
        row.is_some_and(|it| self.mark(it))
    }

    /// Draws all rows, each with its sign.
    pub(super) fn draw<'s>(
        &self,
        width: u16,
        theme: Theme,
        sign: impl Fn(usize, &ListItem) -> &'s str,
    ) -> VisibleLines {
        let mut drawn = VisibleLines::default();
        for (at, row) in self.rows.iter().enumerate() {
            self.draw_row(&mut drawn, (at, sign(at, row)), row, (width, theme));
        }
        drawn
    }

    /// Draws one row behind its number and its sign.
    pub(super) fn draw_row(
        &self,
        drawn: &mut VisibleLines,
        place: (usize, &str),
        row: &ListItem,
        look: (u16, Theme),
    ) {
        let (at, sign) = place;
        let (width, theme) = look;
        let start = drawn.lines.len();
        let is_marked = self.at == Some(at);
        let pointer = if is_marked { "▸ " } else { "  " };
        let head = [
            styled::span(pointer, theme.style(Role::Key)),
            styled::span(&format!("{} ", at + 1), theme.style(Role::Dim)),
            styled::span(&format!("{sign} "), theme.style(Role::Key)),
        ];
        drawn.lines.extend(hanging(&head, &row.text, width, theme));
        drawn.rows.push(start..drawn.lines.len());
        if is_marked {
            drawn.focus = start..drawn.lines.len();
        }
    }
}
