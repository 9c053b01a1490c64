//! What keys and actions do to the text.

use std::ops::RangeInclusive;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_textarea::{CursorMove, DataCursor, TextArea};

use super::Editor;
use super::find::{Find, next};
use super::history::{Change, State};
use crate::keymap::{EditAction, TextAction};
use warpup_text::shown::Shown;

/// Columns of one step of indentation.
const STEP: usize = 4;

impl Editor {
    /// Takes a key while editing.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    pub(crate) fn key(&mut self, key: KeyEvent) {
        if self.find.is_open {
            return self.type_query(key);
        }
        let is_word = key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match key.code {
            KeyCode::Enter => self.new_line(),
            KeyCode::Backspace | KeyCode::Char('w') if is_word => {
                self.change(Change::Other, TextArea::delete_word);
            }
            KeyCode::Delete if is_word => self.change(Change::Other, TextArea::delete_next_word),
            KeyCode::Char('d') if key.modifiers == KeyModifiers::ALT => {
                self.change(Change::Other, TextArea::delete_next_word);
            }
            KeyCode::Backspace | KeyCode::Char('h') if is_word || !is_char(key) => {
                self.delete_back();
            }
            KeyCode::Delete => self.change(Change::Deleted, TextArea::delete_next_char),
            KeyCode::Char('d') if is_word => {
                self.change(Change::Deleted, TextArea::delete_next_char);
            }
            KeyCode::Char(letter) if is_plain(key) => {
                let is_letter = letter.is_alphanumeric() || letter == '_';
                let change = if is_letter {
                    Change::Letter
                } else {
                    Change::Other
                };
                let shown = Shown::one_line(&letter.to_string());
                self.change(change, |it| it.insert_str(shown.as_str()));
            }
            _ => self.go(key),
        }
    }

    /// Performs an action. Gives the text for the clipboard, if there is some.
    pub(crate) fn act(&mut self, action: EditAction) -> Option<String> {
        match action {
            EditAction::Undo => self.undo(),
            EditAction::Redo => self.redo(),
            EditAction::Cut => return self.cut(),
            EditAction::Paste => {
                let text = self.clipboard.clone();
                self.change(Change::Other, |it| it.insert_str(text));
            }
            EditAction::CutLine => self.change(Change::Other, TextArea::delete_line_by_end),
            // At the start of a line, the editing area would join it to the one before.
            EditAction::CutToStart if self.area.cursor().1 == 0 => {}
            EditAction::CutToStart => self.change(Change::Other, TextArea::delete_line_by_head),
            EditAction::Indent => self.indent(),
            EditAction::Dedent => self.rewrite(dedented),
            EditAction::Comment => self.comment(),
            EditAction::Find => {
                self.find = Find {
                    is_open: true,
                    ..Find::default()
                };
            }
            EditAction::FindNext => self.go_to_hit(true),
            EditAction::FindPrevious => self.go_to_hit(false),
            EditAction::LeaveFind => self.find.is_open = false,
        }
        None
    }

    /// Copies what is selected; nothing where nothing is.
    pub(crate) fn copy(&mut self) -> Option<String> {
        self.area.selection_range().filter(|it| it.0 != it.1)?;
        self.area.copy();
        self.clipboard = self.area.yank_text();
        Some(self.clipboard.clone())
    }

    /// Cuts what is selected, or else the line.
    fn cut(&mut self) -> Option<String> {
        if self.area.selection_range().is_none_or(|it| it.0 == it.1) {
            let DataCursor(row, _) = self.area.cursor();
            self.area.move_cursor(CursorMove::Head);
            self.area.start_selection();
            if row + 1 < self.area.lines().len() {
                self.area.move_cursor(CursorMove::Down);
                self.area.move_cursor(CursorMove::Head);
            } else {
                self.area.move_cursor(CursorMove::End);
            }
        }
        self.change(Change::Other, TextArea::cut);
        self.clipboard = self.area.yank_text();
        Some(self.clipboard.clone()).filter(|it| !it.is_empty())
    }

    /// Takes pasted text. Terminals send carriage returns for line ends.
    pub(crate) fn paste(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        if self.find.is_open {
            self.find.field.insert(&text);
            return self.go_to_hit_here();
        }
        let shown = Shown::new(&text);
        self.change(Change::Other, |it| it.insert_str(shown.as_str()));
    }

    /// Takes a whole text, as one step; the cursor stays in its line.
    pub(crate) fn replace(&mut self, text: &str) {
        let before = self.state();
        let shown = Shown::new(text);
        let lines = shown.as_str().trim_end_matches('\n').split('\n');
        let after = State {
            lines: lines.map(ToOwned::to_owned).collect(),
            cursor: before.cursor,
        };
        if after.lines != before.lines {
            self.history.keep(before, Change::Other);
            self.restore(after);
        }
    }

    fn undo(&mut self) {
        let now = self.state();
        if let Some(before) = self.history.undo(now) {
            self.restore(before);
        }
    }

    fn redo(&mut self) {
        let now = self.state();
        if let Some(after) = self.history.redo(now) {
            self.restore(after);
        }
    }

    /// Changes the text, and keeps what it was before.
    fn change<T>(&mut self, change: Change, work: impl FnOnce(&mut TextArea<'static>) -> T) {
        let before = self.state();
        drop(work(&mut self.area));
        if before.lines != self.area.lines() {
            self.history.keep(before, change);
            self.is_stale = true;
        }
    }

    fn state(&self) -> State {
        State {
            lines: self.area.lines().to_vec(),
            cursor: self.area.cursor(),
        }
    }

    pub(super) fn restore(&mut self, state: State) {
        self.area = super::area(state.lines);
        let DataCursor(row, letter) = state.cursor;
        self.place_cursor((row, letter));
        self.is_stale = true;
    }

    pub(super) fn place_cursor(&mut self, (row, letter): (usize, usize)) {
        let number = |it: usize| u16::try_from(it).unwrap_or(u16::MAX);
        self.area.cancel_selection();
        self.area
            .move_cursor(CursorMove::Jump(number(row), number(letter)));
    }

    /// Moves the cursor; with Shift it selects.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    fn go(&mut self, key: KeyEvent) {
        let is_far = key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let (by, times) = match key.code {
            KeyCode::Left if is_far => (CursorMove::WordBack, 1),
            KeyCode::Right if is_far => (CursorMove::WordForward, 1),
            KeyCode::Left => (CursorMove::Back, 1),
            KeyCode::Right => (CursorMove::Forward, 1),
            KeyCode::Up => (CursorMove::Up, 1),
            KeyCode::Down => (CursorMove::Down, 1),
            KeyCode::Home if is_far => (CursorMove::Top, 1),
            KeyCode::End if is_far => (CursorMove::Bottom, 1),
            KeyCode::Home => (self.line_start(), 1),
            KeyCode::Char('a') if is_far => (self.line_start(), 1),
            KeyCode::End => (CursorMove::End, 1),
            KeyCode::Char('e') if is_far => (CursorMove::End, 1),
            KeyCode::PageUp => (CursorMove::Up, self.page),
            KeyCode::PageDown => (CursorMove::Down, self.page),
            _ => return,
        };
        if !key.modifiers.contains(KeyModifiers::SHIFT) {
            self.area.cancel_selection();
        } else if !self.area.is_selecting() {
            self.area.start_selection();
        }
        self.history.pause();
        for _ in 0..times {
            self.area.move_cursor(by);
        }
        // Bottom is the start of the last line.
        if matches!(by, CursorMove::Bottom) {
            self.area.move_cursor(CursorMove::End);
        }
        if matches!(by, CursorMove::Top) {
            self.area.move_cursor(CursorMove::Head);
        }
    }

    /// The first letter of the line; where the cursor is there, the start of the line.
    fn line_start(&self) -> CursorMove {
        let DataCursor(row, letter) = self.area.cursor();
        let indent = self.area.lines().get(row).map_or(0, |it| indent(it));
        let to = if letter == indent { 0 } else { indent };
        let number = |it: usize| u16::try_from(it).unwrap_or(u16::MAX);
        CursorMove::Jump(number(row), number(to))
    }

    /// Starts a line with the indentation of the one before, one step deeper after a colon.
    fn new_line(&mut self) {
        let (_, before) = self.before_cursor();
        let deeper = STEP * usize::from(before.trim_end().ends_with(':'));
        let indent = before.len() - before.trim_start().len() + deeper;
        self.change(Change::Other, |it| {
            it.insert_newline();
            it.insert_str(" ".repeat(indent));
        });
    }

    /// Deletes what is selected, a letter, or in the indentation one step.
    fn delete_back(&mut self) {
        let (_, before) = self.before_cursor();
        let is_indent = !before.is_empty() && before.bytes().all(|it| it == b' ');
        let letters = if is_indent {
            (before.len() - 1) % STEP + 1
        } else {
            1
        };
        let is_selecting = self.area.is_selecting();
        self.change(Change::Deleted, |it| {
            for _ in 0..if is_selecting { 1 } else { letters } {
                it.delete_char();
            }
        });
    }

    /// Indents what is selected, or goes to the next step of the line.
    fn indent(&mut self) {
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
    fn comment(&mut self) {
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
    fn rewrite(&mut self, line: impl Fn(&str) -> String) {
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
            self.place_cursor((*rows.start(), 0));
            self.area.start_selection();
            for _ in rows.clone().skip(1) {
                self.area.move_cursor(CursorMove::Down);
            }
            self.area.move_cursor(CursorMove::End);
        }
    }

    /// Takes a key in the line of what is searched.
    fn type_query(&mut self, key: KeyEvent) {
        if key.code == KeyCode::Char('u') && !is_plain(key) {
            self.find.field.act(TextAction::CutToStart);
        } else {
            self.find.field.key(key);
        }
        self.go_to_hit_here();
    }

    /// Goes to the hit at the cursor or behind it.
    fn go_to_hit_here(&mut self) {
        let hits = self.find.hits(self.area.lines());
        let DataCursor(row, letter) = self.area.cursor();
        let here = hits.iter().find(|it| it.place() >= (row, letter));
        if let Some(hit) = here.or(hits.first()) {
            self.place_cursor(hit.place());
        }
    }

    fn go_to_hit(&mut self, is_forward: bool) {
        let hits = self.find.hits(self.area.lines());
        let DataCursor(row, letter) = self.area.cursor();
        if let Some(hit) = next(&hits, (row, letter), is_forward) {
            self.place_cursor(hit);
        }
    }
}

/// Spaces in front of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A line with one step of indentation less.
fn dedented(line: &str) -> String {
    let spaces = indent(line).min(STEP);
    line.get(spaces..).unwrap_or_default().to_owned()
}

fn is_char(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char(_))
}

fn is_plain(key: KeyEvent) -> bool {
    key.modifiers.difference(KeyModifiers::SHIFT).is_empty()
}
