//! Rows, one of which is marked.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::draw::hanging;
use crate::course::{ChoiceId, Text};
use crate::grade;
use crate::tui::keymap::{Action, Motion};
use crate::tui::scroll::Drawn;
use crate::tui::styled;
use crate::tui::theme::{Role, Theme};

/// Rows, one of which is marked.
#[derive(Debug)]
pub(super) struct List {
    pub(super) rows: Vec<Row>,
    /// The marked row.
    pub(super) at: usize,
}

/// Something to choose or move.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) id: ChoiceId,
    pub(super) text: Text,
}

impl Row {
    pub(super) fn all(rows: &[grade::Row<'_>]) -> Vec<Self> {
        let rows = rows.iter().map(|it| Self {
            id: it.id.clone(),
            text: it.text.clone(),
        });
        rows.collect()
    }
}

impl List {
    pub(super) fn new(rows: &[grade::Row<'_>]) -> Self {
        let rows = Row::all(rows);
        Self { rows, at: 0 }
    }

    /// The marked row.
    pub(super) fn marked(&self) -> Option<&Row> {
        self.rows.get(self.at)
    }

    /// Marks another row, if an action asks for that.
    pub(super) fn act(&mut self, action: Action) -> bool {
        let last = self.rows.len().saturating_sub(1);
        if action == Action::Scroll(Motion::Up) {
            self.at = self.at.saturating_sub(1);
        } else if action == Action::Scroll(Motion::Down) {
            self.at = (self.at + 1).min(last);
        } else {
            return false;
        }
        !self.rows.is_empty()
    }

    /// Marks the row of a digit, if there is one; says whether there is.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let KeyCode::Char(letter) = key.code else {
            return false;
        };
        let row = letter.to_digit(10).and_then(|it| it.checked_sub(1));
        let row = row.and_then(|it| usize::try_from(it).ok());
        let Some(row) = row.filter(|it| *it < self.rows.len()) else {
            return false;
        };
        self.at = row;
        true
    }

    /// Draws all rows, each with its sign.
    pub(super) fn draw<'s>(
        &self,
        width: u16,
        theme: Theme,
        sign: impl Fn(usize, &Row) -> &'s str,
    ) -> Drawn {
        let mut drawn = Drawn::default();
        for (at, row) in self.rows.iter().enumerate() {
            self.draw_row(&mut drawn, (at, sign(at, row)), row, (width, theme));
        }
        drawn
    }

    /// Draws one row behind its number and its sign.
    pub(super) fn draw_row(
        &self,
        drawn: &mut Drawn,
        place: (usize, &str),
        row: &Row,
        look: (u16, Theme),
    ) {
        let (at, sign) = place;
        let (width, theme) = look;
        let start = drawn.lines.len();
        let pointer = if at == self.at { "▸ " } else { "  " };
        let head = [
            styled::span(pointer, theme.style(Role::Key)),
            styled::span(&format!("{} ", at + 1), theme.style(Role::Dim)),
            styled::span(&format!("{sign} "), theme.style(Role::Key)),
        ];
        drawn.lines.extend(hanging(&head, &row.text, width, theme));
        if at == self.at {
            drawn.focus = start..drawn.lines.len();
        }
    }
}
