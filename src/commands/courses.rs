//! Opens the course that the command line asks for.

use super::console::Console;
use super::failure::{Failure, Result};
use crate::course::{self, Course, CourseId, Diagnostic, Severity, Sources};
use crate::lab::units::count;
use crate::store::course::{BUILT_IN_ID, LeftOut, OpenError, embedded, folder};
use std::path::Path;

/// A course with all that is known about its files.
#[derive(Debug)]
pub(super) struct Opened {
    /// The course.
    pub course: Course,
    /// What is wrong with its files.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts of the files.
    pub sources: Sources,
}

/// Opens a course folder, or the course that is built in.
pub(super) fn open(dir: Option<&Path>) -> Result<Opened> {
    let (sources, mut diagnostics) = match dir {
        None => (embedded(), Vec::new()),
        Some(dir) => {
            let opened = folder(dir).map_err(|it| refused(&it))?;
            let left_out = opened.left_out.iter().map(at_file).collect();
            (opened.sources, left_out)
        }
    };
    let (mut course, found) = course::parse(&sources);
    diagnostics.extend(found);
    if dir.is_some() && course.id.as_str() == BUILT_IN_ID {
        course.id = CourseId::new(format!("folder:{BUILT_IN_ID}"));
        diagnostics.push(kept_apart());
    }
    Ok(Opened {
        course,
        diagnostics,
        sources,
    })
}

/// Somebody else's course must not finish the lessons of the one that is built in. Many begin theirs as a copy of it, so
/// it is still opened.
fn kept_apart() -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        file: "lessons/course.toml".to_owned(),
        span: 0..0,
        message: format!(
            "the id `{BUILT_IN_ID}` belongs to the course that is built in: progress in this folder is kept apart from it"
        ),
        hint: Some("give your course an id of its own".to_owned()),
    }
}

fn at_file(left_out: &LeftOut) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: left_out.file.clone(),
        span: 0..0,
        message: format!("this file is left out: {}", left_out.why),
        hint: None,
    }
}

/// A folder that cannot be opened is a wrong argument.
fn refused(error: &OpenError) -> Failure {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    match error {
        OpenError::Io { .. } => Failure::Arguments {
            what: error.to_string(),
            hint: cause,
        },
        OpenError::NoCourse(_) => Failure::arguments_but(
            error.to_string(),
            "give the folder that holds `lessons` and `quizzes`",
        ),
        OpenError::TooManyFiles(_) | OpenError::TooLarge(_) => {
            Failure::arguments(error.to_string())
        }
    }
}

impl Opened {
    /// Says in one line that the course has faults, if it has.
    pub(super) fn warn(&self, console: &mut Console<'_>) -> Result<()> {
        let all = self.diagnostics.iter();
        let errors = all.filter(|it| it.severity == Severity::Error).count();
        if errors > 0 {
            console.remark(&format!(
                "warning: parts of the course are missing, `warpup check` says why: {}",
                count(errors, "error", "errors")
            ))?;
        }
        if self.diagnostics.contains(&kept_apart()) {
            console.remark(&format!("warning: {}", kept_apart().message))?;
        }
        Ok(())
    }
}
