//! Breaking styled lines: prose and output between words, code behind its signs.
//!
//! [`warpup_course::wrap`] decides where lines break; this file adds styles and marks.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::styled;
use crate::theme::{Role, Theme};
use warpup_course::wrap::{Columns, LineBreaks, line_ranges};

/// Breaks prose between words. An empty span is a line break; a word wider than a line is cut.
pub(crate) fn wrap(spans: &[Span<'static>], width: impl Into<usize>) -> Vec<Line<'static>> {
    let columns = Columns::all(Into::into(width));
    let spans = match spans.split_last() {
        Some((last, before)) if last.content.is_empty() => before,
        Some(_) | None => spans,
    };
    let paragraphs = spans.split(|it| it.content.is_empty());
    paragraphs
        .flat_map(|it| broken(it, columns, LineBreaks::Words))
        .collect()
}

/// Breaks a text of one style between words.
pub(crate) fn paragraph(text: &str, style: Style, width: impl Into<usize>) -> Vec<Line<'static>> {
    wrap(&[styled::span(text, style)], width)
}

/// Breaks a text of one style between its clauses, which ` · ` divides, and only a clause that is wider than a line between words.
pub(crate) fn clauses(text: &str, style: Style, width: impl Into<usize>) -> Vec<Line<'static>> {
    let width: usize = Into::into(width);
    let mut rows: Vec<String> = Vec::new();
    for clause in text.split(" · ") {
        match rows.last_mut() {
            Some(row) if row.width() + 3 + clause.width() <= width => {
                row.extend([" · ", clause]);
            }
            Some(_) | None => rows.push(clause.to_owned()),
        }
    }
    rows.iter()
        .flat_map(|it| paragraph(it, style, width))
        .collect()
}

/// Breaks lines of code where it reads well if it can, with a mark before each continued part.
pub(crate) fn wrap_code(
    lines: &[Line<'static>],
    width: impl Into<usize>,
    theme: Theme,
) -> Vec<Line<'static>> {
    let width: usize = Into::into(width);
    let broken = lines.iter().flat_map(|line| {
        if line.width() <= width {
            return vec![line.clone()];
        }
        let first = width.max(4);
        let rest = first - 2;
        let lines = broken(&line.spans, Columns { first, rest }, LineBreaks::Code);
        let mark = [theme.span("↪ ", Role::Dim)];
        prefixed(lines, &[], &mark).collect()
    });
    broken.collect()
}

/// Breaks printed output and tracebacks between words; continued parts keep the indentation and have a mark. A caret below a
/// line that is broken stays below its letter.
pub(crate) fn wrap_output(
    text: &str,
    style: Style,
    width: impl Into<usize>,
    theme: Theme,
) -> Vec<Line<'static>> {
    let width: usize = Into::into(width);
    let mut lines = Vec::new();
    // The line above, until it is known whether a caret follows.
    let mut above = Vec::new();
    for line in styled::lines(text, style) {
        if is_caret(&line) && !above.is_empty() {
            let caret = line.width().saturating_sub(1);
            let parts = std::mem::take(&mut above);
            lines.extend(with_caret(parts, caret, width, style));
        } else {
            lines.extend(above.drain(..).map(|it: OutputPiece| it.line));
            above = parts(line, width, style, theme);
        }
    }
    lines.extend(above.into_iter().map(|it| it.line));
    lines
}

/// A part of a line of output, on a row of its own.
struct OutputPiece {
    line: Line<'static>,
    /// The column of the whole line at which it begins.
    from: usize,
    /// The columns in front of it on its row.
    indent: usize,
}

