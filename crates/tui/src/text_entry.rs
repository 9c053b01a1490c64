//! A text of several lines in the learner's own words: typed, pasted, wrapped between words.
//!
//! Not the editor of a lab: prose is wrapped and never scrolled sideways, has no line numbers, and moves by the rows
//! that are seen. The text is always one that may be shown: what a terminal would obey is made visible on its way in.

use std::ops::Range;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::field::{word_end, word_start};
use super::keymap::TextAction;
use super::scroll::VisibleLines;
use super::theme::{Role, Theme};
use warpup_course::wrap::{Columns, LineBreaks, line_ranges};
use warpup_quiz::own_words::MAX_CHARS;
use warpup_text::shown::Shown;

/// A text entry and its cursor.
#[derive(Debug)]
pub(crate) struct TextEntry {
    text: String,
    /// The byte that the cursor is in front of; always between two letters as people see them.
    cursor: usize,
    /// The columns it was drawn in last, which say what up and down mean.
    columns: usize,
}

impl TextEntry {
    /// A text to go on with, the cursor behind it.
    pub(crate) fn new(text: &str) -> Self {
        let mut entry = Self {
            text: String::new(),
            cursor: 0,
            columns: 80,
        };
        entry.insert(text);
        entry
    }

    /// The text without the space around it.
    pub(crate) fn text(&self) -> &str {
        self.text.trim()
    }

    /// Whether nothing more goes in.
    pub(crate) fn is_full(&self) -> bool {
        self.text.chars().count() >= MAX_CHARS
    }

