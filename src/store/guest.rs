//! A guest: what they do is in a private folder until warpup ends, and nowhere after that.

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// How the name of the folder begins, before the number of the process.
const PREFIX: &str = "warpup-guest-";

static FOLDER: Mutex<Option<TempDir>> = Mutex::new(None);

/// Makes the folder, which only this user can open: in memory where the system has such a place for the user.
///
/// # Errors
/// There is no folder for temporary files.
pub fn begin_guest() -> io::Result<()> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let place = runtime.filter(|it| it.is_dir());
    let place = place.unwrap_or_else(std::env::temp_dir);
    sweep(&place);
    let folder = tempfile::Builder::new()
        .prefix(&format!("{PREFIX}{}-", std::process::id()))
        .permissions(fs::Permissions::from_mode(0o700))
        .tempdir_in(place)?;
    *folder_of_guest() = Some(folder);
    Ok(())
}

/// Removes the folder, if there is one.
pub fn end_guest() {
    // Dropping removes it.
    drop(folder_of_guest().take());
}

/// The folder, if the learner is a guest.
pub fn guest() -> Option<PathBuf> {
    folder_of_guest().as_ref().map(|it| it.path().to_owned())
}

/// Removes what processes left that were killed.
fn sweep(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let of = name.to_str().and_then(|it| it.strip_prefix(PREFIX));
        let process = of.and_then(|it| it.split_once('-')?.0.parse().ok());
        let process = process.and_then(Pid::from_raw);
        if process.is_some_and(|it| test_kill_process(it) == Err(Errno::SRCH)) {
            // A folder of another user stays.
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

fn folder_of_guest() -> MutexGuard<'static, Option<TempDir>> {
    FOLDER.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_another_uses_stays() {
        let place = TempDir::new().unwrap();
        let mut gone = Command::new("true").spawn().unwrap();
        gone.wait().unwrap();
        let [left, used, other] = [
            format!("{PREFIX}{}-a", gone.id()),
            format!("{PREFIX}{}-b", std::process::id()),
            "warpup-guest-book".to_owned(),
        ]
        .map(|it| place.path().join(it));
        for folder in [&left, &used, &other] {
            fs::create_dir_all(folder.join("log")).unwrap();
        }
        sweep(place.path());
        assert_eq!(
            [left.exists(), used.exists(), other.exists()],
            [false, true, true]
        );
    }
}
