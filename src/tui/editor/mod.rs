//! The editor of a lab: text with colours, line numbers and a gutter with two clocks.
//!
//! The text area of `ratatui-textarea` keeps the text, the cursor and the history. Drawing is our own,
//! since each source line carries its times beside it and errors are marked where they happened. The
//! text is always one that may be shown: what a terminal would obey is made visible on its way in.

mod gutter;

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui_textarea::{CursorMove, DataCursor, TextArea};
use unicode_width::UnicodeWidthStr;

use super::keymap::Motion;
use super::page::highlight;
use super::scroll::Scroll;
use super::styled;
use super::theme::{Role, Theme};
use crate::shown::Shown;

pub(crate) use gutter::{Clocks, Gutter};

/// Columns of one step of horizontal scrolling.
const SIDEWAYS: usize = 8;

/// The program of a lab, in a window that scrolls.
#[derive(Debug)]
pub(crate) struct Editor {
    area: TextArea<'static>,
    /// The text as it was coloured last.
    scroll: Scroll,
    is_stale: bool,
    left: usize,
    /// A row to show at the next layout.
    reveal: Option<usize>,
    follow: Follow,
}

impl Editor {
    /// An editor for a text.
    pub(crate) fn new(text: &str) -> Self {
        let shown = Shown::new(text);
        let lines = shown.as_str().trim_end_matches('\n').split('\n');
        let mut area = TextArea::new(lines.map(ToOwned::to_owned).collect());
        area.set_tab_length(4);
        Self {
            area,
            scroll: Scroll::default(),
            is_stale: true,
            left: 0,
            reveal: None,
            follow: Follow::Window,
        }
    }

    /// The text, with a line feed at its end.
    pub(crate) fn text(&self) -> String {
        let mut text = self.area.lines().join("\n");
        text.push('\n');
        text
    }

