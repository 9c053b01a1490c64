//! Which course is opened: that of `--course`, else of the variable `WARPUP_COURSE`, else of the settings, else the one that is
//! built in. A class sets the variable once, and nobody has to type the option. Where one of them names a course, `built-in` names
//! warpup's own.

use super::failure::{Failure, Result};
use super::repository;
use super::secrets::Secret;
use crate::cli::Command;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use warpup_store::settings::{self, POLICY_FILE, Policy};

/// The variable that names a course.
const VARIABLE: &str = "WARPUP_COURSE";

/// The name of warpup's own course. A folder that is called so is `./built-in`.
const BUILT_IN: &str = "built-in";

/// How a command begins that is about warpup's own course, where another one is open.
pub(super) fn built_in() -> String {
    format!("warpup --course {BUILT_IN}")
}

/// The folder, file or address of the course to open; nothing for warpup's own. Where none is named on the command line, authors
/// work on the course of their folder, and some commands need no course.
pub(super) fn course(
    named: Option<Secret<PathBuf>>,
    command: Option<&Command>,
) -> Result<Option<Secret<PathBuf>>> {
    let chosen = match named {
        Some(named) => Some(named),
        None => unnamed(command)?,
    };
    Ok(chosen.filter(|it| it.revealed() != Path::new(BUILT_IN)))
}

/// The course where none is named on the command line.
fn unnamed(command: Option<&Command>) -> Result<Option<Secret<PathBuf>>> {
    if command.is_some_and(takes_no_other) {
        return Ok(None);
    }
    let Some((named, by)) = first(std::env::var_os(VARIABLE), set)? else {
        return Ok(None);
    };
    let named = Secret::new(named);
    if named.revealed() == Path::new(BUILT_IN) {
        return Ok(Some(named));
    }
    if !repository::is_address(&named) && !named.revealed().exists() {
        let by = match by {
            CourseSource::Variable => format!("{VARIABLE} names it"),
            CourseSource::Settings if is_of_policy(named.revealed()) => {
                format!("`course` in {POLICY_FILE} names it")
            }
            CourseSource::Settings => match settings::file() {
                Some(file) => format!("`course` in {} names it", file.display()),
                None => "the settings name it".to_owned(),
            },
        };
        return Err(Failure::arguments_but(
            format!("there is no course at {named}"),
            format!("{by}; --course opens another one"),
        ));
    }
    Ok(Some(named))
}

/// Whether the policy of this machine names a course. A mistake in it has ended the program before.
fn is_of_policy(course: &Path) -> bool {
    Policy::load().is_ok_and(|it| it.course.as_deref() == Some(course))
}

/// What names a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CourseSource {
    Variable,
    Settings,
}

/// The course of the settings. Another one would be opened in its place if a mistake in them were ignored.
fn set() -> Result<Option<PathBuf>> {
    let loaded = settings::load();
    match &loaded.headline {
        Some(mistake) if loaded.hides_a_course() => Err(Failure::arguments_but(
            format!("the settings name a course, and cannot be read: {mistake}"),
            "correct the file; --course and WARPUP_COURSE come before it",
        )),
        Some(_) | None => Ok(loaded.settings.course),
    }
}

fn first(
    variable: Option<OsString>,
    set: impl FnOnce() -> Result<Option<PathBuf>>,
) -> Result<Option<(PathBuf, CourseSource)>> {
    // As for other programs, an empty variable is not set.
    let variable = variable.filter(|it| !it.is_empty());
    Ok(match variable {
        Some(named) => Some((named.into(), CourseSource::Variable)),
        None => set()?.map(|it| (it, CourseSource::Settings)),
    })
}

/// Whether a command makes or changes a course, or needs none.
fn takes_no_other(command: &Command) -> bool {
    matches!(
        command,
        Command::Check(_)
            | Command::Pack(_)
            | Command::Preview(_)
            | Command::New { .. }
            | Command::Import(_)
            | Command::Schema { .. }
            | Command::Export(_)
            | Command::Nvml
            | Command::Man
            | Command::Completions { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_comes_before_the_settings_and_an_empty_one_is_none() {
        let set = || Ok(Some(PathBuf::from("/set")));
        let named = |variable: &str| first(Some(variable.into()), set).ok().flatten();
        assert_eq!(named("/var"), Some(("/var".into(), CourseSource::Variable)));
        assert_eq!(named(""), Some(("/set".into(), CourseSource::Settings)));
        assert!(matches!(first(None, || Ok(None)), Ok(None)));
    }

    #[test]
    fn built_in_names_warpup_s_own_course_whatever_else_is_set() {
        let named = |name: &str| {
            let chosen = course(Some(Secret::new(name.into())), None);
            chosen.ok().flatten().map(|it| it.revealed().to_owned())
        };
        assert_eq!(named("built-in"), None);
        assert_eq!(named("./built-in"), Some("./built-in".into()));
    }
}
