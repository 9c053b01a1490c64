//! A program of the learner's own, in a file.

use super::failure::{Failure, Result};
use super::file_failure::unreadable;
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
    let source = text(path).map_err(|error| failure(path, &error))?;
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

/// Why a program cannot be read.
fn failure(path: &Path, error: &io::Error) -> Failure {
    let failure = unreadable(path, error);
    if error.kind() == ErrorKind::NotFound && path.extension().is_none() {
        let with_ending = path.with_extension("py");
        return failure.with_hint(if with_ending.is_file() {
            format!("did you mean `{}`?", with_ending.display())
        } else {
            format!(
                "a program is a file that ends in .py; `warpup run {}` would run a lab",
                path.display()
            )
        });
    }
    let is_no_text = [
        ErrorKind::IsADirectory,
        ErrorKind::Other,
        ErrorKind::InvalidData,
    ];
    if is_no_text.contains(&error.kind()) {
        return failure.with_hint("name the text of a Python program: a file that ends in .py");
    }
    failure
}

fn text(path: &Path) -> io::Result<String> {
    // Asked before reading, for the better message.
    let found = fs::metadata(path)?;
    if found.file_type().is_fifo() {
        return Err(io::Error::other("it is a named pipe"));
    }
    if found.is_file() && found.len() > MAX {
        return Err(io::Error::other("it has more than a mebibyte"));
    }
    text_file::read(path, MAX)
}
