//! What is done to whole lines: indenting, comments, moving and doubling.

use std::ops::RangeInclusive;

use ratatui_textarea::{DataCursor, TextArea};

use super::Editor;
use super::brackets::CodePosition;
use super::history::{Change, State};

/// Columns of one step of indentation.
pub(super) const STEP: usize = 4;

impl Editor {
    /// Moves the selected lines, or that of the cursor, above the line before them.
    pub(super) fn move_lines_up(&mut self) {
        let rows = self.rows();
        let Some(above) = rows.start().checked_sub(1) else {
            return;
        };
        self.change_lines(-1, |lines| {
            if let Some(lines) = lines.get_mut(above..=*rows.end()) {
                lines.rotate_left(1);
            }
        });
    }

    /// Moves the selected lines, or that of the cursor, below the line after them.
    pub(super) fn move_lines_down(&mut self) {
        let rows = self.rows();
        let below = rows.end() + 1;
        if below == self.len() {
            return;
        }
        self.change_lines(1, |lines| {
            if let Some(lines) = lines.get_mut(*rows.start()..=below) {
                lines.rotate_right(1);
            }
        });
    }

    /// Puts a copy of the selected lines, or of that of the cursor, below them, and goes to it.
    pub(super) fn double_lines(&mut self) {
        let rows = self.rows();
        let below = rows.end() + 1;
        let copy = self.area.lines().get(rows).unwrap_or_default().to_vec();
        let down = isize::try_from(copy.len()).unwrap_or(0);
        self.change_lines(down, |lines| drop(lines.splice(below..below, copy)));
    }

    /// Changes lines as one step. The cursor and what is selected go along, down by so many rows.
    fn change_lines(&mut self, down: isize, change: impl FnOnce(&mut Vec<String>)) {
        let before = self.state();
        let mut after = before.clone();
        change(&mut after.lines);
        let rows = after.lines.len();
        let moved = |(row, letter): CodePosition| match row.saturating_add_signed(down) {
            row if row < rows => (row, letter),
            // What ends behind the last line feed ends at the end of the text then.
            row => (row, usize::MAX),
        };
        let anchor = self.anchor().map(moved);
        let cursor = moved((before.cursor.0, before.cursor.1));
        self.history.keep(before, Change::Other);
        self.restore(after);
        match anchor {
            Some(anchor) => self.select(anchor, cursor),
            None => self.place_cursor(cursor),
        }
    }

    /// Indents what is selected, or goes to the next step of the line.
    pub(super) fn indent(&mut self) {
        let rows = self.rows();
        if rows.start() == rows.end() {
            self.change(Change::Other, TextArea::insert_tab);
        } else {
            self.rewrite(|line| {
                if line.is_empty() {
                    String::new()
                } else {
                    format!("{}{line}", " ".repeat(STEP))
                }
            });
        }
    }

    /// Makes lines comments, or comments lines.
    pub(super) fn comment(&mut self) {
        let lines = self.area.lines().get(self.rows()).unwrap_or_default();
        let mut written = lines.iter().filter(|it| !it.trim().is_empty());
        let are_comments = written.clone().all(|it| it.trim_start().starts_with('#'));
        let column = written.by_ref().map(|it| indent(it)).min().unwrap_or(0);
        self.rewrite(|line| {
            if line.trim().is_empty() {
                return line.to_owned();
            }
            let at = if are_comments { indent(line) } else { column };
            let (before, rest) = line.split_at_checked(at).unwrap_or(("", line));
            if are_comments {
                let rest = rest.strip_prefix('#').unwrap_or(rest);
                format!("{before}{}", rest.strip_prefix(' ').unwrap_or(rest))
            } else {
                format!("{before}# {rest}")
            }
        });
    }

    /// The lines that are selected, or else that of the cursor.
    fn rows(&self) -> RangeInclusive<usize> {
        let DataCursor(row, _) = self.area.cursor();
        match self.area.selection_range() {
            None => row..=row,
            // A selection that ends before the first letter of a line does not mean that line.
            Some(((first, _), (last, 0))) if last > first => first..=last - 1,
            Some(((first, _), (last, _))) => first..=last,
        }
    }

    /// Rewrites the selected lines, as one step, and keeps them selected.
    pub(super) fn rewrite(&mut self, line: impl Fn(&str) -> String) {
        let rows = self.rows();
        let was_selecting = self.area.is_selecting();
        let before = self.state();
        let DataCursor(row, letter) = before.cursor;
        let mut after = before.clone();
        for it in after.lines.get_mut(rows.clone()).unwrap_or_default() {
            *it = line(it);
        }
        if after.lines == before.lines {
            return;
        }
        let length = |state: &State| state.lines.get(row).map_or(0, |it| it.chars().count());
        let moved = (letter + length(&after)).saturating_sub(length(&before));
        after.cursor = DataCursor(row, moved);
        self.history.keep(before, Change::Other);
        self.restore(after);
        if was_selecting {
            self.select((*rows.start(), 0), (*rows.end(), usize::MAX));
        }
    }
}

/// Spaces in front of a line.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A line with one step of indentation less.
pub(super) fn dedented(line: &str) -> String {
    let spaces = indent(line).min(STEP);
    line.get(spaces..).unwrap_or_default().to_owned()
}
