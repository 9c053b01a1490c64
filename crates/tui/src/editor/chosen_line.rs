//! The line that a reader has chosen, which is the one of the cursor: its times are said below, and editing begins there.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::{Editor, Gutter};
use crate::styled;
use crate::theme::{Role, Theme};

/// Columns of the bar between gutter and text.
const BAR: u16 = 2;

impl Editor {
    /// The chosen line, from 1.
    pub(crate) fn line(&self) -> u32 {
        u32::try_from(self.cursor().0 + 1).unwrap_or(u32::MAX)
    }

    /// Chooses the line below.
    pub(crate) fn next_line(&mut self) {
        let (row, _) = self.cursor();
        self.choose(row.saturating_add(1).min(self.len() - 1));
    }

    /// Chooses the line above.
    pub(crate) fn previous_line(&mut self) {
        let (row, _) = self.cursor();
        self.choose(row.saturating_sub(1));
    }

    /// Chooses a line, from 0, and shows it.
    pub(crate) fn choose(&mut self, row: usize) {
        self.put_cursor(row, 0);
        self.scroll.show(&(row..row + 1));
    }

    /// Draws the mark of the chosen line, unless it has the mark of an error.
    pub(super) fn view_chosen_line(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        gutter: &Gutter,
        theme: Theme,
    ) {
        let row = self.cursor().0.checked_sub(self.scroll.top());
        let Some(row) = row.filter(|_| gutter.error != Some(self.line())) else {
            return;
        };
        let bar = Rect {
            x: (area.x + gutter.width(area.width)).saturating_sub(BAR),
            width: BAR,
            ..area
        };
        styled::put(frame, bar, row, &theme.line("▸", Role::Key));
    }
}
