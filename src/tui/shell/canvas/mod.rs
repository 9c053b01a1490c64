//! What the terminal shows and what it should show, and the fewest bytes between the two.
//!
//! ratatui knows which cells changed; it does not see that a page has scrolled, and it writes a few
//! bytes even when nothing changed. This backend gathers a frame, moves rows that only changed their
//! place with the terminal's own scrolling, writes what is left in one go, and nothing if there is
//! nothing. Only what every terminal since the VT100 knows is used: margins, line feed, reverse index.

use std::io::{self, BufWriter, Write};
use std::ops::Range;

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::cursor::{Hide, MoveTo, Show};
use ratatui::crossterm::queue;
use ratatui::layout::{Position, Rect, Size};

use crate::course::wrap;

/// Fewer rows than this are not worth scrolling.
const WORTH: usize = 3;

/// Frames up to this many bytes are written in one go.
const FRAME: usize = 1 << 16;

/// A backend that scrolls.
pub(super) struct Canvas<W: Write> {
    inner: CrosstermBackend<BufWriter<W>>,
    size: fn() -> io::Result<Size>,
    shown: Buffer,
    wanted: Buffer,
    shown_cursor: Option<Position>,
    wanted_cursor: Option<Position>,
    /// Where the cursor would be if it were shown.
    position: Position,
}

/// Rows that only change their place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shift {
    /// The rows that the terminal scrolls.
    rows: Range<usize>,
    /// How far, and where to.
    by: usize,
    direction: Direction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

impl<W: Write> Canvas<W> {
    /// A canvas on an empty terminal. `size` says how large it is at any time.
    pub(super) fn new(out: W, size: fn() -> io::Result<Size>) -> io::Result<Self> {
        let area = Rect::from((Position::ORIGIN, size()?));
        Ok(Self {
            inner: CrosstermBackend::new(BufWriter::with_capacity(FRAME, out)),
            size,
            shown: Buffer::empty(area),
            wanted: Buffer::empty(area),
            shown_cursor: Some(Position::ORIGIN),
            wanted_cursor: Some(Position::ORIGIN),
            position: Position::ORIGIN,
        })
    }

    /// Has the terminal scroll, and notes what it then shows.
    fn scroll(&mut self, shift: &Shift) -> io::Result<()> {
        let (top, bottom) = (shift.rows.start, shift.rows.end);
        write!(self.inner, "\x1b[{};{bottom}r", top + 1)?;
        let (row, command) = match shift.direction {
            Direction::Up => (bottom, "\n"),
            Direction::Down => (top + 1, "\x1bM"),
        };
        write!(
            self.inner,
            "\x1b[{row};1H{}\x1b[r",
            command.repeat(shift.by)
        )?;

        let width = usize::from(self.shown.area.width);
        let cells = self.shown.content.get_mut(top * width..bottom * width);
        let cells = cells.unwrap_or_default();
        let moved = (shift.by * width).min(cells.len());
        let kept = cells.len() - moved;
        let blank = match shift.direction {
            Direction::Up => {
                cells.rotate_left(moved);
                kept..cells.len()
            }
            Direction::Down => {
                cells.rotate_right(moved);
                0..moved
            }
        };
        for cell in cells.get_mut(blank).unwrap_or_default() {
            cell.reset();
        }
        Ok(())
    }
}

/// The move that puts most rows where they should be, if any is worth it.
fn best_shift(shown: &Buffer, wanted: &Buffer) -> Option<Shift> {
    let width = usize::from(shown.area.width);
    if width == 0 || shown.area != wanted.area {
        return None;
    }
    let old: Vec<&[Cell]> = shown.content.chunks(width).collect();
    let new: Vec<&[Cell]> = wanted.content.chunks(width).collect();
    let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    if changed < WORTH {
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
fn longest_run(from: &[&[Cell]], to: &[&[Cell]]) -> Option<(usize, Range<usize>)> {
    let mut best: Option<(usize, Range<usize>)> = None;
    let mut start = 0;
    let mut worth = 0;
    for (at, (old, new)) in from.iter().zip(to).enumerate() {
        if old != new {
            start = at + 1;
            worth = 0;
            continue;
        }
        worth += usize::from(new.iter().any(|it| it.symbol() != " "));
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, start..at + 1));
        }
    }
    best
}

impl<W: Write> Backend for Canvas<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        for (x, y, cell) in content {
            if let Some(slot) = self.wanted.cell_mut((x, y)) {
                slot.clone_from(cell);
            }
            // ratatui does not send the cells that a wide letter covers: they are blank.
            for covered in 1..u16::try_from(wrap::width(cell.symbol())).unwrap_or(1) {
                if let Some(slot) = self.wanted.cell_mut((x.saturating_add(covered), y)) {
                    slot.reset();
                }
            }
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.wanted_cursor = None;
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.wanted_cursor = Some(self.position);
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.position)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.position = P::into(position);
        self.wanted_cursor = self.wanted_cursor.map(|_| self.position);
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        let area = Rect::from((Position::ORIGIN, (self.size)()?));
        self.shown = Buffer::empty(area);
        self.wanted = Buffer::empty(area);
        self.inner.clear()
    }

    fn clear_region(&mut self, _region: ClearType) -> io::Result<()> {
        // The app has the whole screen: nobody clears less than that.
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        (self.size)()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        let shift = best_shift(&self.shown, &self.wanted);
        if let Some(shift) = &shift {
            self.scroll(shift)?;
        }
        let changes = self.shown.diff(&self.wanted);
        let is_drawn = shift.is_some() || !changes.is_empty();
        if is_drawn || self.wanted_cursor != self.shown_cursor {
            if self.shown_cursor.is_some() {
                queue!(self.inner, Hide)?;
            }
            if !changes.is_empty() {
                self.inner.draw(changes.into_iter())?;
                self.shown.clone_from(&self.wanted);
            }
            if let Some(Position { x, y }) = self.wanted_cursor {
                queue!(self.inner, MoveTo(x, y), Show)?;
            }
            self.shown_cursor = self.wanted_cursor;
        }
        Write::flush(&mut self.inner)
    }
}

#[cfg(test)]
mod tests;
