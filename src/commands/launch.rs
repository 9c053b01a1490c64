//! `warpup launch PARENT -- PROGRAM …`: becomes a program that is asked to end (SIGTERM) when the process with this number
//! does, however that ends. `srun` whose starter was killed would stay in its queue, and get a card for nobody.
//!
//! Linux only: elsewhere the engine starts the program itself.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use warpup_text::shown::Shown;

/// The exit status of a shell for a program that it cannot start.
const NOT_STARTED: u8 = 127;

/// Becomes the program; comes back if it cannot.
pub(super) fn execute(parent: i32, command: &[OsString]) -> ExitCode {
    let why = match command.split_first() {
        Some((program, words)) => become_it(parent, program, words),
        None => String::new(),
    };
    // Where it cannot be said, the exit status has to do.
    drop(io::stderr().write_all(Shown::new(&why).as_str().as_bytes()));
    NOT_STARTED.into()
}

/// Why a program was not started, in the words of a shell: who waits for it reads it there.
fn become_it(parent: i32, program: &OsStr, words: &[OsString]) -> String {
    let error = match end_with(parent) {
        Ok(true) => Command::new(program).args(words).exec(),
        Ok(false) => return String::new(),
        Err(error) => error,
    };
    let why = if error.kind() == io::ErrorKind::NotFound {
        "not found".to_owned()
    } else if error.kind() == io::ErrorKind::PermissionDenied {
        "Permission denied".to_owned()
    } else {
        error.to_string()
    };
    format!("{}: {why}\n", program.display())
}

/// Asks for SIGTERM when the parent ends. Says whether it was still there.
#[cfg(target_os = "linux")]
fn end_with(parent: i32) -> io::Result<bool> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::TERM))?;
    // It may have ended before.
    Ok(getppid().is_some_and(|it| it.as_raw_nonzero().get() == parent))
}

#[cfg(not(target_os = "linux"))]
fn end_with(_parent: i32) -> io::Result<bool> {
    Ok(true)
}
