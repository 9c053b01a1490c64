//! The writing side: this process's own file.
//!
//! A record that cannot be written stays in memory and goes first into the next file that can be made.
//! A file that has failed once is never written again: after an error nobody knows what a second sync
//! of the same file would mean.

use super::disk::{Disk, FileSystem};
use super::file::{NotWritten, OpenLog, Sync};
use super::line::{self, FOLDER, Header};
use crate::data_dir::NoDataDir;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use ulid::Generator;
use warpup_course::CourseId;
use warpup_progress::{Event, Record};
use warpup_text::utc;

/// From so many bytes on, a log is closed and a new one begun: readers take a whole file into memory.
const ROLL_OVER: u64 = 16 << 20;

/// Why a record is not on disk.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The record is too large for a line. It will not be saved.
    #[error("too large to keep: {bytes} bytes, at most {max} fit", max = line::MAX_LINE)]
    TooLong {
        /// The record.
        record: Box<Record>,
        /// The length of its line.
        bytes: usize,
    },
    /// The disk did not take it. It is kept and goes with the next one.
    #[error("cannot save progress{}", place(path))]
    Disk {
        /// The record, unless only a retry failed.
        record: Option<Box<Record>>,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl SaveError {
    /// The record, which still counts in this session.
    pub fn record(&self) -> Option<&Record> {
        match self {
            Self::TooLong { record, .. } => Some(record),
            Self::Disk { record, .. } => record.as_deref(),
        }
    }
}

/// This process's log. The file is made with the first record.
pub struct Log {
    /// Nothing where there is no folder to keep progress in.
    dir: Option<PathBuf>,
    course: CourseId,
    disk: Box<dyn Disk>,
    ids: Generator,
    file: Option<OpenLog>,
    /// The JSON of records that are on no disk.
    unsaved: VecDeque<String>,
    /// Whether something of what is not synced yet is to be waited for.
    owed: Sync,
    /// What the header says of other logs.
    seen: BTreeMap<String, u64>,
    /// From so many bytes on, a new file is begun.
    roll_over: u64,
}

impl Log {
    /// A log in the data folder `dir`, if there is one. Nothing is made or touched before the first record.
    pub fn new(dir: Option<PathBuf>, course: &CourseId) -> Self {
        Self::on(FileSystem, dir, course)
    }

    pub(super) fn on(disk: impl Disk + 'static, dir: Option<PathBuf>, course: &CourseId) -> Self {
        Self {
            dir,
            course: course.clone(),
            disk: Box::new(disk),
            ids: Generator::new(),
            file: None,
            unsaved: VecDeque::new(),
            owed: Sync::Later,
            seen: BTreeMap::new(),
            roll_over: ROLL_OVER,
        }
    }

    /// The same, which begins a new file from so many bytes on.
    #[cfg(test)]
    pub(super) fn rolling_over_at(mut self, bytes: u64) -> Self {
        self.roll_over = bytes;
        self
    }

    /// Has the header of the next file say how many records other logs have, so that a later reader notices if one is cut
    /// off. See [`super::LoadedRecords::uncounted`].
    pub fn count_others(&mut self, seen: BTreeMap<String, u64>) {
        self.seen = seen;
    }

    /// Makes a record of an event and saves it as [`Log::save`] does.
    pub fn append(&mut self, event: Event, at_ms: u64) -> Result<Record, SaveError> {
        let record = Record {
            id: self.new_id(at_ms),
            at_ms,
            course: self.course.to_string(),
            event,
        };
        self.save(&record)?;
        Ok(record)
    }

    /// Writes a record, and before it everything that is still unsaved.
    ///
    /// The record counts whether it could be written or not: the error holds it, too.
    pub fn save(&mut self, record: &Record) -> Result<(), SaveError> {
        self.take(record)?;
        self.commit(record.at_ms).map_err(|error| match error {
            SaveError::Disk { path, source, .. } => SaveError::Disk {
                record: Some(Box::new(record.clone())),
                path,
                source,
            },
            too_long @ SaveError::TooLong { .. } => too_long,
        })
    }

    /// Takes a record, to be written by the next [`Log::commit`]. Refuses one that is too long.
    pub fn take(&mut self, record: &Record) -> Result<(), SaveError> {
        self.take_json(json_of(record), record.event.is_awaited())
            .map_err(|bytes| SaveError::TooLong {
                record: Box::new(record.clone()),
                bytes,
            })
    }

    /// Takes a record of another log as it is written there, so that nothing of one of a newer version is lost.
    pub(super) fn take_json(&mut self, json: String, is_awaited: bool) -> Result<(), usize> {
        let bytes = line::longest(&json);
        if bytes > line::MAX_LINE {
            return Err(bytes);
        }
        self.unsaved.push_back(json);
        if is_awaited {
            self.owed = Sync::Now;
        }
        Ok(())
    }

    /// Writes everything that was taken; waits for the disk if a learner waits for one of these records.
    pub fn commit(&mut self, at_ms: u64) -> Result<(), SaveError> {
        let is_written = self.unsaved.is_empty() && self.owed == Sync::Later;
        if is_written {
            return Ok(());
        }
        self.write(at_ms).map_err(|(path, source)| SaveError::Disk {
            record: None,
            path,
            source,
        })
    }

    /// How many records are on no disk. More than none is worth a banner that stays.
    pub fn unsaved(&self) -> usize {
        self.unsaved.len()
    }

    /// Writes what is unsaved and waits until all is on the disk: before leaving, or when asked to.
    pub fn flush(&mut self, at_ms: u64) -> Result<(), SaveError> {
        if self.unsaved.is_empty() && self.file.as_ref().is_none_or(|it| it.unsynced.is_empty()) {
            return Ok(());
        }
        self.owed = Sync::Now;
        self.commit(at_ms)
    }

    /// Writes what is unsaved to another data folder, and all that follows, too.
    pub fn save_to(&mut self, dir: &Path, at_ms: u64) -> Result<(), SaveError> {
        let (old_dir, old_file) = (self.dir.replace(dir.to_owned()), self.file.take());
        let saved = self.flush(at_ms);
        if saved.is_err() {
            self.dir = old_dir;
            self.file = old_file;
        }
        saved
    }

    /// A name for an attempt or a record; later ones sort after earlier ones.
    pub fn new_id(&mut self, at_ms: u64) -> String {
        // At 0 the generator would count up from nothing instead of drawing.
        let now = SystemTime::UNIX_EPOCH
            .checked_add(Duration::from_millis(at_ms.max(1)))
            .unwrap_or(SystemTime::UNIX_EPOCH);
        self.ids
            .generate_from_datetime(now)
            .unwrap_or_else(ulid::Overflow::commit_overflow_random)
            .to_string()
    }

    fn write(&mut self, at_ms: u64) -> Result<(), (PathBuf, io::Error)> {
        let is_full = |it: &OpenLog| it.length >= self.roll_over;
        if self.file.as_ref().is_some_and(is_full) {
            // What is not synced would have nobody left to wait for it.
            self.write_to_file(at_ms, Sync::Now)?;
            self.file = None;
            return Ok(());
        }
        self.write_to_file(at_ms, self.owed)
    }

    fn write_to_file(&mut self, at_ms: u64, sync: Sync) -> Result<(), (PathBuf, io::Error)> {
        // A second time for a file that was removed: what it held goes into a new one.
        for is_last in [false, true] {
            let mut open = match self.file.take() {
                Some(open) => open,
                None => self.create(at_ms)?,
            };
            match open.take(&mut self.unsaved, sync) {
                Ok(()) => {
                    self.file = Some(open);
                    self.owed = Sync::Later;
                    return Ok(());
                }
                Err(NotWritten::Failed(error)) => {
                    self.owed = Sync::Now;
                    if open.records == 0 {
                        self.disk.remove(&open.path);
                    }
                    return Err((open.path, error));
                }
                Err(NotWritten::Removed) => {
                    self.owed = Sync::Now;
                    if is_last {
                        let why = "the log is deleted as soon as it is made";
                        return Err((open.path, io::Error::other(why)));
                    }
                }
            }
        }
        Ok(())
    }

    fn create(&mut self, at_ms: u64) -> Result<OpenLog, (PathBuf, io::Error)> {
        let Some(dir) = &self.dir else {
            return Err((PathBuf::new(), io::Error::other(NoDataDir)));
        };
        let dir = dir.join(FOLDER);
        let host = host();
        let name = format!(
            "{}-{}-{}-{}.jsonl",
            utc::compact(at_ms),
            file_name_part(&host),
            std::process::id(),
            self.new_id(at_ms).to_lowercase(),
        );
        let path = dir.join(name);
        let header = Header {
            host,
            seen: std::mem::take(&mut self.seen),
            ..Header::of(&self.course)
        };
        match self.disk.create(&path) {
            Ok(file) => Ok(OpenLog {
                file,
                path,
                length: 0,
                header: line::encode(&json_of(&header)).ok(),
                records: 0,
                unsynced: Vec::new(),
            }),
            Err(error) => {
                self.seen = header.seen;
                Err((path, error))
            }
        }
    }
}

/// A value as JSON. Serialising these types cannot fail: they have text keys only.
fn json_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// ` to FILE`; nothing where there is no folder for it.
fn place(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        String::new()
    } else {
        format!(" to {}", path.display())
    }
}

/// The machine's name, for people who look at the folder; ids do not depend on it.
fn host() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .map(|it| it.trim().to_owned())
        .unwrap_or_default()
}

/// As much of a name as suits a file name everywhere.
fn file_name_part(name: &str) -> String {
    let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
    let part: String = name.chars().take(32).map(plain).collect();
    if part.is_empty() {
        "host".to_owned()
    } else {
        part
    }
}
