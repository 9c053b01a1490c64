//! The threads that wait for signals, and for the end of the terminal.
//!
//! Each blocks until something happens. The end of the terminal has a thread of its own because the loop may then wait for a
//! terminal that accepts no bytes. Changes of the size come with a signal, so no key waits for them, nor they for a key.
//! A signal waits for nothing: not for room in the queue, and not for the loop.
//!
//! Whatever ends the process, and a panic in any thread, comes through [`die`]: the app saves and ends, or is ended.

use std::io;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Signal, getpid, kill_process};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1,
    SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU,
};
use signal_hook::iterator::Signals;

use super::message::{Message, MessageSender};
use super::terminal;
use warpup_lab::engine::test_panic::panic_for_test;

/// How long the app may take to save and end before the process is ended anyway. With the time that restoring a
/// terminal takes at most, it is gone within a second.
const GRACE: Duration = Duration::from_millis(500);

/// Whether another program has the terminal, so that its keys send signals to warpup, too.
static OUTSIDE: AtomicBool = AtomicBool::new(false);

/// Whether a thread has panicked. The terminal is restored then, so that Ctrl-C is a signal; the panic stays the reason of the end.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// Another program has the terminal until this is dropped.
pub(super) struct TerminalHandover;

impl TerminalHandover {
    pub(super) fn enter() -> Self {
        OUTSIDE.store(true, Ordering::SeqCst);
        Self
    }
}

impl Drop for TerminalHandover {
    fn drop(&mut self) {
        OUTSIDE.store(false, Ordering::SeqCst);
    }
}

/// Signals that end a process which does not handle them. Those of a fault in the process itself are not among them.
const DEADLY: [i32; 11] = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGXCPU,
];

/// Starts the thread that must run before the terminal is taken over: a signal in between would leave it raw.
pub(super) fn start_signals(messages: &MessageSender) -> io::Result<()> {
    let signals = Signals::new(DEADLY.into_iter().chain([SIGTSTP, SIGCONT, SIGWINCH]))?;
    end_on_panic(messages);
    spawn("signals", messages, |it| listen_to_signals(signals, &it))
}

/// Starts waiting for the end of the terminal.
pub(super) fn start_terminal(messages: &MessageSender) -> io::Result<()> {
    spawn("hangup", messages, |it| watch_terminal(&it))
}

/// Starts a thread that sends messages to the loop.
pub(super) fn spawn(
    name: &str,
    messages: &MessageSender,
    work: impl FnOnce(MessageSender) + Send + 'static,
) -> io::Result<()> {
    let messages = messages.clone();
    let thread = thread::Builder::new().name(name.to_owned());
    // Nobody waits for these threads: they end with the process.
    thread.spawn(move || work(messages)).map(drop)
}

/// Makes a panic in any thread end the app: a thread that is missing would leave it without keys, signals or labs.
fn end_on_panic(messages: &MessageSender) {
    let messages = messages.clone();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        HAS_PANICKED.store(true, Ordering::SeqCst);
        terminal::restore();
        // Printing waits for a terminal that accepts no bytes, and so may what unwinding drops.
        end_soon(SIGABRT);
        before(panic);
        messages.interrupt(Message::Die(SIGABRT));
    }));
}

fn listen_to_signals(mut signals: Signals, messages: &MessageSender) {
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
            SIGWINCH => Message::Resize,
            _ if HAS_PANICKED.load(Ordering::SeqCst) => return die(messages, SIGABRT),
            deadly => return die(messages, deadly),
        };
        messages.interrupt(message);
    }
}

fn watch_terminal(messages: &MessageSender) {
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
fn die(messages: &MessageSender, signal: i32) {
    messages.interrupt(Message::Die(signal));
    end_after_grace(signal);
}

/// The message that the terminal is gone, from the loop itself: it is ended if it does not end.
pub(super) fn hang_up() -> Message {
    end_soon(SIGHUP);
    Message::Die(SIGHUP)
}

/// Ends the process after the grace period, without waiting for that.
fn end_soon(signal: i32) {
    let watch = thread::Builder::new().name("end".to_owned());
    // Without a thread, the app ends as soon as it can.
    drop(watch.spawn(move || end_after_grace(signal)));
}

fn end_after_grace(signal: i32) {
    thread::sleep(GRACE);
    terminal::restore();
    warpup_store::end_guest();
    signal_hook::low_level::exit(128 + signal);
}
