//! The editor of a lab: text with colours, line numbers and a gutter with two clocks.
//!
//! The text area of `ratatui-textarea` keeps the text, the cursor and the selection. Drawing is our own,
//! since each source line carries its times beside it and errors are marked where they happened; so is the history, since a
//! step of it is a word or a block. The text is always one that may be shown: what a terminal would obey is made visible on its way in.

mod brackets;
mod chosen_line;
mod clusters;
mod find;
mod gutter;
mod history;
mod lines;
mod marks;
mod replacing;
mod selecting;
mod typing;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui_textarea::{DataCursor, TextArea};
use unicode_width::UnicodeWidthStr;

use super::field::Field;
use super::keymap::{Context, Motion};
use super::page::highlight;
use super::scroll::Scroll;
use super::styled;
use super::theme::{Role, Theme};
use find::Find;
use history::History;
use warpup_text::shown::Shown;

pub(crate) use gutter::{Clocks, Gutter};
pub(crate) use selecting::copied;

/// Columns of one step of horizontal scrolling.
const SIDEWAYS: usize = 8;

/// The program of a lab, in a window that scrolls.
#[derive(Debug)]
pub(crate) struct Editor {
    area: TextArea<'static>,
    history: History,
    /// What was cut or copied last.
    clipboard: String,
    find: Find,
    /// The number of the line to go to, while it is typed.
    line_to_go_to: Option<Field>,
    /// Lines of a screen, which a page is.
    page: usize,
    /// The text as it was coloured last.
    scroll: Scroll,
    is_stale: bool,
    /// Columns that are out of sight on the left: of all lines while they are read, of the cursor's line while it is edited.
    left: usize,
    /// The row of the cursor at the last layout.
    cursor_row: usize,
    /// Columns of the gutter at the last layout.
    gutter_width: u16,
    /// Columns of the text beside it.
    width: usize,
    /// A row to show at the next layout.
    reveal: Option<usize>,
    follow: Follow,
}

