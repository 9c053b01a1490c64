//! `warpup export FORMAT`: a course, or a lesson of it, in the format of another tool.

use super::console::Console;
use super::failure::{Exit, Failure, Result};
use super::file::{self, Contents};
use super::{courses, find};
use crate::cli::{ExportArgs, ExportFormat};
use crate::course::{Course, Lesson, Quiz};
use crate::exchange::{Remarks, anki, gift, qti};
use crate::lab::units::count;
use anyhow::Context;
use std::path::Path;

/// Writes the lesson of the arguments, or all lessons.
pub(super) fn execute(
    args: &ExportArgs,
    dir: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let opened = courses::open(dir)?;
    opened.warn(console)?;
    export(args, &opened.course, console)
}

fn export(args: &ExportArgs, course: &Course, console: &mut Console<'_>) -> Result<Exit> {
    let lessons: Vec<&Lesson> = match &args.lesson {
        Some(id) => vec![find::lesson(course, id)?],
        None => course.lessons.iter().collect(),
    };
    let mut remarks = Remarks::default();
    let contents = contents(args.format, course, &lessons, &mut remarks)?;
    file::put(&contents, args.out.as_deref(), args.force.into(), console)?;
    if let Some(path) = &args.out {
        let what = count(lessons.len(), "lesson", "lessons");
        console.line(&format!("wrote {} ({what})", path.display()))?;
    }
    for remark in remarks.into_vec() {
        console.remark(&format!("note: {}: {}", remark.what, remark.place))?;
    }
    Ok(Exit::Fine)
}

fn contents(
    format: ExportFormat,
    course: &Course,
    lessons: &[&Lesson],
    remarks: &mut Remarks,
) -> Result<Contents> {
    Ok(match format {
        ExportFormat::Gift => Contents::Text(gift::write(&quizzes(lessons)?, remarks)),
        ExportFormat::Anki => {
            let quizzes = quizzes(lessons)?;
            Contents::Text(anki::write(&course.id, &course.title, &quizzes, remarks))
        }
        ExportFormat::Qti => {
            let package = qti::write(course, &quizzes(lessons)?, remarks);
            Contents::Bytes(package.context("cannot make the package")?)
        }
    })
}

/// The quizzes of these lessons, of which there is at least one.
fn quizzes<'a>(lessons: &[&'a Lesson]) -> Result<Vec<&'a Quiz>> {
    match lessons {
        [lesson] => Ok(vec![find::quiz(lesson)?]),
        lessons => {
            let quizzes: Vec<&Quiz> = lessons.iter().filter_map(|it| it.quiz.as_ref()).collect();
            if quizzes.is_empty() {
                return Err(Failure::arguments("no lesson of this course has a quiz"));
            }
            Ok(quizzes)
        }
    }
}

#[cfg(test)]
mod tests;