    /// Takes a key while editing.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    pub(crate) fn key(&mut self, key: KeyEvent) {
        match key.code {
            KeyCode::Enter => self.new_line(),
            KeyCode::PageUp => self.jump(CursorMove::Up),
            KeyCode::PageDown => self.jump(CursorMove::Down),
            KeyCode::Char(letter) if is_plain(key) => {
                self.area
                    .insert_str(Shown::one_line(&letter.to_string()).as_str());
            }
            _ => {
                // Without Shift: it would select, and a selection is not drawn.
                let modifiers = key.modifiers.difference(KeyModifiers::SHIFT);
                self.area.input(KeyEvent::new(key.code, modifiers));
            }
        }
        self.is_stale = true;
    }

    /// Takes pasted text. Terminals send carriage returns for line ends.
    pub(crate) fn paste(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.area.insert_str(Shown::new(&text).as_str());
        self.is_stale = true;
    }

    /// Takes the last change back.
    pub(crate) fn undo(&mut self) {
        self.area.undo();
        self.is_stale = true;
    }

    /// Deletes from the cursor to the end of the line; at its end, the line feed.
    pub(crate) fn cut_line(&mut self) {
        self.area.delete_line_by_end();
        self.is_stale = true;
    }

    /// Puts the cursor at the start of a line, from 1, and shows that line.
    pub(crate) fn go_to_line(&mut self, line: u32) {
        let row = u16::try_from(line.saturating_sub(1)).unwrap_or(u16::MAX);
        self.reveal = Some(usize::from(row));
        self.area.move_cursor(CursorMove::Jump(row, 0));
    }

    /// Moves the window, for reading without a cursor.
    pub(crate) fn scroll(&mut self, motion: Motion) {
        self.scroll.go(motion);
    }

    pub(crate) fn scroll_left(&mut self) {
        self.left = self.left.saturating_sub(SIDEWAYS);
    }

    pub(crate) fn scroll_right(&mut self) {
        let widths = self.scroll.lines().iter().map(Line::width);
        let widest = widths.max().unwrap_or(0);
        self.left = (self.left + SIDEWAYS).min(widest.saturating_sub(1));
    }

    /// The number of lines.
    pub(crate) fn len(&self) -> usize {
        self.area.lines().len()
    }

    /// The visible lines as text, as [`Scroll::place`] says them.
    pub(crate) fn place(&self) -> String {
        self.scroll.place()
    }

    /// Colours the text again if it has changed, and keeps a followed cursor visible.
    pub(crate) fn fit(&mut self, area: Rect, gutter: &Gutter, theme: Theme, follow: Follow) {
        if std::mem::take(&mut self.is_stale) {
            let lines = highlight::code("python", &self.text(), theme);
            self.scroll.set(lines);
        }
        self.scroll.fit(area.height.max(1));
        if let Some(row) = self.reveal.take()
            && !self.scroll.visible().contains(&row)
        {
            self.scroll
                .go_to(row.saturating_sub(usize::from(area.height) / 2));
        }
        self.follow = follow;
        if follow == Follow::Window {
            return;
        }
        let (row, column) = self.cursor();
        self.scroll.show(&(row..row + 1));
        let width = usize::from(area.width.saturating_sub(gutter.width(area.width)).max(2));
        self.left = self
            .left
            .min(column)
            .max((column + 2).saturating_sub(width));
    }

    /// Draws the text and, while editing, places the cursor.
    pub(crate) fn view(&self, frame: &mut Frame<'_>, area: Rect, gutter: &Gutter, theme: Theme) {
        let margin = gutter.width(area.width).min(area.width);
        let code = Rect {
            x: area.x + margin,
            width: area.width - margin,
            ..area
        };
        let lines = self.scroll.lines().get(self.scroll.visible());
        let numbered = self.scroll.visible().zip(lines.unwrap_or_default());
        for (at, (row, line)) in numbered.enumerate() {
            let number = u32::try_from(row + 1).unwrap_or(u32::MAX);
            styled::put(frame, area, at, &gutter.line(number, area.width, theme));
            let seen = styled::skip(line, self.left);
            styled::put(frame, code, at, &seen);
            if seen.width() > usize::from(code.width) {
                styled::put_right(frame, code, at, &theme.line("›", Role::Key));
            }
        }
        if self.follow == Follow::Cursor {
            let (row, column) = self.cursor();
            let row = row.checked_sub(self.scroll.top());
            styled::put_cursor(frame, code, row, column.checked_sub(self.left));
        }
    }

    /// The cursor's line from 0, and its column on screen from 0.
    pub(crate) fn cursor(&self) -> (usize, usize) {
        let (row, before) = self.before_cursor();
        (row, before.width())
    }

    /// The cursor's line from 0, and its text in front of the cursor.
    fn before_cursor(&self) -> (usize, String) {
        let DataCursor(row, letters) = self.area.cursor();
        let line = self.area.lines().get(row).map_or("", String::as_str);
        (row, line.chars().take(letters).collect())
    }

    /// Starts a line with the indentation of the one before, one step deeper after a colon.
    fn new_line(&mut self) {
        let (_, before) = self.before_cursor();
        let deeper = 4 * usize::from(before.trim_end().ends_with(':'));
        let indent = before.len() - before.trim_start().len() + deeper;
        self.area.insert_newline();
        self.area.insert_str(" ".repeat(indent));
    }

    fn jump(&mut self, by: CursorMove) {
        for _ in 0..10 {
            self.area.move_cursor(by);
        }
    }
}

/// What the window follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follow {
    /// The cursor.
    Cursor,
    /// Nothing: the learner scrolls it.
    Window,
}

fn is_plain(key: KeyEvent) -> bool {
    key.modifiers.difference(KeyModifiers::SHIFT).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str, keys: &[KeyCode]) -> String {
        let mut editor = Editor::new(text);
        for code in keys {
            editor.key(KeyEvent::new(*code, KeyModifiers::NONE));
        }
        editor.text()
    }

    #[test]
    fn text_comes_back_as_it_went_in() {
        assert_eq!(typed("a = 1\nb = 2\n", &[]), "a = 1\nb = 2\n");
    }

    #[test]
    fn a_new_line_is_indented_like_the_last_and_deeper_behind_a_colon() {
        let keys = [
            KeyCode::End,
            KeyCode::Enter,
            KeyCode::Char('x'),
            KeyCode::Enter,
            KeyCode::Char('y'),
        ];
        assert_eq!(typed("if a:", &keys), "if a:\n    x\n    y\n");
    }

    #[test]
    fn pasted_text_is_made_visible_and_keeps_its_lines() {
        let mut editor = Editor::new("");
        editor.paste("a\rb\u{202e}\tc");
        assert_eq!(editor.text(), "a\nb<U+202E>   c\n");
    }
}
