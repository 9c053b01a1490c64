//! Courses of git repositories, as they were fetched: only the files of a course, without the repository.
//!
//! Each repository has a folder, `cache/git/HASH` in the data folder, named by the SHA-256 of its address. In it are a folder for each
//! commit, and a list that says which tag or branch was which commit.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How names of folders begin in which something is done.
const NEW: &str = ".new-";
/// A fetch takes two minutes at most, so nobody works in a folder that is older.
const ABANDONED: Duration = Duration::from_mins(10);
/// The list of a repository.
const LIST: &str = "kept.json";

/// What a name in a repository stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedBy {
    /// A tag, which stays the same.
    Tag,
    /// A commit, which cannot change.
    Commit,
    /// A branch, which moves.
    Branch,
}

/// A commit under the name that it was asked for by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    /// What the name stands for.
    pub by: NamedBy,
    /// The name of the tag or branch; of a commit its digits.
    pub name: String,
    /// The digits of the commit.
    pub commit: String,
}

/// What is kept of one repository.
#[derive(Debug)]
pub struct KeptCourse {
    folder: PathBuf,
    /// The folder in the repository that holds the course; empty for the repository itself.
    inside: String,
}

impl KeptCourse {
    /// That of a repository in a data folder, and of the course in this folder of it.
    pub fn of(data: &Path, address: &str, inside: &str) -> Self {
        Self {
            folder: data.join("cache").join("git").join(hash(address)),
            inside: inside.to_owned(),
        }
    }

    /// What was kept under a name; without a name, the default branch. Only if its files are there.
    pub fn edition(&self, name: Option<&str>) -> Option<Edition> {
        let edition = self.list().remove(name.unwrap_or_default())?;
        self.files(&edition.commit).is_dir().then_some(edition)
    }

    /// The folder with the files of a commit, which may not be there.
    pub fn files(&self, commit: &str) -> PathBuf {
        self.folder.join(self.folder_name(commit))
    }

    /// A new folder beside the others, for what is being fetched. It is deleted when it is dropped.
    pub fn scratch(&self) -> io::Result<tempfile::TempDir> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)?;
        self.clean();
        tempfile::TempDir::with_prefix_in(NEW, &self.folder)
    }

    /// Removes what fetches left that were ended in the middle.
    fn clean(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let is_new = entry
                .file_name()
                .as_encoded_bytes()
                .starts_with(NEW.as_bytes());
            let modified = entry.metadata().and_then(|it| it.modified());
            let age = modified.ok().and_then(|it| it.elapsed().ok());
            if is_new && age.is_some_and(|it| it > ABANDONED) {
                // Another process may be doing the same.
                drop(fs::remove_dir_all(entry.path()));
            }
        }
    }

    /// Keeps the files of a commit, which are in this folder.
    pub fn keep(&self, commit: &str, files: &Path) -> io::Result<()> {
        match fs::rename(files, self.files(commit)) {
            // Another process was faster: the same commit has the same files.
            Err(_) if self.files(commit).is_dir() => Ok(()),
            ended => ended,
        }
    }

    /// Keeps what a name stands for now, and drops the files of commits that no name stands for any more.
    pub fn name(&self, name: Option<&str>, edition: &Edition) -> io::Result<()> {
        let mut list = self.list();
        list.insert(name.unwrap_or_default().to_owned(), edition.clone());
        let new = tempfile::NamedTempFile::with_prefix_in(NEW, &self.folder)?;
        serde_json::to_writer_pretty(new.as_file(), &list)?;
        new.persist(self.folder.join(LIST))?;
        let named: BTreeSet<&str> = list.values().map(|it| it.commit.as_str()).collect();
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let found = entry.file_name().to_string_lossy().into_owned();
            let commit = found.split('-').next().unwrap_or_default();
            let is_commit = commit.len() >= 40 && commit.bytes().all(|it| it.is_ascii_hexdigit());
            if is_commit && !named.contains(commit) {
                // First under a name that nothing looks for: half a folder must not be taken for the course.
                if let Ok(scratch) = tempfile::TempDir::with_prefix_in(NEW, &self.folder) {
                    drop(fs::rename(entry.path(), scratch.path().join("old")));
                }
            }
        }
        Ok(())
    }

    fn list(&self) -> BTreeMap<String, Edition> {
        let text = fs::read_to_string(self.folder.join(LIST)).unwrap_or_default();
        // A list that cannot be read is one of nothing: all of it can be fetched again.
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn folder_name(&self, commit: &str) -> String {
        if self.inside.is_empty() {
            return commit.to_owned();
        }
        let inside = hash(&self.inside);
        format!("{commit}-{}", inside.get(..8).unwrap_or_default())
    }
}

/// Sixteen hex digits of a text's SHA-256.
fn hash(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(text).iter().take(8) {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    fn branch(commit: &str) -> Edition {
        Edition {
            by: NamedBy::Branch,
            name: "main".to_owned(),
            commit: commit.to_owned(),
        }
    }

    fn keep(kept: &KeptCourse, commit: &str) {
        let scratch = kept.scratch().unwrap();
        let files = scratch.path().join("files");
        fs::create_dir_all(files.join("lessons")).unwrap();
        kept.keep(commit, &files).unwrap();
    }

    #[test]
    fn what_a_name_stood_for_is_kept_until_it_stands_for_something_else() {
        let data = tempfile::TempDir::new().unwrap();
        let kept = KeptCourse::of(data.path(), "https://host/r", "");
        assert_eq!(kept.edition(None), None);
        keep(&kept, ONE);
        kept.name(None, &branch(ONE)).unwrap();
        assert_eq!(kept.edition(None), Some(branch(ONE)));
        assert_eq!(kept.edition(Some("v1")), None);
        keep(&kept, TWO);
        // A second process keeps the same.
        keep(&kept, TWO);
        kept.name(None, &branch(TWO)).unwrap();
        assert_eq!(kept.edition(None), Some(branch(TWO)));
        assert!(!kept.files(ONE).exists());
        let other = KeptCourse::of(data.path(), "https://host/other", "");
        assert_eq!(other.edition(None), None);
        // Another course of the same repository has other files.
        let inside = KeptCourse::of(data.path(), "https://host/r", "talks/one");
        assert_eq!(inside.edition(None), None);
        fs::write(kept.folder.join(LIST), "{").unwrap();
        assert_eq!(kept.edition(None), None);
    }
}
