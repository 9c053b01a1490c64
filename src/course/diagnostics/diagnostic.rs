//! What is wrong with a course file, and where.
//!
//! A diagnostic keeps bytes; line, column and picture are made only when it is shown, so that reading a
//! course costs nothing for them.

use crate::shown::Shown;
use std::fmt::Write as _;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The course works, but its author would want to know.
    Warning,
    /// Something is missing from the course because of it.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing that is wrong with a course file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file, relative to the course folder.
    pub file: String,
    /// The bytes it is about.
    pub span: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
}

/// Columns of the source line that are shown; a longer line is cut around the caret.
const WIDTH: usize = 100;

/// Columns kept in front of the caret when a line is cut.
const BEFORE: usize = 40;

/// Bytes of a line that are looked at on each side of a span's start. A line may have a mebibyte, and a file a hundred
/// mistakes in it.
const NEAR: usize = 4 << 10;

impl Diagnostic {
    /// The line and column where it starts, both from 1; columns count characters.
    ///
    /// `text` is the text of [`Diagnostic::file`]; another text gives another place, but no panic.
    pub fn position(&self, text: &str) -> (usize, usize) {
        let place = Place::of(&self.span, text);
        (place.number, place.before.chars().count() + 1)
    }

    /// The whole message with its place, the source line, a caret under it and the hint, safe to print.
    pub fn render(&self, text: &str) -> String {
        let (line, column) = self.position(text);
        let mut out = format!(
            "{}:{line}:{column}: {}: {}\n",
            Shown::one_line(&self.file),
            self.severity.word(),
            Shown::one_line(&self.message),
        );
        let (source, indent, carets) = Place::of(&self.span, text).picture();
        if !source.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(
                out,
                "   | {}\n   | {:indent$}{}\n",
                source.trim_end(),
                "",
                "^".repeat(carets)
            );
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(out, "   = hint: {}", Shown::one_line(hint));
        }
        out
    }
}

/// The line a span starts on, cut at the span's ends.
struct Place<'a> {
    /// From 1.
    number: usize,
    before: &'a str,
    inside: &'a str,
    after: &'a str,
}

impl<'a> Place<'a> {
    fn of(span: &Range<usize>, text: &'a str) -> Self {
        let start = floor(text, span.start);
        let end = floor(text, span.end).max(start);
        let head = text.get(..start).unwrap_or_default();
        let line_start = head.rfind('\n').map_or(0, |it| it + 1);
        let rest = text.get(start..).unwrap_or_default();
        let line_end = start + rest.find('\n').unwrap_or(rest.len());
        let cut = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        Self {
            number: head.matches('\n').count() + 1,
            before: cut(line_start, start),
            inside: cut(start, end.min(line_end)).trim_end_matches('\r'),
            after: cut(end.min(line_end), line_end).trim_end_matches('\r'),
        }
    }

    /// The line as shown, the columns in front of the carets, and how many carets.
    fn picture(&self) -> (String, usize, usize) {
        let (inside, after) = (beginning(self.inside), beginning(self.after));
        let start = self.before.len().saturating_sub(NEAR);
        let near = self.before.get(floor(self.before, start)..);
        let near = near.unwrap_or_default();
        let before = Shown::new(near).into_string();
        // The tab stops of what follows depend on what comes before.
        let upto = Shown::new(&format!("{near}{inside}")).into_string();
        let line = Shown::new(&format!("{near}{inside}{after}")).into_string();
        let indent = before.width();
        let carets = upto.width().saturating_sub(indent).max(1);
        if line.width() <= WIDTH {
            return (line, indent, carets);
        }
        let skip = indent.saturating_sub(BEFORE);
        let (shown, skipped) = window(&line, skip);
        let dots = usize::from(skipped > 0);
        let indent = indent - skipped + dots;
        (
            shown,
            indent,
            carets.min((WIDTH + dots).saturating_sub(indent).max(1)),
        )
    }
}

