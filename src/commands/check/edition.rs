//! An older edition of a course: another folder, or a commit of the git repository that holds the course.

use crate::commands::courses::{self, OpenCourse};
use crate::commands::failure::{Failure, Result};
use crate::commands::git::course_file;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use warpup_course::MAX_FILE;

/// Opens the older edition of the course in `dir`: the folder or the commit that `named` is.
pub(super) fn open(dir: &Path, named: &str) -> Result<OpenCourse> {
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
        &[
            "ls-tree", "-r", "-z", "-l", commit, "lessons/", "quizzes/", "labs/",
        ],
        commit,
    )?;
    // Also where the commit has none.
    fs::create_dir(to.join("lessons"))?;
    for entry in String::from_utf8_lossy(&listed).split('\0') {
        let Some(file) = course_file(entry, "").filter(|it| it.bytes <= MAX_FILE) else {
            continue;
        };
        let text = git(dir, &["cat-file", "blob", file.object], commit)?;
        let path = to.join(file.path);
        fs::create_dir_all(path.parent().unwrap_or(to))?;
        fs::write(path, text)?;
    }
    Ok(())
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
    let what = format!("`{commit}` is neither a folder nor a commit with this course");
    Err(
        Failure::arguments_because(what, format!("git says: {said}")).with_hint(
            "give a folder, or a commit, a tag or a branch of the course's own repository",
        ),
    )
}
