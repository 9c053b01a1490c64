//! The threads that wait for keys, signals, and the end of the terminal.
//!
//! Each blocks until something happens. The end of the terminal has a thread of its own because reading
//! keys from a terminal that is gone never returns and uses a whole core. Keys and sizes come by different ways, so that neither
//! waits for the other.
//!
//! Whatever ends the process, and a panic in any thread, comes through [`die`]: the app saves and ends, or is ended.

use std::io;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event::{self, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpid, kill_process};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1,
    SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU,
};
use signal_hook::iterator::Signals;

use super::event_loop::Message;
use super::terminal;
use crate::lab::engine::test_panic::panic_for_test;
use crate::tui::app::Event;
use crate::tui::stack::Wheel;

/// How long the app may take to save and end before the process is ended anyway. With the time that restoring a
/// terminal takes at most, it is gone within a second.
const GRACE: Duration = Duration::from_millis(500);

/// How long to look for what was read together with a key. crossterm waits in whole milliseconds and spins for what is left of
/// one, so it is a little more than one; for less it would not look at what it has read.
const REST: Duration = Duration::from_micros(1_050);

const NOW: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// Held by who reads from the terminal.
static KEYS: Mutex<()> = Mutex::new(());

/// Whether another program has the terminal, so that its keys send signals to warpup, too.
static OUTSIDE: AtomicBool = AtomicBool::new(false);

/// Another program has the terminal until this is dropped.
pub(super) struct Outside;

impl Outside {
    pub(super) fn enter() -> Self {
        OUTSIDE.store(true, Ordering::SeqCst);
        Self
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        OUTSIDE.store(false, Ordering::SeqCst);
    }
}

/// Signals that end a process which does not handle them. Those of a fault in the process itself are not among them.
const DEADLY: [i32; 11] = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGXCPU,
];

/// Starts the thread that must run before the terminal is taken over: a signal in between would leave it raw.
pub(super) fn start_signals(messages: &SyncSender<Message>) -> io::Result<()> {
    let signals = Signals::new(DEADLY.into_iter().chain([SIGTSTP, SIGCONT, SIGWINCH]))?;
    end_on_panic(messages);
    spawn("signals", messages, |it| listen_to_signals(signals, &it))
}

/// Starts reading keys, and waiting for the end of the terminal.
pub(super) fn start_terminal(messages: &SyncSender<Message>) -> io::Result<()> {
    spawn("hangup", messages, |it| watch_terminal(&it))?;
    spawn("keys", messages, |it| read_keys(&it))
}

/// Starts a thread that sends messages to the loop.
pub(super) fn spawn(
    name: &str,
    messages: &SyncSender<Message>,
    work: impl FnOnce(SyncSender<Message>) + Send + 'static,
) -> io::Result<()> {
    let messages = messages.clone();
    let thread = thread::Builder::new().name(name.to_owned());
    // Nobody waits for these threads: they end with the process.
    thread.spawn(move || work(messages)).map(drop)
}

/// Makes a panic in any thread end the app: a thread that is missing would leave it without keys, signals or labs.
fn end_on_panic(messages: &SyncSender<Message>) {
    let messages = messages.clone();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        terminal::restore();
        // Printing waits for a terminal that accepts no bytes, and so may what unwinding drops.
        let watch = thread::Builder::new().name("end after a panic".to_owned());
        drop(watch.spawn(|| end_after_grace(SIGABRT)));
        before(panic);
        drop(messages.try_send(Message::Die(SIGABRT)));
    }));
}

fn read_keys(messages: &SyncSender<Message>) {
    while wait_for_keys() {
        // Another program may have read them while this waited.
        let _ours = lock();
        if !is_readable(Some(&NOW)) {
            continue;
        }
        if !send_keys(messages) {
            return;
        }
    }
    die(messages, SIGHUP);
}

/// Sends what has been typed. Says whether the app still takes it.
fn send_keys(messages: &SyncSender<Message>) -> bool {
    panic_for_test();
    loop {
        let Ok(event) = event::read() else {
            die(messages, SIGHUP);
            return false;
        };
        let event = match event {
            event::Event::Key(key) if key.kind != KeyEventKind::Release => Some(Event::Key(key)),
            event::Event::Paste(text) => Some(Event::Paste(text)),
            event::Event::Mouse(mouse) => pointed(mouse),
            // A signal reports sizes, also while nobody types.
            event::Event::Resize(..)
            | event::Event::Key(_)
            | event::Event::FocusGained
            | event::Event::FocusLost => None,
        };
        let send = |it| messages.send(Message::App(Box::new(it)));
        if event.map_or(Ok(()), send).is_err() {
            return false;
        }
        if !event::poll(REST).unwrap_or(false) {
            return true;
        }
    }
}

/// What the app knows of the mouse: the wheel and clicks.
fn pointed(mouse: MouseEvent) -> Option<Event> {
    match mouse.kind {
        MouseEventKind::ScrollUp => Some(Event::Wheel(Wheel::Up)),
        MouseEventKind::ScrollDown => Some(Event::Wheel(Wheel::Down)),
        MouseEventKind::Down(MouseButton::Left) => {
            Some(Event::Click(Position::new(mouse.column, mouse.row)))
        }
        MouseEventKind::Down(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => None,
    }
}

/// Waits until something is typed; false when the terminal is gone.
fn wait_for_keys() -> bool {
    is_readable(None)
}

/// Whether there is something to read, after waiting so long.
fn is_readable(wait: Option<&Timespec>) -> bool {
    let stdin = io::stdin();
    let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
    loop {
        match poll(&mut watched, wait) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => {
                return watched
                    .iter()
                    .any(|it| it.revents().contains(PollFlags::IN));
            }
        }
    }
}

/// Keeps keys from the app while another program reads them from the same terminal.
pub(super) fn lock() -> MutexGuard<'static, ()> {
    KEYS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen_to_signals(mut signals: Signals, messages: &SyncSender<Message>) {
    for signal in &mut signals {
        panic_for_test();
        let message = match signal {
            SIGINT | SIGQUIT if OUTSIDE.load(Ordering::SeqCst) => continue,
            SIGTSTP if OUTSIDE.load(Ordering::SeqCst) => {
                // As the other program, which is in the same process group.
                let stopped = kill_process(getpid(), Signal::STOP);
                debug_assert!(stopped.is_ok(), "a process may stop itself");
                continue;
            }
            SIGTSTP => Message::Suspend,
            SIGCONT => Message::Repaint,
            SIGWINCH => match terminal::size() {
                Ok(size) => Message::App(Box::new(Event::Resize(size.width, size.height))),
                Err(_) => continue,
            },
            deadly => return die(messages, deadly),
        };
        if messages.send(message).is_err() {
            return;
        }
    }
}

fn watch_terminal(messages: &SyncSender<Message>) {
    panic_for_test();
    let stdin = io::stdin();
    // Asking for no event leaves those that are always reported: hang-up and error.
    let mut watched = [PollFd::new(&stdin, PollFlags::empty())];
    loop {
        match poll(&mut watched, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
            Ok(_) => return die(messages, SIGHUP),
        }
    }
}

/// Asks the app to save and end, and ends the process if it does not.
fn die(messages: &SyncSender<Message>, signal: i32) {
    // A full channel is no reason to wait: the grace period has begun.
    drop(messages.try_send(Message::Die(signal)));
    end_after_grace(signal);
}

fn end_after_grace(signal: i32) {
    thread::sleep(GRACE);
    terminal::restore();
    signal_hook::low_level::exit(128 + signal);
}