/// At most [`WIDTH`] columns of a line from about column `skip`, and how many columns were left out.
fn window(line: &str, skip: usize) -> (String, usize) {
    let mut shown = String::new();
    let mut column = 0;
    let mut skipped = 0;
    for grapheme in line.graphemes(true) {
        let width = grapheme.width();
        if column + width <= skip {
            skipped = column + width;
        } else if column + width > skipped + WIDTH {
            shown.push('…');
            break;
        } else {
            shown.push_str(grapheme);
        }
        column += width;
    }
    if skipped > 0 {
        shown.insert(0, '…');
    }
    (shown, skipped)
}

/// As much of a text as is looked at.
fn beginning(text: &str) -> &str {
    text.get(..floor(text, NEAR)).unwrap_or_default()
}

/// The nearest character boundary at or before a byte.
fn floor(text: &str, byte: usize) -> usize {
    text.floor_char_boundary(byte.min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    fn rendered(text: &str, needle: &str) -> String {
        let start = text.find(needle).unwrap();
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            file: "lessons/a.md".to_owned(),
            span: start..start + needle.len(),
            message: "this is wrong".to_owned(),
            hint: Some("try another".to_owned()),
        };
        diagnostic.render(text)
    }

    #[test]
    fn the_caret_stands_under_the_span() {
        assert_snapshot!(rendered("one\nlab id=linaer x\n", "linaer"), @r"
        lessons/a.md:2:8: error: this is wrong
           | lab id=linaer x
           |        ^^^^^^
           = hint: try another
        ");
    }

    #[test]
    fn wide_characters_and_tabs_push_the_caret_by_columns_not_characters() {
        assert_snapshot!(rendered("\t漢字 bad\r\n", "bad"), @r"
        lessons/a.md:1:5: error: this is wrong
           |     漢字 bad
           |          ^^^
           = hint: try another
        ");
    }

    #[test]
    fn a_long_line_is_cut_around_the_caret() {
        let text = format!("{}bad{}", "x".repeat(300), "y".repeat(300));
        let shown = rendered(&text, "bad");
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines.iter().all(|line| line.width() < 120), "{shown}");
        let (source, caret) = (lines.get(1).unwrap(), lines.get(2).unwrap());
        let column = caret.find('^').unwrap();
        let under: String = source.chars().skip(column).take(3).collect();
        assert_eq!(under, "bad");
    }

    #[test]
    fn of_a_line_of_a_mebibyte_only_what_is_near_is_looked_at() {
        for letter in ["x", "漢", "\t"] {
            let text = format!("{}bad{}", letter.repeat(100_000), letter.repeat(100_000));
            let diagnostic = Diagnostic {
                severity: Severity::Error,
                file: "f".to_owned(),
                span: letter.len() * 100_000..letter.len() * 100_000 + 3,
                message: String::new(),
                hint: None,
            };
            let place = Place::of(&diagnostic.span, &text);
            let (line, indent, carets) = place.picture();
            assert!(line.starts_with('…'), "{line}");
            assert!(indent <= BEFORE + 2 && carets == 3, "{indent} {carets}");
            assert_eq!(diagnostic.position(&text), (1, 100_001));
        }
    }

    #[test]
    fn escape_sequences_in_the_file_do_not_reach_the_terminal() {
        let shown = rendered("a \x1b[31mbad\n", "bad");
        assert!(!shown.contains('\x1b'));
        assert!(shown.contains("   |        ^^^"), "{shown}");
    }

    proptest! {
        #[test]
        fn any_span_of_any_text_can_be_shown(text in any::<String>(), start in 0usize..99, len in 0usize..99) {
            let diagnostic = Diagnostic {
                severity: Severity::Warning,
                file: "f".to_owned(),
                span: start..start + len,
                message: String::new(),
                hint: None,
            };
            let shown = diagnostic.render(&text);
            prop_assert!(shown.lines().count() <= 3);
        }
    }
}
