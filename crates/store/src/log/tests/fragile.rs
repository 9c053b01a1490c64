//! A disk in memory that fails when told to, and forgets files when told to.

use super::super::disk::{Disk, LogFile};
use super::super::{LoadedRecords, Log};
use super::course;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A disk in memory that fails when told to.
#[derive(Clone, Default)]
pub(super) struct FailingDisk(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    files: BTreeMap<PathBuf, Vec<u8>>,
    deleted: BTreeMap<PathBuf, Vec<u8>>,
    /// Operations that still work; none fail while this is `None`.
    left: Option<usize>,
    synced: usize,
    /// The files as they were synced last.
    durable: BTreeMap<PathBuf, Vec<u8>>,
    /// How many operations fail; all of them while this is `None`.
    fails: Option<usize>,
    kind: Option<io::ErrorKind>,
}

impl State {
    fn file(&mut self, path: &Path) -> &mut Vec<u8> {
        let file = self.files.get_mut(path);
        file.or(self.deleted.get_mut(path)).unwrap()
    }

    fn step(&mut self) -> io::Result<()> {
        match &mut self.left {
            None => Ok(()),
            Some(0) => {
                let kind = self.kind.unwrap_or(io::ErrorKind::StorageFull);
                self.fails = self.fails.map(|it| it.saturating_sub(1));
                if self.fails == Some(0) {
                    self.left = None;
                }
                Err(kind.into())
            }
            Some(left) => {
                *left -= 1;
                Ok(())
            }
        }
    }
}

impl FailingDisk {
    pub(super) fn fail_after(&self, operations: usize) {
        self.0.lock().unwrap().left = Some(operations);
    }

    /// Has so many operations fail with an error, after so many that work.
    pub(super) fn fail_with(&self, after: usize, fails: usize, kind: io::ErrorKind) {
        let mut state = self.0.lock().unwrap();
        state.left = Some(after);
        state.fails = Some(fails);
        state.kind = Some(kind);
    }

    /// What is there once the power is back.
    pub(super) fn after_power_cut(&self) -> LoadedRecords {
        let mut loaded = LoadedRecords::default();
        for (path, bytes) in &self.0.lock().unwrap().durable {
            loaded.take(path, bytes);
        }
        loaded
    }

    pub(super) fn heal(&self) {
        self.0.lock().unwrap().left = None;
    }

    pub(super) fn log(&self) -> Log {
        Log::on(self.clone(), Some("data".into()), &course())
    }

    /// How many files there are.
    pub(super) fn files(&self) -> usize {
        self.0.lock().unwrap().files.len()
    }

    /// How often something was synced.
    pub(super) fn synced(&self) -> usize {
        self.0.lock().unwrap().synced
    }

    /// Deletes all files, as somebody who cleans up does. Who has one open still reads it.
    pub(super) fn clean_up(&self) {
        let mut state = self.0.lock().unwrap();
        let files = std::mem::take(&mut state.files);
        state.deleted.extend(files);
    }

    pub(super) fn loaded(&self) -> LoadedRecords {
        let mut loaded = LoadedRecords::default();
        for (path, bytes) in &self.0.lock().unwrap().files {
            loaded.take(path, bytes);
        }
        loaded
    }
}

impl Disk for FailingDisk {
    fn create(&mut self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        let mut state = self.0.lock().unwrap();
        state.step()?;
        assert!(state.files.insert(path.to_owned(), Vec::new()).is_none());
        Ok(Box::new(FragileFile {
            disk: self.clone(),
            path: path.to_owned(),
        }))
    }

    fn remove(&mut self, path: &Path) {
        self.0.lock().unwrap().files.remove(path);
    }
}

struct FragileFile {
    disk: FailingDisk,
    path: PathBuf,
}

impl LogFile for FragileFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.disk.0.lock().unwrap();
        let result = state.step();
        let file = state.file(&self.path);
        // A disk that runs full takes half of it.
        let taken = if result.is_ok() {
            bytes.len()
        } else {
            bytes.len() / 2
        };
        file.extend_from_slice(&bytes[..taken]);
        result
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.disk.0.lock().unwrap();
        state.synced += 1;
        state.step()?;
        let bytes = state.file(&self.path).clone();
        state.durable.insert(self.path.clone(), bytes);
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let mut state = self.disk.0.lock().unwrap();
        state
            .file(&self.path)
            .truncate(usize::try_from(length).unwrap());
        Ok(())
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        Ok(self.disk.0.lock().unwrap().files.contains_key(path))
    }

    fn read_back(&self, length: u64) -> io::Result<Vec<u8>> {
        let mut state = self.disk.0.lock().unwrap();
        let file = state.file(&self.path);
        Ok(file[..usize::try_from(length).unwrap()].to_vec())
    }
}
