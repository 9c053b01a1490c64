//! Which rows of a frame are those of the frame before in another place.
//!
//! Rows are compared by hash, so that it costs one pass over the cells. Two rows with one hash cost a move that gains nothing:
//! every cell is compared afterwards.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use ratatui::buffer::Cell;
use rustc_hash::FxHasher;

/// Fewer rows than this are not worth scrolling.
const WORTH: usize = 3;

/// What is in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    hash: u64,
    is_blank: bool,
}

impl Row {
    /// Of these cells.
    pub(super) fn of(cells: &[Cell]) -> Self {
        let mut hasher = FxHasher::default();
        let mut is_blank = true;
        for cell in cells {
            let symbol = cell.symbol();
            is_blank &= symbol == " ";
            hasher.write(symbol.as_bytes());
            (cell.fg, cell.bg, cell.modifier).hash(&mut hasher);
        }
        Self {
            hash: hasher.finish(),
            is_blank,
        }
    }
}

/// Rows that only change their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    /// The rows that the terminal scrolls.
    pub(super) rows: Range<usize>,
    /// How far, and where to.
    pub(super) by: usize,
    pub(super) direction: Direction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
}

/// The move that puts most rows where they should be, if any is worth it.
pub(super) fn best_shift(old: &[Row], new: &[Row]) -> Option<Shift> {
    let changed = old.iter().zip(new).filter(|(old, new)| old != new).count();
    if changed < WORTH || old.len() != new.len() {
        return None;
    }
    let mut best: Option<(usize, Shift)> = None;
    for by in 1..old.len().saturating_sub(WORTH) {
        for direction in [Direction::Up, Direction::Down] {
            let (from, to) = match direction {
                Direction::Up => (old.get(by..), new.get(..)),
                Direction::Down => (old.get(..), new.get(by..)),
            };
            let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
            let Some((worth, run)) = longest_run(from, to) else {
                continue;
            };
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                let rows = run.start..run.end + by;
                best = Some((
                    worth,
                    Shift {
                        rows,
                        by,
                        direction,
                    },
                ));
            }
        }
    }
    best.filter(|(worth, _)| *worth >= WORTH)
        .map(|(_, shift)| shift)
}

/// The longest run of equal rows that are not blank, and how many rows in it are worth moving.
fn longest_run(from: &[Row], to: &[Row]) -> Option<(usize, Range<usize>)> {
    let mut best: Option<(usize, Range<usize>)> = None;
    let mut start = 0;
    let mut worth = 0;
    for (at, (old, new)) in from.iter().zip(to).enumerate() {
        if old != new {
            start = at + 1;
            worth = 0;
            continue;
        }
        worth += usize::from(!new.is_blank);
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, start..at + 1));
        }
    }
    best
}
