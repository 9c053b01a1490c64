//! The program of a lab: shown, edited, written to a file, taken from one.

use crate::commands::context::CommandContext;
use crate::commands::failure::{Failure, Result};
use crate::commands::file_failure::unwritable;
use crate::commands::find::LessonLab;
use crate::commands::program_file;
use crate::commands::run;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::Command;
use warpup_course::Solution;
use warpup_lab::engine::orphans;
use warpup_lab::own_program::OwnProgram;
use warpup_progress::Event;

/// Prints a program with line numbers.
pub(super) fn show(context: &mut CommandContext<'_, '_>, source: &str) -> Result<()> {
    let lines = (1..).zip(source.lines());
    let numbered = lines.map(|(n, line)| format!("{n:>3}  {line}").trim_end().to_owned());
    context.console.lines(numbered)
}

/// Saves the learner's program.
pub(super) fn save(
    context: &mut CommandContext<'_, '_>,
    at: LessonLab<'_>,
    source: String,
) -> Result<()> {
    let said = if source == at.lab.starter {
        "The program is as the lesson has it."
    } else {
        "Taken. `run` runs it."
    };
    let event = Event::Edited {
        lesson: at.lesson.id.clone(),
        lab: at.lab.id.clone(),
        source: (source != at.lab.starter).then_some(source),
    };
    context.note(event);
    context.console.line(said)
}

/// Writes the learner's program to a new file.
pub(super) fn write_to(
    context: &mut CommandContext<'_, '_>,
    at: LessonLab<'_>,
    file: &Path,
) -> Result<()> {
    let source = run::saved_source(&context.learner.progress, at);
    let name = file.display();
    // A file that is there already is somebody's: it is not replaced.
    let written = File::create_new(file).and_then(|mut it| it.write_all(source.as_bytes()));
    written.map_err(|error| {
        if error.kind() != ErrorKind::AlreadyExists {
            return unwritable(file, &error);
        }
        Failure::arguments_but(
            format!("{name} exists already, and nothing was written"),
            "choose another name",
        )
    })?;
    let said = format!("Written. Change it, then `take {name}`.");
    context.console.line(&said)
}

/// Takes a file as the learner's program.
pub(super) fn read_from(
    context: &mut CommandContext<'_, '_>,
    at: LessonLab<'_>,
    file: &Path,
) -> Result<()> {
    save(context, at, program_file::read(file)?.source)
}

/// Opens the program in the learner's editor, which needs a terminal.
pub(super) fn edit(context: &mut CommandContext<'_, '_>, at: LessonLab<'_>) -> Result<()> {
    let named = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|it| std::env::var(it).ok());
    let named = named.filter(|it| !it.trim().is_empty() && context.console.is_terminal);
    let Some(named) = named else {
        return Err(Failure::arguments_but(
            "there is no editor to open: VISUAL and EDITOR name none, or this is not a terminal",
            "`save FILE`, change the file, then `take FILE`",
        ));
    };
    let dir = tempfile::tempdir()?;
    let file = dir.path().join(format!("{}.py", at.lab.id));
    let before = run::saved_source(&context.learner.progress, at);
    fs::write(&file, &before)?;
    let mut words = named.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let ended = orphans::run_freely(Command::new(program).args(words).arg(&file));
    match ended {
        Ok(status) if status.success() => {}
        Ok(_) => {
            return context
                .console
                .line("The editor gave up; nothing is changed.");
        }
        Err(error) => {
            let what = format!("cannot start the editor `{named}`");
            let why = Failure::arguments_because(what, error.to_string());
            return Err(why.with_hint("VISUAL or EDITOR names it: correct that one"));
        }
    }
    let OwnProgram { source, .. } = program_file::read(&file)?;
    if source == before {
        return context.console.line("Nothing is changed.");
    }
    save(context, at, source)
}

/// Prints the solution, after a question if the lab is not passed yet; the next times, one other way after the other. `shown` counts
/// them.
pub(super) fn solution(
    context: &mut CommandContext<'_, '_>,
    at: LessonLab<'_>,
    shown: &mut usize,
) -> Result<()> {
    let solution = match &at.lab.solution {
        Some(Solution::Program(program)) => program,
        Some(Solution::Withheld) => {
            let said = "Your instructor has the solution of this lab.";
            return context.console.line(said);
        }
        None => {
            let said = "This lab needs no solution: it works as it is.";
            return context.console.line(said);
        }
    };
    let progress = context.learner.progress.lesson(&at.lesson.id);
    let question = "Show the solution before you have passed? [y/N] ";
    let may_ask = *shown == 0 && !progress.lab(&at.lab.id).has_passed();
    if may_ask && !context.console.confirm(question)? {
        return Ok(());
    }
    let ways = &at.lab.other_ways;
    let number = *shown % (1 + ways.len());
    *shown += 1;
    match number.checked_sub(1).and_then(|it| ways.get(it)) {
        Some(way) => {
            let title = format!("Other way {number} of {}: {}", ways.len(), way.title);
            context.console.line(&title)?;
            show(context, &way.program)?;
        }
        None => show(context, solution)?,
    }
    let Some(next) = ways.get(number) else {
        return Ok(());
    };
    let (next_number, all, title) = (number + 1, ways.len(), &next.title);
    context.console.line(&format!(
        "`solution` shows other way {next_number} of {all}: {title}"
    ))
}
