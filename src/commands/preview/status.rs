//! What is wrong in the files of a course that is being written, in one line.

use crate::commands::check::text_of;
use crate::commands::courses::OpenCourse;
use warpup_course::{Diagnostic, Severity};
use warpup_tui::PreviewStatus;

/// The line for this file; for the whole course where none is named. The worst problem comes first.
pub(super) fn status(opened: &OpenCourse, file: Option<&str>) -> PreviewStatus {
    let is_here = |it: &&Diagnostic| file.is_none_or(|file| file == it.file);
    let (here, elsewhere): (Vec<_>, Vec<_>) = opened.diagnostics.iter().partition(is_here);
    let worst = |all: &[&Diagnostic]| all.iter().map(|it| it.severity).max();
    let name = |file: &str| file.rsplit('/').next().unwrap_or(file).to_owned();
    let title = file.map_or_else(|| "course".to_owned(), name);
    let others = elsewhere.len();
    let said = match first(&here) {
        None if others == 0 => format!("preview · {title}: no problems"),
        None => {
            format!("preview · {title}: no problems here; {others} in other files (p on the map)")
        }
        Some(first) => {
            let (line, _) = first.position(text_of(opened, first));
            let place = format!("{}, line {line}: {}", name(&first.file), first.message);
            let more = match (here.len() - 1, others) {
                (0, 0) => String::new(),
                (0, others) => format!(" ({others} more in other files)"),
                (more, 0) => format!(" ({more} more)"),
                (more, others) => format!(" ({more} more, {others} in other files)"),
            };
            format!("preview · {place}{more}")
        }
    };
    PreviewStatus {
        said,
        worst: worst(&here).or_else(|| worst(&elsewhere)),
    }
}

/// The first error, else the first warning.
fn first<'a>(all: &[&'a Diagnostic]) -> Option<&'a Diagnostic> {
    let is_error = |it: &&&Diagnostic| it.severity == Severity::Error;
    all.iter().find(is_error).or_else(|| all.first()).copied()
}
