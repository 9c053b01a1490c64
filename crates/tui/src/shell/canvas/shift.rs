//! Which rows of a frame are those of the frame before in another place.
//!
//! Rows are compared by hash, so that a frame costs one pass over its cells, and none over those of the frame before. Two rows
//! that differ in one letter have different hashes; of others, one pair in 2^64 has the same.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use ratatui::buffer::Cell;
use ratatui::style::Color;
use rustc_hash::FxHasher;

/// Fewer rows than this are not worth scrolling.
const WORTH: usize = 3;

/// What is in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CanvasRow {
    /// Nothing for a row that is not known.
    hash: Option<u64>,
    is_blank: bool,
    /// Whether terminals disagree about its width: joined emoji, flags, letters with marks.
    pub(super) is_doubtful: bool,
}

impl CanvasRow {
    /// A row that equals no row of a frame.
    pub(super) const UNKNOWN: Self = Self {
        hash: None,
        is_blank: false,
        is_doubtful: false,
    };

    /// The same, but equal to no row of a frame.
    pub(super) fn forget(&mut self) {
        self.hash = None;
    }

    /// Of these cells.
    pub(super) fn of(cells: &[Cell]) -> Self {
        let mut hash = 0;
        let mut is_blank = true;
        let mut is_doubtful = false;
        for cell in cells {
            let symbol = match cell.symbol().as_bytes() {
                [one] => u64::from(*one),
                more => {
                    is_doubtful |= cell.symbol().chars().nth(1).is_some();
                    hash_of(more)
                }
            };
            is_blank &= symbol == u64::from(b' ');
            let colours = u64::from(code(cell.fg)) << 32 | u64::from(code(cell.bg));
            let modifier = u64::from(cell.modifier.bits()) << 8;
            hash = mix(mix(hash, colours), symbol ^ modifier);
        }
        Self {
            hash: Some(hash),
            is_blank,
            is_doubtful,
        }
    }
}

/// A number for a colour. Its own hash takes several times as long, and a frame has thousands.
fn code(colour: Color) -> u32 {
    match colour {
        Color::Rgb(red, green, blue) => u32::from_be_bytes([255, red, green, blue]),
        Color::Indexed(index) => 256 + u32::from(index),
        Color::Reset => 0,
        Color::Black => 1,
        Color::Red => 2,
        Color::Green => 3,
        Color::Yellow => 4,
        Color::Blue => 5,
        Color::Magenta => 6,
        Color::Cyan => 7,
        Color::Gray => 8,
        Color::DarkGray => 9,
        Color::LightRed => 10,
        Color::LightGreen => 11,
        Color::LightYellow => 12,
        Color::LightBlue => 13,
        Color::LightMagenta => 14,
        Color::LightCyan => 15,
        Color::White => 16,
    }
}

/// A step of the hash of a row: for one hash before it, different values give different hashes, and for one value, different
/// hashes before it do.
fn mix(hash: u64, value: u64) -> u64 {
    // An odd multiplier with no pattern in its bits: that of SplitMix64.
    (hash.rotate_left(26) ^ value).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn hash_of(value: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
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

impl Shift {
    /// Does with what is kept for each row as the terminal does with its rows, and clears those that are new.
    pub(super) fn apply<T>(&self, rows: &mut [T], clear: impl FnMut(&mut T)) {
        let rows = rows.get_mut(self.rows.clone()).unwrap_or_default();
        let by = self.by.min(rows.len());
        let new = match self.direction {
            Direction::Up => {
                rows.rotate_left(by);
                rows.len() - by..rows.len()
            }
            Direction::Down => {
                rows.rotate_right(by);
                0..by
            }
        };
        rows.get_mut(new)
            .unwrap_or_default()
            .iter_mut()
            .for_each(clear);
    }
}

/// The move that puts most rows where they should be, if any is worth it.
pub(super) fn best_shift(old: &[CanvasRow], new: &[CanvasRow]) -> Option<Shift> {
    let changed = old.iter().zip(new).filter(|(old, new)| old != new).count();
    if changed < WORTH || old.len() != new.len() {
        return None;
    }
    if old.iter().chain(new).any(|it| it.is_doubtful) {
        // What a terminal has moved to another column would go along.
        return None;
    }
    let mut best: Option<(usize, Shift)> = None;
    for by in 1..old.len().saturating_sub(WORTH) {
        let most = best.as_ref().map_or(0, |(most, _)| *most);
        if old.len() - by <= most {
            // A longer way leaves fewer rows.
            break;
        }
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
fn longest_run(from: &[CanvasRow], to: &[CanvasRow]) -> Option<(usize, Range<usize>)> {
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
