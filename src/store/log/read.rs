//! The reading side: the logs of all processes, merged.
//!
//! Never writes, renames or deletes. A torn last line, runs of NUL, text that is no UTF-8 and lines of a
//! newer version are ordinary input: each costs one line and is reported with its place.

use super::line::{self, FOLDER, FORMAT, Header, MAX_LINE};
use crate::progress::Record;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A log of more bytes is not read: a learner's whole course has a hundredth of it.
const MAX_FILE: u64 = 64 << 20;

/// What was found on disk.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Each record once, in the order of the files' names.
    pub records: Vec<Record>,
    /// What could not be read.
    pub problems: Vec<Problem>,
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
pub fn read(dir: &Path) -> Loaded {
    let folder = dir.join(FOLDER);
    let mut loaded = Loaded::default();
    let paths = match paths_in(&folder) {
        Ok(paths) => paths,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return loaded,
        Err(error) => {
            loaded.problem(&folder, 0, error.to_string());
            return loaded;
        }
    };
    let mut seen = BTreeSet::new();
    for path in paths {
        match text_of(&path) {
            Ok(bytes) => loaded.take(&path, &bytes, &mut seen),
            Err(error) => loaded.problem(&path, 0, error.to_string()),
        }
    }
    loaded
}

fn paths_in(folder: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let mut paths = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "jsonl") {
            paths.insert(path);
        }
    }
    Ok(paths)
}

fn text_of(path: &Path) -> io::Result<Vec<u8>> {
    // Asked before opening: opening a pipe would wait for its writer.
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::other("not a file"));
    }
    if found.len() > MAX_FILE {
        return Err(io::Error::other(format!("more than {MAX_FILE} bytes")));
    }
    fs::read(path)
}

impl Loaded {
    /// Takes in the lines of one log.
    pub(super) fn take(&mut self, path: &Path, bytes: &[u8], seen: &mut BTreeSet<String>) {
        let (whole, torn) = match bytes.iter().rposition(|it| *it == b'\n') {
            Some(end) => bytes.split_at(end + 1),
            None => (&[][..], bytes),
        };
        let mut lines = 0;
        for text in whole.split_inclusive(|it| *it == b'\n') {
            lines += 1;
            match record_in(text) {
                Ok(Some(record)) => {
                    if seen.insert(record.id.clone()) {
                        self.records.push(record);
                    }
                }
                Ok(None) => {}
                Err(what) => self.problem(path, lines, what),
            }
        }
        if !line::trim_nul(torn).is_empty() {
            self.problem(path, lines + 1, "cut short".to_owned());
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

/// The record in a line; nothing in an empty one and in a header.
fn record_in(text: &[u8]) -> Result<Option<Record>, String> {
    let text = line::trim_nul(text.strip_suffix(b"\n").unwrap_or(text));
    if text.is_empty() {
        return Ok(None);
    }
    if text.len() >= MAX_LINE {
        return Err("too long".to_owned());
    }
    let json = line::decode(text).ok_or("damaged: its checksum is another")?;
    match serde_json::from_slice::<Record>(json) {
        Ok(record) => Ok(Some(record)),
        Err(error) => match serde_json::from_slice::<Header>(json) {
            Ok(header) if header.format > FORMAT => Err(format!(
                "written by warpup {}: what this version knows is read",
                header.app
            )),
            Ok(_) => Ok(None),
            // Intact, so a later version wrote it on purpose.
            Err(_) => Err(format!("not understood by this version: {error}")),
        },
    }
}
