//! Confines the worker's own process before it runs anything.
//!
//! Libraries may print to standard output, so the protocol moves to a descriptor of its own. Limits keep a runaway
//! program from harming the machine.

use crate::protocol::HOST_MEMORY;
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use std::fs::File;
use std::io::{self, Write};

/// Moves the protocol to a descriptor of its own, and redirects standard output to standard error.
pub(super) fn take_protocol() -> io::Result<File> {
    let protocol = rustix::io::fcntl_dupfd_cloexec(io::stdout(), 10)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(File::from(protocol))
}

/// The limits of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// Host memory up to [`HOST_MEMORY`], no files: for the CPU and modelled cards.
    Host,
    /// No limits on address space and files: CUDA reserves address space beyond any memory, and the driver caches
    /// compiled kernels in files.
    Cards,
}

/// Limits memory, file sizes and core dumps, and asks the system to kill the worker when the app dies.
///
/// A limit that cannot be set is no reason not to run: the app enforces its limits, too.
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

/// Writes why the worker ends to standard error, which the app keeps.
pub(super) fn last_words(text: &str) {
    drop(writeln!(io::stderr(), "{text}"));
}

/// Ends the process at once: the app is gone, and a running program must not outlive it. Nothing is cleaned up,
/// because an orderly exit of CUDA waits for running kernels.
pub(super) fn end() {
    signal_hook::low_level::exit(0);
}
