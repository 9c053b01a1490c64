//! What the terminal shows and what it should show, and the fewest bytes between the two.
//!
//! ratatui compares two frames cell by cell; it does not see that a page has scrolled, and it writes a few bytes even when
//! nothing changed. This backend compares frames row by row, moves rows that only changed their place with the terminal's
//! own scrolling, writes what is left in one go, and nothing if there is nothing. Only what every terminal since the
//! VT100 knows is used: margins, line feed, reverse index. [`Painter`] has ratatui draw on it.

mod links;
mod painter;
mod shift;

use std::io::{self, BufWriter, Write};

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::cursor::{Hide, MoveTo, Show};
use ratatui::crossterm::queue;
use ratatui::crossterm::terminal::{self, Clear};
use ratatui::layout::{Position, Rect, Size};

use crate::hyperlink::Hyperlink;
use links::Links;
pub(super) use painter::Painter;
use shift::{CanvasRow, Direction, Shift, best_shift};

/// Unicode's zero width joiner, which makes one picture of the two around it.
const JOINER: char = '\u{200d}';

/// Frames up to this many bytes are written in one go.
const FRAME: usize = 1 << 16;

/// A backend that scrolls.
pub(super) struct Canvas<W: Write> {
    inner: CrosstermBackend<BufWriter<W>>,
    size: fn() -> io::Result<Size>,
    /// Row by row: what scrolls is not copied.
    shown: Vec<Buffer>,
    shown_rows: Vec<CanvasRow>,
    /// To compare a row on.
    line: Buffer,
    /// The addresses that the terminal opens.
    shown_links: Links,
    shown_cursor: Option<Position>,
    wanted_cursor: Option<Position>,
    /// Where the cursor would be if it were shown.
    position: Position,
}

impl<W: Write> Canvas<W> {
    /// A canvas on an empty terminal. `size` says how large it is at any time.
    fn new(out: W, size: fn() -> io::Result<Size>) -> io::Result<Self> {
        let mut canvas = Self {
            inner: CrosstermBackend::new(BufWriter::with_capacity(FRAME, out)),
            size,
            shown: Vec::new(),
            shown_rows: Vec::new(),
            line: Buffer::default(),
            shown_links: Links::default(),
            shown_cursor: Some(Position::ORIGIN),
            wanted_cursor: Some(Position::ORIGIN),
            position: Position::ORIGIN,
        };
        canvas.begin(size()?);
        Ok(canvas)
    }

