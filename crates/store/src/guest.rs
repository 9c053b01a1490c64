//! A guest: what they do is in a private folder until warpup ends, and nowhere after that.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// How the name of the folder begins.
const PREFIX: &str = "warpup-guest-";

/// The file in it that is locked while its process lives. A number of a process would say nothing: containers that share a folder for
/// temporary files count their processes apart.
const LOCK: &str = "lock";

/// A folder without its lock is being made, unless it is older than this.
const BEING_MADE: Duration = Duration::from_mins(10);

static FOLDER: Mutex<Option<Guest>> = Mutex::new(None);

#[derive(Debug)]
struct Guest {
    folder: TempDir,
    _lock: File,
}

/// Makes the folder, which only this user can open: in memory where the system has such a place for the user.
///
/// # Errors
/// There is no folder for temporary files.
pub fn begin_guest() -> io::Result<()> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.filter(|it| it.is_dir());
    let guest = match runtime.map(|it| make(&it)) {
        // It may be that of another user, whose environment this is.
        None | Some(Err(_)) => make(&std::env::temp_dir())?,
        Some(Ok(guest)) => guest,
    };
    *folder_of_guest() = Some(guest);
    Ok(())
}

fn make(place: &Path) -> io::Result<Guest> {
    sweep(place);
    let folder = tempfile::Builder::new()
        .prefix(PREFIX)
        .permissions(fs::Permissions::from_mode(0o700))
        .tempdir_in(place)?;
    let lock = File::create_new(folder.path().join(LOCK))?;
    lock.try_lock()?;
    Ok(Guest {
        folder,
        _lock: lock,
    })
}

/// Removes the folder, if there is one.
pub fn end_guest() {
    // Dropping removes it.
    drop(folder_of_guest().take());
}

/// The folder, if the learner is a guest.
pub fn guest() -> Option<PathBuf> {
    folder_of_guest()
        .as_ref()
        .map(|it| it.folder.path().to_owned())
}

/// Removes what processes left that were killed.
fn sweep(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let is_of_guest = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_of_guest && is_left(&entry.path()) {
            // A folder of another user stays.
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Whether nobody uses a folder any more.
fn is_left(folder: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(folder) else {
        return false;
    };
    if !found.is_dir() {
        return false;
    }
    match File::open(folder.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let made = found.modified().ok();
            let age = made.and_then(|it| it.elapsed().ok());
            age.is_some_and(|it| it > BEING_MADE)
        }
        Err(_) => false,
    }
}

fn folder_of_guest() -> MutexGuard<'static, Option<Guest>> {
    FOLDER.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_another_uses_stays() {
        let place = TempDir::new().unwrap();
        let used = make(place.path()).unwrap();
        let [left, new, other] = ["warpup-guest-left", "warpup-guest-new", "warpup-book"]
            .map(|it| place.path().join(it));
        for folder in [&left, &new, &other] {
            fs::create_dir_all(folder.join("log")).unwrap();
        }
        // Nobody holds the lock of a process that was killed.
        File::create(left.join(LOCK)).unwrap();
        sweep(place.path());
        let used = used.folder.path();
        assert_eq!(
            [left.exists(), used.exists(), new.exists(), other.exists()],
            [false, true, true, true]
        );
    }
}
