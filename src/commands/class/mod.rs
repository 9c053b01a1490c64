//! `warpup class`: handing in, and what the learners of a class have done, from the files that they handed in.

mod at_once;
mod collect;
mod csv;
pub(super) mod feedback;
mod files;
mod give_back;
mod submit;
mod text;
mod users;

use super::console::Console;
use super::context::{now_ms, with_learner};
use super::courses::{self, OpenCourse};
use super::failure::{Exit, Failure, Result};
use super::file::{self, Contents};
use super::file_failure::unreadable;
use crate::cli::{ClassCommand, ClassReportArgs};
use anyhow::Context as _;
use at_once::at_once;
use files::LearnerFile;
use rustix::fs::Mode;
use std::path::{Path, PathBuf};
use warpup_class::{ClassFile, ClassFold, words};
use warpup_course::{Course, Quiz};
use warpup_exchange::class_page;
use warpup_store::log::DropName;
use warpup_store::settings::Policy;
use warpup_store::{log, text_file};
use warpup_text::zone::Zone;

/// The most bytes of a class file.
const MAX_CLASS_FILE: u64 = 1 << 20;

/// Does something for a class.
pub(super) fn execute(
    command: &ClassCommand,
    dir: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    match command {
        ClassCommand::Submit(args) => with_learner(dir.into(), console, |context| {
            let drop = drop_folder(context.course);
            submit::submit(context, args, drop.as_deref())
        }),
        ClassCommand::Report(args) => {
            let opened = with_keys(dir, console)?;
            report(args, &opened.course, Zone::system(), console)
        }
        ClassCommand::Collect(args) => {
            let opened = with_keys(dir, console)?;
            let drop = drop_folder(&opened.course);
            collect::collect(args, drop, &opened.course, now_ms(), console)
        }
        ClassCommand::Return(args) => {
            let opened = with_keys(dir, console)?;
            let drop = drop_folder(&opened.course);
            give_back::give_back(args, drop, &opened.course, now_ms(), console)
        }
        ClassCommand::Feedback => with_learner(dir.into(), console, feedback::print),
    }
}

/// The drop folder of the machine's policy, or else of the course's.
fn drop_folder(course: &Course) -> Option<PathBuf> {
    let of_machine = Policy::load().unwrap_or_default().class.drop;
    of_machine.or_else(|| course.policy.drop.clone())
}

/// Opens the course, which grades what the learners have done.
fn with_keys(dir: Option<&Path>, console: &mut Console<'_>) -> Result<OpenCourse> {
    let opened = courses::open(dir)?;
    opened.warn(console)?;
    let lessons = &opened.course.lessons;
    let mut quizzes = lessons.iter().filter_map(|it| it.quiz.as_ref());
    if quizzes.any(Quiz::is_graded_elsewhere) {
        return Err(Failure::arguments_but(
            "this course has no keys, so nothing can be graded with it",
            "give the whole course, from which it was packed, with `--course`",
        ));
    }
    Ok(opened)
}

/// Prints what the learners have done. A file that cannot be read is a row that says why.
fn report(
    args: &ClassReportArgs,
    course: &Course,
    zone: Zone,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let class = match &args.class {
        Some(path) => class_file(path, course, console)?,
        None => ClassFile::default(),
    };
    let files = files::named(&args.paths);
    if files.is_empty() {
        return Err(Failure::arguments_but(
            "there is no file in there",
            "name the files that learners made with `warpup progress export FILE`, or a folder of them",
        ));
    }
    let is_handed_in = |it: &LearnerFile| {
        it.path
            .file_name()
            .is_some_and(|it| DropName::of(it).is_some())
    };
    if files.iter().any(is_handed_in) {
        console.remark(
            "warning: these are hand-ins as a drop folder has them, each shown as a learner; `class collect` takes the newest of each learner",
        )?;
    }
    let mut fold = ClassFold::new(course, class, now_ms()).in_zone(zone);
    let judged = at_once(files, |file| {
        let mut learner = fold.learner();
        let handed_in = match file.refused {
            None => log::handed_in(&file.path, &mut |it| learner.take(it)),
            Some(why) => log::HandedIn::refused(why),
        };
        fold.judge(file.learner, learner, handed_in.problem)
    });
    for learner in judged {
        fold.take(learner);
    }
    let report = fold.report();
    if let Some(path) = &args.html {
        let page = Contents::Text(class_page::write(&report));
        // It has names and results: nobody else reads it, whatever the umask of this user.
        rustix::process::umask(Mode::from_raw_mode(0o077));
        file::put(&page, Some(path), args.force.into(), console)?;
        console.remark(&format!(
            "{} written. {}",
            path.display(),
            words::SELF_REPORTED
        ))?;
    } else if args.csv {
        let table = csv::table(&report).context("cannot write the table")?;
        console.bytes(table.as_bytes())?;
        console.remark(words::SELF_REPORTED)?;
    } else {
        text::print(&report, console)?;
    }
    Ok(Exit::of(Some(!report.has_problems())))
}

/// Reads a class file. What is wrong with it is printed with its places.
fn class_file(path: &Path, course: &Course, console: &mut Console<'_>) -> Result<ClassFile> {
    let name = path.display().to_string();
    let text = text_file::read(path, MAX_CLASS_FILE).map_err(|error| unreadable(path, &error))?;
    match ClassFile::read(&text, &name, course) {
        Ok(class) => Ok(class),
        Err(wrong) => {
            for it in &wrong {
                console.with_remarks(|console| console.diagnostic(it, &text))?;
            }
            Err(Failure::arguments_but(
                format!("nothing was reported: {name} has mistakes"),
                "correct them, and run the report again",
            ))
        }
    }
}

#[cfg(test)]
mod tests;