    /// Puts text in at the cursor, as much of it as there is room for. Terminals send carriage returns for line ends.
    pub(crate) fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let room = MAX_CHARS.saturating_sub(self.text.chars().count());
        let shown: String = Shown::new(&text).as_str().chars().take(room).collect();
        self.text.insert_str(self.cursor, &shown);
        self.cursor += shown.len();
        // A mark that joins the letter behind it would leave the cursor inside of that.
        self.cursor = self.next_from(self.cursor);
    }

    /// Takes a key.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    pub(crate) fn key(&mut self, key: KeyEvent) {
        let is_plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        match key.code {
            KeyCode::Char(letter) if is_plain => self.insert(&letter.to_string()),
            KeyCode::Enter => self.insert("\n"),
            KeyCode::Backspace => {
                let start = self.before();
                self.cut(start..self.cursor);
            }
            KeyCode::Delete => self.cut(self.cursor..self.after()),
            KeyCode::Left => self.cursor = self.before(),
            KeyCode::Right => self.cursor = self.after(),
            KeyCode::Up => self.go_rows(-1),
            KeyCode::Down => self.go_rows(1),
            KeyCode::Home => self.act(TextAction::LineStart),
            KeyCode::End => self.act(TextAction::LineEnd),
            _ => {}
        }
    }

    /// Moves the cursor or cuts. A line is a row that is seen.
    pub(crate) fn act(&mut self, action: TextAction) {
        let (start, end) = (self.row().start, self.end_of(&self.row()));
        let (left, right) = (
            word_start(&self.text, self.cursor),
            word_end(&self.text, self.cursor),
        );
        match action {
            TextAction::LineStart => self.cursor = start,
            TextAction::LineEnd => self.cursor = end,
            // A mark may have joined the space in front of it.
            TextAction::WordLeft => self.cursor = self.next_from(left),
            TextAction::WordRight => self.cursor = self.next_from(right),
            TextAction::CutWord => self.cut(self.next_from(left).min(self.cursor)..self.cursor),
            TextAction::CutToStart => self.cut(start.min(self.cursor)..self.cursor),
            TextAction::CutToEnd => self.cut(self.cursor..end.max(self.cursor)),
        }
    }

    /// Draws the text; the cursor's row is what should be visible.
    pub(crate) fn draw(&mut self, width: u16, theme: Theme) -> VisibleLines {
        // The last column is for the cursor behind a full row.
        self.columns = usize::from(width).saturating_sub(3).max(1);
        let rows = self.rows();
        let at = self.place(&rows);
        let mark = |row: usize| if row == 0 { "› " } else { "  " };
        let lines = rows.iter().enumerate().map(|(row, range)| {
            let text = self.text.get(range.clone()).unwrap_or_default();
            [
                theme.span(mark(row), Role::Key),
                theme.span(text.trim_end_matches('\n'), Role::Text),
            ]
            .into_iter()
            .collect()
        });
        VisibleLines {
            lines: lines.collect(),
            focus: at..at + 1,
            cursor: Some((at, 2 + self.column(&rows, at))),
            ..VisibleLines::default()
        }
    }

    /// The rows on screen: each ends with a line feed or where the next word has no room.
    fn rows(&self) -> Vec<Range<usize>> {
        let mut rows = Vec::new();
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let text = line.strip_suffix('\n').unwrap_or(line);
            let ranges = line_ranges(text, Columns::all(self.columns), LineBreaks::Words);
            rows.extend(ranges.iter().map(|it| start + it.start..start + it.end));
            start += line.len();
            if let Some(last) = rows.last_mut() {
                last.end = start;
            }
        }
        if rows.is_empty() || self.text.ends_with('\n') {
            rows.push(start..start);
        }
        rows
    }

    /// The row that the cursor is in.
    fn place(&self, rows: &[Range<usize>]) -> usize {
        let behind = rows.iter().position(|it| self.cursor < it.end);
        behind.unwrap_or(rows.len().saturating_sub(1))
    }

    fn row(&self) -> Range<usize> {
        let rows = self.rows();
        rows.get(self.place(&rows)).cloned().unwrap_or_default()
    }

    /// The column of the cursor in its row, not beyond the place that space may hang over.
    fn column(&self, rows: &[Range<usize>], at: usize) -> usize {
        let start = rows.get(at).map_or(0, |it| it.start);
        let before = self.text.get(start..self.cursor).unwrap_or_default();
        before.width().min(self.columns)
    }

    /// Where the cursor is behind a row: in front of what ends it, unless nothing follows.
    fn end_of(&self, row: &Range<usize>) -> usize {
        if row.end == self.text.len() && !self.text.ends_with('\n') {
            return row.end;
        }
        let text = self.text.get(row.clone()).unwrap_or_default();
        let last = text.graphemes(true).next_back().map_or(0, str::len);
        row.end.saturating_sub(last).max(row.start)
    }

    fn go_rows(&mut self, down: isize) {
        let rows = self.rows();
        let at = self.place(&rows);
        let wanted = self.column(&rows, at);
        let Some(row) = at.checked_add_signed(down).and_then(|it| rows.get(it)) else {
            self.cursor = if down < 0 { 0 } else { self.text.len() };
            return;
        };
        let end = self.end_of(row);
        let text = self.text.get(row.start..end).unwrap_or_default();
        let mut columns = 0;
        let stop = text.grapheme_indices(true).find(|(_, letter)| {
            let is_there = columns + letter.width() > wanted;
            columns += letter.width();
            is_there
        });
        self.cursor = stop.map_or(end, |(offset, _)| row.start + offset);
    }

    fn cut(&mut self, range: Range<usize>) {
        self.cursor = range.start;
        self.text.replace_range(range, "");
        // What is behind the cut may join what is in front of it.
        self.cursor = self.next_from(self.cursor);
    }

    /// Where the letter in front of the cursor begins.
    fn before(&self) -> usize {
        let before = self.text.get(..self.cursor).unwrap_or_default();
        let last = before.grapheme_indices(true).next_back();
        last.map_or(0, |(at, _)| at)
    }

    /// Where the letter behind the cursor ends.
    fn after(&self) -> usize {
        self.next_from(self.cursor + 1)
    }

    /// The first place between two letters at or behind a byte.
    fn next_from(&self, byte: usize) -> usize {
        let mut starts = self.text.grapheme_indices(true).map(|(at, _)| at);
        starts.find(|it| *it >= byte).unwrap_or(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::styled;
    use crate::theme::{Colours, Letters};
    use proptest::prelude::*;

    fn press(entry: &mut TextEntry, code: KeyCode) {
        entry.key(KeyEvent::new(code, KeyModifiers::NONE));
    }

    /// What is drawn in so many columns, the cursor as `|`.
    fn drawn(entry: &mut TextEntry, width: u16) -> String {
        let theme = Theme {
            colours: Colours::None,
            letters: Letters::Unicode,
        };
        let drawn = entry.draw(width, theme);
        let (row, column) = drawn.cursor.unwrap();
        let rows = drawn.lines.iter().enumerate().map(|(at, line)| {
            let mut line = line.to_string();
            if at == row {
                let (before, _) = styled::split_str(&line, column);
                line.insert(before.len(), '|');
            }
            line
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn words_go_to_the_next_row_whole() {
        let mut entry = TextEntry::new("the host goes on, the card works");
        insta::assert_snapshot!(drawn(&mut entry, 15), @r"
        › the host 
          goes on, the 
          card works|
        ");
    }

    #[test]
    fn up_and_down_move_by_the_rows_that_are_seen() {
        let mut entry = TextEntry::new("the host goes on, the card works");
        drawn(&mut entry, 15);
        press(&mut entry, KeyCode::Up);
        insta::assert_snapshot!(drawn(&mut entry, 15), @r"
        › the host 
          goes on, t|he 
          card works
        ");
        press(&mut entry, KeyCode::Home);
        press(&mut entry, KeyCode::Enter);
        assert_eq!(entry.text(), "the host \ngoes on, the card works");
        press(&mut entry, KeyCode::Down);
        press(&mut entry, KeyCode::End);
        press(&mut entry, KeyCode::Char('!'));
        assert_eq!(entry.text(), "the host \ngoes on, the card works!");
    }

    #[test]
    fn pasted_text_keeps_its_lines_and_is_made_visible() {
        let mut entry = TextEntry::new("");
        entry.insert("a\rb\u{202e}\r\nc\u{1b}[31m");
        assert_eq!(entry.text(), "a\nb<U+202E>\nc␛[31m");
    }

    #[test]
    fn a_text_has_so_many_characters_and_no_more() {
        let mut entry = TextEntry::new(&"x".repeat(MAX_CHARS - 1));
        assert!(!entry.is_full());
        entry.insert("yz");
        assert!(entry.is_full());
        press(&mut entry, KeyCode::Char('z'));
        assert_eq!(entry.text().chars().count(), MAX_CHARS);
        assert!(entry.text().ends_with('y'));
    }

    #[test]
    fn the_keys_of_a_shell_move_and_cut() {
        let mut entry = TextEntry::new("the host goes on, the card works");
        drawn(&mut entry, 15);
        entry.act(TextAction::WordLeft);
        entry.act(TextAction::CutWord);
        assert_eq!(entry.text(), "the host goes on, the works");
        entry.act(TextAction::LineStart);
        entry.act(TextAction::CutToEnd);
        entry.act(TextAction::WordLeft);
        entry.key(KeyEvent::new(KeyCode::Char('|'), KeyModifiers::NONE));
        insta::assert_snapshot!(drawn(&mut entry, 15), @r"
        › the host 
          goes on, 
          ||the
        ");
    }

    #[test]
    fn letters_are_taken_back_as_people_see_them() {
        let mut entry = TextEntry::new("e\u{301}漢");
        press(&mut entry, KeyCode::Backspace);
        press(&mut entry, KeyCode::Backspace);
        assert_eq!(entry.text(), "");
    }

    proptest! {
        #[test]
        fn no_row_is_too_wide_and_no_key_breaks_the_text(
            text in "[a-z 漢\u{301}\n]{0,60}",
            keys in prop::collection::vec(prop::sample::select(vec![
                KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right, KeyCode::Home,
                KeyCode::End, KeyCode::Delete, KeyCode::Backspace, KeyCode::Enter,
                KeyCode::Char('\u{301}'), KeyCode::Char(' '), KeyCode::Char('漢'),
            ]), 0..40),
            actions in prop::collection::vec(prop::sample::select(vec![
                TextAction::WordLeft, TextAction::WordRight, TextAction::CutWord, TextAction::LineEnd,
                TextAction::CutToStart, TextAction::CutToEnd,
            ]), 0..10),
            width in 0u16..20,
        ) {
            let mut entry = TextEntry::new(&text);
            for (at, key) in keys.into_iter().enumerate() {
                press(&mut entry, key);
                if let Some(action) = actions.get(at) {
                    entry.act(*action);
                }
                let theme = Theme { colours: Colours::None, letters: Letters::Unicode };
                let drawn = entry.draw(width, theme);
                let rows = entry.rows();
                prop_assert_eq!(rows.first().unwrap().start, 0);
                prop_assert_eq!(rows.last().unwrap().end, entry.text.len());
                prop_assert!(entry.text.is_char_boundary(entry.cursor));
                let (_, column) = drawn.cursor.unwrap();
                prop_assert!(column <= entry.columns + 2);
                for line in &drawn.lines {
                    let seen = line.to_string();
                    let seen = seen.trim_end().width();
                    prop_assert!(seen <= (entry.columns + 2).max(4), "{:?}", line);
                }
            }
        }
    }
}
