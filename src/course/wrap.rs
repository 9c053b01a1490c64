//! Breaks styled text into lines.
//!
//! Pure, and knows nothing of what a style is: the screen and plain output break alike. Words go to the
//! next line whole; one that is wider than a line is cut between characters as a reader sees them, unless it is an address.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// One line: runs of characters, neighbours of different styles.
pub type Line<S> = Vec<(String, S)>;

/// Breaks runs of text into lines of at most `width` columns. A `"\n"` always breaks.
///
/// Never gives a wider line, except where one character alone is wider than `width`, and for addresses
/// (`https://…`): one that is cut can be neither followed nor copied. Space at a break is dropped.
pub fn wrap<'a, S: Copy + PartialEq>(
    runs: impl IntoIterator<Item = (&'a str, S)>,
    width: usize,
) -> Vec<Line<S>> {
    let mut wrapping = Wrapping::new(width.max(1));
    for (text, style) in runs {
        for grapheme in text.graphemes(true) {
            match grapheme {
                "\n" | "\r\n" => wrapping.end_line(),
                " " => wrapping.space(style),
                _ => wrapping.push(grapheme, style),
            }
        }
    }
    wrapping.finish()
}

/// Breaks text without styles.
pub fn wrap_str(text: &str, width: usize) -> Vec<String> {
    let join = |line: Line<()>| line.into_iter().map(|(text, ())| text).collect();
    wrap([(text, ())], width).into_iter().map(join).collect()
}

/// Part of a line and its columns.
struct Part<S> {
    runs: Line<S>,
    width: usize,
}

impl<S: Copy + PartialEq> Part<S> {
    fn new() -> Self {
        Self {
            runs: Vec::new(),
            width: 0,
        }
    }

    fn push(&mut self, text: &str, style: S) {
        self.width += text.width();
        match self.runs.last_mut() {
            Some((last, of)) if *of == style => last.push_str(text),
            Some(_) | None => self.runs.push((text.to_owned(), style)),
        }
    }

    /// Whether it is an address, as far as it was read.
    fn is_address(&self) -> bool {
        self.runs.iter().any(|(text, _)| text.contains("://"))
    }

    fn append(&mut self, other: Self) {
        for (text, style) in other.runs {
            self.push(&text, style);
        }
    }

    fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new())
    }
}

struct Wrapping<S> {
    limit: usize,
    lines: Vec<Line<S>>,
    /// What is sure to stand on the line.
    line: Part<S>,
    /// Space after it, written only if a word follows on the same line.
    gap: Part<S>,
    /// The word that is being read.
    word: Part<S>,
}

impl<S: Copy + PartialEq> Wrapping<S> {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            lines: Vec::new(),
            line: Part::new(),
            gap: Part::new(),
            word: Part::new(),
        }
    }

    fn space(&mut self, style: S) {
        self.end_word();
        self.gap.push(" ", style);
    }

    fn push(&mut self, grapheme: &str, style: S) {
        if self.word.width > 0
            && self.word.width + grapheme.width() > self.limit
            && !self.word.is_address()
        {
            self.end_word();
            self.break_line();
        }
        self.word.push(grapheme, style);
    }

    fn end_word(&mut self) {
        if self.word.runs.is_empty() {
            return;
        }
        let word = self.word.take();
        if self.line.width + self.gap.width + word.width > self.limit {
            if !self.line.runs.is_empty() {
                self.break_line();
            }
            self.gap = Part::new();
        }
        let gap = self.gap.take();
        if !self.line.runs.is_empty() {
            self.line.append(gap);
        }
        self.line.append(word);
    }

    fn break_line(&mut self) {
        self.gap = Part::new();
        self.lines.push(self.line.take().runs);
    }

    fn end_line(&mut self) {
        self.end_word();
        self.break_line();
    }

    fn finish(mut self) -> Vec<Line<S>> {
        self.end_word();
        if !self.line.runs.is_empty() || self.lines.is_empty() {
            self.break_line();
        }
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wrapped(text: &str, width: usize) -> String {
        wrap_str(text, width).join("|")
    }

    #[test]
    fn words_go_to_the_next_line_whole() {
        assert_eq!(wrapped("one two three", 8), "one two|three");
        assert_eq!(wrapped("one two three", 7), "one two|three");
        assert_eq!(wrapped("one two three", 6), "one|two|three");
    }

    #[test]
    fn a_word_wider_than_a_line_is_cut() {
        assert_eq!(wrapped("abcdefgh", 3), "abc|def|gh");
        assert_eq!(wrapped("a bcdefgh i", 3), "a|bcd|efg|h i");
    }

    #[test]
    fn an_address_is_never_cut() {
        assert_eq!(
            wrapped("see <https://x.org/long/way> now", 12),
            "see|<https://x.org/long/way>|now"
        );
    }

    #[test]
    fn wide_characters_and_marks_count_as_they_are_seen() {
        assert_eq!(wrapped("漢字漢字", 5), "漢字|漢字");
        assert_eq!(
            wrapped("e\u{301}e\u{301}e\u{301}", 2),
            "e\u{301}e\u{301}|e\u{301}"
        );
    }

    #[test]
    fn line_feeds_break_and_space_at_a_break_is_dropped() {
        assert_eq!(wrapped("a \n b\n\nc", 9), "a|b||c");
        assert_eq!(wrapped("", 9), "");
    }

    #[test]
    fn styles_stay_with_their_characters() {
        let lines = wrap([("plain ", 'p'), ("bo", 'b'), ("ld end", 'p')], 8);
        let expected = [
            vec![("plain".to_owned(), 'p')],
            vec![("bo".to_owned(), 'b'), ("ld end".to_owned(), 'p')],
        ];
        assert_eq!(lines, expected);
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_no_letter_is_lost(text in "[a-zé漢 \n]{0,60}", width in 2..20usize) {
            let lines = wrap_str(&text, width);
            for line in &lines {
                prop_assert!(line.width() <= width, "{line:?}");
            }
            let letters = |text: &str| text.chars().filter(|it| !it.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
