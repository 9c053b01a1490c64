//! The folder of the instructor: one file for each learner, which only the instructor can read.

use crate::commands::failure::Failure;
use crate::commands::file_failure::{unreadable, unwritable};
use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use warpup_store::log::{MAX_HANDED_IN, is_of_a_learner};
use warpup_store::text_file;

/// A folder to write into.
pub(super) struct Destination {
    folder: PathBuf,
}

impl Destination {
    /// Makes the folder if it is missing. It is none of those that are read, and not everybody may write to it.
    pub(super) fn prepare(folder: &Path, from: &[PathBuf]) -> Result<Self, Failure> {
        let mut builder = DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(folder);
        made.map_err(|it| unwritable(folder, &it))?;
        let found = fs::metadata(folder).map_err(|it| unreadable(folder, &it))?;
        let is_same = |path: &PathBuf| {
            let other = fs::metadata(path);
            other.is_ok_and(|it| (it.dev(), it.ino()) == (found.dev(), found.ino()))
        };
        if from.iter().any(is_same) {
            return Err(Failure::arguments_but(
                format!("{} is a folder that is collected from", folder.display()),
                "give a folder of your own with `--into`",
            ));
        }
        if found.mode() & 0o2 != 0 {
            return Err(Failure::arguments_but(
                format!("everybody can write to {}", folder.display()),
                "give a folder with `--into` that only instructors can write to, or close this one with `chmod o-w`",
            ));
        }
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// Writes the file of a user, whole or not at all. One that is the same already stays as it is.
    ///
    /// # Errors
    /// Why not, in words: it stops nobody else's file.
    pub(super) fn write(&self, user: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.folder.join(format!("{user}.jsonl"));
        let is_ours = |before: &[u8]| before.is_empty() || is_of_a_learner(before);
        let foreign = match text_file::read_bytes(&path, MAX_HANDED_IN) {
            Ok(before) if before == bytes => return Ok(()),
            Ok(before) if is_ours(&before) => None,
            Ok(_) => Some(String::new()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => Some(format!(" ({error})")),
        };
        if let Some(what) = foreign {
            return Err(format!(
                "{} is there, and `class collect` has not written it{what}; move it away, or give another folder with `--into`",
                path.display()
            ));
        }
        self.replace(&path, bytes).map_err(|error| {
            format!(
                "{} cannot be written: {error}; correct that and collect again: what was there stays",
                path.display()
            )
        })
    }

    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    }
}
