//! Breaks text into lines.
//!
//! Pure, and knows nothing of styles: a line is a range of bytes, from which plain output cuts strings and the app
//! styled spans, so that both break alike. Only addresses and code differ: plain output cuts neither, since they could
//! not be followed, copied or typed then; the app does, since it cannot show a line that is wider than the terminal. `textwrap` breaks plain strings into strings: ranges over
//! styled spans, and code, would still be ours.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Where a line may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineBreaks {
    /// Between words. A word that is wider than a line is cut between graphemes.
    Words,
    /// As [`LineBreaks::Words`], but an address (`https://…`) stays whole, however wide it is, and code between backticks
    /// stays whole where a line has room for it.
    Plain,
    /// Behind space, a comma, a bracket or an operator of code, outside of strings where possible; otherwise between any two
    /// graphemes.
    Code,
}

/// The terminal columns of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Of the first line.
    pub first: usize,
    /// Of all other lines.
    pub rest: usize,
}

impl Columns {
    /// The same for all lines.
    pub fn all(columns: usize) -> Self {
        Self {
            first: columns,
            rest: columns,
        }
    }
}

/// Breaks text without line feeds. The ranges cover the text: the space at a break ends a line and may be wider than it.
///
/// Apart from that space, only a single grapheme can be wider than its line.
pub fn line_ranges(text: &str, columns: Columns, breaks: LineBreaks) -> Vec<Range<usize>> {
    let mut lines = LineBreaker {
        columns,
        ended: Vec::new(),
        start: 0,
        used: 0,
    };
    if breaks == LineBreaks::Code {
        lines.push_code(text);
    } else {
        let mut at = 0;
        let room = columns.first.min(columns.rest);
        let parts = match breaks {
            LineBreaks::Plain => with_whole_code(text, room),
            LineBreaks::Words | LineBreaks::Code => text.split_inclusive(' ').collect(),
        };
        for part in parts {
            let word = part.strip_suffix(' ').unwrap_or(part);
            lines.push_word(at, word, breaks);
            lines.used += part.len() - word.len();
            at += part.len();
        }
    }
    lines.end(text.len());
    lines.ended
}

