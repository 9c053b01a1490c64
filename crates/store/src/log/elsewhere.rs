//! Keeping records that cannot be saved where they belong: in a new folder that only this user can open.
//!
//! The app and the commands end here when a disk is full, gone, or too slow to wait for.

use super::line::FOLDER;
use super::write::{Log, SaveError};
use crate::guest;
use std::env;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use warpup_course::CourseId;
use warpup_progress::Record;

/// What all such folders are called, before a random part.
const PREFIX: &str = "warpup-kept-";

impl Log {
    /// Writes what is unsaved to a new private folder, and all that follows, too.
    pub fn save_elsewhere(&mut self, at_ms: u64) -> Result<PathBuf, SaveError> {
        let mut last = None;
        // Nothing of a guest stays anywhere.
        for parent in parents().filter(|_| guest().is_none()) {
            let saved = private_folder(&parent)
                .map_err(|source| SaveError::Disk {
                    record: None,
                    path: parent,
                    source,
                })
                .and_then(|folder| match self.save_to(&folder, at_ms) {
                    Ok(()) => Ok(folder),
                    Err(error) => {
                        // Only empty ones go, and one that stays is only untidy.
                        drop(fs::remove_dir(folder.join(FOLDER)));
                        drop(fs::remove_dir(&folder));
                        Err(error)
                    }
                });
            match saved {
                Ok(folder) => return Ok(folder),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| SaveError::Disk {
            record: None,
            path: PathBuf::new(),
            source: io::ErrorKind::NotFound.into(),
        }))
    }
}

/// Keeps copies of records whose own log does not answer.
pub fn keep_elsewhere<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    course: &CourseId,
) -> Result<PathBuf, SaveError> {
    let mut log = Log::new(None, course);
    let mut at_ms = 0;
    for record in records {
        at_ms = record.at_ms;
        // One that is too long was refused when it was made.
        drop(log.take(record));
    }
    log.save_elsewhere(at_ms)
}

/// The folders in which records of this user were kept.
pub fn kept_elsewhere() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in parents()
        .filter_map(|it| fs::read_dir(it).ok())
        .flatten()
        .flatten()
    {
        let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let path = entry.path();
        if is_named && is_private(&path).unwrap_or(false) && !found.contains(&path) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Whether a folder is this user's, and nobody else can open it.
fn is_private(folder: &Path) -> io::Result<bool> {
    let found = fs::symlink_metadata(folder)?;
    let is_ours = found.uid() == rustix::process::geteuid().as_raw();
    Ok(found.is_dir() && is_ours && found.mode() & 0o777 == 0o700)
}

/// `1 record is`, `7 records are`.
pub fn count_of(records: usize) -> String {
    match records {
        1 => "1 record is".to_owned(),
        several => format!("{several} records are"),
    }
}

/// What to do with a folder in which records were kept.
pub fn how_to_import(folder: &Path) -> String {
    format!(
        "they are kept in {folder}; `warpup progress import {folder}` takes them over",
        folder = folder.display()
    )
}

/// So many records are not where progress belongs but in this folder, and how to take them over.
pub fn kept(records: usize, folder: &Path) -> String {
    if records == 1 {
        return format!(
            "1 record is not saved where progress belongs: it is kept in {folder}; `warpup progress import {folder}` takes it over",
            folder = folder.display()
        );
    }
    format!(
        "{} not saved where progress belongs: {}",
        count_of(records),
        how_to_import(folder)
    )
}

/// Where a private folder may be, best first. Unlike the usual folder for temporary files, `/var/tmp` outlives a restart.
fn parents() -> impl Iterator<Item = PathBuf> {
    let set = env::var_os("TMPDIR").filter(|it| !it.is_empty());
    let usual = ["/var/tmp", "/tmp"].map(PathBuf::from);
    set.map(PathBuf::from).into_iter().chain(usual)
}

/// A new folder that only this user can open, whatever the umask. Its name is random, and a folder that exists already
/// is never taken: somebody else may have made it.
fn private_folder(parent: &Path) -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(12);
    let folder = builder
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(parent)?;
    // A umask can only take away what was asked for; this gives it back.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o700))?;
    if !is_private(folder.path())? {
        return Err(io::Error::other("a private folder cannot be made there"));
    }
    Ok(folder.keep())
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn one_record_is_one() {
        let folder = Path::new("/f");
        insta::assert_snapshot!(kept(1, folder), @"1 record is not saved where progress belongs: it is kept in /f; `warpup progress import /f` takes it over");
        insta::assert_snapshot!(kept(2, folder), @"2 records are not saved where progress belongs: they are kept in /f; `warpup progress import /f` takes them over");
    }
    use tempfile::TempDir;
    use warpup_progress::Event;

    #[test]
    fn the_folder_is_private_and_never_one_that_was_there() {
        let dir = TempDir::new().unwrap();
        let made = [(); 3].map(|()| private_folder(dir.path()).unwrap());
        for folder in &made {
            let found = fs::metadata(folder).unwrap();
            assert_eq!(found.mode() & 0o777, 0o700);
        }
        assert!(made[0] != made[1] && made[1] != made[2]);
        let name = made[0].file_name().unwrap().to_str().unwrap();
        assert_eq!(name.len(), PREFIX.len() + 12, "{name}");
    }

    #[test]
    fn records_whose_log_does_not_answer_are_kept() {
        let record = Record {
            id: "a".to_owned(),
            at_ms: 7,
            course: "warpup".to_owned(),
            event: Event::Reset { lesson: None },
        };
        let folder = keep_elsewhere([&record], &CourseId::new("warpup")).unwrap();
        assert_eq!(read(&folder).records, [record]);
        fs::remove_dir_all(folder).unwrap();
    }
}
