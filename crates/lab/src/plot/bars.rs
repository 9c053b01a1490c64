//! Draws bars: a row for each number, beside its name.

use super::row::{Ink, PlotRow, mark};
use crate::text::cut_line;
use crate::units::number;
use unicode_width::UnicodeWidthStr;
use warpup_protocol::Plot;
use warpup_text::shown::Letters;

/// Columns of the names, at most.
const NAMES: usize = 28;

/// What a bar ends with, in eighths of a letter.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The bars of all names; those of one name are together, in the order of the series.
pub(super) fn bars(plot: &Plot, columns: usize, letters: Letters) -> Vec<PlotRow> {
    let room = NAMES.min(columns / 3);
    let names: Vec<String> = plot.names.iter().map(|it| cut_line(it, room)).collect();
    let room = names.iter().map(|it| it.width()).max().unwrap_or(0);
    let points = || plot.series.iter().flat_map(|it| &it.points);
    let most = points().map(|it| it.1).fold(0.0, f64::max);
    let numbers = points().map(|it| number(it.1).width()).max().unwrap_or(0);
    // The series of a bar, where there are several.
    let is_marked = plot.series.len() > 1;
    // The name, a space, the mark, the bar, a space, its number.
    let around = room + numbers + if is_marked { 4 } else { 2 };
    let wide = columns.saturating_sub(around).max(4);
    let mut rows = Vec::new();
    for (at, name) in names.iter().enumerate() {
        for (series, it) in plot.series.iter().enumerate() {
            let name = if series == 0 { name.as_str() } else { "" };
            let gap = room.saturating_sub(name.width());
            let mut row = PlotRow::of(format!("{name}{} ", " ".repeat(gap)), Ink::Text);
            if is_marked {
                row.push(format!("{} ", mark(series, letters)), Ink::Series(series));
            }
            match it.bar(at) {
                Some(value) => {
                    let share = if most > 0.0 { value / most } else { 0.0 };
                    row.push(bar(share, wide, letters), Ink::Series(series));
                    row.push(format!(" {}", number(value)), Ink::Text);
                }
                None => row.push("no number", Ink::Text),
            }
            rows.push(row);
        }
    }
    rows
}

/// A bar over a share of so many columns. What is more than nothing shows.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share from 0 to 1 of a few hundred columns"
)]
fn bar(share: f64, columns: usize, letters: Letters) -> String {
    let share = share.clamp(0.0, 1.0);
    match letters {
        Letters::Ascii => {
            let whole = (share * columns as f64).round() as usize;
            "#".repeat(whole.max(usize::from(share > 0.0)))
        }
        Letters::Unicode => {
            let eighths = (share * 8.0 * columns as f64).round() as usize;
            let eighths = eighths.max(usize::from(share > 0.0));
            let end = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
            format!("{}{end}", "█".repeat(eighths / 8))
        }
    }
}