/// Breaks text of any number of lines into lines of at most `columns`, which only addresses exceed. Drops the space at
/// both ends of a line.
pub fn wrap_str(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let line = line.trim_start_matches(' ');
        for range in line_ranges(line, Columns::all(columns), LineBreaks::Plain) {
            let part = line.get(range).unwrap_or_default();
            lines.push(part.trim_end_matches(' ').to_owned());
        }
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// The words of a text, each with the space behind it. Code between backticks is one word if it fits in `room` columns.
fn with_whole_code(text: &str, room: usize) -> Vec<&str> {
    let has_one_end = |word: &str| word.matches('`').count() % 2 == 1;
    let mut parts = Vec::new();
    let mut words = text.split_inclusive(' ');
    let mut start = 0;
    while let Some(word) = words.next() {
        let mut end = start + word.len();
        let mut code_end = end;
        let mut ahead = words.clone();
        let closing = has_one_end(word).then(|| {
            ahead.find(|it| {
                code_end += it.len();
                has_one_end(it)
            })
        });
        if closing.flatten().is_some() {
            words = ahead;
            end = code_end;
        }
        let part = text.get(start..end).unwrap_or_default();
        if width(part.trim_end_matches(' ')) > room {
            parts.extend(part.split_inclusive(' '));
        } else {
            parts.push(part);
        }
        start = end;
    }
    parts
}

/// The terminal columns of a text.
pub fn width(text: &str) -> usize {
    // Most text is printable ASCII.
    if text.bytes().all(|it| matches!(it, b' '..=b'~')) {
        text.len()
    } else {
        text.width()
    }
}

/// Whether a line does not begin with it: what ends a sentence, or closes a quotation or a bracket. Text without space
/// between its words, such as Chinese and Japanese, breaks anywhere else.
fn is_closing(grapheme: &str) -> bool {
    let signs = "。、，．：；？！…‥・ー々」』）】〉》〕〗］｝”’%％‰°.,:;?!)]}";
    grapheme.chars().next().is_some_and(|it| signs.contains(it))
}

/// Lines that are being broken.
struct LineBreaker {
    columns: Columns,
    ended: Vec<Range<usize>>,
    /// The first byte of the current line.
    start: usize,
    /// Its columns so far.
    used: usize,
}

impl LineBreaker {
    fn room(&self) -> usize {
        let columns = if self.ended.is_empty() {
            self.columns.first
        } else {
            self.columns.rest
        };
        columns.max(1)
    }

    /// Ends the line before byte `at` if the next `wide` columns have no room on it.
    fn make_room(&mut self, at: usize, wide: usize) {
        if self.used > 0 && self.used + wide > self.room() {
            self.end(at);
        }
    }

    fn end(&mut self, at: usize) {
        self.ended.push(self.start..at);
        self.start = at;
        self.used = 0;
    }

    fn push_word(&mut self, at: usize, word: &str, breaks: LineBreaks) {
        if word.is_empty() {
            return;
        }
        let wide = width(word);
        self.make_room(at, wide);
        let is_whole = breaks == LineBreaks::Plain && word.contains("://");
        if wide <= self.room() || is_whole {
            self.used += wide;
        } else {
            self.push_graphemes(at, word);
        }
    }

    fn push_code(&mut self, text: &str) {
        let places = CodePlaces::of(text);
        for (at, grapheme) in text.grapheme_indices(true) {
            let wide = width(grapheme);
            while self.used > 0 && self.used + wide > self.room() {
                // A break far to the left would waste the line.
                let least = self.room() / 3;
                let from = |place: usize| text.get(self.start..place).unwrap_or_default();
                let is_far = |it: &usize| *it > self.start && width(from(*it)) >= least;
                let place = places.before(at).find(is_far).unwrap_or(at);
                self.end(place);
                self.used = width(text.get(place..at).unwrap_or_default());
            }
            self.used += wide;
        }
    }

    fn push_graphemes(&mut self, at: usize, text: &str) {
        // Where the line may end last, and the columns behind that: a closing sign stays with the letter in front of it.
        let (mut last, mut behind) = (at, 0);
        for (offset, grapheme) in text.grapheme_indices(true) {
            let wide = width(grapheme);
            let closes = offset > 0 && is_closing(grapheme);
            if closes && self.used + wide > self.room() && last > self.start {
                let room = self.columns.rest.max(1);
                if behind + wide <= room {
                    self.end(last);
                    self.used = behind;
                }
            }
            self.make_room(at + offset, wide);
            self.used += wide;
            if closes {
                behind += wide;
            } else {
                (last, behind) = (at + offset, wide);
            }
        }
    }
}

/// The places in a line of code where it breaks well, from left to right.
struct CodePlaces {
    outside: Vec<usize>,
    /// Behind the space inside of strings and comments.
    inside: Vec<usize>,
}

impl CodePlaces {
    fn of(text: &str) -> Self {
        let mut places = Self {
            outside: Vec::new(),
            inside: Vec::new(),
        };
        let mut quote = None;
        let mut letters = text.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let end = at + letter.len_utf8();
            let next = letters.peek().map_or(' ', |it| it.1);
            match quote {
                Some('#') | None if letter == '#' => quote = Some('#'),
                None if matches!(letter, '"' | '\'') => quote = Some(letter),
                Some(open) if open == letter => quote = None,
                Some(_) | None => {}
            }
            let is_bound = " )]},:;.=+-*/%<>&|".contains(next);
            if is_bound {
                continue;
            }
            if quote.is_some() {
                places.inside.extend((letter == ' ').then_some(end));
            } else if " ,([{=+-*/%<>&|".contains(letter) {
                places.outside.push(end);
            }
        }
        places
    }

    /// The places up to a byte, the best first.
    fn before(&self, at: usize) -> impl Iterator<Item = usize> {
        let outside = self.outside.iter().rev();
        let all = outside.chain(self.inside.iter().rev());
        all.copied().filter(move |it| *it <= at)
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
    fn code_between_backticks_stays_whole_where_a_line_has_room_for_it() {
        assert_eq!(
            wrapped("type `page 3` or `run first-run`.", 18),
            "type `page 3` or|`run first-run`."
        );
        assert_eq!(
            wrapped("`run first-run` again", 9),
            "`run|first-run|` again"
        );
        assert_eq!(wrapped("a lone ` and text", 9), "a lone `|and text");
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
    fn a_line_does_not_begin_with_a_sign_that_closes() {
        assert_eq!(wrapped("漢字漢。漢字", 6), "漢字|漢。漢|字");
        assert_eq!(wrapped("漢字漢」。漢字", 6), "漢字|漢」。|漢字");
        // Where the letter before it has no room beside it, it is alone.
        assert_eq!(wrapped("漢。", 2), "漢|。");
        assert_eq!(wrapped("abcdef)", 6), "abcde|f)");
    }

    #[test]
    fn line_feeds_break_and_space_at_a_break_is_dropped() {
        assert_eq!(wrapped("a \n b\n\nc", 9), "a|b||c");
        assert_eq!(wrapped("", 9), "");
    }

    #[test]
    fn space_between_words_stays_where_no_line_ends() {
        assert_eq!(wrapped("a  b   c", 5), "a  b|c");
    }

    #[test]
    fn following_lines_may_be_narrower_and_break_anywhere() {
        assert_eq!(code("x = 12345", 4, 2), ["x = ", "12", "34", "5"]);
    }

    /// The lines of code.
    fn code(text: &str, first: usize, rest: usize) -> Vec<&str> {
        let lines = line_ranges(text, Columns { first, rest }, LineBreaks::Code);
        let lines = lines.into_iter();
        lines.filter_map(|it| text.get(it)).collect()
    }

    #[test]
    fn code_breaks_behind_signs_and_outside_of_strings_where_it_can() {
        assert_eq!(
            code("print(x.device, y.cpu().sum())", 26, 24),
            ["print(x.device, ", "y.cpu().sum())"]
        );
        assert_eq!(
            code("    total = first.sum() + second", 28, 26),
            ["    total = first.sum() + ", "second"]
        );
        assert_eq!(
            code("print(\"a, b\", \"one two, three\")", 24, 22),
            ["print(\"a, b\", ", "\"one two, three\")"]
        );
        assert_eq!(
            code("x = \"one two three four\"", 18, 16),
            ["x = \"one two ", "three four\""]
        );
        assert_eq!(code("assert a==bcdefgh", 12, 10), ["assert a==", "bcdefgh"]);
        assert_eq!(
            code("averylongnameofsomething", 10, 8),
            ["averylongn", "ameofsom", "ething"]
        );
    }

    proptest! {
        #[test]
        fn no_line_of_text_without_space_begins_with_a_sign_that_closes(text in "([漢字a][。、」.]{0,2}){0,40}", width in 6..42usize) {
            let begins = |it: &String| it.graphemes(true).next().is_some_and(is_closing);
            let lines = wrap_str(&text, width);
            prop_assert!(!lines.iter().any(begins), "{lines:?}");
        }

        #[test]
        fn no_line_is_too_wide_and_no_letter_is_lost(text in "[a-zé漢。) \n]{0,60}", width in 2..20usize) {
            let lines = wrap_str(&text, width);
            for line in &lines {
                prop_assert!(line.width() <= width, "{line:?}");
            }
            let letters = |text: &str| text.chars().filter(|it| !it.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
