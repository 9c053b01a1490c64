//! Changes in a course folder, as Linux reports them (inotify).

use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use warpup_course::{Language, PARTS, is_translated};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::io::Errno;

/// How long no file has to change before a change is reported.
const QUIET: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 40_000_000,
};

/// Waits for quiet before a change is reported anyway: about a second.
const WAITS: usize = 25;

/// A watch on the folders of a course.
#[derive(Debug)]
pub struct FolderWatch {
    watch: OwnedFd,
    dir: PathBuf,
}

impl FolderWatch {
    /// Begins to watch; nothing where the system has no watch to give.
    pub fn new(dir: &Path) -> Option<Self> {
        let watch = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        let dir = dir.to_owned();
        let watch = Self { watch, dir };
        watch.add_folders();
        Some(watch)
    }

    /// Watches the folders. One that is there already is not added twice; one that is missing may come.
    fn add_folders(&self) {
        let changes = WatchFlags::CLOSE_WRITE
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::ONLYDIR;
        let watch = |folder: &Path| {
            // One that is missing is added when it comes.
            let _ = inotify::add_watch(&self.watch, folder, changes);
        };
        watch(&self.dir);
        for (part, _) in PARTS {
            let folder = self.dir.join(part);
            watch(&folder);
            let translations = fs::read_dir(&folder).into_iter().flatten().flatten();
            for entry in translations {
                let is_language = entry.file_name().to_str().and_then(Language::new).is_some();
                if is_translated(part) && is_language {
                    watch(&entry.path());
                }
            }
        }
    }

    /// Waits until files have changed and then nothing for a moment; false when the watch is broken.
    pub fn wait_for_change(&self) -> bool {
        loop {
            if !self.is_readable(None) {
                return false;
            }
            let mut is_change = false;
            for _ in 0..WAITS {
                match self.take() {
                    Ok(of_course) => is_change |= of_course,
                    Err(_) => return false,
                }
                if !self.is_readable(Some(&QUIET)) {
                    break;
                }
            }
            if is_change {
                // One of the folders may be another one now.
                self.add_folders();
                return true;
            }
        }
    }

    /// Takes all that is reported. Says whether it may concern a file of the course.
    fn take(&self) -> Result<bool, Errno> {
        let mut space = [MaybeUninit::uninit(); 4096];
        let mut reader = inotify::Reader::new(&self.watch, &mut space);
        let mut is_change = false;
        loop {
            match reader.next() {
                Ok(event) => {
                    let name = event.file_name().map(|it| it.to_string_lossy());
                    is_change |= name.is_none_or(|it| is_of_course(&it));
                }
                Err(Errno::WOULDBLOCK) => return Ok(is_change),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn is_readable(&self, wait: Option<&Timespec>) -> bool {
        let mut watched = [PollFd::new(&self.watch, PollFlags::IN)];
        loop {
            match poll(&mut watched, wait) {
                Err(Errno::INTR) => {}
                Err(_) => return false,
                Ok(count) => return count > 0,
            }
        }
    }
}

/// Whether a course reads a file of this name, or it is one of its folders.
fn is_of_course(name: &str) -> bool {
    let is_text = Path::new(name)
        .extension()
        .is_some_and(|it| ["md", "toml", "py"].iter().any(|known| it == *known));
    let is_folder = PARTS.iter().any(|it| it.0 == name) || Language::new(name).is_some();
    (is_text && !name.starts_with('.')) || is_folder
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn course() -> (TempDir, FolderWatch) {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("lessons")).unwrap();
        let watch = FolderWatch::new(dir.path()).unwrap();
        (dir, watch)
    }

    #[test]
    fn a_file_that_is_renamed_over_another_is_a_change_and_a_swap_file_is_not() {
        let (dir, watch) = course();
        let lesson = dir.path().join("lessons/a.md");
        fs::write(dir.path().join("lessons/.a.md.swp"), "").unwrap();
        assert_eq!(watch.take(), Ok(false));
        fs::write(&lesson, "one").unwrap();
        assert!(watch.wait_for_change());
        fs::write(dir.path().join("lessons/4913"), "two").unwrap();
        fs::rename(dir.path().join("lessons/4913"), &lesson).unwrap();
        assert!(watch.wait_for_change());
        assert_eq!(watch.take(), Ok(false), "all of it was one change");
    }

    #[test]
    fn a_translation_is_watched_also_if_it_comes_later() {
        let (dir, watch) = course();
        let german = dir.path().join("lessons/de");
        fs::create_dir(&german).unwrap();
        assert!(watch.wait_for_change());
        fs::write(german.join("a.md"), "").unwrap();
        assert!(watch.wait_for_change());
    }

    #[test]
    fn a_folder_that_comes_later_is_watched_too() {
        let (dir, watch) = course();
        fs::create_dir(dir.path().join("quizzes")).unwrap();
        assert!(watch.wait_for_change());
        fs::write(dir.path().join("quizzes/a.toml"), "").unwrap();
        assert!(watch.wait_for_change());
    }
}
