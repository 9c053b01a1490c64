//! Attempts on what is beside this process: the memory and the files of others, mounts and namespaces.
//!
//! Each is made so that it changes nothing where it is allowed: a debugger that does not stop what it attaches to, a copy
//! from an address that no process has, a mount at a place that does not exist.

use nix::mount::MsFlags;
use nix::sched::CloneFlags;
use nix::sys::ptrace::{self, Options};
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::{Pid, execveat};
use rustix::process::{PidfdGetfdFlags, pidfd_getfd};
use std::ffi::CStr;
use std::io::{self, IoSliceMut};

/// A place that does not exist.
const NOWHERE: &CStr = c"/warpup-is-not-here";

/// Attaches to a process; it goes on when this one ends.
pub(super) fn debug(process: i32) -> io::Result<()> {
    Ok(ptrace::seize(Pid::from_raw(process), Options::empty())?)
}

/// The first page of a process is never mapped, so that only a permitted copy fails with a bad address.
pub(super) fn copy_memory(process: i32) -> io::Result<()> {
    let mut byte = [0];
    let from = [RemoteIoVec { base: 0, len: 1 }];
    let into = &mut [IoSliceMut::new(&mut byte)];
    match process_vm_readv(Pid::from_raw(process), into, &from) {
        Ok(_) | Err(nix::errno::Errno::EFAULT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Standard input is no handle of a process, which only a permitted call finds out.
pub(super) fn take_handle() -> io::Result<()> {
    match pidfd_getfd(io::stdin(), 0, PidfdGetfdFlags::empty()) {
        Ok(_) | Err(rustix::io::Errno::BADF) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// A limit that nothing here lowers, so that it stays what it is.
pub(super) fn change_limit(process: i32) -> io::Result<()> {
    use rustix::process::{Pid, Resource, getrlimit, prlimit};
    let same = getrlimit(Resource::Sigpending);
    let process = Pid::from_raw(process);
    Ok(prlimit(process, Resource::Sigpending, same).map(drop)?)
}

/// A process begins with the priority of the one that started it.
pub(super) fn change_priority(process: i32) -> io::Result<()> {
    use rustix::process::{Pid, getpriority_process, setpriority_process};
    let same = getpriority_process(None)?;
    Ok(setpriority_process(Pid::from_raw(process), same)?)
}

/// And with its processors.
pub(super) fn change_processors(process: i32) -> io::Result<()> {
    use nix::sched::{sched_getaffinity, sched_setaffinity};
    let same = sched_getaffinity(Pid::from_raw(0))?;
    Ok(sched_setaffinity(Pid::from_raw(process), &same)?)
}

pub(super) fn mount() -> io::Result<()> {
    let kind = Some(c"tmpfs");
    Ok(nix::mount::mount(
        kind,
        NOWHERE,
        kind,
        MsFlags::empty(),
        None::<&CStr>,
    )?)
}

pub(super) fn make_namespace() -> io::Result<()> {
    Ok(nix::sched::unshare(CloneFlags::CLONE_NEWUSER)?)
}

pub(super) fn become_open_file() -> io::Result<()> {
    let flags = nix::fcntl::AtFlags::empty();
    match execveat(io::stdin(), NOWHERE, &[NOWHERE], &[NOWHERE], flags) {
        // Only a permitted call looks for the program.
        Ok(_) | Err(nix::errno::Errno::ENOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
