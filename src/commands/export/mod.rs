//! `warpup export FORMAT`: a course, or a lesson of it, in the format of another tool.

mod outputs;

use super::consent::ConsentPrompt;
use super::console::Console;
use super::course_argument::CourseArgument;
use super::courses::Readers;
use super::failure::{Exit, Failure, Result};
use super::file::{self, Contents};
use super::runner::{RunLab, Runner};
use super::workers;
use super::{courses, find};
use crate::cli::{ExportArgs, ExportFormat};
use anyhow::Context;
use warpup_course::{Course, Lesson, Quiz};
use warpup_exchange::{Keys, Outputs, Remarks, anki, gift, github, moodle, notebook, page, qti};
use warpup_lab::units::count;

/// Writes the lesson of the arguments, or all lessons.
pub(super) fn execute(
    args: &ExportArgs,
    asked: CourseArgument<'_>,
    readers: Readers,
    console: &mut Console<'_>,
) -> Result<Exit> {
    refuse_flags(args)?;
    let opened = courses::open(asked)?.shown_to(readers);
    opened.warn(console)?;
    if !args.run_labs {
        return export(args, &opened.course, None, console);
    }
    let asks = if args.trust {
        ConsentPrompt::Given
    } else {
        ConsentPrompt::Refuse
    };
    if !outputs::may_run(&opened.course, asked.dir, asks, console)? {
        return Ok(Exit::Arguments);
    }
    let runner = Runner::start(workers::without_cards())?;
    export(
        args,
        &opened.course,
        Some(&mut |request| runner.run(request)),
        console,
    )
}

/// Refuses flags that the format has no use for.
fn refuse_flags(args: &ExportArgs) -> Result<()> {
    let are_questions = matches!(
        args.format,
        ExportFormat::Gift | ExportFormat::Moodle | ExportFormat::Qti | ExportFormat::Anki
    );
    if args.no_keys && are_questions {
        return Err(Failure::arguments_but(
            "`--no-keys` goes with html, md and ipynb: questions in this format are nothing without their keys",
            "leave `--no-keys` out",
        ));
    }
    if args.run_labs && (are_questions || args.format == ExportFormat::Ipynb) {
        return Err(Failure::arguments_but(
            "`--run-labs` goes with html and md: this format shows no output",
            "leave `--run-labs` out",
        ));
    }
    Ok(())
}

/// Exports, running the labs where something is given to run them.
fn export(
    args: &ExportArgs,
    course: &Course,
    run_lab: Option<&mut RunLab<'_>>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let lessons: Vec<&Lesson> = match &args.lesson {
        Some(id) => vec![find::lesson(course, id)?],
        None => course.lessons.iter().collect(),
    };
    let mut remarks = Remarks::default();
    let outputs = match run_lab {
        Some(run_lab) => outputs::of(&lessons, run_lab, console)?,
        None => Outputs::new(),
    };
    let contents = contents(args, course, (&lessons, &outputs), &mut remarks)?;
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
    args: &ExportArgs,
    course: &Course,
    (lessons, outputs): (&[&Lesson], &Outputs),
    remarks: &mut Remarks,
) -> Result<Contents> {
    let keys = if args.no_keys {
        Keys::LeftOut
    } else {
        Keys::Shown
    };
    Ok(match args.format {
        ExportFormat::Html => Contents::Text(page::write(course, lessons, keys, outputs)),
        ExportFormat::Md => Contents::Text(github::write(course, lessons, keys, outputs)),
        ExportFormat::Ipynb => {
            let [lesson] = lessons else {
                let all: Vec<&str> = lessons.iter().map(|it| it.id.as_str()).collect();
                return Err(Failure::arguments_but(
                    "a notebook is one lesson: name it",
                    format!("there are {}", all.join(", ")),
                ));
            };
            let notebook = notebook::write(lesson, keys, remarks);
            Contents::Text(notebook.context("cannot make the notebook")?)
        }
        ExportFormat::Gift => Contents::Text(gift::write(&quizzes(lessons)?, remarks)),
        ExportFormat::Moodle => Contents::Text(moodle::write(&quizzes(lessons)?, remarks)),
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
