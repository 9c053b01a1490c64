//! The characters that are drawn and not written: lines, blocks, dots and bars.
//!
//! Those that have to join their neighbours would leave gaps in a font whose letters are smaller than a cell.

use super::row::{HEIGHT, WIDTH};

/// A character as a drawing.
pub(super) struct Shape {
    /// Its parts: left, top, width and height within the cell, in tenths.
    pub(super) parts: Vec<[usize; 4]>,
    /// A path that begins in the top left corner of the cell; empty for most.
    pub(super) path: &'static str,
    /// How much of the ink is seen, from 0 to 1.
    pub(super) opacity: f64,
}

/// The size of a cell, in tenths as all below.
const WIDE: usize = 10 * WIDTH;
const HIGH: usize = 10 * HEIGHT;

/// Where the lines of a box are, and how thick.
const UPRIGHT: usize = 30;
const LEVEL: usize = 80;
const THIN: usize = 10;

/// Which lines of a box go from the middle of its cell: up, right, down, left.
const LIGHT: [(char, [bool; 4]); 19] = [
    ('─', [false, true, false, true]),
    ('│', [true, false, true, false]),
    ('┌', [false, true, true, false]),
    ('╭', [false, true, true, false]),
    ('┐', [false, false, true, true]),
    ('╮', [false, false, true, true]),
    ('└', [true, true, false, false]),
    ('╰', [true, true, false, false]),
    ('┘', [true, false, false, true]),
    ('╯', [true, false, false, true]),
    ('├', [true, true, true, false]),
    ('┤', [true, false, true, true]),
    ('┬', [false, true, true, true]),
    ('┴', [true, true, false, true]),
    ('┼', [true, true, true, true]),
    ('╴', [false, false, false, true]),
    ('╵', [true, false, false, false]),
    ('╶', [false, true, false, false]),
    ('╷', [false, false, true, false]),
];

/// The drawing of a character; nothing for what a font has to draw.
pub(super) fn shape(letter: char) -> Option<Shape> {
    let whole = [0, 0, WIDE, HIGH];
    let parts = match letter {
        '▁'..='█' => {
            let filled = HIGH * (1 + since(letter, '▁')) / 8;
            vec![[0, HIGH - filled, WIDE, filled]]
        }
        '▉'..='▏' => vec![[0, 0, WIDE * (7 - since(letter, '▉')) / 8, HIGH]],
        '▀' => vec![[0, 0, WIDE, HIGH / 2]],
        '▐' => vec![[WIDE / 2, 0, WIDE / 2, HIGH]],
        '▔' => vec![[0, 0, WIDE, 20]],
        '▕' => vec![[WIDE - THIN, 0, THIN, HIGH]],
        '░' => return Some(Shape::of(vec![whole], 0.25)),
        '▒' => return Some(Shape::of(vec![whole], 0.5)),
        '▓' => return Some(Shape::of(vec![whole], 0.75)),
        '━' => vec![[0, LEVEL - THIN, WIDE, 3 * THIN]],
        '┃' => vec![[UPRIGHT - THIN, 0, 3 * THIN, HIGH]],
        '·' => vec![[30, 80, 20, 20]],
        '…' => [7, 33, 59].map(|left| [left, 116, 14, 14]).to_vec(),
        '\u{2800}'..='\u{28ff}' => dots(since(letter, '\u{2800}')),
        '▰' => return Some(Shape::path("m2 5h6l-2 7h-6z")),
        '▱' => return Some(Shape::path("m2 5h6l-2 7h-6zm.76 1l-1.43 5h3.9l1.43-5z")),
        _ => lines(LIGHT.iter().find(|it| it.0 == letter)?.1),
    };
    Some(Shape::of(parts, 1.0))
}

/// How many characters are between two.
fn since(letter: char, first: char) -> usize {
    let of = |it: char| usize::try_from(u32::from(it)).unwrap_or_default();
    of(letter).saturating_sub(of(first))
}

impl Shape {
    fn of(parts: Vec<[usize; 4]>, opacity: f64) -> Self {
        Self {
            parts,
            path: "",
            opacity,
        }
    }

    fn path(path: &'static str) -> Self {
        Self {
            parts: Vec::new(),
            path,
            opacity: 1.0,
        }
    }
}

/// The lines of a box.
fn lines([up, right, down, left]: [bool; 4]) -> Vec<[usize; 4]> {
    let mut parts = Vec::new();
    if left || right {
        let from = if left { 0 } else { UPRIGHT };
        let to = if right { WIDE } else { UPRIGHT + THIN };
        parts.push([from, LEVEL, to - from, THIN]);
    }
    if up || down {
        let from = if up { 0 } else { LEVEL };
        let to = if down { HIGH } else { LEVEL + THIN };
        parts.push([UPRIGHT, from, THIN, to - from]);
    }
    parts
}

/// The dots of a Braille pattern, of which plots are made. Unicode numbers the lowest row last.
fn dots(bits: usize) -> Vec<[usize; 4]> {
    let place = |bit: usize| match bit {
        0..=2 => (0, bit),
        3..=5 => (1, bit - 3),
        _ => (bit - 6, 3),
    };
    let set = (0..8).filter(|bit| (bits >> bit) & 1 == 1);
    let dots = set.map(|bit| {
        let (column, row) = place(bit);
        [10 + 40 * column, 20 + 40 * row, 20, 20]
    });
    dots.collect()
}
