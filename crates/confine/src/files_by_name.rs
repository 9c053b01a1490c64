//! Attempts on files by their names, of a file that does not exist: only a permitted call looks for it.

use std::io;

/// A place that does not exist.
const NOWHERE: &str = "/warpup-is-not-here";

pub(super) fn change_mode() -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    looked(std::fs::set_permissions(
        NOWHERE,
        std::fs::Permissions::from_mode(0o644),
    ))
}

pub(super) fn change_owner() -> io::Result<()> {
    looked(std::os::unix::fs::chown(NOWHERE, None, None))
}

pub(super) fn change_times() -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
    let never = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let times = Timestamps {
        last_access: never,
        last_modification: never,
    };
    looked(utimensat(CWD, NOWHERE, &times, AtFlags::empty()))
}

#[cfg(target_os = "linux")]
pub(super) fn change_attribute() -> io::Result<()> {
    let new = rustix::fs::XattrFlags::CREATE;
    looked(rustix::fs::setxattr(NOWHERE, "user.warpup", b"", new))
}

#[cfg(target_os = "linux")]
pub(super) fn watch() -> io::Result<()> {
    use rustix::fs::inotify;
    let watcher = inotify::init(inotify::CreateFlags::CLOEXEC)?;
    let deletions = inotify::WatchFlags::DELETE;
    looked(inotify::add_watch(&watcher, NOWHERE, deletions).map(drop))
}

fn looked(result: Result<(), impl Into<io::Error>>) -> io::Result<()> {
    match result.map_err(Into::into) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
