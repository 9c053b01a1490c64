//! `warpup class`: handing in, and what the learners of a class have done, from the files that they handed in.

mod csv;
mod files;
mod submit;
mod text;
mod users;

use super::console::Console;
use super::context::with_learner;
use super::courses;
use super::failure::{Exit, Failure, Result};
use crate::class::ClassReport;
use crate::cli::{ClassCommand, ClassReportArgs};
use crate::course::{Course, Quiz};
use crate::store::log;
use crate::store::settings::Policy;
use std::path::Path;

/// Does something for a class.
pub(super) fn execute(
    command: &ClassCommand,
    dir: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    match command {
        ClassCommand::Submit(args) => with_learner(dir.into(), console, |context| {
            let of_machine = Policy::load().unwrap_or_default().class.drop;
            let drop = of_machine.or_else(|| context.course.policy.drop.clone());
            submit::submit(context, args, drop.as_deref())
        }),
        ClassCommand::Report(args) => {
            let opened = courses::open(dir)?;
            opened.warn(console)?;
            report(args, &opened.course, console)
        }
    }
}

/// Prints what the learners have done. A file that cannot be read is a row that says why.
fn report(args: &ClassReportArgs, course: &Course, console: &mut Console<'_>) -> Result<Exit> {
    let mut quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    if quizzes.any(Quiz::is_graded_elsewhere) {
        return Err(Failure::arguments_but(
            "this course has no keys, so nothing can be graded with it",
            "give the whole course, from which it was packed, with `--course`",
        ));
    }
    let mut report = ClassReport::new(course);
    for file in files::named(&args.paths) {
        let handed_in = match file.refused {
            None => log::handed_in(&file.path),
            Some(why) => log::HandedIn {
                records: Vec::new(),
                problem: Some(why),
            },
        };
        report.add(file.learner, handed_in.records, handed_in.problem);
    }
    if report.learners.is_empty() {
        return Err(Failure::arguments_but(
            "there is no file in there",
            "name the files that learners made with `warpup progress export FILE`, or a folder of them",
        ));
    }
    if args.csv {
        console.out.write_all(csv::table(&report).as_bytes())?;
        console.remark(text::SELF_REPORTED)?;
    } else {
        text::print(course, &report, console)?;
    }
    Ok(Exit::of(Some(!report.has_problems())))
}

#[cfg(test)]
mod tests;
