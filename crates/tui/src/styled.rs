//! The only file that makes spans from strings, and the functions that draw them.
//!
//! Every string passes [`Shown`] here on its way to a span: ratatui drops
//! control characters but lets bidirectional overrides through and swallows tabs. No other file of the
//! app may make a span from a string; the test below checks that.

use ratatui::Frame;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use warpup_text::shown::Shown;

/// Text on one line, in one style.
pub(crate) fn span(text: &str, style: Style) -> Span<'static> {
    // Most text is such, and shown as it is.
    if is_plain(text) || text.chars().all(is_one_cell) {
        return Span::styled(text.to_owned(), style);
    }
    Span::styled(Shown::one_line(text).into_string(), style)
}

/// A line of one style.
pub(crate) fn line(text: &str, style: Style) -> Line<'static> {
    Line::from(span(text, style))
}

/// Text with line feeds, one line each.
pub(crate) fn lines(text: &str, style: Style) -> Vec<Line<'static>> {
    let shown = Shown::new(text);
    let text = shown.as_str();
    text.strip_suffix('\n')
        .unwrap_or(text)
        .split('\n')
        .map(|it| Line::from(Span::styled(it.to_owned(), style)))
        .collect()
}

/// A line of texts that were parts of spans, so they are safe already.
pub(crate) fn parts(parts: Vec<(String, Style)>) -> Line<'static> {
    let spans = parts
        .into_iter()
        .map(|(text, style)| Span::styled(text, style));
    spans.collect()
}

/// Splits a span after as many graphemes as fit into `width` columns, but at least one.
pub(crate) fn split(span: &Span<'static>, width: usize) -> (Span<'static>, Option<Span<'static>>) {
    let (head, tail) = split_str(&span.content, width);
    let rest = (!tail.is_empty()).then(|| Span::styled(tail.to_owned(), span.style));
    (Span::styled(head.to_owned(), span.style), rest)
}

/// As [`split`], for the text of a span.
pub(crate) fn split_str(text: &str, width: usize) -> (&str, &str) {
    let mut columns = 0;
    let mut bytes = 0;
    for grapheme in text.graphemes(true) {
        columns += grapheme.width();
        if columns > width && bytes > 0 {
            break;
        }
        bytes += grapheme.len();
    }
    text.split_at_checked(bytes).unwrap_or((text, ""))
}

/// A line without its first `columns` columns, for horizontal scrolling.
pub(crate) fn skip(line: &Line<'static>, columns: usize) -> Line<'static> {
    let mut left = columns;
    let mut spans = Vec::with_capacity(line.spans.len());
    for span in &line.spans {
        let wide = span.width();
        if left == 0 {
            spans.push(span.clone());
        } else if wide <= left {
            left -= wide;
        } else {
            spans.extend(split(span, left).1);
            left = 0;
        }
    }
    Line::from(spans)
}

/// Draws a line into one row of an area, clipped to both the area and the screen.
pub(crate) fn put(frame: &mut Frame<'_>, area: Rect, row: usize, line: &Line<'_>) {
    let area = area.intersection(frame.area());
    let Ok(row) = u16::try_from(row) else { return };
    if row >= area.height {
        return;
    }
    let row = area.y.saturating_add(row);
    let mut column = area.x;
    for span in &line.spans {
        let room = area.right().saturating_sub(column);
        let style = line.style.patch(span.style);
        column = put_text(
            frame.buffer_mut(),
            (column, row),
            &span.content,
            room,
            style,
        );
    }
}

/// Draws text of one style into so many columns at most; gives the column after it.
fn put_text(buffer: &mut Buffer, at: (u16, u16), text: &str, room: u16, style: Style) -> u16 {
    let (column, row) = at;
    if !is_plain(text) && !text.chars().all(is_one_cell) {
        return buffer
            .set_stringn(column, row, text, usize::from(room), style)
            .0;
    }
    // A letter is a cell, and nothing has to be segmented or measured.
    if room == 0 || !buffer.area.contains(Position::new(column, row)) {
        return column;
    }
    let start = buffer.index_of(column, row);
    let cells = buffer.content.get_mut(start..start + usize::from(room));
    let cells = cells.unwrap_or_default();
    let mut count = 0;
    for (cell, letter) in cells.iter_mut().zip(text.chars()) {
        cell.set_char(letter);
        count += 1;
    }
    let cells = cells.get_mut(..count).unwrap_or_default();
    set_style(cells, style);
    column.saturating_add(u16::try_from(count).unwrap_or(u16::MAX))
}

/// Sets what a style says: each part of it for all cells, which is faster than all parts cell by cell.
fn set_style(cells: &mut [Cell], style: Style) {
    if let Some(colour) = style.fg {
        for cell in cells.iter_mut() {
            cell.fg = colour;
        }
    }
    if let Some(colour) = style.bg {
        for cell in cells.iter_mut() {
            cell.bg = colour;
        }
    }
    for cell in cells {
        cell.modifier.insert(style.add_modifier);
        cell.modifier.remove(style.sub_modifier);
    }
}

/// Whether text is printable ASCII, as most is.
fn is_plain(text: &str) -> bool {
    // Without a stop at the first other letter, several are looked at in one step.
    text.bytes()
        .fold(true, |is_plain, it| is_plain & matches!(it, b' '..=b'~'))
}

/// Whether a letter is one column wide, and no part of a larger one beside others of this kind: ASCII, accented letters,
/// dashes and quotes, arrows, and lines that boxes are drawn with.
fn is_one_cell(letter: char) -> bool {
    matches!(
        letter,
        ' '..='~'
            | '\u{a1}'..='\u{ac}'
            | '\u{ae}'..='\u{ff}'
            | '\u{2010}'..='\u{2027}'
            | '\u{2190}'..='\u{21ff}'
            | '\u{2500}'..='\u{259f}'
    )
}

/// Draws lines from the top of an area.
pub(crate) fn put_all<'a>(
    frame: &mut Frame<'_>,
    area: Rect,
    lines: impl IntoIterator<Item = &'a Line<'a>>,
) {
    for (row, line) in lines.into_iter().take(usize::from(area.height)).enumerate() {
        put(frame, area, row, line);
    }
}

