//! Tables as plain text: columns where they fit, else one cell a line under its column's name.

use super::inline::inline_raw;
use crate::wrap::wrap_str;
use crate::{Align, Text};
use unicode_width::UnicodeWidthStr;

/// Space between columns.
const GAP: usize = 2;

/// A table of at most `width` columns where that can be.
pub(super) fn lines(
    align: &[Align],
    head: &[Text],
    rows: &[Vec<Text>],
    width: usize,
) -> Vec<String> {
    let head: Vec<String> = head.iter().map(inline_raw).collect();
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(inline_raw).collect())
        .collect();
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells
                .chain(head.get(column))
                .map(|it| it.width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    if widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1) > width {
        return listed(&head, &rows, width);
    }
    let rule: Vec<String> = widths.iter().map(|it| "-".repeat(*it)).collect();
    let mut lines = vec![row_of(align, &widths, &head), row_of(align, &widths, &rule)];
    lines.extend(rows.iter().map(|row| row_of(align, &widths, row)));
    lines
}

fn row_of(align: &[Align], widths: &[usize], cells: &[String]) -> String {
    let columns = cells.iter().zip(widths).enumerate();
    let padded = columns.map(|(column, (cell, width))| {
        let room = width.saturating_sub(cell.width());
        let left = match align.get(column).copied().unwrap_or(Align::Left) {
            Align::Left => 0,
            Align::Center => room / 2,
            Align::Right => room,
        };
        format!("{}{cell}{}", " ".repeat(left), " ".repeat(room - left))
    });
    let row = padded.collect::<Vec<_>>().join(&" ".repeat(GAP));
    row.trim_end().to_owned()
}

fn listed(head: &[String], rows: &[Vec<String>], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (n, row) in rows.iter().enumerate() {
        if n > 0 {
            lines.push(String::new());
        }
        for (name, cell) in head.iter().zip(row) {
            lines.extend(wrap_str(&format!("{name}: {cell}"), width));
        }
    }
    lines
}
