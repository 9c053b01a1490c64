//! An older edition of a course: another folder, or a commit of the git repository that holds the course.

use crate::commands::courses::{self, Opened};
use crate::commands::failure::{Failure, Result};
use crate::course::MAX_FILE;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// The folders of a course.
const PARTS: [&str; 2] = ["lessons", "quizzes"];

/// Opens the older edition of the course in `dir`: the folder or the commit that `named` is.
pub(super) fn open(dir: &Path, named: &str) -> Result<Opened> {
    let mut opened = if Path::new(named).is_dir() {
        courses::heads(Some(Path::new(named)))?
    } else {
        let folder = tempfile::TempDir::new()?;
        checked_out(dir, named, folder.path())?;
        courses::heads(Some(folder.path()))?
    };
    opened.read_all();
    Ok(opened)
}

/// Writes the files of a course as they were in a commit into an empty folder.
fn checked_out(dir: &Path, commit: &str, to: &Path) -> Result<()> {
    if commit.starts_with('-') || commit.is_empty() {
        return Err(Failure::arguments_but(
            format!("`{commit}` cannot be a commit"),
            "give a folder, or a commit, a branch or a tag such as `main`",
        ));
    }
    let listed = git(
        dir,
        &["ls-tree", "-z", "-l", commit, "lessons/", "quizzes/"],
        commit,
    )?;
    for part in PARTS {
        fs::create_dir(to.join(part))?;
    }
    for entry in String::from_utf8_lossy(&listed).split('\0') {
        let Some((object, file)) = file_of(entry) else {
            continue;
        };
        let text = git(dir, &["cat-file", "blob", object], commit)?;
        fs::write(to.join(file), text)?;
    }
    Ok(())
}

/// The object and the path of an entry such as `100644 blob 8baef1b 42\tlessons/a.md`, if it is a file that a course can have.
fn file_of(entry: &str) -> Option<(&str, &str)> {
    let (about, path) = entry.split_once('\t')?;
    let mut about = about.split_whitespace();
    let (mode, kind, object) = (about.next()?, about.next()?, about.next()?);
    let size: usize = about.next()?.parse().ok()?;
    let (part, name) = path.split_once('/')?;
    let is_plain = PARTS.contains(&part) && !name.contains('/') && !name.starts_with('.');
    let is_file = mode.starts_with("100") && kind == "blob" && size <= MAX_FILE;
    (is_file && is_plain).then_some((object, path))
}

/// What a command of git prints. It asks nothing, fetches nothing, and runs no program that the repository names.
fn git(dir: &Path, arguments: &[&str], commit: &str) -> Result<Vec<u8>> {
    let output = Command::new("git")
        .args(["--no-pager", "-c", "core.fsmonitor=false", "-C"])
        .arg(dir)
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .output();
    let output = output.map_err(|error| {
        if error.kind() != io::ErrorKind::NotFound {
            return Failure::from(error);
        }
        Failure::arguments_but(
            format!("there is no folder `{commit}`, and git is not installed"),
            "install git, or give the folder of the older edition",
        )
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or_default().to_owned();
    Err(Failure::arguments_but(
        format!("`{commit}` is neither a folder nor a commit with this course"),
        format!("git says: {said}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_that_a_course_can_have_are_taken() {
        let entry = |it: &str| file_of(it).map(|it| it.1.to_owned());
        assert_eq!(
            entry("100644 blob 8baef1b      42\tlessons/a.md"),
            Some("lessons/a.md".to_owned())
        );
        for wrong in [
            "120000 blob 8baef1b 42\tlessons/a.md",
            "040000 tree 8baef1b -\tlessons/deep",
            "160000 commit 8baef1b -\tlessons/sub",
            "100644 blob 8baef1b 42\tlessons/deep/a.md",
            "100644 blob 8baef1b 42\t../lessons/a.md",
            "100644 blob 8baef1b 42\tlessons/.a.md",
            "100644 blob 8baef1b 9999999\tlessons/a.md",
            "100644 blob 8baef1b 42\tREADME.md",
            "",
        ] {
            assert_eq!(entry(wrong), None, "{wrong}");
        }
    }
}
