//! A program of the learner's own, in a file.

use super::failure::{Failure, Result};
use super::{program_folder, sibling_modules};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use warpup_lab::own_program::{OwnProgram, TIME_LIMIT};
use warpup_store::text_file;

/// The most bytes of a program.
const MAX: u64 = 1 << 20;

/// Reads a program, and the files beside it that it can import.
pub(super) fn read(path: &Path) -> Result<OwnProgram> {
    let source = text(path).map_err(|error| {
        Failure::arguments_but(format!("cannot read {}", path.display()), reason(&error))
    })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let modules = sibling_modules::of(path, &source);
    let place = program_folder::of(path, &source, &modules);
    Ok(OwnProgram {
        name: name.to_string(),
        modules,
        place,
        source,
        time_limit: TIME_LIMIT,
    })
}

fn reason(error: &io::Error) -> String {
    let known = [
        (ErrorKind::NotFound, "there is no such file"),
        (
            ErrorKind::IsADirectory,
            "it is a folder: name a file that ends in .py",
        ),
        (ErrorKind::PermissionDenied, "you may not read it"),
        (
            ErrorKind::InvalidData,
            "it is not text in UTF-8, as Python programs are",
        ),
    ];
    let words = known.iter().find(|(kind, _)| *kind == error.kind());
    words.map_or_else(|| error.to_string(), |(_, it)| (*it).to_owned())
}

fn text(path: &Path) -> io::Result<String> {
    // Asked before reading, for the better message.
    let found = fs::metadata(path)?;
    if found.file_type().is_fifo() {
        return Err(io::Error::other(
            "it is a named pipe: name a file that ends in .py",
        ));
    }
    if found.is_file() && found.len() > MAX {
        return Err(io::Error::other("it has more than a mebibyte"));
    }
    text_file::read(path, MAX)
}
