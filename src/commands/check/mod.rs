//! `warpup check`: proves a course as far as a program can.
//!
//! [`warpup_course`] and [`warpup_grade`] check what the files say; [`labs`] runs the labs.

mod edition;
mod faults;
mod findings;
mod fix;
mod json;
mod labs;
mod loopholes;
mod predictions;
mod program_position;
mod repairs;
mod sarif;
mod syntax;
mod text;

use super::consent::{self, ConsentPrompt, ForeignProgram};
use super::console::Console;
use super::courses::{self, MANIFEST, OpenCourse};
use super::failure::{Exit, Failure, Result};
use super::runner::{RunLab, Runner};
use super::side_by_side::{self, RunAll, RunTaker, Runners};
use super::workers;
use crate::cli::CheckArgs;
use findings::Findings;
use json::CheckJson;
pub(super) use json::text_of;
use std::path::Path;
use warpup_course::{self as course, Course, Language, Rule, Severity};
use warpup_store as store;

/// Checks the course folder of the arguments, else the one of `--course`, else the current folder if it is a course, else the
/// built-in course.
pub(super) fn execute(
    args: &CheckArgs,
    dir: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    if let Some(name) = &args.explain {
        return explain(name, console);
    }
    let here = Path::new(".");
    let dir = match args.dir.as_deref().or(dir) {
        None if here.join(MANIFEST).is_file() => {
            console.remark("checking the course in the current folder")?;
            Some(here)
        }
        dir => dir,
    };
    if args.fix {
        fix::files(dir, console)?;
    }
    let mut opened = courses::heads(dir)?;
    opened.read_all();
    if let Some(named) = &args.against {
        compare(&mut opened, dir, named)?;
    }
    let told = CheckReport::as_asked(args, dir);
    if !args.run_labs && dir.is_none() {
        // The tests have compiled the programs of the course that is built in.
        return check(&opened, Programs::Unread, &told, console);
    }
    if args.run_labs && dir.is_some() {
        let mut missing = consent::missing(&opened.course, dir, store::data_dir().ok().as_deref());
        let asks = if args.trust {
            ConsentPrompt::Given
        } else {
            ConsentPrompt::Refuse
        };
        if missing.is_some() && asks == ConsentPrompt::Given {
            announce(&opened.course, console)?;
        }
        let many = ForeignProgram {
            course: &opened.course.title,
            source: "",
            check: None,
            memory: None,
        };
        if !consent::before_run(&mut missing, asks, &many, console)? {
            return Ok(Exit::Arguments);
        }
    }
    // On modelled cards, so that the result is the same on every machine.
    if args.run_labs {
        let mut runners = Runners::start()?;
        let mut run_all = |requests, take: &mut RunTaker<'_>| runners.run(requests, take);
        return check(&opened, Programs::Run(&mut run_all), &told, console);
    }
    let runner = Runner::start(workers::without_cards())?;
    let mut run = |request| runner.run(request);
    check(&opened, Programs::Compile(&mut run), &told, console)
}

/// Prints what there is to say about a rule.
fn explain(name: &str, console: &mut Console<'_>) -> Result<Exit> {
    let Some(rule) = Rule::ALL.iter().find(|it| it.name() == name) else {
        let names = Rule::ALL.iter().map(|it| it.name());
        let hint = match course::nearest(name, names) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "a message has its name in brackets, as in `error[unknown-key]`".to_owned(),
        };
        return Err(Failure::arguments_but(
            format!("there is no rule `{name}`"),
            hint,
        ));
    };
    console.line(rule.explained())?;
    Ok(Exit::Fine)
}

/// Adds what learners notice who took an older edition.
fn compare(opened: &mut OpenCourse, dir: Option<&Path>, named: &str) -> Result<()> {
    let Some(dir) = dir else {
        return Err(Failure::arguments_but(
            "the course that is built in has no older edition",
            "give the folder of your course: `warpup check DIR --against EDITION`",
        ));
    };
    let older = edition::open(dir, named)?;
    let errors = opened.diagnostics.iter();
    let errors = errors.filter(|it| it.severity == Severity::Error);
    let broken = errors.map(|it| it.file.as_str()).collect();
    let changes = course::editions::changes(&older.course, &opened.course, &broken);
    opened.diagnostics.extend(changes);
    Ok(())
}

