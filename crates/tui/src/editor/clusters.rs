//! Letters as people see them: several code points may be one, as in an emoji with a skin tone. The cursor never stops inside.

use ratatui_textarea::{CursorMove, DataCursor};
use unicode_segmentation::UnicodeSegmentation;

use super::Editor;

impl Editor {
    /// The move over the letter in front of the cursor.
    pub(super) fn letter_back(&self) -> CursorMove {
        match self.cluster_before() {
            0 | 1 => CursorMove::Back,
            letters => self.letters_on(|it| it.saturating_sub(letters)),
        }
    }

    /// The move over the letter behind the cursor.
    pub(super) fn letter_on(&self) -> CursorMove {
        match self.cluster_behind() {
            0 | 1 => CursorMove::Forward,
            letters => self.letters_on(|it| it + letters),
        }
    }

    /// Code points of the letter in front of the cursor; 0 at the start of a line.
    pub(super) fn cluster_before(&self) -> usize {
        let (_, before) = self.before_cursor();
        let last = before.graphemes(true).next_back();
        last.map_or(0, |it| it.chars().count())
    }

    /// Code points of the letter behind the cursor; 0 at the end of a line.
    pub(super) fn cluster_behind(&self) -> usize {
        let (row, before) = self.before_cursor();
        let line = self.area.lines().get(row).map_or("", String::as_str);
        let behind = line.get(before.len()..).unwrap_or_default();
        let first = behind.graphemes(true).next();
        first.map_or(0, |it| it.chars().count())
    }

    /// Puts a cursor that is inside of a letter behind it.
    pub(super) fn leave_cluster(&mut self) {
        let DataCursor(row, letter) = self.area.cursor();
        let line = self.area.lines().get(row).map_or("", String::as_str);
        if line.is_ascii() {
            return;
        }
        let mut end = 0;
        for it in line.graphemes(true) {
            if end >= letter {
                break;
            }
            end += it.chars().count();
        }
        if end > letter {
            let to = self.letters_on(|_| end);
            self.area.move_cursor(to);
        }
    }

    /// The move to another letter of the same line.
    fn letters_on(&self, to: impl FnOnce(usize) -> usize) -> CursorMove {
        let DataCursor(row, letter) = self.area.cursor();
        let number = |it: usize| u16::try_from(it).unwrap_or(u16::MAX);
        CursorMove::Jump(number(row), number(to(letter)))
    }
}
