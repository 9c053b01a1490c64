//! The reading side: the logs of all processes, merged.
//!
//! Never writes, renames or deletes. Damage costs the lines that it touched and is reported with its place.

use super::line::FOLDER;
use super::scan::{LogEntry, scan};
use super::set_aside::is_set_aside;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use warpup_progress::{Event, Record};

/// A log of more bytes is not read: a new one is begun at a quarter of this.
pub(super) const MAX_FILE: u64 = 64 << 20;

/// The most logs that one header counts; a later header counts the rest.
const MAX_COUNTED: usize = 200;

/// What was found on disk.
#[derive(Debug, Default)]
pub struct LoadedRecords {
    /// Each record once, in the order of the files' names.
    pub records: Vec<Record>,
    /// What could not be read, or is missing.
    pub problems: Vec<Problem>,
    /// How many records each log has.
    counts: BTreeMap<String, u64>,
    /// How many records each log had when a later log was begun, which says so.
    seen: BTreeMap<String, u64>,
    /// The ids of the records.
    ids: BTreeSet<String>,
}

/// Something in the log folder that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file or folder.
    pub path: PathBuf,
    /// The line, from 1; 0 for all of it.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Reads all logs in the data folder `dir`. A folder that is not there has none.
pub fn read(dir: &Path) -> LoadedRecords {
    let folder = dir.join(FOLDER);
    let mut loaded = LoadedRecords::default();
    let paths = match paths_in(&folder) {
        Ok(paths) => paths,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return loaded,
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            let is_folder = dir.is_dir();
            let path = if is_folder { &folder } else { dir };
            loaded.problem(path, 0, "a folder belongs there".to_owned());
            return loaded;
        }
        Err(error) => {
            loaded.problem(&folder, 0, error.to_string());
            return loaded;
        }
    };
    for path in paths {
        match text_of(&path, MAX_FILE) {
            Ok(bytes) => loaded.take(&path, &bytes),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let what = format!(
                    "{error}; `warpup progress import {}` reads it",
                    path.display()
                );
                loaded.problem(&path, 0, what);
            }
            Err(error) => loaded.problem(&path, 0, error.to_string()),
        }
    }
    loaded.compare(dir, &folder);
    loaded
}

/// The logs in a folder.
pub(super) fn paths_in(folder: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let mut paths = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "jsonl") {
            paths.insert(path);
        }
    }
    Ok(paths)
}

/// The bytes of a log.
pub(super) fn text_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Asked before opening: opening a pipe would wait for its writer.
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::other("not a file"));
    }
    if found.len() > most {
        let what = format!("more than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    fs::read(path)
}

impl LoadedRecords {
    /// How many records logs have that no header counts yet; for the header of the next log.
    pub fn uncounted(&self) -> BTreeMap<String, u64> {
        let is_new = |it: &(&String, &u64)| self.seen.get(it.0).is_none_or(|seen| seen < it.1);
        let new = self.counts.iter().filter(is_new).rev().take(MAX_COUNTED);
        new.map(|(name, count)| (name.clone(), *count)).collect()
    }

    /// How many records the logs have or had.
    #[cfg(test)]
    pub(super) fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Whether there is a record of this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// The records that hide others.
    pub(super) fn resets(&self) -> impl Iterator<Item = &Record> {
        let is_reset = |it: &&Record| matches!(it.event, Event::Reset { .. });
        self.records.iter().filter(is_reset)
    }

    /// Takes in the lines of one log.
    pub(super) fn take(&mut self, path: &Path, bytes: &[u8]) {
        let count = scan(bytes, &mut |found| match found {
            LogEntry::Header(header) => {
                for (name, count) in header.seen {
                    let known = self.seen.entry(name).or_default();
                    *known = count.max(*known);
                }
            }
            LogEntry::Record(record, _) => {
                if self.ids.insert(record.id.clone()) {
                    self.records.push(*record);
                }
            }
            LogEntry::Newer(_) => {}
            LogEntry::Fault(line, _, what) => self.problem(path, line, what),
        });
        if let Some(name) = path.file_name() {
            self.counts
                .insert(name.to_string_lossy().into_owned(), count);
        }
    }

    /// Reports logs that have fewer records than a later log has seen in them, and those that are gone.
    fn compare(&mut self, dir: &Path, folder: &Path) {
        for (name, seen) in std::mem::take(&mut self.seen) {
            match self.counts.get(&name) {
                Some(count) if *count < seen => {
                    let what = format!(
                        "cut off: {} of its {seen} records are missing",
                        seen - count
                    );
                    self.problem(&folder.join(&name), 0, what);
                }
                None if seen > 0 && !is_set_aside(dir, &name) => {
                    let what = format!("gone: its {seen} records are missing");
                    self.problem(&folder.join(&name), 0, what);
                }
                Some(_) | None => {}
            }
            self.seen.insert(name, seen);
        }
    }

    fn problem(&mut self, path: &Path, line: usize, what: String) {
        self.problems.push(Problem {
            path: path.to_owned(),
            line,
            what,
        });
    }
}
