//! A guest: what they do is in a private folder until warpup ends, and nowhere after that.
//!
//! A process that was killed leaves its folder, and the next guest removes it. The place is shared with other users, who can put
//! anything there: only what warpup made for this user is opened or removed, and nothing is found by its path a second time.

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat, unlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;
use std::ffi::{CStr, CString};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// How the name of the folder begins.
const PREFIX: &str = "warpup-guest-";

/// The random letters and digits after that.
const RANDOM: usize = 6;

/// The file in it that is locked while its process lives. A number of a process would say nothing: containers that share a folder for
/// temporary files count their processes apart.
const LOCK: &str = "lock";

/// The name of that file until it is locked.
const NEW_LOCK: &str = "new";

/// A folder without its lock is being made, unless it is older than this.
const BEING_MADE: Duration = Duration::from_mins(10);

/// What a mode lets others do than the owner.
const OTHERS: u32 = 0o077;

/// What opens no link, and waits for nobody at the other end of a pipe.
const AS_IT_IS: OFlags = OFlags::NOFOLLOW
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

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
        .rand_bytes(RANDOM)
        .permissions(fs::Permissions::from_mode(0o700))
        .tempdir_in(place)?;
    let [new, lock] = [NEW_LOCK, LOCK].map(|it| folder.path().join(it));
    let file = File::create_new(&new)?;
    // It has its name when it is locked: another guest may look at any moment.
    file.try_lock()?;
    fs::rename(new, lock)?;
    Ok(Guest {
        folder,
        _lock: file,
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

/// Removes what processes left that were killed. What cannot be removed stays.
fn sweep(place: &Path) {
    let Ok(place) = File::open(place) else {
        return;
    };
    let names = names_in(&place).unwrap_or_default();
    for name in names.iter().filter(|it| is_name_of_guest(it)) {
        if let Some(folder) = AbandonedFolder::find(&place, name) {
            let _left = folder.remove(&place, name);
        }
    }
}

fn is_name_of_guest(name: &CStr) -> bool {
    let name = name.to_str().ok();
    let random = name.and_then(|it| it.strip_prefix(PREFIX));
    random.is_some_and(|it| it.len() == RANDOM && it.bytes().all(|it| it.is_ascii_alphanumeric()))
}

/// A folder of a guest whose process has ended.
struct AbandonedFolder {
    folder: File,
    /// Keeps other guests from removing it meanwhile. Nothing where the process ended before it had locked it.
    lock: Option<File>,
}

impl AbandonedFolder {
    fn find(place: &File, name: &CStr) -> Option<Self> {
        let folder = open_folder(place, name).ok()?;
        let found = folder.metadata().ok()?;
        let is_private = found.uid() == geteuid().as_raw() && found.mode() & OTHERS == 0;
        if !is_private {
            return None;
        }
        let lock = match statat(&folder, LOCK, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) if FileType::from_raw_mode(found.st_mode).is_file() => {
                let lock = openat(&folder, LOCK, AS_IT_IS, Mode::empty()).ok()?;
                let lock = File::from(lock);
                lock.try_lock().ok()?;
                Some(lock)
            }
            Err(Errno::NOENT) => {
                let age = found.modified().ok()?.elapsed().ok()?;
                if age <= BEING_MADE {
                    return None;
                }
                None
            }
            Ok(_) | Err(_) => return None,
        };
        Some(Self { folder, lock })
    }

    /// Removes the folder that was found. What has its name by now stays if it is something else.
    fn remove(self, place: &File, name: &CStr) -> rustix::io::Result<()> {
        // warpup puts nothing into one before its lock.
        if self.lock.is_some() {
            empty(&self.folder)?;
        }
        unlinkat(place, name, AtFlags::REMOVEDIR)
    }
}

fn open_folder(parent: &File, name: &CStr) -> rustix::io::Result<File> {
    openat(parent, name, AS_IT_IS | OFlags::DIRECTORY, Mode::empty()).map(File::from)
}

fn names_in(folder: &File) -> rustix::io::Result<Vec<CString>> {
    let entries = Dir::read_from(folder)?;
    entries
        .map(|it| it.map(|it| it.file_name().to_owned()))
        .filter(|it| !matches!(it.as_deref().map(CStr::to_bytes), Ok(b"." | b"..")))
        .collect()
}

/// Removes all that is in a folder. Links are removed, not followed.
fn empty(folder: &File) -> rustix::io::Result<()> {
    for name in names_in(folder)? {
        match unlinkat(folder, &name, AtFlags::empty()) {
            // What Linux and macOS say of a folder.
            Err(Errno::ISDIR | Errno::PERM) => {
                empty(&open_folder(folder, &name)?)?;
                unlinkat(folder, &name, AtFlags::REMOVEDIR)?;
            }
            removed => removed?,
        }
    }
    Ok(())
}

fn folder_of_guest() -> MutexGuard<'static, Option<Guest>> {
    FOLDER.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, mkfifoat};
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::time::SystemTime;

    /// What a process left that was killed: a folder with a file in it, and a lock that nobody holds.
    fn left_in(place: &Path, name: &str) -> PathBuf {
        let folder = place.join(name);
        fs::create_dir_all(folder.join("log")).unwrap();
        fs::write(folder.join("log/kept"), "x").unwrap();
        File::create(folder.join(LOCK)).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        folder
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_what_another_uses_stays() {
        let place = TempDir::new().unwrap();
        let used = make(place.path()).unwrap();
        let many: Vec<PathBuf> = (0..200)
            .map(|it| left_in(place.path(), &format!("{PREFIX}l{it:05}")))
            .collect();
        symlink(used.folder.path(), many[0].join("log/link")).unwrap();
        let new = place.path().join("warpup-guest-newone");
        fs::create_dir(&new).unwrap();
        fs::set_permissions(&new, fs::Permissions::from_mode(0o700)).unwrap();
        sweep(place.path());
        assert!(many.iter().all(|it| !it.exists()));
        assert!(used.folder.path().join(LOCK).exists() && new.exists());
        // Nobody makes one for so long.
        let long_ago = SystemTime::now() - 2 * BEING_MADE;
        File::open(&new).unwrap().set_modified(long_ago).unwrap();
        sweep(place.path());
        assert!(!new.exists());
    }

    #[test]
    fn what_warpup_did_not_make_for_this_user_is_neither_waited_for_nor_removed() {
        let place = TempDir::new().unwrap();
        let named = |end: &str| left_in(place.path(), &format!("{PREFIX}{end}"));
        // Each is like what a killed process left, but for one thing.
        let lock_is = |end: &str, make: &dyn Fn(&Path)| {
            let folder = named(end);
            let lock = folder.join(LOCK);
            fs::remove_file(&lock).unwrap();
            make(&lock);
            folder
        };
        let target = left_in(place.path(), "target");
        let linked = place.path().join("warpup-guest-linked");
        symlink(&target, &linked).unwrap();
        let file = place.path().join("warpup-guest-afile0");
        fs::write(&file, "x").unwrap();
        let mut stay = vec![
            left_in(place.path(), "warpup-book"),
            named("x"),
            named("seven77"),
            named("dotted."),
            lock_is("pipe00", &|it| mkfifoat(CWD, it, Mode::RWXU).unwrap()),
            lock_is("socket", &|it| drop(UnixListener::bind(it).unwrap())),
            lock_is("folder", &|it| fs::create_dir(it).unwrap()),
            lock_is("link00", &|it| symlink("../target/lock", it).unwrap()),
            lock_is("device", &|it| symlink("/dev/zero", it).unwrap()),
            lock_is("nobody", &|it| symlink("/nowhere", it).unwrap()),
            linked,
            target.join("log/kept"),
            file,
        ];
        let shared = named("shared");
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).unwrap();
        let closed = named("closed");
        stay.push(shared);
        if geteuid().is_root() {
            let other = named("others");
            std::os::unix::fs::chown(&other, Some(65_534), None).unwrap();
            stay.push(other);
        } else {
            // Root reads it.
            fs::set_permissions(&closed, fs::Permissions::from_mode(0o300)).unwrap();
            stay.push(closed);
        }
        sweep(place.path());
        for path in stay {
            assert!(fs::symlink_metadata(&path).is_ok(), "{}", path.display());
        }
    }

    #[test]
    fn a_folder_that_is_replaced_while_it_is_swept_costs_nothing_else() {
        let place = TempDir::new().unwrap();
        let folder = left_in(place.path(), "warpup-guest-Left01");
        let other = left_in(place.path(), "other");
        let open = File::open(place.path()).unwrap();
        let found = AbandonedFolder::find(&open, c"warpup-guest-Left01").unwrap();
        fs::rename(&folder, place.path().join("moved")).unwrap();
        symlink(&other, &folder).unwrap();
        found.remove(&open, c"warpup-guest-Left01").unwrap_err();
        assert!(other.join("log/kept").exists() && folder.is_symlink());
        assert!(!place.path().join("moved/log").exists());
    }
}
