//! A program of the learner's own, in a file.

use super::failure::{Failure, Result};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of a program.
const MAX: u64 = 1 << 20;

/// What is in the file, and what tracebacks call it.
pub(super) struct ProgramFile {
    pub(super) name: String,
    pub(super) source: String,
}

impl ProgramFile {
    /// Reads it.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let source = text(path).map_err(|error| {
            Failure::arguments_but(format!("cannot read {}", path.display()), error.to_string())
        })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self {
            name: name.to_string(),
            source,
        })
    }
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?.take(MAX + 1).read_to_string(&mut text)?;
    if length as u64 > MAX {
        return Err(io::Error::other("it has more than a mebibyte"));
    }
    Ok(text)
}
