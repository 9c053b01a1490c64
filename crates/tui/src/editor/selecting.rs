//! Selecting, with the mouse and as a whole, and copying what is selected.

use ratatui::layout::{Position, Rect};
use ratatui_textarea::CursorMove;
use unicode_segmentation::UnicodeSegmentation;

use super::brackets::CodePosition;
use super::{Editor, Gutter, code};
use crate::styled;

impl Editor {
    /// Selects from one place to another, where the cursor is then.
    pub(super) fn select(&mut self, from: CodePosition, to: CodePosition) {
        self.place_cursor(from);
        self.area.start_selection();
        self.extend_to(to);
    }

    pub(super) fn select_all(&mut self) {
        self.select((0, 0), (usize::MAX, usize::MAX));
    }

    /// Selects the word, the space or the sign at a line and a column of the text, both from 0.
    pub(crate) fn select_word(&mut self, line: usize, column: usize) {
        let text = self.area.lines().get(line).map_or("", String::as_str);
        let at = letters_in(text, column);
        let kinds: Vec<LetterKind> = text.chars().map(LetterKind::of).collect();
        let before = kinds.get(..at).unwrap_or_default();
        let behind = kinds.get(at..).unwrap_or_default();
        // Behind the end of a line, the last word is meant.
        let Some(kind) = behind.first().or(before.last()).copied() else {
            return;
        };
        let same = |it: &&LetterKind| **it == kind && kind != LetterKind::Sign;
        let start = at - before.iter().rev().take_while(same).count();
        let end = at + behind.iter().take_while(same).count();
        let end = end.max(start + 1);
        self.select((line, start), (line, end));
        self.leave_cluster();
    }

    /// Selects a line, from 0, with its line feed.
    pub(crate) fn select_line(&mut self, line: usize) {
        let end = if line + 1 < self.len() {
            (line + 1, 0)
        } else {
            (line, usize::MAX)
        };
        self.select((line, 0), end);
    }

    /// Selects from the cursor, or on from where the selection began, to a place on screen. Above and below the window it is the
    /// next line there, so that the window follows.
    pub(crate) fn drag(&mut self, place: Position, area: Rect, gutter: &Gutter) {
        let code = code(area, gutter);
        let visible = self.scroll.visible();
        let row = if place.y < code.y {
            visible.start.saturating_sub(1)
        } else {
            let down = usize::from(place.y - code.y);
            (visible.start + down).min(visible.end)
        };
        let row = row.min(self.len().saturating_sub(1));
        let column = self.left_of(row) + usize::from(place.x.saturating_sub(code.x));
        let text = self.area.lines().get(row).map_or("", String::as_str);
        let to = (row, letters_in(text, column));
        if !self.area.is_selecting() {
            self.area.start_selection();
        }
        self.extend_to(to);
        self.leave_cluster();
    }

    /// Copies what is selected; nothing where nothing is.
    pub(crate) fn copy(&mut self) -> Option<String> {
        let selected = self.selected()?;
        self.clipboard.clone_from(&selected);
        Some(selected)
    }

    /// Whether what is selected was copied last.
    pub(crate) fn has_copied(&self) -> bool {
        self.selected().is_some_and(|it| it == self.clipboard)
    }

    fn selected(&self) -> Option<String> {
        self.area.selection_range().filter(|it| it.0 != it.1)?;
        // Copying ends a selection.
        let mut area = self.area.clone();
        area.copy();
        Some(area.yank_text())
    }

    /// Where the selection began.
    pub(super) fn anchor(&self) -> Option<CodePosition> {
        let (first, last) = self.area.selection_range()?;
        Some(if self.area.cursor() == first {
            last
        } else {
            first
        })
    }

    /// Moves the cursor, and what is selected with it.
    fn extend_to(&mut self, (row, letter): CodePosition) {
        let number = |it: usize| u16::try_from(it).unwrap_or(u16::MAX);
        self.history.pause();
        self.area
            .move_cursor(CursorMove::Jump(number(row), number(letter)));
    }
}

/// What is said of a copied text.
pub(crate) fn copied(text: &str) -> String {
    let (count, what) = if text.contains('\n') {
        (text.lines().count(), "line")
    } else {
        (text.graphemes(true).count(), "character")
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("Copied {count} {what}{plural} (clipboard).")
}

/// The code points in front of a column.
pub(super) fn letters_in(text: &str, column: usize) -> usize {
    if column == 0 {
        return 0;
    }
    styled::split_str(text, column).0.chars().count()
}

/// What a double click takes together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LetterKind {
    /// Of a name or a number.
    Word,
    Space,
    /// Each is one by itself.
    Sign,
}

impl LetterKind {
    fn of(letter: char) -> Self {
        if letter.is_alphanumeric() || letter == '_' {
            Self::Word
        } else if letter.is_whitespace() {
            Self::Space
        } else {
            Self::Sign
        }
    }
}
