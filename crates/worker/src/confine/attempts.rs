//! Tries what a program must not be able to do, in a process that is confined like a worker: a measurement, no claim.
//!
//! Only what safe interfaces offer is tried. What they do not offer (`userfaultfd`, `io_uring_setup`, `bpf`,
//! `perf_event_open`, `keyctl`) is refused by the same list as the rest: `system_calls` has a test of that. An attempt has
//! no effect where nothing refuses it, so some can only fail there, and then nothing is proven.

use super::beside;
use std::fs::{self, File};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt;
use std::process::Command;
use warpup_protocol::{Attempt, Came, Deed};

/// A program that does nothing.
const PROGRAM: &str = "/bin/true";

/// Tries each deed in turn.
pub(crate) fn all() -> impl Iterator<Item = Attempt> {
    Deed::ALL.into_iter().map(|what| Attempt {
        what,
        came: came(attempt(what)),
    })
}

fn attempt(what: Deed) -> io::Result<()> {
    let parent = rustix::process::getppid();
    let raw_parent = parent.map_or(1, |it| it.as_raw_nonzero().get());
    let of_parent = |file: &str| File::open(format!("/proc/{raw_parent}/{file}")).map(drop);
    match what {
        Deed::ReadFile => File::open("/etc/passwd").map(drop),
        Deed::FileSize => fs::metadata("/etc/passwd").map(drop),
        Deed::ListFolder => fs::read_dir("/").map(drop),
        Deed::WriteFile => write_file(),
        Deed::NamelessFile => nameless_file(),
        Deed::ParentMemory => of_parent("mem"),
        Deed::ParentEnvironment => of_parent("environ"),
        Deed::ParentHandle => parent_handle(),
        Deed::DebugParent => beside::debug(raw_parent),
        Deed::CopyParentMemory => beside::copy_memory(raw_parent),
        Deed::TakeHandle => beside::take_handle(),
        Deed::SignalParent => match parent {
            Some(parent) => Ok(rustix::process::test_kill_process(parent)?),
            None => Err(io::Error::other("it has no parent")),
        },
        Deed::Listen => TcpListener::bind(("127.0.0.1", 0)).map(drop),
        Deed::Connect => TcpStream::connect(("127.0.0.1", 9)).map(drop),
        Deed::LocalSocket => UnixDatagram::unbound().map(drop),
        Deed::StartProgram => Command::new(PROGRAM).status().map(drop),
        Deed::NewSession => Ok(rustix::process::setsid().map(drop)?),
        Deed::ChangeRoot => Ok(rustix::process::chroot("/")?),
        Deed::Mount => beside::mount(),
        Deed::NewNamespace => beside::make_namespace(),
        Deed::BecomeOpenFile => beside::become_open_file(),
        Deed::BecomeProgram => Err(Command::new(PROGRAM).exec()),
    }
}

fn write_file() -> io::Result<()> {
    let path = std::env::temp_dir().join(format!("warpup-{}", std::process::id()));
    let made = File::create_new(&path).map(drop);
    if made.is_ok() {
        drop(fs::remove_file(&path));
    }
    made
}

#[cfg(target_os = "linux")]
fn nameless_file() -> io::Result<()> {
    let made = rustix::fs::memfd_create("warpup", rustix::fs::MemfdFlags::CLOEXEC);
    Ok(made.map(drop)?)
}

#[cfg(target_os = "linux")]
fn parent_handle() -> io::Result<()> {
    let Some(parent) = rustix::process::getppid() else {
        return Err(io::Error::other("it has no parent"));
    };
    let handle = rustix::process::pidfd_open(parent, rustix::process::PidfdFlags::empty());
    Ok(handle.map(drop)?)
}

#[cfg(not(target_os = "linux"))]
fn nameless_file() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
fn parent_handle() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn came(result: io::Result<()>) -> Came {
    match result {
        Ok(()) => Came::Worked,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Came::Refused,
        Err(error) => Came::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried_works_where_nothing_confines() {
        for what in [
            Deed::ReadFile,
            Deed::FileSize,
            Deed::ListFolder,
            Deed::WriteFile,
            Deed::Listen,
            Deed::LocalSocket,
        ] {
            assert_eq!(came(attempt(what)), Came::Worked, "{what:?}");
        }
    }
}