/// How the result is told.
struct CheckReport {
    form: ReportForm,
    /// The least that makes the command fail.
    fails_on: Severity,
}

/// The form of the result.
enum ReportForm {
    /// Text for people.
    Text,
    /// One JSON object with stable keys, for programs.
    Json,
    /// SARIF, whose paths begin with this folder.
    Sarif { folder: String },
}

impl CheckReport {
    fn as_asked(args: &CheckArgs, dir: Option<&Path>) -> Self {
        let form = if args.sarif {
            // A code host wants paths from where it was called, which is the root of the repository.
            let folder = dir.filter(|it| it.is_relative());
            let folder = folder.map_or(String::new(), |it| it.to_string_lossy().into_owned());
            ReportForm::Sarif { folder }
        } else if args.json {
            ReportForm::Json
        } else {
            ReportForm::Text
        };
        let fails_on = if args.strict {
            Severity::Warning
        } else {
            Severity::Error
        };
        Self { form, fails_on }
    }
}

/// What is done with the programs of labs.
enum Programs<'p, 'r> {
    /// Nothing.
    Unread,
    /// They are compiled.
    Compile(&'p mut RunLab<'r>),
    /// They are compiled and run.
    Run(&'p mut RunAll<'r>),
}

/// Says which programs the flag agreed to.
fn announce(course: &Course, console: &mut Console<'_>) -> Result<()> {
    console
        .remark("This course is not part of warpup; you agreed to run what its author wrote:")?;
    for lesson in &course.lessons {
        for lab in &lesson.labs {
            let mut programs = vec!["program"];
            programs.extend(lab.check.as_ref().map(|_| "check"));
            programs.extend(lab.solution_program().map(|_| "solution"));
            console.remark(&format!(
                "    {}/{}: {}",
                lesson.id,
                lab.id,
                programs.join(", ")
            ))?;
        }
    }
    Ok(())
}

/// Checks a course.
fn check(
    opened: &OpenCourse,
    programs: Programs<'_, '_>,
    told: &CheckReport,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let translations = opened.translations();
    let mut found = Findings::of_files(opened, &translations);
    match programs {
        Programs::Unread => {}
        Programs::Compile(run_lab) => {
            syntax::check((opened, &translations), &mut found, run_lab, console)?;
        }
        Programs::Run(run_all) => {
            let mut run_lab = |request| side_by_side::one(request, run_all);
            syntax::check((opened, &translations), &mut found, &mut run_lab, console)?;
            labs::run((opened, &translations), &mut found, run_all, console)?;
        }
    }
    // A translation mostly differs because its original is wrong, or was changed.
    found
        .diagnostics
        .sort_by_key(|it| Language::of_path(&it.file).is_some());
    match &told.form {
        ReportForm::Text => text::print(&found, (opened, &translations), console)?,
        ReportForm::Json => console.json(&CheckJson::of(&found, opened))?,
        ReportForm::Sarif { folder } => console.json(&sarif::log(&found, opened, folder))?,
    }
    let all_well = match told.fails_on {
        Severity::Error => found.count(Severity::Error) == 0,
        Severity::Warning => found.diagnostics.is_empty(),
    };
    Ok(Exit::of(Some(all_well)))
}

/// Checks what the files of a course say, and no program: the executable of the unit tests is no worker.
#[cfg(test)]
pub(super) fn files_alone(dir: &Path, console: &mut Console<'_>) -> Result<Exit> {
    let mut opened = courses::heads(Some(dir))?;
    opened.read_all();
    let told = CheckReport {
        form: ReportForm::Text,
        fails_on: Severity::Warning,
    };
    check(&opened, Programs::Unread, &told, console)
}

#[cfg(test)]
mod tests;