/// A line of output, broken between words.
fn parts(line: Line<'static>, width: usize, style: Style, theme: Theme) -> Vec<OutputPiece> {
    if line.width() <= width {
        return vec![OutputPiece {
            line,
            from: 0,
            indent: 0,
        }];
    }
    let text = line.to_string();
    let unindented = text.trim_start_matches(' ');
    let width = width.max(8);
    let before = text.len() - unindented.len();
    let indent = before.min(width / 2);
    let columns = Columns {
        first: width - indent,
        rest: width - indent - 2,
    };
    let ranges = line_ranges(unindented, columns, LineBreaks::Words);
    let blank = " ".repeat(indent);
    let parts = ranges.into_iter().enumerate().map(|(row, range)| {
        let front = if row == 0 {
            styled::span(&blank, style)
        } else {
            styled::span(&format!("{blank}↪ "), theme.style(Role::Dim))
        };
        let text = unindented.get(range.clone()).unwrap_or_default();
        let above = unindented.get(..range.start).unwrap_or_default();
        OutputPiece {
            indent: front.width(),
            from: before + above.width(),
            line: Line::from(vec![front, styled::span(text.trim_end_matches(' '), style)]),
        }
    });
    parts.collect()
}

/// Whether there is a caret in a line of output, and nothing else.
fn is_caret(line: &Line<'_>) -> bool {
    let letters = line.spans.iter().flat_map(|it| it.content.chars());
    letters.skip_while(|it| *it == ' ').eq(['^'])
}

/// The parts of a line, with a caret below the part that has this column.
fn with_caret(
    parts: Vec<OutputPiece>,
    column: usize,
    width: usize,
    style: Style,
) -> Vec<Line<'static>> {
    let at = parts.iter().rposition(|it| it.from <= column).unwrap_or(0);
    let mut lines = Vec::new();
    for (row, part) in parts.into_iter().enumerate() {
        lines.push(part.line);
        if row == at {
            // Behind the last letter of a row that is full, it is below that letter.
            let column = part.indent + column.saturating_sub(part.from);
            let column = column.min(width.saturating_sub(1));
            let caret = format!("{}^", " ".repeat(column));
            lines.push(Line::from(styled::span(&caret, style)));
        }
    }
    lines
}

