//! Where a command's result goes: to a file that somebody named, or to stdout.

use super::console::Console;
use super::failure::{Failure, Result};
use super::file_failure::unwritable;
use std::io;
use std::path::Path;
use warpup_store::text_file;
use warpup_text::shown::Shown;

/// A result in the form of another tool.
#[derive(Debug)]
pub(super) enum Contents {
    /// A text, which a terminal can show.
    Text(String),
    /// Bytes, which it cannot.
    Bytes(Vec<u8>),
}

impl Contents {
    /// The bytes of the file.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// What to do with a file that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExistingFile {
    /// Leave it as it is, and say so.
    Keep,
    /// Put the new contents in its place.
    Replace,
}

impl From<bool> for ExistingFile {
    /// The value of a `--force` flag.
    fn from(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep }
    }
}

/// Writes a file, or prints what would be in it. Nothing is written to a file that exists unless somebody said so.
pub(super) fn put(
    contents: &Contents,
    path: Option<&Path>,
    existing: ExistingFile,
    console: &mut Console<'_>,
) -> Result<()> {
    let Some(path) = path else {
        return print(contents, console);
    };
    let written = match text_file::create(path, contents.bytes()) {
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists
                && existing == ExistingFile::Replace =>
        {
            text_file::replace(path, contents.bytes())
        }
        created => created,
    };
    match written {
        Err(_) if path.is_dir() => Err(unwritable(path, &io::ErrorKind::IsADirectory.into())),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Failure::arguments_but(
            format!("{} exists already, and nothing was written", path.display()),
            "choose another name, or replace it with `--force`",
        )),
        Err(error) => Err(unwritable(path, &error)),
        Ok(()) => Ok(()),
    }
}

/// Into a pipe or a file unchanged; onto a terminal, which acts on control characters, as safe text.
fn print(contents: &Contents, console: &mut Console<'_>) -> Result<()> {
    match contents {
        Contents::Text(text) if console.draws.out => console.text(&Shown::new(text)),
        Contents::Bytes(_) if console.draws.out => Err(Failure::arguments_but(
            "a terminal cannot show this format",
            "name a file with `-o FILE`",
        )),
        Contents::Text(_) | Contents::Bytes(_) => console.bytes(contents.bytes()),
    }
}