/// Draws a line at the right end of a row.
pub(crate) fn put_right(frame: &mut Frame<'_>, area: Rect, row: usize, line: &Line<'_>) {
    let width = u16::try_from(line.width())
        .unwrap_or(u16::MAX)
        .min(area.width);
    let right = Rect {
        x: area.right().saturating_sub(width),
        width,
        ..area
    };
    put(frame, right, row, line);
}

/// Puts the text cursor at a row and column of an area, if both are inside of it.
pub(crate) fn put_cursor(
    frame: &mut Frame<'_>,
    area: Rect,
    row: Option<usize>,
    column: Option<usize>,
) {
    let within = |it: Option<usize>, size: u16| {
        let it = it.and_then(|it| u16::try_from(it).ok());
        it.filter(|it| *it < size)
    };
    if let (Some(x), Some(y)) = (within(column, area.width), within(row, area.height)) {
        frame.set_cursor_position(Position::new(area.x + x, area.y + y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_span_never_holds_what_a_terminal_obeys() {
        assert_eq!(
            span("a\u{202e}\x1b\tb", Style::new()).content,
            "a<U+202E>␛  b"
        );
    }

    #[test]
    fn text_is_drawn_as_ratatui_draws_it() {
        let area = Rect::new(0, 0, 12, 1);
        for texts in [
            ["abc", "defghijklmnop"],
            ["漢字", "ab漢字漢字"],
            ["e\u{301}", "👩‍🚀 x"],
            ["", "éa"],
            ["é ", "→ a — b"],
            ["a → b", "— cdefghij"],
        ] {
            let spans = texts.map(|it| span(it, Style::new().bold()));
            let line = Line::from(spans.to_vec()).style(Style::new().italic());
            let mut wanted = Buffer::empty(area);
            wanted.set_line(3, 0, &line, 9);
            let mut terminal =
                ratatui::Terminal::new(ratatui::backend::TestBackend::new(12, 1)).unwrap();
            let inside = Rect { x: 3, ..area };
            terminal.draw(|frame| put(frame, inside, 0, &line)).unwrap();
            assert_eq!(*terminal.backend().buffer(), wanted, "{texts:?}");
        }
    }

    #[test]
    fn what_is_drawn_letter_by_letter_is_one_column_and_no_part_of_another() {
        for letter in ('\0'..='\u{ffff}').filter(|it| is_one_cell(*it)) {
            let text = format!("{letter}x→{letter}{letter}");
            assert_eq!(
                (text.width(), text.graphemes(true).count()),
                (5, 5),
                "{text:?}"
            );
        }
    }

    #[test]
    fn splitting_always_makes_progress() {
        let wide = span("漢字", Style::new());
        let (head, tail) = split(&wide, 1);
        assert_eq!(head.content, "漢");
        assert_eq!(tail.unwrap().content, "字");
    }

    /// What makes a span or draws a string; `.into()` may, and hides it.
    const WAYS: &[&str] = &[
        "Span::raw",
        "Span::styled",
        "Span::from",
        "Line::raw",
        "Line::styled",
        "Line::from(\"",
        "Line::from(format!",
        "Text::raw",
        "Text::styled",
        "Stylize",
        ".into()",
        "set_string",
    ];

    /// Files under a folder whose text makes spans by itself.
    fn offenders(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                offenders(&path, found);
            } else if !path.ends_with("styled.rs") {
                let text = fs::read_to_string(&path).unwrap();
                let ways = WAYS.iter().filter(|it| text.contains(**it));
                found.extend(ways.map(|it| format!("{}: {it}", path.display())));
            }
        }
    }

    #[test]
    fn no_other_file_makes_spans() {
        let mut found = Vec::new();
        offenders(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
            &mut found,
        );
        assert!(found.is_empty(), "{found:#?}");
    }
}
