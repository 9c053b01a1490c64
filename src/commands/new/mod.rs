//! `warpup new`: creates a course, or a part of one.
//!
//! [`plan`] says what to write. Here it is written: new files first, so that no list names a file that is missing.

mod plan;

use super::console::{Console, quoted};
use super::courses;
use super::failure::{Exit, Failure, Result};
use super::file_failure::unwritable;
use crate::cli::NewCommand;
use plan::Plan;
use std::path::{Path, PathBuf};
use warpup_store::text_file;

/// Creates what was asked for.
pub(super) fn execute(
    what: &NewCommand,
    dir: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let (root, plan) = match what {
        NewCommand::Course { dir, lesson } => (dir.clone(), plan::course(&name_of(dir), lesson)?),
        NewCommand::Lesson { name } => part(dir, |opened| plan::lesson(opened, name))?,
        NewCommand::Quiz { lesson } => part(dir, |opened| plan::quiz(opened, lesson))?,
        NewCommand::Lab { lab } => part(dir, |opened| plan::lab(opened, lab))?,
    };
    refuse_existing(&root, &plan)?;
    let shown = |file: &str| root.join(file).display().to_string();
    for (file, text) in &plan.created {
        let path = root.join(file);
        text_file::create(&path, text).map_err(|error| unwritable(&path, &error))?;
        console.line(&format!("created {}", shown(file)))?;
    }
    for change in &plan.changed {
        let file = shown(&change.file);
        let path = root.join(&change.file);
        text_file::replace(&path, &change.text).map_err(|error| unwritable(&path, &error))?;
        console.line(&format!("changed {file}: {}", change.what))?;
    }
    let folder = quoted(&root);
    console.lines([
        String::new(),
        "Next, replace the example texts with yours, look at them, and check them:".to_owned(),
        String::new(),
        format!("    warpup preview {folder}"),
        format!("    warpup check {folder} --run-labs --trust"),
    ])?;
    Ok(Exit::Fine)
}

/// Plans a part of the course in a folder, the current one if none is named.
fn part(
    dir: Option<&Path>,
    plan: impl FnOnce(&courses::OpenCourse) -> Result<Plan>,
) -> Result<(PathBuf, Plan)> {
    let root = dir.unwrap_or(Path::new("."));
    if root.is_file() {
        return Err(Failure::arguments_but(
            format!(
                "{} is a packed course, which is not changed",
                root.display()
            ),
            "give the folder that it was packed from; `unzip` makes one of the file",
        ));
    }
    let opened = courses::open(Some(root))?;
    Ok((root.to_owned(), plan(&opened)?))
}

/// The last name of a path, also where the path ends in `.`.
fn name_of(dir: &Path) -> String {
    let whole = std::path::absolute(dir);
    let name = whole.as_deref().unwrap_or(dir).file_name();
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// Refuses before anything is written.
fn refuse_existing(root: &Path, plan: &Plan) -> Result<()> {
    let files = plan.created.iter().map(|(file, _)| root.join(file));
    match files.into_iter().find(|it| it.symlink_metadata().is_ok()) {
        None => Ok(()),
        Some(file) => Err(Failure::arguments_but(
            format!("{} exists already, and nothing was written", file.display()),
            "choose another name, or change that file",
        )),
    }
}

#[cfg(test)]
mod tests;
