//! What keys and actions do to the text.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_textarea::{CursorMove, DataCursor, TextArea};

use super::Editor;
use super::find::{Find, next};
use super::history::{Change, State};
use super::lines::{STEP, dedented, indent};
use crate::field::Field;
use crate::keymap::{EditAction, TextAction};
use warpup_text::shown::Shown;

impl Editor {
    /// Takes a key while editing.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    pub(crate) fn key(&mut self, key: KeyEvent) {
        if let Some(line) = &mut self.line_to_go_to {
            return line.key(key);
        }
        if let Some(replacement) = &mut self.find.replacement {
            return replacement.key(key);
        }
        if self.find.is_open {
            return self.type_query(key);
        }
        match key.code {
            KeyCode::Enter => self.new_line(),
            KeyCode::Backspace => self.delete_back(),
            // Many terminals send it for Backspace.
            KeyCode::Char('h') if !is_plain(key) => self.delete_back(),
            KeyCode::Delete => self.delete_next(),
            KeyCode::Char(letter) if is_plain(key) => {
                if letter == ' ' && !self.before_cursor().1.ends_with(' ') {
                    self.history.pause();
                }
                let shown = Shown::one_line(&letter.to_string());
                self.change(Change::Letter, |it| it.insert_str(shown.as_str()));
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
            EditAction::SelectAll => self.select_all(),
            EditAction::DeleteNext => self.delete_next(),
            EditAction::DeleteWord => self.change(Change::Other, TextArea::delete_word),
            EditAction::DeleteNextWord => {
                self.change(Change::Other, TextArea::delete_next_word);
            }
            EditAction::MoveUp => self.move_lines_up(),
            EditAction::MoveDown => self.move_lines_down(),
            EditAction::Double => self.double_lines(),
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
            EditAction::LeaveFind => {
                self.find.is_open = false;
                self.find.replacement = None;
                self.line_to_go_to = None;
            }
            EditAction::AskForReplacement => self.ask_for_replacement(),
            EditAction::Replace => self.replace_hit(),
            EditAction::ReplaceAll => self.replace_all_hits(),
            EditAction::AskForLine => self.line_to_go_to = Some(Field::default()),
            EditAction::GoToLine => {
                let typed = self.line_to_go_to.take().map(|it| it.text());
                if let Some(line) = typed.and_then(|it| it.trim().parse().ok()) {
                    self.go_to_line(line);
                }
            }
        }
        None
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
        if let Some(line) = &mut self.line_to_go_to {
            return line.insert(&text);
        }
        if let Some(replacement) = &mut self.find.replacement {
            return replacement.insert(&text);
        }
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
    pub(super) fn change<T>(
        &mut self,
        change: Change,
        work: impl FnOnce(&mut TextArea<'static>) -> T,
    ) {
        let before = self.state();
        drop(work(&mut self.area));
        self.leave_cluster();
        if before.lines != self.area.lines() {
            self.history.keep(before, change);
            self.is_stale = true;
        }
    }

    pub(super) fn state(&self) -> State {
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
            KeyCode::Left => (self.letter_back(), 1),
            KeyCode::Right => (self.letter_on(), 1),
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
        self.leave_cluster();
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
            self.cluster_before()
        };
        let is_selecting = self.area.is_selecting();
        self.change(Change::Deleted, |it| {
            for _ in 0..if is_selecting { 1 } else { letters.max(1) } {
                it.delete_char();
            }
        });
    }

    /// Deletes what is selected, or else the letter behind the cursor.
    fn delete_next(&mut self) {
        let letters = self.cluster_behind();
        if letters > 1 && !self.area.is_selecting() {
            let DataCursor(row, letter) = self.area.cursor();
            self.select((row, letter), (row, letter + letters));
        }
        self.change(Change::Deleted, TextArea::delete_next_char);
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
    pub(super) fn go_to_hit_here(&mut self) {
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

fn is_plain(key: KeyEvent) -> bool {
    key.modifiers.difference(KeyModifiers::SHIFT).is_empty()
}
