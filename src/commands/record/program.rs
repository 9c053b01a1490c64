//! The program: started, waited for, and how it ended. It has this terminal, these streams and these signals.

use super::folder::python_path;
use crate::commands::failure::{Exit, Failure, Result};
use crate::commands::ignored_signals::without_ignored;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpgrp, kill_process, waitid};
use rustix::termios::tcgetpgrp;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Signals that end a program, or that it may wait for.
const SIGNALS: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];

/// How often to look: more often than somebody reads a summary.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// How the program ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProgramEnd(ExitStatus);

impl ProgramEnd {
    /// The status of the program, as a shell says it: 128 and the signal, if one ended it.
    pub(super) fn exit(self) -> Exit {
        let of_signal = self.0.signal().map(|it| 128 + it);
        let status = self.0.code().or(of_signal).unwrap_or(1);
        Exit::Program(u8::try_from(status).unwrap_or(1))
    }

    /// Whether it ended well, or by Ctrl-C.
    pub(super) fn is_as_wanted(self) -> bool {
        self.0.success() || self.0.signal() == Some(SIGINT) || self.0.code() == Some(128 + SIGINT)
    }
}

/// Looks at what the program has left so far.
pub(super) type Look<'a> = &'a mut dyn FnMut() -> Result<()>;

/// Runs the command with the recorder in this folder; somebody may look from time to time.
pub(super) fn run(
    command: &[OsString],
    folder: &Path,
    look: Option<Look<'_>>,
) -> Result<ProgramEnd> {
    let Some((program, words)) = command.split_first() else {
        return Err(Failure::arguments("which command?"));
    };
    let mut signals = Signals::new(without_ignored(&SIGNALS))?;
    let before = std::env::var_os("PYTHONPATH");
    let started = Command::new(program)
        .args(words)
        .env("PYTHONPATH", python_path(folder, before.as_deref()))
        .spawn();
    let mut child = started.map_err(|error| not_started(program, &error))?;
    let pid = Pid::from_child(&child);
    let handle = signals.handle();
    let forwards = thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(|it| forward(it, pid)))?;
    let (sender, ends) = mpsc::sync_channel(1);
    let waits = thread::Builder::new()
        .name("program".to_owned())
        .spawn(move || sender.send(wait(&mut child, pid, || handle.close())))?;
    let ended = match look {
        None => ends.recv().map_err(io::Error::other),
        Some(look) => looked(&ends, look),
    };
    // They have nothing left to wait for.
    drop((waits.join(), forwards.join()));
    Ok(ProgramEnd(ended??))
}

/// Looks until the program has ended. What goes wrong in that is no reason to end it.
fn looked(
    ends: &Receiver<io::Result<ExitStatus>>,
    look: Look<'_>,
) -> io::Result<io::Result<ExitStatus>> {
    let mut looks = true;
    loop {
        match ends.recv_timeout(LOOK_EVERY) {
            Ok(ended) => return Ok(ended),
            Err(RecvTimeoutError::Timeout) => looks = looks && look().is_ok(),
            Err(error @ RecvTimeoutError::Disconnected) => return Err(io::Error::other(error)),
        }
    }
}

/// Waits for its end. Nobody may send a signal to its number once the number is free.
fn wait(child: &mut Child, pid: Pid, ends: impl FnOnce()) -> io::Result<ExitStatus> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while let Err(error) = waitid(WaitId::Pid(pid), options) {
        if error != rustix::io::Errno::INTR {
            break;
        }
    }
    ends();
    child.wait()
}

/// Passes on what was sent to this process alone. What is typed at the terminal goes to the program as well.
fn forward(signal: i32, pid: Pid) {
    let is_typed = [SIGINT, SIGQUIT].contains(&signal) && is_in_foreground();
    let signal = Signal::from_named_raw(signal).filter(|_| !is_typed);
    if let Some(signal) = signal {
        // It may have ended.
        let _ = kill_process(pid, signal);
    }
}

/// Whether keys of a terminal send signals to this process.
fn is_in_foreground() -> bool {
    let terminal = File::open("/dev/tty");
    terminal.is_ok_and(|it| tcgetpgrp(it).is_ok_and(|it| it == getpgrp()))
}

/// Why it was not started, and what to try.
fn not_started(program: &OsStr, error: &io::Error) -> Failure {
    let name = program.display();
    let is_script = Path::new(program).extension().is_some_and(|it| it == "py");
    let is = |kind| error.kind() == kind;
    let cause = if is(ErrorKind::NotFound) {
        "there is no such program".to_owned()
    } else if is(ErrorKind::PermissionDenied) {
        "it is not a program, or you may not start it".to_owned()
    } else {
        error.to_string()
    };
    let failure = Failure::arguments_because(format!("cannot start {name}"), cause);
    if is_script {
        failure.with_hint(format!(
            "name its Python, too: `warpup record python {name}`"
        ))
    } else if error.kind() == ErrorKind::NotFound && program == "python" {
        failure.with_hint("`python3` may be its name here")
    } else {
        failure
    }
}