/// Puts spans before the first line, and others before all following lines.
pub(crate) fn prefixed(
    lines: Vec<Line<'static>>,
    first: &[Span<'static>],
    rest: &[Span<'static>],
) -> impl Iterator<Item = Line<'static>> {
    lines.into_iter().enumerate().map(move |(row, line)| {
        let prefix = if row == 0 { first } else { rest };
        prefix.iter().cloned().chain(line.spans).collect()
    })
}

/// Breaks spans into lines. Between words, the space at both ends of a line is dropped.
fn broken(spans: &[Span<'static>], columns: Columns, breaks: LineBreaks) -> Vec<Line<'static>> {
    let text: String = spans.iter().map(|it| it.content.as_ref()).collect();
    let is_prose = breaks != LineBreaks::Code;
    let kept = if is_prose {
        text.trim_start_matches(' ')
    } else {
        text.as_str()
    };
    let start = text.len() - kept.len();
    let ranges = line_ranges(kept, columns, breaks).into_iter();
    ranges
        .map(|it| {
            let line = kept.get(it.clone()).unwrap_or_default();
            let end = if is_prose {
                it.start + line.trim_end_matches(' ').len()
            } else {
                it.end
            };
            cut_out(spans, start + it.start, start + end)
        })
        .collect()
}

/// The spans between two bytes of their text. Neighbours of one style become one span: fewer spans draw faster.
fn cut_out(spans: &[Span<'static>], from: usize, to: usize) -> Line<'static> {
    let mut parts: Vec<(String, Style)> = Vec::new();
    let mut start = 0;
    for span in spans {
        let text = span.content.as_ref();
        let end = start + text.len();
        let (first, last) = (from.clamp(start, end), to.clamp(start, end));
        let text = text.get(first - start..last - start).unwrap_or_default();
        start = end;
        match parts.last_mut() {
            Some((last, style)) if *style == span.style => last.push_str(text),
            Some(_) | None if text.is_empty() => {}
            Some(_) | None => parts.push((text.to_owned(), span.style)),
        }
    }
    styled::parts(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Colours, Letters};
    use proptest::prelude::*;

    fn wrapped(text: &str, width: usize) -> Vec<String> {
        wrap(&[styled::span(text, Style::new())], width)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(
            wrapped("the host runs ahead", 10),
            ["the host", "runs ahead"]
        );
    }

    #[test]
    fn a_word_wider_than_the_line_is_cut() {
        assert_eq!(wrapped("a synchronize", 6), ["a", "synchr", "onize"]);
    }

    #[test]
    fn a_change_of_style_inside_a_word_does_not_break_it() {
        let spans = [
            styled::span("see f", Style::new()),
            styled::span("()", Style::new().bold()),
            styled::span(", now", Style::new()),
        ];
        let lines: Vec<_> = wrap(&spans, 8_usize)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(lines, ["see f(),", "now"]);
    }

    #[test]
    fn a_sign_that_closes_stays_behind_a_word_of_another_style() {
        let code = styled::span("x.item()", Style::new().bold());
        let lines = wrap(&[code, styled::span("。漢字", Style::new())], 8_usize);
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["x.item", "()。漢字"]);
    }

    const PLAIN: Theme = Theme {
        colours: Colours::None,
        letters: Letters::Unicode,
    };

    #[test]
    fn a_caret_stays_below_its_letter_where_the_line_is_broken() {
        let drawn = |source: &str, letter: &str, width: usize| {
            let caret = " ".repeat(source.find(letter).unwrap());
            let text = format!("{source}\n{caret}^\nSyntaxError: invalid");
            let lines: Vec<_> = wrap_output(&text, Style::new(), width, PLAIN);
            let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
            lines.join("\n")
        };
        let source = "    total = first + second ++ $ third";
        insta::assert_snapshot!(drawn(source, "$", 40), @"
            total = first + second ++ $ third
                                      ^
        SyntaxError: invalid
        ");
        insta::assert_snapshot!(drawn(source, "$", 20), @"
            total = first +
            ↪ second ++ $
                        ^
            ↪ third
        SyntaxError: invalid
        ");
        insta::assert_snapshot!(drawn(source, "f", 20), @"
            total = first +
                    ^
            ↪ second ++ $
            ↪ third
        SyntaxError: invalid
        ");
        // Behind the last letter of a row that is full.
        let lines = wrap_output("    x = (1 +\n            ^", Style::new(), 12_usize, PLAIN);
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["    x = (1 +", "           ^"]);
    }

    #[test]
    fn output_breaks_between_words_and_keeps_its_indentation() {
        let text = "  File \"lab.py\", line 2, in <module>\n    y = model(batch) + bias\nRuntimeError: two devices";
        let lines: Vec<_> = wrap_output(text, Style::new(), 20_usize, PLAIN);
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
          File "lab.py",
          ↪ line 2, in
          ↪ <module>
            y = model(batch)
            ↪ + bias
        RuntimeError: two
        ↪ devices
        "#);
    }

    proptest! {
        #[test]
        fn output_keeps_every_letter_and_its_width(text in "[a-z漢 ]{0,60}", width in 8usize..30) {
            let lines = wrap_output(&text, Style::new(), width, PLAIN);
            let letters = |it: &str| it.replace([' ', '↪'], "");
            let all: String = lines.iter().map(ToString::to_string).collect();
            prop_assert_eq!(letters(&all), letters(&text));
            for line in lines {
                prop_assert!(line.width() <= width, "{line}");
            }
        }

        #[test]
        fn no_letter_is_lost_and_no_line_too_long(text in "[a-z漢 ]{0,60}", width in 2usize..20) {
            let lines = wrapped(&text, width);
            for line in &lines {
                prop_assert!(Line::from(styled::span(line, Style::new())).width() <= width);
            }
            let letters = |it: &str| it.replace(' ', "");
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }

        #[test]
        fn code_keeps_every_letter(text in "[a-z漢 ]{0,60}", width in 0usize..20) {
            let lines = wrap_code(&[styled::line(&text, Style::new())], width, PLAIN);
            let all: String = lines.iter().map(ToString::to_string).collect();
            prop_assert_eq!(all.replace("↪ ", ""), text);
        }
    }
}
