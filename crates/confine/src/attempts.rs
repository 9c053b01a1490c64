//! Tries what a program must not be able to do, in a process that is confined like a worker: a measurement, no claim.
//!
//! Only what safe interfaces offer is tried; `tests/every_call.rs` makes every call of the kernel by its number. An attempt has
//! no effect where nothing refuses it, so some can only fail there, and then nothing is proven.

use crate::files_by_name;
use crate::inherited_file::InheritedFile;
#[cfg(target_os = "linux")]
use crate::other_processes;
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
pub fn all(inherited: &InheritedFile) -> impl Iterator<Item = Attempt> {
    ForbiddenAction::ALL.into_iter().map(|what| Attempt {
        what,
        came: came(attempt(what, inherited)),
    })
}

#[cfg_attr(
    not(target_os = "linux"),
    expect(
        clippy::wildcard_enum_match_arm,
        reason = "all others are calls that only Linux has"
    )
)]
fn attempt(what: ForbiddenAction, inherited: &InheritedFile) -> io::Result<()> {
    let parent = rustix::process::getppid();
    let raw_parent = parent.map_or(1, |it| it.as_raw_nonzero().get());
    let of_parent = |file: &str| File::open(format!("/proc/{raw_parent}/{file}")).map(drop);
    match what {
        ForbiddenAction::ReadFile => File::open("/etc/passwd").map(drop),
        ForbiddenAction::FileSize => fs::metadata("/etc/passwd").map(drop),
        ForbiddenAction::ListFolder => fs::read_dir("/").map(drop),
        ForbiddenAction::WriteFile => write_file(),
        #[cfg(target_os = "linux")]
        ForbiddenAction::NamelessFile => nameless_file(),
        ForbiddenAction::ParentMemory => of_parent("mem"),
        ForbiddenAction::ParentEnvironment => of_parent("environ"),
        #[cfg(target_os = "linux")]
        ForbiddenAction::ParentHandle => parent_handle(),
        #[cfg(target_os = "linux")]
        ForbiddenAction::DebugParent => other_processes::debug(raw_parent),
        #[cfg(target_os = "linux")]
        ForbiddenAction::CopyParentMemory => other_processes::copy_memory(raw_parent),
        #[cfg(target_os = "linux")]
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
        #[cfg(target_os = "linux")]
        ForbiddenAction::Mount => other_processes::mount(),
        #[cfg(target_os = "linux")]
        ForbiddenAction::NewNamespace => other_processes::make_namespace(),
        ForbiddenAction::ReadInherited => inherited.read(),
        #[cfg(target_os = "linux")]
        ForbiddenAction::MapInherited => inherited.map(),
        #[cfg(target_os = "linux")]
        ForbiddenAction::SendInherited => inherited.send(),
        #[cfg(target_os = "linux")]
        ForbiddenAction::SpliceInherited => inherited.splice(),
        ForbiddenAction::ReopenInherited => inherited.reopen(),
        ForbiddenAction::FileMode => files_by_name::change_mode(),
        ForbiddenAction::FileOwner => files_by_name::change_owner(),
        ForbiddenAction::FileTimes => files_by_name::change_times(),
        #[cfg(target_os = "linux")]
        ForbiddenAction::FileAttribute => files_by_name::change_attribute(),
        #[cfg(target_os = "linux")]
        ForbiddenAction::WatchFolder => files_by_name::watch(),
        #[cfg(target_os = "linux")]
        ForbiddenAction::ParentLimit => other_processes::change_limit(raw_parent),
        #[cfg(target_os = "linux")]
        ForbiddenAction::ParentPriority => other_processes::change_priority(raw_parent),
        #[cfg(target_os = "linux")]
        ForbiddenAction::ParentProcessors => other_processes::change_processors(raw_parent),
        ForbiddenAction::SocketPair => UnixDatagram::pair().map(drop),
        #[cfg(target_os = "linux")]
        ForbiddenAction::BecomeOpenFile => other_processes::become_open_file(),
        ForbiddenAction::BecomeProgram => Err(Command::new(PROGRAM).exec()),
        #[cfg(not(target_os = "linux"))]
        _ => Err(io::ErrorKind::Unsupported.into()),
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
        let inherited = InheritedFile::open().unwrap();
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