impl Editor {
    /// An editor for a text.
    pub(crate) fn new(text: &str) -> Self {
        let shown = Shown::new(text);
        let lines = shown.as_str().trim_end_matches('\n').split('\n');
        Self {
            area: area(lines.map(ToOwned::to_owned).collect()),
            history: History::default(),
            clipboard: String::new(),
            find: Find::default(),
            line_to_go_to: None,
            page: 1,
            scroll: Scroll::default(),
            is_stale: true,
            left: 0,
            cursor_row: 0,
            gutter_width: 0,
            width: 0,
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

    /// Whether this is the text, without joining its lines for it.
    pub(crate) fn has_text(&self, text: &str) -> bool {
        let lines = self.area.lines().iter().map(String::as_str);
        text.strip_suffix('\n')
            .is_some_and(|it| it.split('\n').eq(lines))
    }

    /// Puts the cursor at the start of a line, from 1, and shows that line.
    pub(crate) fn go_to_line(&mut self, line: u32) {
        let last = self.len().saturating_sub(1);
        let row = usize::try_from(line.saturating_sub(1)).map_or(last, |it| it.min(last));
        self.reveal = Some(row);
        self.place_cursor((row, 0));
    }

    /// Colours the text with the next frame: the theme may be another one.
    pub(crate) fn colour_again(&mut self) {
        self.is_stale = true;
    }

    /// Moves the window, for reading without a cursor.
    pub(crate) fn scroll(&mut self, motion: Motion) {
        self.scroll.go(motion);
    }

    /// The first visible line, from 0.
    pub(crate) fn top(&self) -> usize {
        self.scroll.top()
    }

    /// Whether the last line is visible.
    pub(crate) fn at_end(&self) -> bool {
        self.scroll.at_end()
    }

    /// Moves the window to begin at a line, from 0, as far as there are lines.
    pub(crate) fn go_to(&mut self, top: usize) {
        self.scroll.go_to(top);
    }

    pub(crate) fn scroll_left(&mut self) {
        self.left = self.left.saturating_sub(SIDEWAYS);
    }

    pub(crate) fn scroll_right(&mut self) {
        let widths = self.scroll.lines().iter().map(Line::width);
        let widest = widths.max().unwrap_or(0);
        // No further than to the end of the longest line.
        let most = widest.saturating_sub(self.width).max(self.left);
        self.left = (self.left + SIDEWAYS).min(most);
    }

    /// Whether the lines begin further left than the window.
    pub(crate) fn is_scrolled_right(&self) -> bool {
        self.left > 0
    }

    /// Whether a visible line goes on to the right of the window.
    pub(crate) fn is_cut(&self) -> bool {
        let lines = self.scroll.lines().get(self.scroll.visible());
        let mut lines = lines.unwrap_or_default().iter();
        lines.any(|it| it.width() > self.left + self.width)
    }

    /// Columns of a row that are out of sight on the left.
    fn left_of(&self, row: usize) -> usize {
        match self.follow {
            Follow::Window => self.left,
            Follow::Cursor if row == self.cursor_row => self.left,
            Follow::Cursor => 0,
        }
    }

    /// The number of lines.
    pub(crate) fn len(&self) -> usize {
        self.area.lines().len()
    }

    /// The keys while it is edited: others while something is typed in the line below the program.
    pub(crate) fn context(&self) -> Context {
        if self.line_to_go_to.is_some() {
            Context::GOING_TO_LINE
        } else if self.find.is_open && self.find.replacement.is_some() {
            Context::REPLACING
        } else if self.find.is_open {
            Context::FINDING
        } else {
            Context::EDITING
        }
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
        let height = area
            .height
            .saturating_sub(u16::from(self.context() != Context::EDITING))
            .max(1);
        let (chosen, _) = self.cursor();
        let is_in_sight = self.scroll.visible().contains(&chosen);
        self.scroll.fit(height);
        if is_in_sight && follow == Follow::Window {
            // A pane that takes more rows does not take those of the chosen line.
            self.scroll.show(&(chosen..chosen + 1));
        }
        self.page = usize::from(height);
        if let Some(row) = self.reveal.take()
            && !self.scroll.visible().contains(&row)
        {
            self.scroll
                .go_to(row.saturating_sub(usize::from(area.height) / 2));
        }
        if follow == Follow::Window && self.follow != Follow::Window {
            // Who has stopped typing reads from the start of the lines.
            self.left = 0;
        }
        self.follow = follow;
        self.gutter_width = gutter.width(area.width);
        let width = usize::from(area.width.saturating_sub(self.gutter_width).max(2));
        self.width = width;
        if follow == Follow::Window {
            return;
        }
        let (row, column) = self.cursor();
        self.scroll.show(&(row..row + 1));
        if row != self.cursor_row {
            // The line that was left is shown from its start again.
            self.left = 0;
        }
        self.cursor_row = row;
        // The first column may have the mark of a line that begins further left.
        self.left = self
            .left
            .min(column.saturating_sub(1))
            .max((column + 2).saturating_sub(width));
    }

    /// Draws the text and, while editing, places the cursor.
    pub(crate) fn view(&self, frame: &mut Frame<'_>, area: Rect, gutter: &Gutter, theme: Theme) {
        let code = code(area, gutter);
        let lines = self.scroll.lines().get(self.scroll.visible());
        let numbered = self.scroll.visible().zip(lines.unwrap_or_default());
        for (at, (row, line)) in numbered.enumerate() {
            let number = u32::try_from(row + 1).unwrap_or(u32::MAX);
            styled::put(frame, area, at, &gutter.line(number, area.width, theme));
            let left = self.left_of(row);
            let seen = styled::skip(line, left);
            styled::put(frame, code, at, &seen);
            if left > 0 && line.width() > 0 {
                styled::put(frame, code, at, &theme.line("‹", Role::Key));
            }
            if seen.width() > usize::from(code.width) {
                styled::put_right(frame, code, at, &theme.line("›", Role::Key));
            }
        }
        if let Some(line) = &self.line_to_go_to {
            let said = format!(" of {}", self.len());
            return marks::view_typed(frame, area, ("go to line: ", line, &said), theme);
        }
        if self.find.is_open {
            return self.view_find(frame, area, theme);
        }
        if self.follow == Follow::Window {
            self.view_chosen_line(frame, area, gutter, theme);
        }
        if self.follow == Follow::Cursor {
            self.view_marks(frame, code, theme);
            let (row, column) = self.cursor();
            let row = row.checked_sub(self.scroll.top());
            styled::put_cursor(frame, code, row, column.checked_sub(self.left));
        }
    }

    /// Puts the cursor on the first visible line if the learner has scrolled away from it.
    pub(crate) fn begin_in_sight(&mut self) {
        let visible = self.scroll.visible();
        let (row, _) = self.cursor();
        if self.reveal.is_none() && !visible.is_empty() && !visible.contains(&row) {
            self.put_cursor(visible.start, 0);
        }
    }

    /// The line and the column of the text at a place on screen, both from 0.
    pub(crate) fn at(
        &self,
        place: Position,
        area: Rect,
        gutter: &Gutter,
    ) -> Option<(usize, usize)> {
        let code = code(area, gutter);
        let line = self.scroll.line_at(place, code)?;
        Some((line, self.left_of(line) + usize::from(place.x - code.x)))
    }

    /// Puts the cursor at a line and a column of the text, or behind the end of the line.
    pub(crate) fn put_cursor(&mut self, line: usize, column: usize) {
        let text = self.area.lines().get(line).map_or("", String::as_str);
        let letters = selecting::letters_in(text, column);
        self.place_cursor((line, letters));
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
}

/// The area of the text beside its gutter.
fn code(area: Rect, gutter: &Gutter) -> Rect {
    let margin = gutter.width(area.width).min(area.width);
    Rect {
        x: area.x + margin,
        width: area.width - margin,
        ..area
    }
}

/// A text area with these lines. It keeps no history: ours has larger steps.
fn area(lines: Vec<String>) -> TextArea<'static> {
    let mut area = TextArea::new(lines);
    area.set_tab_length(4);
    area.set_max_histories(0);
    area
}

/// What the window follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follow {
    /// The cursor.
    Cursor,
    /// Nothing: the learner scrolls it.
    Window,
}

#[cfg(test)]
mod tests;
