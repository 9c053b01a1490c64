//! ratatui's terminal on a [`Canvas`], without ratatui's comparison of frames.
//!
//! To compare all cells of two frames takes longer than to draw one, and the canvas compares rows anyway. So the frame is
//! drawn on a buffer of ours, and ratatui compares buffers without rows.

use std::io::{self, Write};
use std::mem;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

use super::Canvas;
use crate::hyperlink::Hyperlink;

/// Draws frames on a canvas.
pub(in crate::shell) struct Painter<W: Write> {
    terminal: Terminal<Canvas<W>>,
    size: Size,
    /// Empty between two frames.
    frame: Buffer,
}

impl<W: Write> Painter<W> {
    /// A painter on an empty terminal. `size` says how large it is at any time.
    pub(in crate::shell) fn new(out: W, size: fn() -> io::Result<Size>) -> io::Result<Self> {
        // A signal reports each change of the size: it is not asked for in every frame.
        let area = Rect::from((Position::ORIGIN, size()?));
        let viewport = Viewport::Fixed(area);
        let canvas = Canvas::new(out, size)?;
        Ok(Self {
            terminal: Terminal::with_options(canvas, TerminalOptions { viewport })?,
            size: area.as_size(),
            frame: Buffer::default(),
        })
    }

    /// Writes these bytes before the next frame, in one go with it.
    pub(in crate::shell) fn begin_with(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.terminal.backend_mut().write(bytes)
    }

    /// The size of the terminal when it was asked for last.
    pub(in crate::shell) fn size(&self) -> Size {
        self.size
    }

    /// What the terminal shows.
    pub(in crate::shell) fn shown(&self) -> Buffer {
        self.terminal.backend().shown()
    }

    /// Draws a frame and shows it; the terminal opens these addresses on it.
    pub(in crate::shell) fn draw(
        &mut self,
        links: Vec<Hyperlink>,
        view: impl FnOnce(&mut Frame<'_>),
    ) -> io::Result<()> {
        let ours = &mut self.frame;
        self.terminal.draw(|frame| {
            let area = frame.area();
            if ours.area == area {
                mem::swap(frame.buffer_mut(), ours);
            } else {
                // That of ratatui is empty, and of this size.
                frame.buffer_mut().resize(area);
            }
            view(frame);
            *ours = mem::replace(
                frame.buffer_mut(),
                Buffer::empty(Rect { height: 0, ..area }),
            );
        })?;
        self.terminal.backend_mut().show(&self.frame, links)?;
        // Now, when nobody waits for it.
        self.frame.reset();
        Ok(())
    }

    /// Adapts to a new size.
    pub(in crate::shell) fn resize(&mut self, size: Size) -> io::Result<()> {
        self.size = size;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    /// Adapts to the size that the terminal has now.
    pub(in crate::shell) fn autoresize(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        if size == self.size {
            return Ok(());
        }
        self.resize(size)
    }

    /// Makes the next frame draw every cell.
    pub(in crate::shell) fn clear(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }
}
