//! The terminal: taken over, drawn on, and restored whatever happens.
//!
//! Restoring has to work from any thread, at any time, and more than once: on return, in
//! a panic, by a signal.

use std::io::{self, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::Terminal;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    self, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::{Rect, Size};

use super::canvas::Canvas;
use crate::tui::app::App;

/// Whether the terminal is ours now.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours.
pub(super) struct Screen {
    terminal: Terminal<Canvas<io::Stdout>>,
    is_stale: bool,
}

impl Screen {
    /// Takes the terminal over. It is restored when this is dropped, and before a panic is printed.
    pub(super) fn enter() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                restore();
                before(panic);
            }));
        });
        take()?;
        Ok(Self {
            terminal: Terminal::new(Canvas::new(io::stdout(), size)?)?,
            is_stale: false,
        })
    }

    /// The size of the terminal; zero if it does not report one.
    pub(super) fn size(&self) -> Size {
        self.terminal.size().unwrap_or(Size::ZERO)
    }

    /// Draws the app. A terminal without a size gets nothing.
    pub(super) fn draw(&mut self, app: &mut App) -> io::Result<()> {
        app.settle();
        if self.size().width == 0 || self.size().height == 0 {
            return Ok(());
        }
        if std::mem::take(&mut self.is_stale) {
            self.terminal.clear()?;
        }
        self.terminal.draw(|frame| app.view(frame))?;
        Ok(())
    }

    /// Adapts to a new size.
    pub(super) fn resize(&mut self, size: Size) -> io::Result<()> {
        self.terminal
            .resize(Rect::from((ratatui::layout::Position::ORIGIN, size)))
    }

    /// Makes the next frame redraw every cell.
    pub(super) fn forget(&mut self) {
        self.is_stale = true;
    }

    /// Restores the terminal until [`Screen::come_back`].
    #[expect(
        clippy::unused_self,
        reason = "only who has the screen may give it back"
    )]
    pub(super) fn leave(&self) {
        restore();
    }

    /// Takes the terminal over again.
    pub(super) fn come_back(&mut self) -> io::Result<()> {
        take()?;
        self.terminal.autoresize()?;
        self.is_stale = true;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn size() -> io::Result<Size> {
    terminal::size().map(Size::from)
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)
}

/// Restores the terminal. Errors are ignored: there is no screen to report them on.
pub(super) fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut stdout = io::stdout();
    drop(execute!(
        stdout,
        DisableBracketedPaste,
        Show,
        LeaveAlternateScreen
    ));
    drop(stdout.flush());
    drop(disable_raw_mode());
}