    /// Writes bytes before the next frame.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.inner.write_all(bytes)
    }

    /// Begins with an empty terminal of this size.
    fn begin(&mut self, size: Size) {
        let height = usize::from(size.height);
        self.line = Buffer::empty(Rect::new(0, 0, size.width, 1));
        self.shown = vec![self.line.clone(); height];
        self.shown_rows = vec![CanvasRow::of(&self.line.content); height];
        self.shown_links = Links::of(Vec::new(), height);
    }

    /// What is shown, as one buffer.
    fn shown(&self) -> Buffer {
        let Size { width, height } = self.shown_size();
        Buffer {
            area: Rect::new(0, 0, width, height),
            content: self
                .shown
                .iter()
                .flat_map(|it| it.content.clone())
                .collect(),
        }
    }

    /// The size of what is shown.
    fn shown_size(&self) -> Size {
        let height = u16::try_from(self.shown.len()).unwrap_or(u16::MAX);
        Size::new(self.line.area.width, height)
    }

    /// Has the terminal show a frame, and open these addresses on it.
    fn show(&mut self, wanted: &Buffer, links: Vec<Hyperlink>) -> io::Result<()> {
        if self.shown_size() != wanted.area.as_size() {
            self.begin(wanted.area.as_size());
            self.inner.clear()?;
        }
        let wanted_rows: Vec<CanvasRow> = rows(wanted).map(CanvasRow::of).collect();
        let shift = best_shift(&self.shown_rows, &wanted_rows);
        if let Some(shift) = &shift {
            self.scroll(shift)?;
        }
        self.relink(Links::of(links, wanted_rows.len()));
        let erased = self.erase_doubtful(&wanted_rows);
        let changes = self.take_changes(wanted, wanted_rows);
        let is_drawn = shift.is_some() || !changes.is_empty() || !erased.is_empty();
        if is_drawn || self.wanted_cursor != self.shown_cursor {
            if self.shown_cursor.is_some() {
                queue!(self.inner, Hide)?;
            }
            for y in erased {
                queue!(
                    self.inner,
                    MoveTo(0, y),
                    Clear(terminal::ClearType::CurrentLine)
                )?;
            }
            if !changes.is_empty() {
                write_cells(&mut self.inner, &changes, &self.shown_links)?;
            }
            if let Some(Position { x, y }) = self.wanted_cursor {
                queue!(self.inner, MoveTo(x, y), Show)?;
            }
            self.shown_cursor = self.wanted_cursor;
        }
        Write::flush(&mut self.inner)
    }

    /// Forgets what is shown where an address comes or goes: a terminal keeps it with the letter.
    fn relink(&mut self, wanted: Links) {
        for (column, row) in self.shown_links.changed(&wanted) {
            let row = usize::from(row);
            let known = self.shown.get_mut(row).zip(self.shown_rows.get_mut(row));
            let Some((cells, hash)) = known else { continue };
            hash.forget();
            if let Some(cell) = cells.cell_mut((column, 0)) {
                cell.set_symbol("\u{fffd}");
            }
        }
        self.shown_links = wanted;
    }

    /// Takes the rows that are redrawn from nothing: where terminals disagree about the width of what was or will be there,
    /// letters may be in other columns than they were drawn in.
    fn erase_doubtful(&mut self, wanted: &[CanvasRow]) -> Vec<u16> {
        let mut erased = Vec::new();
        let shown = self.shown.iter_mut().zip(&mut self.shown_rows);
        for (y, ((cells, old), new)) in (0..).zip(shown.zip(wanted)) {
            if old != new && (old.is_doubtful || new.is_doubtful) {
                cells.reset();
                old.forget();
                erased.push(y);
            }
        }
        erased
    }

    /// The cells that the terminal does not show as they should be, row by row; notes that it will. Most rows are equal:
    /// ratatui's diff, which knows what wide letters cover, sees only the others.
    fn take_changes(&mut self, wanted: &Buffer, hashes: Vec<CanvasRow>) -> Vec<(u16, u16, Cell)> {
        let line = &mut self.line;
        let mut changes = Vec::new();
        let shown = (0..).zip(&mut self.shown).zip(&self.shown_rows);
        for (((y, old), old_hash), (new, new_hash)) in shown.zip(rows(wanted).zip(&hashes)) {
            if old_hash == new_hash {
                continue;
            }
            line.content.clone_from_slice(new);
            let cells = old.diff(line).into_iter();
            changes.extend(cells.map(|(x, _, cell)| (x, y, without_loose_joiner(cell))));
            std::mem::swap(old, line);
        }
        self.shown_rows = hashes;
        changes
    }

    /// Has the terminal scroll, and notes which rows it then shows.
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
        shift.apply(&mut self.shown, Buffer::reset);
        shift.apply(&mut self.shown_rows, |it| *it = CanvasRow::UNKNOWN);
        self.shown_links.scroll(shift);
        Ok(())
    }
}

/// The cell without a joiner at its end: that one joins nothing here, and a terminal would join the next cell's text to it.
fn without_loose_joiner(cell: &Cell) -> Cell {
    let mut cell = cell.clone();
    let kept = cell.symbol().trim_end_matches(JOINER).to_owned();
    if kept.len() < cell.symbol().len() {
        cell.set_symbol(if kept.is_empty() { " " } else { &kept });
    }
    cell
}

/// Writes cells, with the addresses that the terminal opens.
fn write_cells(
    out: &mut CrosstermBackend<impl Write>,
    cells: &[(u16, u16, Cell)],
    links: &Links,
) -> io::Result<()> {
    let address = |it: &(u16, u16, Cell)| links.at(it.0, it.1);
    for run in cells.chunk_by(|one, other| address(one) == address(other)) {
        let link = run.first().and_then(address);
        if let Some(link) = link {
            write!(out, "\x1b]8;;{link}\x1b\\")?;
        }
        out.draw(run.iter().map(|(x, y, cell)| (*x, *y, cell)))?;
        if link.is_some() {
            write!(out, "\x1b]8;;\x1b\\")?;
        }
    }
    Ok(())
}

/// The cells of a buffer by row.
fn rows(buffer: &Buffer) -> impl Iterator<Item = &[Cell]> {
    let width = usize::from(buffer.area.width).max(1);
    buffer.content.chunks(width)
}

impl<W: Write> Backend for Canvas<W> {
    type Error = io::Error;

    /// Draws nothing: [`Painter`] keeps the frame from ratatui and shows it.
    fn draw<'a, I>(&mut self, _content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
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
        self.begin((self.size)()?);
        // It may be shown by somebody else.
        self.shown_cursor = Some(Position::ORIGIN);
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
        Ok(())
    }
}

#[cfg(test)]
mod tests;
