//! The log file that is written now.

use super::disk::LogFile;
use super::line;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;

/// The file that is written now.
pub(super) struct OpenLog {
    pub(super) file: Box<dyn LogFile>,
    pub(super) path: PathBuf,
    /// Bytes up to the end of the last whole line.
    pub(super) length: u64,
    /// The first line, while it is not written.
    pub(super) header: Option<Vec<u8>>,
    /// How many records were written; the number of the last one.
    pub(super) records: u64,
    /// The JSON of records since the last sync, which a failing sync may have lost.
    pub(super) unsynced: Vec<String>,
}

/// Whether to wait for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sync {
    Now,
    Later,
}

/// Why records are not in the file.
#[derive(Debug)]
pub(super) enum NotWritten {
    /// The system said no.
    Failed(io::Error),
    /// The file is no longer at its path: somebody has deleted it, or its folder.
    Removed,
}

impl OpenLog {
    /// Writes records, and waits for the disk if told to. After an error nothing is left in `unsynced`:
    /// all that may be lost is back in `unsaved`.
    pub(super) fn take(
        &mut self,
        unsaved: &mut VecDeque<String>,
        sync: Sync,
    ) -> Result<(), NotWritten> {
        let written = self.write(unsaved).and_then(|()| match sync {
            Sync::Now => self.file.sync(),
            Sync::Later => Ok(()),
        });
        // Asked last, since only now it is a promise.
        match written.and_then(|()| self.file.is_at(&self.path)) {
            Ok(true) => {
                if sync == Sync::Now {
                    self.unsynced.clear();
                }
                Ok(())
            }
            Ok(false) => {
                self.take_back(unsaved);
                Err(NotWritten::Removed)
            }
            // Where nobody can say that it is still there, it may be gone as well.
            Err(error) if !matches!(self.file.is_at(&self.path), Ok(true)) => {
                self.take_back(unsaved);
                Err(NotWritten::Failed(error))
            }
            Err(error) => {
                self.unsynced
                    .drain(..)
                    .rev()
                    .for_each(|it| unsaved.push_front(it));
                Err(NotWritten::Failed(error))
            }
        }
    }

    /// Puts all records of a file that is gone back in front of `unsaved`, as far as it can still be read.
    fn take_back(&mut self, unsaved: &mut VecDeque<String>) {
        let unsynced = std::mem::take(&mut self.unsynced);
        let lines = match self.file.read_back(self.length) {
            // After the header.
            Ok(bytes) => line::json_of_lines(&bytes).skip(1).collect(),
            Err(_) => unsynced,
        };
        lines
            .into_iter()
            .rev()
            .for_each(|it| unsaved.push_front(it));
    }

    /// Writes records, moving each whole one from `unsaved` to `unsynced`.
    fn write(&mut self, unsaved: &mut VecDeque<String>) -> io::Result<()> {
        if let Some(header) = self.header.take() {
            self.append(&header)?;
        }
        while let Some(json) = unsaved.pop_front() {
            let numbered = line::encode(&line::with_number(&json, self.records + 1));
            let appended = match numbered {
                Ok(line) => self.append(&line),
                // It was measured with its number when it came.
                Err(_) => Ok(()),
            };
            if let Err(error) = appended {
                unsaved.push_front(json);
                return Err(error);
            }
            self.records += 1;
            self.unsynced.push(json);
        }
        Ok(())
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.append(line) {
            // A torn line that stays is skipped by every reader.
            drop(self.file.truncate(self.length));
            return Err(error);
        }
        self.length += line.len() as u64;
        Ok(())
    }
}
