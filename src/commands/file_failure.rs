//! Why a file or folder that somebody named cannot be read or written, and what to try.
//!
//! What the system says is a cause. A hint needs more: the name that was probably meant, or the folder that is missing.

use super::console::quoted;
use super::failure::Failure;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use warpup_course::nearest;

/// The most names of a folder that are compared with what was typed.
const MOST_NAMES: usize = 10_000;

/// What was to be done with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

impl Access {
    fn verb(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// That a file or folder cannot be read.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    failure(Access::Read, path, error)
}

/// That a file or folder cannot be written.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    failure(Access::Write, path, error)
}

fn failure(access: Access, path: &Path, error: &io::Error) -> Failure {
    let what = format!("cannot {} {}", access.verb(), path.display());
    if is_of_machine(error.kind()) {
        let error = io::Error::from(error.kind());
        return Failure::Internal(anyhow::Error::from(error).context(what));
    }
    let failure = Failure::arguments_because(what, cause(access, path, error));
    match hint(access, path, error.kind()) {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

/// Whether no other name in the same place would help.
fn is_of_machine(kind: ErrorKind) -> bool {
    [
        ErrorKind::StorageFull,
        ErrorKind::QuotaExceeded,
        ErrorKind::ReadOnlyFilesystem,
    ]
    .contains(&kind)
}

/// What the system says, in words for people.
fn cause(access: Access, path: &Path, error: &io::Error) -> String {
    match (error.kind(), missing_folder(path)) {
        (ErrorKind::NotFound, Some(folder)) => {
            format!("there is no folder {}", folder.display())
        }
        (ErrorKind::NotFound, None) if path.extension().is_some() => {
            "there is no such file".to_owned()
        }
        (ErrorKind::NotFound, None) => "there is no such file or folder".to_owned(),
        (ErrorKind::IsADirectory, _) => "it is a folder".to_owned(),
        (ErrorKind::NotADirectory, _) => "a part of the path is a file, not a folder".to_owned(),
        (ErrorKind::PermissionDenied, _) if access == Access::Read => {
            "you may not read it".to_owned()
        }
        (ErrorKind::PermissionDenied, _) if path.exists() => "you may not change it".to_owned(),
        (ErrorKind::PermissionDenied, _) => "you may not write into its folder".to_owned(),
        (ErrorKind::InvalidData, _) => "it is not text in UTF-8".to_owned(),
        (ErrorKind::InvalidFilename, _) => "its name is too long".to_owned(),
        _ => error.to_string(),
    }
}

/// What to try, where something is likely to help.
fn hint(access: Access, path: &Path, kind: ErrorKind) -> Option<String> {
    let is_read = access == Access::Read;
    match (kind, missing_folder(path)) {
        (ErrorKind::NotFound, _) if path.starts_with("~") => {
            Some("a shell puts your home folder in place of `~` only outside of quotes".to_owned())
        }
        (ErrorKind::NotFound, Some(folder)) => Some(match neighbour(&folder) {
            Some(meant) => did_you_mean(&meant),
            None if is_read => "look at the path again".to_owned(),
            None => format!("`mkdir -p {}` makes it", quoted(folder_of(path))),
        }),
        (ErrorKind::NotFound, None) => Some(match neighbour(path) {
            Some(meant) => did_you_mean(&meant),
            None => format!("`ls {}` lists what is there", quoted(folder_of(path))),
        }),
        (ErrorKind::IsADirectory, _) => Some("name a file in it".to_owned()),
        (ErrorKind::NotADirectory, _) => Some("look at the path again".to_owned()),
        (ErrorKind::PermissionDenied, _) if is_read => Some(format!(
            "`ls -ld {}` says whose it is and who may read it",
            quoted(path)
        )),
        (ErrorKind::PermissionDenied, _) => {
            Some("name a file in a folder that you may write to".to_owned())
        }
        (ErrorKind::InvalidFilename, _) => Some("give it a shorter name".to_owned()),
        _ => None,
    }
}

/// Says which name was probably meant.
fn did_you_mean(path: &Path) -> String {
    format!("did you mean `{}`?", path.display())
}

/// The first folder on the way to a path that does not exist.
fn missing_folder(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty())?;
    let missing = folder.ancestors().filter(|it| !it.as_os_str().is_empty());
    let missing = missing.take_while(|it| !it.exists());
    missing.last().map(Path::to_owned)
}

/// The folder that a path is in, from the current one.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// What is beside a path that does not exist and has nearly its name.
pub(crate) fn neighbour(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let there = fs::read_dir(folder_of(path)).ok()?;
    let names = there.flatten().take(MOST_NAMES);
    let names: Vec<String> = names
        .filter_map(|it| it.file_name().into_string().ok())
        .collect();
    let names = names.iter().map(String::as_str);
    Some(path.with_file_name(nearest(name, names)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::failure::Exit;
    use tempfile::TempDir;

    /// What is said of a path in a folder with `train.py`, and a folder `runs`, and the exit status.
    fn said(access: Access, name: &str, kind: ErrorKind) -> (String, Exit) {
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("train.py"), "").unwrap();
        fs::create_dir(dir.path().join("runs")).unwrap();
        let failure = failure(access, &dir.path().join(name), &kind.into());
        let mut out = Vec::new();
        let exit = failure.report(&mut out, None);
        let text = String::from_utf8(out).unwrap();
        (text.replace(dir.path().to_str().unwrap(), "DIR"), exit)
    }

    #[test]
    fn a_typing_mistake_in_a_name_is_answered_with_the_name() {
        let (text, exit) = said(Access::Read, "trian.py", ErrorKind::NotFound);
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @r"
        error: cannot read DIR/trian.py
        cause: there is no such file
        hint: did you mean `DIR/train.py`?
        ");
        let (text, _) = said(Access::Read, "rums/a.json", ErrorKind::NotFound);
        insta::assert_snapshot!(text, @r"
        error: cannot read DIR/rums/a.json
        cause: there is no folder DIR/rums
        hint: did you mean `DIR/runs`?
        ");
        let (text, _) = said(Access::Read, "resnet.py", ErrorKind::NotFound);
        insta::assert_snapshot!(text, @r"
        error: cannot read DIR/resnet.py
        cause: there is no such file
        hint: `ls DIR` lists what is there
        ");
    }

    #[test]
    fn where_nothing_can_be_written_the_missing_folder_is_named() {
        let (text, exit) = said(Access::Write, "no/where/x.md", ErrorKind::NotFound);
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @r"
        error: cannot write DIR/no/where/x.md
        cause: there is no folder DIR/no
        hint: `mkdir -p DIR/no/where` makes it
        ");
        let (text, _) = said(Access::Write, "runs", ErrorKind::IsADirectory);
        insta::assert_snapshot!(text, @r"
        error: cannot write DIR/runs
        cause: it is a folder
        hint: name a file in it
        ");
        let (text, exit) = said(Access::Write, "x", ErrorKind::StorageFull);
        assert_eq!(exit, Exit::InternalError);
        insta::assert_snapshot!(text, @r"
        error: cannot write DIR/x
        cause: no storage space
        hint: make room on that disk, or write to another one
        ");
    }

    #[test]
    fn a_tilde_in_quotes_is_no_folder() {
        let failure = unreadable(Path::new("~/train.py"), &ErrorKind::NotFound.into());
        let mut out = Vec::new();
        failure.report(&mut out, None);
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r"
        error: cannot read ~/train.py
        cause: there is no folder ~
        hint: a shell puts your home folder in place of `~` only outside of quotes
        ");
    }
}
