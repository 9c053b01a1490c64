//! Tables: columns as wide as their text, narrowed where the page is too narrow.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::spans::spans;
use super::wrap::wrap;
use crate::styled;
use crate::theme::{Role, Theme};
use warpup_course::{Align, Text};

/// Columns between two cells.
const GAP: usize = 2;

/// A table whose columns would have to be narrower becomes a list.
const MIN_COLUMN: usize = 6;

/// A table of the course.
pub(super) struct Table<'a> {
    pub(super) align: &'a [Align],
    pub(super) head: &'a [Text],
    pub(super) rows: &'a [Vec<Text>],
}

/// Lays a table out. Adds the addresses of links to `links`.
pub(super) fn layout(
    table: &Table<'_>,
    width: usize,
    theme: Theme,
    links: &mut Vec<String>,
) -> Vec<Line<'static>> {
    let Table { align, head, rows } = table;
    let bold = theme.style(Role::Strong);
    let head: Vec<Vec<Span<'static>>> = head
        .iter()
        .map(|it| {
            let cell = spans(it, theme, links);
            cell.into_iter().map(|it| it.patch_style(bold)).collect()
        })
        .collect();
    let rows: Vec<Vec<Vec<Span<'static>>>> = rows
        .iter()
        .map(|cells| cells.iter().map(|it| spans(it, theme, links)).collect())
        .collect();
    let natural: Vec<usize> = (0..head.len())
        .map(|column| {
            let cells = std::iter::once(&head).chain(&rows);
            cells
                .filter_map(|row| row.get(column))
                .map(|cell| cell.iter().map(Span::width).sum())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let Some(widths) = fit(natural, width) else {
        return as_list(&head, &rows, width);
    };
    let mut drawn = row_lines(&head, &widths, align);
    let rule: Vec<_> = widths.iter().map(|it| "─".repeat(*it)).collect();
    drawn.push(theme.line(&rule.join(&" ".repeat(GAP)), Role::Border));
    for row in &rows {
        drawn.extend(row_lines(row, &widths, align));
    }
    drawn
}

/// Narrows the widest columns until the table fits; `None` if it cannot.
fn fit(mut widths: Vec<usize>, width: usize) -> Option<Vec<usize>> {
    let gaps = widths.len().saturating_sub(1) * GAP;
    let room = width.checked_sub(gaps)?;
    loop {
        let total: usize = widths.iter().sum();
        if total <= room {
            return Some(widths);
        }
        let widest = widths.iter_mut().max()?;
        if *widest <= MIN_COLUMN {
            return None;
        }
        *widest = (*widest - 1).max(MIN_COLUMN);
    }
}

fn row_lines(row: &[Vec<Span<'static>>], widths: &[usize], align: &[Align]) -> Vec<Line<'static>> {
    let cells: Vec<Vec<Line<'static>>> = row
        .iter()
        .zip(widths)
        .map(|(cell, width)| wrap(cell, *width))
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let blank = |columns: usize| styled::span(&" ".repeat(columns), Style::new());
    (0..height)
        .map(|at| {
            let mut spans = Vec::new();
            for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
                let line = cell.get(at).cloned().unwrap_or_default();
                let free = width.saturating_sub(line.width());
                let left = match align.get(column).copied().unwrap_or(Align::Left) {
                    Align::Left => 0,
                    Align::Center => free / 2,
                    Align::Right => free,
                };
                spans.push(blank(left));
                spans.extend(line.spans);
                let last = column + 1 == cells.len();
                spans.push(blank(if last { 0 } else { free - left + GAP }));
            }
            Line::from(spans)
        })
        .collect()
}

/// A table too wide for the page: one line a cell, under its head.
fn as_list(
    head: &[Vec<Span<'static>>],
    rows: &[Vec<Vec<Span<'static>>>],
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for row in rows {
        for (name, cell) in head.iter().zip(row) {
            let mut spans = name.clone();
            spans.push(styled::span(": ", Style::new()));
            spans.extend(cell.iter().cloned());
            lines.extend(wrap(&spans, width));
        }
        lines.push(Line::default());
    }
    lines.pop();
    lines
}
