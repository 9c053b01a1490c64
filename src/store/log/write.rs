//! The writing side: this process's own file.
//!
//! A record that cannot be written stays in memory and goes first into the next file that can be made.
//! A file that has failed once is never written again: after an error nobody knows what a second sync
//! of the same file would mean.

use super::disk::{Disk, FileSystem};
use super::file::{OpenLog, Sync};
use super::line::{self, FOLDER, FORMAT, Header};
use crate::course::CourseId;
use crate::progress::{Event, Record};
use crate::utc;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use ulid::Generator;

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
    #[error("cannot save progress to {}", path.display())]
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
    dir: PathBuf,
    course: CourseId,
    disk: Box<dyn Disk>,
    ids: Generator,
    file: Option<OpenLog>,
    /// Lines that are on no disk.
    unsaved: Vec<Vec<u8>>,
}

impl Log {
    /// A log in the data folder `dir`. Nothing is made or touched before the first record.
    pub fn new(dir: impl Into<PathBuf>, course: &CourseId) -> Self {
        Self::on(FileSystem, dir, course)
    }

    pub(super) fn on(
        disk: impl Disk + 'static,
        dir: impl Into<PathBuf>,
        course: &CourseId,
    ) -> Self {
        Self {
            dir: dir.into(),
            course: course.clone(),
            disk: Box::new(disk),
            ids: Generator::new(),
            file: None,
            unsaved: Vec::new(),
        }
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
        let line = line_of(record).map_err(|bytes| SaveError::TooLong {
            record: Box::new(record.clone()),
            bytes,
        })?;
        self.unsaved.push(line);
        self.write(record.at_ms, sync_of(&record.event))
            .map_err(|(path, source)| SaveError::Disk {
                record: Some(Box::new(record.clone())),
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
        self.write(at_ms, Sync::Now)
            .map_err(|(path, source)| SaveError::Disk {
                record: None,
                path,
                source,
            })
    }

    /// Writes what is unsaved to another data folder, and all that follows, too.
    pub fn save_to(&mut self, dir: &Path, at_ms: u64) -> Result<(), SaveError> {
        let (old_dir, old_file) = (
            std::mem::replace(&mut self.dir, dir.to_owned()),
            self.file.take(),
        );
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

    fn write(&mut self, at_ms: u64, sync: Sync) -> Result<(), (PathBuf, io::Error)> {
        let mut open = match self.file.take() {
            Some(open) => open,
            None => self.create(at_ms)?,
        };
        match open.take(&mut self.unsaved, sync) {
            Ok(()) => {
                self.file = Some(open);
                Ok(())
            }
            Err(error) => {
                if open.records == 0 {
                    self.disk.remove(&open.path);
                }
                Err((open.path, error))
            }
        }
    }

    fn create(&mut self, at_ms: u64) -> Result<OpenLog, (PathBuf, io::Error)> {
        let host = host();
        let name = format!(
            "{}-{}-{}-{}.jsonl",
            utc::compact(at_ms),
            file_name_part(&host),
            std::process::id(),
            self.new_id(at_ms).to_lowercase(),
        );
        let path = self.dir.join(FOLDER).join(name);
        let header = Header {
            format: FORMAT,
            app: env!("CARGO_PKG_VERSION").to_owned(),
            host,
            course: self.course.to_string(),
        };
        match self.disk.create(&path) {
            Ok(file) => Ok(OpenLog {
                file,
                path,
                length: 0,
                header: line_of(&header).ok(),
                records: 0,
                unsynced: Vec::new(),
            }),
            Err(error) => Err((path, error)),
        }
    }
}

/// A learner waits for the disk only where something was earned or is awkward to do again.
fn sync_of(event: &Event) -> Sync {
    match event {
        Event::Read { .. } | Event::Edited { .. } | Event::Chose { .. } => Sync::Later,
        Event::Ran { .. }
        | Event::Predicted { .. }
        | Event::Answered { .. }
        | Event::Attempted { .. }
        | Event::Explained { .. }
        | Event::Reset { .. }
        | Event::Unknown => Sync::Now,
    }
}

/// A value as a line, or the length that is too much.
fn line_of(value: &impl Serialize) -> Result<Vec<u8>, usize> {
    // Serialising these types cannot fail: they have text keys only.
    let json = serde_json::to_string(value).unwrap_or_default();
    line::encode(&json)
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
