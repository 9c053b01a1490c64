//! What is marked in the program while it is edited: the selection, what was found, a pair of brackets.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui_textarea::DataCursor;
use unicode_width::UnicodeWidthStr;

use super::Editor;
use super::brackets;
use crate::field::Field;
use crate::styled;
use crate::theme::{Role, Theme};

/// Letters of a line.
#[derive(Clone, Copy)]
struct LetterMark {
    row: usize,
    start: usize,
    /// Without an end, the rest of the line and the space behind it, which is the line feed.
    end: Option<usize>,
    role: Role,
}

impl Editor {
    /// Marks what is selected, and the bracket at the cursor with its partner.
    pub(super) fn view_marks(&self, frame: &mut Frame<'_>, code: Rect, theme: Theme) {
        let DataCursor(row, letter) = self.area.cursor();
        for (row, letter) in brackets::pair(self.area.lines(), (row, letter))
            .into_iter()
            .flatten()
        {
            let bracket = LetterMark {
                row,
                start: letter,
                end: Some(letter + 1),
                role: Role::Key,
            };
            self.mark(frame, code, theme, bracket);
        }
        let Some((first, last)) = self.area.selection_range() else {
            return;
        };
        for row in first.0..=last.0 {
            let start = if row == first.0 { first.1 } else { 0 };
            let selected = LetterMark {
                row,
                start,
                end: (row == last.0).then_some(last.1),
                role: Role::Selected,
            };
            self.mark(frame, code, theme, selected);
        }
    }

    /// Marks what was found, and draws the line in which it is typed below the program.
    pub(super) fn view_find(&self, frame: &mut Frame<'_>, area: Rect, theme: Theme) {
        let margin = self.gutter_width.min(area.width);
        let code = Rect {
            x: area.x + margin,
            width: area.width - margin,
            height: area.height.saturating_sub(1),
            ..area
        };
        let DataCursor(row, letter) = self.area.cursor();
        let hits = self.find.hits(self.area.lines());
        for hit in &hits {
            let role = if hit.place() == (row, letter) {
                Role::Selected
            } else {
                Role::Warn
            };
            let found = LetterMark {
                row: hit.row,
                start: hit.letters.start,
                end: Some(hit.letters.end),
                role,
            };
            self.mark(frame, code, theme, found);
        }
        let at = hits.iter().position(|it| it.place() == (row, letter));
        let said = match (at, self.find.query().is_none()) {
            (_, true) => String::new(),
            (Some(at), false) => format!(" {} of {}", at + 1, hits.len()),
            (None, false) => " not found".to_owned(),
        };
        let Some(replacement) = &self.find.replacement else {
            return view_typed(frame, area, ("find: ", &self.find.field, &said), theme);
        };
        let front = format!("replace {} with: ", self.find.field.text());
        view_typed(frame, area, (&front, replacement, &said), theme);
    }

    /// Gives letters a role, as far as they are on screen.
    fn mark(&self, frame: &mut Frame<'_>, code: Rect, theme: Theme, mark: LetterMark) {
        let LetterMark {
            row,
            start,
            end,
            role,
        } = mark;
        let Some(at) = row.checked_sub(self.scroll.top()) else {
            return;
        };
        let line = self.area.lines().get(row).map_or("", String::as_str);
        let columns = |letters: usize| line.chars().take(letters).collect::<String>().width();
        let left = self.left_of(row);
        let first = columns(start).max(left);
        let last = end.map_or(line.width() + 1, columns);
        let number = |it: usize| u16::try_from(it).unwrap_or(u16::MAX);
        let marked = Rect {
            x: code.x.saturating_add(number(first - left)),
            y: code.y.saturating_add(number(at)),
            width: number(last.saturating_sub(first)),
            height: 1,
        };
        let seen = marked.intersection(code).intersection(frame.area());
        frame.buffer_mut().set_style(seen, theme.style(role));
    }
}

/// Draws the line below the program in which something is typed: what for, the field, and what is said of it.
pub(super) fn view_typed(
    frame: &mut Frame<'_>,
    area: Rect,
    (front, field, said): (&str, &Field, &str),
    theme: Theme,
) {
    let line = Rect {
        y: area.bottom().saturating_sub(1),
        height: 1,
        ..area
    };
    let typed = theme.line(&format!("{front}{}", field.text()), Role::Text);
    styled::put(frame, line, 0, &typed);
    styled::put_right(frame, line, 0, &theme.line(said, Role::Dim));
    styled::put_cursor(frame, line, Some(0), Some(front.width() + field.column()));
}
