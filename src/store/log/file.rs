//! The log file that is written now.

use super::disk::LogFile;
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
    /// How many records were written.
    pub(super) records: usize,
    /// Records since the last sync, which a failing sync may have lost.
    pub(super) unsynced: Vec<Vec<u8>>,
}

/// Whether a record is worth waiting for the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sync {
    Now,
    Later,
}

impl OpenLog {
    /// Writes lines, and waits for the disk if told to. After an error nothing is left in `unsynced`:
    /// all that may be lost is back in `unsaved`.
    pub(super) fn take(&mut self, unsaved: &mut Vec<Vec<u8>>, sync: Sync) -> io::Result<()> {
        let written = self.write(unsaved).and_then(|()| match sync {
            Sync::Now => self.file.sync(),
            Sync::Later => Ok(()),
        });
        match (&written, sync) {
            (Ok(()), Sync::Now) => self.unsynced.clear(),
            (Ok(()), Sync::Later) => {}
            (Err(_), Sync::Now | Sync::Later) => {
                unsaved.splice(..0, self.unsynced.drain(..));
            }
        }
        written
    }

    /// Writes lines, moving each whole one from `unsaved` to `unsynced`.
    fn write(&mut self, unsaved: &mut Vec<Vec<u8>>) -> io::Result<()> {
        if let Some(header) = self.header.take() {
            self.append(&header)?;
        }
        while !unsaved.is_empty() {
            let line = unsaved.remove(0);
            if let Err(error) = self.append(&line) {
                unsaved.insert(0, line);
                return Err(error);
            }
            self.records += 1;
            self.unsynced.push(line);
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
