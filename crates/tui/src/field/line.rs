//! One line of typed text.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::words::{word_end, word_start};
use crate::keymap::TextAction;
use warpup_text::shown::Shown;

/// The most letters of a line: far more than anybody types there, and few enough to be drawn and searched at each key.
const MOST: usize = 500;

/// Text, with a cursor between its two parts.
#[derive(Debug, Default)]
pub(crate) struct Field {
    before: String,
    after: String,
}

impl Field {
    /// The text.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    /// Columns in front of the cursor.
    pub(crate) fn column(&self) -> usize {
        self.before.width()
    }

    /// Puts text in at the cursor, as far as there is room; it is made safe and stays on one line.
    pub(crate) fn insert(&mut self, text: &str) {
        let used = self.before.chars().count() + self.after.chars().count();
        let safe = Shown::one_line(text);
        let fitting = safe.as_str().chars().take(MOST.saturating_sub(used));
        self.before.extend(fitting);
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
            KeyCode::Backspace => drop(take_last(&mut self.before)),
            KeyCode::Delete => drop(take_first(&mut self.after)),
            KeyCode::Left => self.after.insert_str(0, &take_last(&mut self.before)),
            KeyCode::Right => self.before.push_str(&take_first(&mut self.after)),
            KeyCode::Home => self.act(TextAction::LineStart),
            KeyCode::End => self.act(TextAction::LineEnd),
            _ => {}
        }
    }

    /// Moves the cursor or cuts.
    pub(crate) fn act(&mut self, action: TextAction) {
        let at = self.before.len();
        match action {
            TextAction::LineStart => self.go(0),
            TextAction::LineEnd => self.go(at + self.after.len()),
            TextAction::WordLeft => self.go(word_start(&self.before, at)),
            TextAction::WordRight => self.go(at + word_end(&self.after, 0)),
            TextAction::CutWord => self.before.truncate(word_start(&self.before, at)),
            TextAction::CutToStart => self.before.clear(),
            TextAction::CutToEnd => self.after.clear(),
        }
    }

    /// Puts the cursor in front of a byte.
    fn go(&mut self, at: usize) {
        let mut text = self.text();
        self.after = text.split_off(at);
        self.before = text;
    }
}

/// Takes the last grapheme off.
fn take_last(text: &mut String) -> String {
    let at = text.grapheme_indices(true).next_back().map_or(0, |it| it.0);
    text.split_off(at)
}

/// Takes the first grapheme off.
fn take_first(text: &mut String) -> String {
    let end = text.graphemes(true).next().map_or(0, str::len);
    let rest = text.split_off(end);
    std::mem::replace(text, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[KeyCode]) -> (String, usize) {
        let mut field = Field::default();
        for code in keys {
            field.key(KeyEvent::new(*code, KeyModifiers::NONE));
        }
        (field.text(), field.column())
    }

    #[test]
    fn the_cursor_moves_by_letters_as_people_see_them() {
        let keys = ['a', '漢', 'b'].map(KeyCode::Char);
        let mut all = keys.to_vec();
        all.extend([KeyCode::Left, KeyCode::Backspace, KeyCode::Char('c')]);
        assert_eq!(typed(&all), ("acb".to_owned(), 2));
    }

    #[test]
    fn a_line_takes_no_more_than_can_be_drawn_at_each_key() {
        let mut field = Field::default();
        field.insert(&"漢".repeat(MOST - 1));
        field.insert("ab");
        field.act(TextAction::LineStart);
        field.insert("c");
        assert_eq!(field.text(), format!("{}a", "漢".repeat(MOST - 1)));
        field.act(TextAction::LineEnd);
        field.act(TextAction::CutToStart);
        field.insert("d");
        assert_eq!(field.text(), "d");
    }

    #[test]
    fn the_keys_of_a_shell_move_and_cut() {
        let after = |actions: &[TextAction]| {
            let mut field = Field::default();
            field.insert("one two three");
            for action in actions {
                field.act(*action);
            }
            format!("{}|{}", field.before, field.after)
        };
        assert_eq!(after(&[TextAction::CutWord]), "one two |");
        assert_eq!(
            after(&[TextAction::WordLeft, TextAction::CutWord]),
            "one |three"
        );
        assert_eq!(
            after(&[TextAction::LineStart, TextAction::WordRight]),
            "one| two three"
        );
        let start = TextAction::LineStart;
        assert_eq!(
            after(&[start, TextAction::WordRight, TextAction::CutToEnd]),
            "one|"
        );
        assert_eq!(
            after(&[TextAction::WordLeft, TextAction::CutToStart]),
            "|three"
        );
        assert_eq!(after(&[start, TextAction::LineEnd]), "one two three|");
    }
}
