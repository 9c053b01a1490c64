//! The terminal: taken over, drawn on, and restored whatever happens.
//!
//! Restoring has to work from any thread, at any time, and more than once: on return, in
//! a panic, by a signal. So it takes no lock that a thread may hold which draws on a terminal that accepts no bytes,
//! such as that of a connection that hangs, and it does not wait for such a terminal.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::crossterm::clipboard::CopyToClipboard;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::terminal::{
    self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Size;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::termios::tcgetwinsize;

use super::background;
use super::canvas::Painter;
use crate::app::App;

/// Whether the terminal is ours now.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The most columns and rows that are used; all of them while it is 0.
static MOST_COLUMNS: AtomicU16 = AtomicU16::new(0);
static MOST_ROWS: AtomicU16 = AtomicU16::new(0);

/// How long restoring waits for a terminal that accepts no bytes.
const PATIENCE: Duration = Duration::from_millis(200);

/// Whether the wheel and clicks come to the app.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Whether the terminal is told which addresses it can open.
static LINKS: AtomicBool = AtomicBool::new(false);

/// Whether the terminal is asked for its background.
static BACKGROUND: AtomicBool = AtomicBool::new(false);

/// Ends a link that was cut off.
const NO_LINK: &[u8] = b"\x1b]8;;\x1b\\";

/// What is asked of the terminal beside a screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct TerminalFeatures {
    /// Whether wheel and clicks come to the app.
    pub(super) mouse: bool,
    /// Whether the terminal is told which addresses it can open (OSC 8).
    pub(super) links: bool,
    /// Whether the terminal is asked for the colour of its background.
    pub(super) background: bool,
}

/// Whether a terminal of this name keeps quiet about what it does not know: the console of Linux prints it.
pub(super) fn is_quiet(term: Option<&str>) -> bool {
    !matches!(
        term,
        None | Some("" | "linux" | "dumb" | "vt100" | "vt220" | "ansi")
    )
}

/// Reports of buttons and the wheel, and of movement only while a button is down: an idle app sleeps while the mouse moves.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// Ends a control sequence that was cut off, styles, and the margins of a scroll; then empties the screen: of one that has
/// grown, tmux would leave a line on the shell's.
const CLEAN: &[u8] = b"\x18\x1b[0m\x1b[r\x1b[H\x1b[J";

/// The terminal while it is ours.
pub(super) struct Screen {
    painter: Painter<Output>,
    is_stale: bool,
}

/// Writes to the terminal without the lock and the buffer of standard output. What is drawn after the terminal was
/// restored, by a thread that goes on for a moment, is dropped.
struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if TAKEN.load(Ordering::SeqCst) {
            Ok(rustix::io::write(io::stdout(), bytes)?)
        } else {
            Ok(bytes.len())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Screen {
    /// Takes the terminal over. It is restored when this is dropped.
    pub(super) fn enter(set: TerminalFeatures) -> io::Result<Self> {
        MOUSE.store(set.mouse, Ordering::SeqCst);
        LINKS.store(set.links, Ordering::SeqCst);
        BACKGROUND.store(set.background, Ordering::SeqCst);
        take()?;
        let mut painter = Painter::new(Output, size)?;
        painter.begin_with(&opening()?)?;
        Ok(Self {
            painter,
            is_stale: false,
        })
    }

    /// Takes wheel and clicks, or leaves them to the terminal.
    #[expect(
        clippy::unused_self,
        reason = "only who has the screen may set the terminal"
    )]
    pub(super) fn set_mouse(&self, mouse: bool) -> io::Result<()> {
        if MOUSE.swap(mouse, Ordering::SeqCst) == mouse {
            return Ok(());
        }
        let bytes = if mouse { MOUSE_ON } else { MOUSE_OFF };
        Output.write_all(bytes)
    }

    /// The size of the terminal when it last reported one.
    pub(super) fn size(&self) -> Size {
        self.painter.size()
    }

    /// What the terminal shows.
    pub(super) fn shown(&self) -> Buffer {
        self.painter.shown()
    }

    /// Draws the app. A terminal without a size gets nothing.
    pub(super) fn draw(&mut self, app: &mut App) -> io::Result<()> {
        app.settle();
        let size = self.size();
        if size.width == 0 || size.height == 0 {
            return Ok(());
        }
        if std::mem::take(&mut self.is_stale) {
            self.painter.clear()?;
        }
        let links = if LINKS.load(Ordering::SeqCst) {
            app.hyperlinks()
        } else {
            Vec::new()
        };
        self.painter.draw(links, |frame| app.view(frame))
    }

    /// Adapts to a new size.
    pub(super) fn resize(&mut self, size: Size) -> io::Result<()> {
        self.painter.resize(size)
    }

    /// Makes the next frame redraw every cell, and sets the terminal up again: a shell may have had it meanwhile.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        self.is_stale = true;
        self.painter.begin_with(&opening()?)
    }

    /// Puts text into the clipboard of the terminal, which may be on another machine. Terminals without this ignore it.
    pub(super) fn copy(text: &str) -> io::Result<()> {
        execute!(Output, CopyToClipboard::to_clipboard_from(text))
    }

    /// Asks for the background, which may have changed.
    pub(super) fn ask_background() -> io::Result<()> {
        if BACKGROUND.load(Ordering::SeqCst) {
            Output.write_all(background::QUESTION)?;
        }
        Ok(())
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
        self.painter.begin_with(&opening()?)?;
        self.painter.autoresize()?;
        self.is_stale = true;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// The size of the terminal. Standard output comes first: crossterm opens the terminal by its name, and where that reports no
/// size it starts `tput`.
pub(super) fn size() -> io::Result<Size> {
    let whole = match tcgetwinsize(io::stdout()) {
        Ok(it) if it.ws_col > 0 && it.ws_row > 0 => Size::new(it.ws_col, it.ws_row),
        Ok(_) | Err(_) => terminal::size().map(Size::from)?,
    };
    let most = |side: &AtomicU16, whole: u16| match side.load(Ordering::SeqCst) {
        0 => whole,
        most => whole.min(most),
    };
    Ok(Size::new(
        most(&MOST_COLUMNS, whole.width),
        most(&MOST_ROWS, whole.height),
    ))
}

/// From now on, uses a part of the terminal: what is right of it and below it stays empty.
pub(super) fn use_at_most(size: Size) {
    MOST_COLUMNS.store(size.width, Ordering::SeqCst);
    MOST_ROWS.store(size.height, Ordering::SeqCst);
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    Ok(())
}

/// What has the terminal show a screen. It is written with the first frame: on its own, it would show an empty screen first.
fn opening() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A terminal without another screen is emptied.
    let all = Clear(ClearType::All);
    queue!(bytes, EnterAlternateScreen, all, EnableBracketedPaste)?;
    if MOUSE.load(Ordering::SeqCst) {
        bytes.extend_from_slice(MOUSE_ON);
    }
    if BACKGROUND.load(Ordering::SeqCst) {
        bytes.extend_from_slice(background::FOCUS_ON);
        bytes.extend_from_slice(background::QUESTION);
    }
    Ok(bytes)
}

