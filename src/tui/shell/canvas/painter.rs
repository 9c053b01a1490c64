//! ratatui's terminal on a [`Canvas`], without ratatui's comparison of frames.
//!
//! To compare all cells of two frames takes longer than to draw one, and the canvas compares rows anyway. So the frame is
//! drawn on a buffer of ours, and ratatui compares buffers without rows.

use std::io::{self, Write};
use std::mem;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::{Frame, Terminal};

use super::Canvas;
use crate::tui::hyperlink::Hyperlink;

/// Draws frames on a canvas.
pub(in crate::tui::shell) struct Painter<W: Write> {
    terminal: Terminal<Canvas<W>>,
    /// The frame that was drawn last.
    frame: Buffer,
}

impl<W: Write> Painter<W> {
    /// A painter on an empty terminal. `size` says how large it is at any time.
    pub(in crate::tui::shell) fn new(out: W, size: fn() -> io::Result<Size>) -> io::Result<Self> {
        Ok(Self {
            terminal: Terminal::new(Canvas::new(out, size)?)?,
            frame: Buffer::default(),
        })
    }

    /// The size of the terminal.
    pub(in crate::tui::shell) fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }

    /// Draws a frame and shows it; the terminal opens these addresses on it.
    pub(in crate::tui::shell) fn draw(
        &mut self,
        links: Vec<Hyperlink>,
        view: impl FnOnce(&mut Frame<'_>),
    ) -> io::Result<()> {
        let ours = &mut self.frame;
        self.terminal.draw(|frame| {
            let area = frame.area();
            ours.resize(area);
            ours.reset();
            mem::swap(frame.buffer_mut(), ours);
            view(frame);
            mem::swap(frame.buffer_mut(), ours);
            *frame.buffer_mut() = Buffer::empty(Rect { height: 0, ..area });
        })?;
        self.terminal.backend_mut().show(&self.frame, links)
    }

    /// Adapts to a new size.
    pub(in crate::tui::shell) fn resize(&mut self, size: Size) -> io::Result<()> {
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    /// Adapts to the size that the terminal has now.
    pub(in crate::tui::shell) fn autoresize(&mut self) -> io::Result<()> {
        self.terminal.autoresize()
    }

    /// Makes the next frame draw every cell.
    pub(in crate::tui::shell) fn clear(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }
}
