//! Opens the course that the command line asks for.

use super::{Console, Failure};
use crate::course::{self, Course, Diagnostic, Severity, Sources};
use crate::store::course::{LeftOut, OpenError, embedded, folder};
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
    /// Files that were not read.
    pub left_out: Vec<LeftOut>,
}

/// Opens a course folder, or the course that is built in.
pub(super) fn open(dir: Option<&Path>) -> Result<Opened, Failure> {
    let (sources, left_out) = match dir {
        None => (embedded(), Vec::new()),
        Some(dir) => {
            let opened = folder(dir).map_err(refused)?;
            (opened.sources, opened.left_out)
        }
    };
    let (course, diagnostics) = course::parse(&sources);
    Ok(Opened {
        course,
        diagnostics,
        sources,
        left_out,
    })
}

/// A folder that is none is a wrong argument, whatever the system calls it.
fn refused(error: OpenError) -> Failure {
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    match error {
        OpenError::Io { .. } => Failure::Arguments {
            what: error.to_string(),
            hint: cause,
        },
        OpenError::NoCourse(_) => Failure::arguments_but(
            error.to_string(),
            "give the folder that holds `lessons` and `quizzes`",
        ),
        OpenError::TooManyFiles(_) => Failure::arguments(error.to_string()),
    }
}

impl Opened {
    /// Says in one line that the course has faults, if it has.
    pub(super) fn warn(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        let errors = self.left_out.len() + self.errors();
        if errors > 0 {
            console.remark(&format!(
                "warning: the course has {errors} errors, so parts of it are missing: see `warpup check`"
            ))?;
        }
        Ok(())
    }

    fn errors(&self) -> usize {
        let all = self.diagnostics.iter();
        all.filter(|it| it.severity == Severity::Error).count()
    }
}
