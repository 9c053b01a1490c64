//! What the worker does to its own process before it runs anything.
//!
//! Standard output belongs to whoever prints, and libraries do; so the protocol moves to a descriptor of
//! its own first. Limits keep a runaway program from taking the machine along.

use crate::protocol::HOST_MEMORY;
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use std::fs::File;
use std::io::{self, Write};

/// Moves the protocol to a descriptor of its own and makes standard output another standard error.
pub(super) fn take_protocol() -> io::Result<File> {
    let protocol = rustix::io::fcntl_dupfd_cloexec(io::stdout(), 10)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(File::from(protocol))
}

/// What a worker may take of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// Host memory up to [`HOST_MEMORY`], no files: for the CPU and modelled cards.
    Host,
    /// What CUDA needs besides: it reserves address space far beyond any memory, and the driver keeps the kernels
    /// that it compiles in files.
    Cards,
}

/// Limits memory, file sizes and core dumps, and asks to die with the app.
///
/// A limit that cannot be set is no reason not to run: the app's own watch still stands.
pub(super) fn limits(confinement: Confinement) {
    let lower = |resource, wanted: u64| {
        let maximum = getrlimit(resource).maximum;
        let current = Some(maximum.map_or(wanted, |most| most.min(wanted)));
        let _ = setrlimit(resource, Rlimit { current, maximum });
    };
    lower(Resource::Core, 0);
    match confinement {
        Confinement::Host => {
            lower(Resource::As, HOST_MEMORY);
            lower(Resource::Fsize, 0);
        }
        Confinement::Cards => {}
    }
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
}

/// Says why the worker ends, on standard error, which the app keeps.
pub(super) fn last_words(text: &str) {
    drop(writeln!(io::stderr(), "{text}"));
}

/// Ends the process now: the app is gone, and a running program must not outlive it, whatever it does. Nothing
/// is tidied up: what CUDA does at an orderly exit waits for the kernels that run.
pub(super) fn end() {
    signal_hook::low_level::exit(0);
}
