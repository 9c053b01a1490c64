//! Confines the worker's own process before it reads a request.
//!
//! A program that breaks out of the interpreter finds a process that may compute, allocate memory, start threads, read
//! its requests and write its replies, and nothing else. Each mechanism works without the others: where a system lacks
//! one, the worker runs with the rest, and [`attempts`] shows what that leaves open.
//!
//! | mechanism | what it takes away |
//! | --- | --- |
//! | closing (`descriptors`) | files that were open when it was started |
//! | limits (`limits`) | memory, files that grow, core dumps |
//! | Landlock (`files`) | files, TCP, signals to other processes |
//! | seccomp (`system_calls`) | everything that is not on its list |
//!
//! Landlock and seccomp are Linux's: `docs/decisions/0012-a-labs-process-may-compute-and-nothing-else.md` says what
//! holds elsewhere.

pub mod attempts;
#[cfg(target_os = "linux")]
mod call_lists;
mod descriptors;
#[cfg(target_os = "linux")]
mod driver_files;
#[cfg(target_os = "linux")]
mod files;
mod files_by_name;
pub mod inherited_file;
mod limits;
#[cfg(target_os = "linux")]
mod other_processes;
#[cfg(target_os = "linux")]
mod system_calls;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::path::PathBuf;
use warpup_protocol::Limits;

/// How far a worker is confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// For the CPU and modelled cards: completely.
    Host,
    /// For real cards: as far as the driver allows. It reads its own files, starts threads of its own, reserves address
    /// space beyond any memory, and caches compiled kernels in files.
    Cards,
}

/// What a worker has open besides its standard input, output and errors.
#[derive(Clone, Copy, Debug)]
pub struct OpenFiles {
    /// Where it writes its replies.
    pub protocol: RawFd,
    /// What the system counts of one of its threads. It can only be read.
    pub run_delay: Option<RawFd>,
}

impl OpenFiles {
    /// Replies, and nothing else.
    pub fn only(protocol: &File) -> Self {
        Self {
            protocol: protocol.as_raw_fd(),
            run_delay: None,
        }
    }
}

/// Moves the protocol to a descriptor of its own, and redirects standard output to standard error: libraries may print.
///
/// # Errors
/// There is no descriptor left.
pub fn take_protocol() -> io::Result<File> {
    let protocol = rustix::io::fcntl_dupfd_cloexec(io::stdout(), 10)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(File::from(protocol))
}

/// Confines this process for good, and the thread that calls. Each other thread that runs already has to call [`confine_thread`]
/// afterwards. What is `open` stays so, and a worker for cards goes on writing to its `own_folders`.
///
/// What a library reads from files when it is first used has to be read before.
pub fn confine(confinement: Confinement, open: OpenFiles, own_folders: &[PathBuf]) {
    // The app's folder says nothing about a lab, and would keep a disk from being unmounted.
    drop(std::env::set_current_dir("/"));
    end_with_the_app();
    descriptors::close_all_but(open);
    match confinement {
        Confinement::Host => limits::lower(),
        Confinement::Cards => limits::no_core_dump(),
    }
    confine_thread(confinement, open, own_folders);
}

/// Confines a thread that ran before [`confine`] was called, as that does the thread that calls it: Landlock and seccomp are
/// rules of a thread and of those that it starts.
pub fn confine_thread(confinement: Confinement, open: OpenFiles, own_folders: &[PathBuf]) {
    match confinement {
        Confinement::Host => compute_only(open),
        Confinement::Cards => before_the_driver(own_folders),
    }
}

/// Takes away what a computation does not need.
#[cfg(target_os = "linux")]
fn compute_only(open: OpenFiles) {
    // A kernel without one of them still has the other.
    let _landlock = files::refuse_all();
    let _seccomp = system_calls::refuse_all_but_the_list(system_calls::OwnProcess {
        open,
        process: std::process::id(),
    });
}

/// Takes away, before the driver starts threads, which have it from this one, what no driver needs even while it opens a
/// card.
#[cfg(target_os = "linux")]
fn before_the_driver(own_folders: &[PathBuf]) {
    if driver_files::has_made_its_devices() {
        let _landlock = files::refuse_the_home_folder(own_folders);
    }
}

#[cfg(not(target_os = "linux"))]
fn compute_only(_open: OpenFiles) {}

#[cfg(not(target_os = "linux"))]
fn before_the_driver(_own_folders: &[PathBuf]) {}

/// Confines a worker whose card is open: takes away what neither a program nor the driver needs from now on.
///
/// Once in a process: a later card keeps what holds. The driver has started threads; seccomp confines them as well, and
/// Landlock does so from Linux 7.0 on. Before, they keep what [`confine`] left them.
pub fn card_is_open(own_folders: &[PathBuf]) {
    #[cfg(target_os = "linux")]
    {
        static FIRST: std::sync::Once = std::sync::Once::new();
        FIRST.call_once(|| {
            let _landlock = files::refuse_all_but_the_driver_s(own_folders);
            let _seccomp =
                system_calls::refuse_what_no_driver_needs(driver_files::uses_its_service());
        });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = own_folders;
}

/// Sets the limits of the run that begins, in a worker without a real card.
pub fn set_limits_of_run(limits: &Limits) {
    limits::set_for_run(limits);
}

/// Asks the system to kill the worker when the app dies.
fn end_with_the_app() {
    #[cfg(target_os = "linux")]
    {
        let parent = rustix::process::getppid();
        let _ =
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        // Without this an app that died in between would leave the worker alone.
        if rustix::process::getppid() != parent {
            end();
        }
    }
}

/// Writes why the worker ends to standard error, which the app keeps.
pub fn last_words(text: &str) {
    drop(writeln!(io::stderr(), "{text}"));
}

/// Ends the process at once: the app is gone, and a running program must not outlive it. Nothing is cleaned up,
/// because an orderly exit of CUDA waits for running kernels.
pub fn end() {
    signal_hook::low_level::exit(0);
}
