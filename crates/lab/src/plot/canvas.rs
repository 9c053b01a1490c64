//! Lines as letters: dots in cells, and who drew them.
//!
//! A cell of a braille canvas has two by four dots, one of an ASCII canvas a single one.

use super::row::{Ink, PlotRow, cell, several};
use warpup_text::shown::Letters;

/// What is drawn on.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    letters: Letters,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    /// Which of its dots are set, as braille numbers them.
    dots: u8,
    owner: Owner,
    mark: Option<(char, Ink)>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Owner {
    #[default]
    Nobody,
    One(usize),
    /// Two series, or the first two of more.
    Several(usize, usize),
}

impl Owner {
    /// Whose a cell is, in a column. Lines that lie on each other are in the colours of both, in turns.
    fn ink(self, column: usize) -> Ink {
        match self {
            Self::Nobody => Ink::Text,
            Self::One(series) => Ink::Series(series),
            Self::Several(first, second) if column.is_multiple_of(2) => {
                Ink::Series(first.min(second))
            }
            Self::Several(first, second) => Ink::Series(first.max(second)),
        }
    }
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, letters: Letters) -> Self {
        Self {
            width,
            height,
            letters,
            cells: vec![Cell::default(); width * height],
        }
    }

    /// Joins points, which are shares of the two axes.
    pub(super) fn series(&mut self, series: usize, points: &[(f64, f64)]) {
        let (fine_x, fine_y) = self.fine();
        let (wide, high) = (self.width * fine_x, self.height * fine_y);
        let mut before: Option<(usize, usize)> = None;
        for (x, y) in points {
            let point = (cell(*x, wide), high - 1 - cell(*y, high));
            self.join(series, before.unwrap_or(point), point);
            before = Some(point);
        }
    }

    /// Sets a mark at a point, over whatever line is there. Points of several series in one cell have a mark of their own.
    pub(super) fn mark(&mut self, series: usize, (x, y): (f64, f64), mark: char) {
        let (column, row) = (cell(x, self.width), self.height - 1 - cell(y, self.height));
        if let Some(cell) = self.cells.get_mut(row * self.width + column) {
            let own = (mark, Ink::Series(series));
            cell.mark = match cell.mark {
                Some(there) if there != own => Some((several(self.letters), Ink::Text)),
                Some(_) | None => Some(own),
            };
        }
    }

    /// Dots of a cell, across and down.
    fn fine(&self) -> (usize, usize) {
        match self.letters {
            Letters::Unicode => (2, 4),
            Letters::Ascii => (1, 1),
        }
    }

    /// Sets the dots between two: as many as the longer side has, so that there is no gap.
    fn join(&mut self, series: usize, from: (usize, usize), to: (usize, usize)) {
        let count = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1));
        let between = |a: usize, b: usize, step: usize| {
            let whole = a.abs_diff(b) * step;
            // Rounded, and no division by nothing.
            let part = (whole + count / 2).checked_div(count).unwrap_or(0);
            if b >= a { a + part } else { a - part }
        };
        for step in 0..=count {
            self.dot(
                series,
                (between(from.0, to.0, step), between(from.1, to.1, step)),
            );
        }
    }

    fn dot(&mut self, series: usize, (x, y): (usize, usize)) {
        let (fine_x, fine_y) = self.fine();
        let at = y / fine_y * self.width + x / fine_x;
        let Some(cell) = self.cells.get_mut(at) else {
            return;
        };
        cell.dots |= match (x % fine_x, y % fine_y) {
            (0, 3) => 0x40,
            (1, 3) => 0x80,
            (0, down) => 1 << down,
            (_, down) => 8 << down,
        };
        cell.owner = match cell.owner {
            Owner::Nobody => Owner::One(series),
            Owner::One(known) if known == series => cell.owner,
            Owner::One(known) => Owner::Several(known, series),
            Owner::Several(..) => cell.owner,
        };
    }

    /// Whether points of several series share a cell.
    pub(super) fn has_shared(&self) -> bool {
        let shared = Some((several(self.letters), Ink::Text));
        self.cells.iter().any(|it| it.mark == shared)
    }

    /// What was drawn, from the top.
    pub(super) fn rows(&self) -> Vec<PlotRow> {
        let rows = self.cells.chunks(self.width.max(1));
        rows.map(|cells| self.row(cells)).collect()
    }

    fn row(&self, cells: &[Cell]) -> PlotRow {
        let mut row = PlotRow::default();
        for (column, cell) in cells.iter().enumerate() {
            if let Some((mark, ink)) = cell.mark {
                row.push(mark, ink);
                continue;
            }
            let letter = match self.letters {
                _ if cell.dots == 0 => ' ',
                Letters::Unicode => char::from_u32(0x2800 + u32::from(cell.dots)).unwrap_or('·'),
                Letters::Ascii => '.',
            };
            row.push(letter, cell.owner.ink(column));
        }
        row
    }
}
