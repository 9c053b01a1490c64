//! Tries what a program must not be able to do, in a process that is confined like a worker: a measurement, no claim.
//!
//! Only what safe interfaces offer is tried; `tests/every_call.rs` makes every call of the kernel by its number. An attempt has
//! no effect where nothing refuses it, so some can only fail there, and then nothing is proven.

use crate::inherited::Inherited;
use crate::{files_by_name, other_processes};
use std::fs::{self, File};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt;
use std::process::Command;
use warpup_protocol::{Attempt, AttemptResult, ForbiddenAction};

/// A program that does nothing.
const PROGRAM: &str = "/bin/true";

/// Tries each deed in turn. `inherited` was opened before the process was confined.
pub fn all(inherited: &Inherited) -> impl Iterator<Item = Attempt> {
    ForbiddenAction::ALL.into_iter().map(|what| Attempt {
        what,
        came: came(attempt(what, inherited)),
    })
}

fn attempt(what: ForbiddenAction, inherited: &Inherited) -> io::Result<()> {
    let parent = rustix::process::getppid();
    let raw_parent = parent.map_or(1, |it| it.as_raw_nonzero().get());
    let of_parent = |file: &str| File::open(format!("/proc/{raw_parent}/{file}")).map(drop);
    match what {
        ForbiddenAction::ReadFile => File::open("/etc/passwd").map(drop),
        ForbiddenAction::FileSize => fs::metadata("/etc/passwd").map(drop),
        ForbiddenAction::ListFolder => fs::read_dir("/").map(drop),
        ForbiddenAction::WriteFile => write_file(),
        ForbiddenAction::NamelessFile => nameless_file(),
        ForbiddenAction::ParentMemory => of_parent("mem"),
        ForbiddenAction::ParentEnvironment => of_parent("environ"),
        ForbiddenAction::ParentHandle => parent_handle(),
        ForbiddenAction::DebugParent => other_processes::debug(raw_parent),
        ForbiddenAction::CopyParentMemory => other_processes::copy_memory(raw_parent),
        ForbiddenAction::TakeHandle => other_processes::take_handle(),
        ForbiddenAction::SignalParent => match parent {
            Some(parent) => Ok(rustix::process::test_kill_process(parent)?),
            None => Err(io::Error::other("it has no parent")),
        },
        ForbiddenAction::Listen => TcpListener::bind(("127.0.0.1", 0)).map(drop),
        ForbiddenAction::Connect => TcpStream::connect(("127.0.0.1", 9)).map(drop),
        ForbiddenAction::LocalSocket => UnixDatagram::unbound().map(drop),
        ForbiddenAction::StartProgram => Command::new(PROGRAM).status().map(drop),
        ForbiddenAction::NewSession => Ok(rustix::process::setsid().map(drop)?),
        ForbiddenAction::ChangeRoot => Ok(rustix::process::chroot("/")?),
        ForbiddenAction::Mount => other_processes::mount(),
        ForbiddenAction::NewNamespace => other_processes::make_namespace(),
        ForbiddenAction::ReadInherited => inherited.read(),
        ForbiddenAction::MapInherited => inherited.map(),
        ForbiddenAction::SendInherited => inherited.send(),
        ForbiddenAction::SpliceInherited => inherited.splice(),
        ForbiddenAction::ReopenInherited => inherited.reopen(),
        ForbiddenAction::FileMode => files_by_name::change_mode(),
        ForbiddenAction::FileOwner => files_by_name::change_owner(),
        ForbiddenAction::FileTimes => files_by_name::change_times(),
        ForbiddenAction::FileAttribute => files_by_name::change_attribute(),
        ForbiddenAction::WatchFolder => files_by_name::watch(),
        ForbiddenAction::ParentLimit => other_processes::change_limit(raw_parent),
        ForbiddenAction::ParentPriority => other_processes::change_priority(raw_parent),
        ForbiddenAction::ParentProcessors => other_processes::change_processors(raw_parent),
        ForbiddenAction::SocketPair => UnixDatagram::pair().map(drop),
        ForbiddenAction::BecomeOpenFile => other_processes::become_open_file(),
        ForbiddenAction::BecomeProgram => Err(Command::new(PROGRAM).exec()),
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

fn came(result: io::Result<()>) -> AttemptResult {
    match result {
        Ok(()) => AttemptResult::Worked,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => AttemptResult::Refused,
        Err(error) => AttemptResult::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_tried_works_where_nothing_confines() {
        let inherited = Inherited::open().unwrap();
        for what in [
            ForbiddenAction::ReadFile,
            ForbiddenAction::FileSize,
            ForbiddenAction::ListFolder,
            ForbiddenAction::WriteFile,
            ForbiddenAction::Listen,
            ForbiddenAction::LocalSocket,
            ForbiddenAction::ReadInherited,
            ForbiddenAction::MapInherited,
            ForbiddenAction::SendInherited,
            ForbiddenAction::SpliceInherited,
            ForbiddenAction::ReopenInherited,
            ForbiddenAction::FileMode,
            ForbiddenAction::FileOwner,
            ForbiddenAction::FileTimes,
            ForbiddenAction::FileAttribute,
            ForbiddenAction::WatchFolder,
            ForbiddenAction::ParentLimit,
            ForbiddenAction::ParentPriority,
            ForbiddenAction::ParentProcessors,
            ForbiddenAction::SocketPair,
        ] {
            let came = came(attempt(what, &inherited));
            assert_eq!(came, AttemptResult::Worked, "{what:?}");
        }
    }
}
