//! What tables of traces have in common: times, shares, names that fit, rows that are left out.

use crate::commands::console::Console;
use crate::commands::failure::Result;
pub(super) use warpup_lab::text::{cut_line as cut, cut_path};
use warpup_lab::units;

/// Columns of a table beside its names, in a terminal of the usual width.
const USUAL: usize = 80;

/// Columns of names in a table that has so many of them in a terminal of the usual width: a wider one has room for more.
pub(super) fn room(columns: usize, console: &Console<'_>) -> usize {
    columns + console.width.saturating_sub(USUAL)
}

/// Rows of each table.
pub(super) const ROWS: usize = 10;

/// A time in words.
pub(super) fn duration(ns: i64) -> String {
    units::duration(u64::try_from(ns).unwrap_or(0))
}

/// An operator's name in so many columns. What PyTorch writes before each node of the backward pass is shortened.
pub(super) fn operator(name: &str, columns: usize) -> String {
    match name.strip_prefix("autograd::engine::evaluate_function: ") {
        Some(node) => cut(&format!("evaluate: {node}"), columns),
        None => cut(name, columns),
    }
}

/// A share in whole percent.
pub(super) fn percent(part: i64, whole: i64) -> String {
    let share = part as f64 * 100.0 / whole.max(1) as f64;
    format!("{share:.0} %")
}

/// How many rows a table leaves out.
pub(super) fn more(rows: usize, console: &mut Console<'_>) -> Result<()> {
    match rows.saturating_sub(ROWS) {
        0 => Ok(()),
        left => console.line(&format!("… and {left} more, in `--json`")),
    }
}