/// Restores the terminal. Errors are ignored: there is no screen to report them on.
pub(super) fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // First what does not depend on the terminal's other end.
    drop(disable_raw_mode());
    let mut bytes = CLEAN.to_vec();
    if LINKS.load(Ordering::SeqCst) {
        bytes.extend_from_slice(NO_LINK);
    }
    if MOUSE.load(Ordering::SeqCst) {
        bytes.extend_from_slice(MOUSE_OFF);
    }
    if BACKGROUND.load(Ordering::SeqCst) {
        bytes.extend_from_slice(background::FOCUS_OFF);
    }
    drop(queue!(
        bytes,
        DisableBracketedPaste,
        Show,
        LeaveAlternateScreen
    ));
    if let Some(terminal) = opened_again() {
        put(&terminal, &bytes, Instant::now() + PATIENCE);
    }
}

/// The terminal, opened once more: then only our writes do not wait. Standard output may be shared with the learner's
/// shell, and the mode would be, too.
fn opened_again() -> Option<File> {
    let open = |path: &Path| {
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        let mut options = File::options();
        let options = options.write(true).custom_flags(flags.bits().cast_signed());
        options.open(path).ok()
    };
    let name = rustix::termios::ttyname(io::stdout(), Vec::new()).ok();
    let named = name.and_then(|it| open(Path::new(OsStr::from_bytes(it.as_bytes()))));
    named.or_else(|| open(Path::new("/dev/tty")))
}

/// Writes as much as the terminal accepts in time.
fn put(terminal: &File, mut bytes: &[u8], until: Instant) {
    while !bytes.is_empty() {
        match rustix::io::write(terminal, bytes) {
            Ok(count @ 1..) => bytes = bytes.get(count..).unwrap_or_default(),
            Err(Errno::INTR) => {}
            Ok(0) | Err(Errno::AGAIN) => {
                let left = until.saturating_duration_since(Instant::now());
                let Ok(left) = Timespec::try_from(left) else {
                    return;
                };
                let mut watched = [PollFd::new(terminal, PollFlags::OUT)];
                match poll(&mut watched, Some(&left)) {
                    Ok(0) => return,
                    Err(error) if error != Errno::INTR => return,
                    Ok(_) | Err(_) => {}
                }
                if Instant::now() >= until {
                    return;
                }
            }
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_console_that_prints_what_it_does_not_know_is_not_quiet() {
        for quiet in ["xterm-256color", "screen", "tmux-256color", "foot"] {
            assert!(is_quiet(Some(quiet)), "{quiet}");
        }
        for loud in [None, Some(""), Some("linux"), Some("dumb")] {
            assert!(!is_quiet(loud), "{loud:?}");
        }
    }
}
