//! A diagnostic as text: title, place, source line with carets, and what to try.
//!
//! annotate-snippets draws it. All that it gets was made safe before, and a long line was cut: a line may have a mebibyte,
//! and a file a hundred mistakes in it.

use super::diagnostic::{Diagnostic, Severity};
use super::place::{SourceLine, floor};
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;
use warpup_text::shown::Shown;

/// Columns of the source line that are shown; a longer line is cut around the carets.
const WIDTH: usize = 100;

/// Columns kept in front of the carets when a line is cut.
const BEFORE: usize = 40;

/// Bytes of a line that are looked at on each side of a span's start.
const NEAR: usize = 4 << 10;

impl Diagnostic {
    /// The whole message with its place, the source line, carets under it and the hint, safe to print.
    pub fn render(&self, text: &str) -> String {
        draw(self, text, &Renderer::plain())
    }

    /// The same in the colours of a terminal. Nothing of the file or the message can change them.
    pub fn render_in_colour(&self, text: &str) -> String {
        draw(self, text, &Renderer::styled())
    }
}

/// Draws a diagnostic about a file of this text. The result ends with a line feed.
fn draw(diagnostic: &Diagnostic, text: &str, renderer: &Renderer) -> String {
    let safe = |text: &str| Shown::one_line(text).into_string();
    let place = SourceLine::of(&diagnostic.span, text);
    let (number, column) = (place.number, place.column());
    let file = safe(&diagnostic.file);
    let (line, marked) = picture(&place);
    let level = match diagnostic.severity {
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let title = level
        .primary_title(safe(&diagnostic.message))
        .id(diagnostic.rule.name());
    let help = diagnostic.hint.as_deref().map(safe);
    let help = help.map(|it| Level::HELP.message(it));
    if line.trim().is_empty() {
        let origin = Origin::path(file).line(number).char_column(column);
        return renderer.render(&[title.element(origin).elements(help)]) + "\n";
    }
    let drawn_column = line.get(..marked.start).map_or(0, |it| it.chars().count()) + 1;
    let snippet = Snippet::source(line)
        .line_start(number)
        .path(file.clone())
        .annotation(AnnotationKind::Primary.span(marked));
    let drawn = renderer.render(&[title.element(snippet).elements(help)]) + "\n";
    if drawn_column == column {
        return drawn;
    }
    // It counts the columns of the line that it was given, where tabs are spaces and the beginning may be cut off.
    let (title, rest) = drawn.split_once('\n').unwrap_or_default();
    let place = format!("{file}:{number}:{drawn_column}");
    let rest = rest.replacen(&place, &format!("{file}:{number}:{column}"), 1);
    format!("{title}\n{rest}")
}

/// The line as shown, and the bytes of it that are marked.
fn picture(place: &SourceLine<'_>) -> (String, Range<usize>) {
    let (inside, after) = (beginning(place.inside), beginning(place.after));
    let start = floor(place.before, place.before.len().saturating_sub(NEAR));
    let near = place.before.get(start..).unwrap_or_default();
    // The tab stops of what follows depend on what comes before.
    let shown = |text: &str| Shown::new(text).into_string();
    let from = shown(near).len();
    let to = shown(&format!("{near}{inside}")).len();
    let line = shown(&format!("{near}{inside}{after}"));
    let from = floor(&line, from);
    let to = floor(&line, to).max(from);
    let cut = cut(&line, from);
    let dots = if cut.start > 0 || start > 0 {
        "…"
    } else {
        ""
    };
    let end = if cut.end < line.len() { "…" } else { "" };
    let within = |at: usize| at.clamp(cut.start, cut.end) - cut.start + dots.len();
    let marked = within(from)..within(to);
    let kept = line.get(cut).unwrap_or_default();
    (format!("{dots}{kept}{end}"), marked)
}

/// The bytes of a line that are shown: at most [`WIDTH`] columns, of which at most [`BEFORE`] are in front of a byte.
fn cut(line: &str, byte: usize) -> Range<usize> {
    if line.width() <= WIDTH {
        return 0..line.len();
    }
    let skip = line.get(..byte).map_or(0, UnicodeWidthStr::width);
    let skip = skip.saturating_sub(BEFORE);
    let (mut column, mut first) = (0, 0);
    let (mut start, mut end) = (0, 0);
    for (at, grapheme) in line.grapheme_indices(true) {
        let width = grapheme.width();
        if column + width <= skip {
            first = column + width;
            start = at + grapheme.len();
        } else if column + width > first + WIDTH {
            break;
        }
        end = at + grapheme.len();
        column += width;
    }
    start..end
}

/// As much of a text as is looked at.
fn beginning(text: &str) -> &str {
    text.get(..floor(text, NEAR)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Rule;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    fn rendered(text: &str, needle: &str) -> String {
        let start = text.find(needle).unwrap();
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            rule: Rule::NotToml,
            file: "lessons/a.md".to_owned(),
            span: start..start + needle.len(),
            message: "this is wrong".to_owned(),
            hint: Some("try another".to_owned()),
            fix: None,
        };
        diagnostic.render(text)
    }

    #[test]
    fn the_caret_stands_under_the_span() {
        assert_snapshot!(rendered("one\nlab id=linaer x\n", "linaer"), @"
        error[not-toml]: this is wrong
         --> lessons/a.md:2:8
          |
        2 | lab id=linaer x
          |        ^^^^^^
          |
          = help: try another
        ");
    }

    #[test]
    fn wide_characters_and_tabs_push_the_caret_by_columns_not_characters() {
        assert_snapshot!(rendered("\t漢字 bad\r\n", "bad"), @"
        error[not-toml]: this is wrong
         --> lessons/a.md:1:5
          |
        1 |     漢字 bad
          |          ^^^
          |
          = help: try another
        ");
    }

    #[test]
    fn a_long_line_is_cut_around_the_carets_and_its_column_is_that_of_the_file() {
        let text = format!("{}bad{}", "x".repeat(300), "y".repeat(300));
        assert_snapshot!(rendered(&text, "bad"), @"
        error[not-toml]: this is wrong
         --> lessons/a.md:1:301
          |
        1 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxbadyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
          |                                          ^^^
          |
          = help: try another
        ");
    }

    #[test]
    fn of_a_line_of_a_mebibyte_only_what_is_near_is_looked_at() {
        for letter in ["x", "漢", "\t"] {
            let text = format!("{}bad{}", letter.repeat(100_000), letter.repeat(100_000));
            let diagnostic = Diagnostic {
                severity: Severity::Error,
                rule: Rule::NotToml,
                file: "f".to_owned(),
                span: letter.len() * 100_000..letter.len() * 100_000 + 3,
                message: String::new(),
                hint: None,
                fix: None,
            };
            let (line, marked) = picture(&SourceLine::of(&diagnostic.span, &text));
            assert!(line.starts_with('…') && line.width() <= WIDTH + 2, "{line}");
            assert_eq!(line.get(marked), Some("bad"));
            assert_eq!(diagnostic.position(&text), (1, 100_001));
        }
    }

    #[test]
    fn escape_sequences_in_the_file_do_not_reach_the_terminal() {
        let shown = rendered("a \x1b[31mbad\n", "bad");
        assert!(!shown.contains('\x1b'));
        assert!(shown.contains("|        ^^^"), "{shown}");
    }

    #[test]
    fn colours_are_those_of_the_renderer_and_never_of_the_file() {
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            rule: Rule::NotToml,
            file: "\x1b[31mf".to_owned(),
            span: 2..5,
            message: "\x1b[31mred".to_owned(),
            hint: Some("\x1b[31mred".to_owned()),
            fix: None,
        };
        let coloured = diagnostic.render_in_colour("a \x1b[31mbad\n");
        assert!(coloured.contains("\x1b[1m"), "{coloured}");
        assert!(!coloured.contains("\x1b[31m"), "{coloured}");
    }

    proptest! {
        #[test]
        fn any_span_of_any_text_can_be_shown(text in any::<String>(), start in 0usize..99, len in 0usize..99) {
            let diagnostic = Diagnostic {
                severity: Severity::Warning,
                rule: Rule::NotToml,
                file: "f".to_owned(),
                span: start..start + len,
                message: String::new(),
                hint: None,
                fix: None,
            };
            let shown = diagnostic.render(&text);
            prop_assert!(shown.lines().count() <= 5, "{}", shown);
            prop_assert!(shown.chars().all(|it| it == '\n' || !it.is_control()));
        }
    }
}
