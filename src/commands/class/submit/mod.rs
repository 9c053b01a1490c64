//! `warpup class submit`: a learner's records of one course, as a file in the drop folder of a class.

use super::users;
use crate::cli::ClassSubmitArgs;
use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Failure, Result};
use crate::commands::records;
use anyhow::Context;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use warpup_lab::units::count;
use warpup_progress::{Event, OwnWork, OwnWorkCount, Record};
use warpup_store::log::{DropFolder, DropName, RecordLines, hand_in};
use warpup_store::returned::HandIn;
use warpup_text::utc;
use warpup_text::zone::Zone;

/// What a submission is not.
const NO_PROOF: &str = "Times and attempts are what your own log says.";

/// What always helps.
const KEEP_IT: &str = "`warpup progress export FILE` keeps your records in a file of yours";

/// Hands in. `set` is the drop folder of the machine's policy, or of the course's.
pub(super) fn submit(
    context: &mut CommandContext<'_, '_>,
    args: &ClassSubmitArgs,
    set: Option<&Path>,
) -> Result<Exit> {
    let Some(folder) = args.drop.as_deref().or(set) else {
        return Err(Failure::arguments_but(
            "nobody has said where to hand in",
            format!(
                "ask for the drop folder of your class and give it with `--drop DIR`; {KEEP_IT}"
            ),
        ));
    };
    let looked = DropFolder::at(folder).map_err(|error| refused(folder, &error))?;
    let lines = records::all(context)?;
    let course = context.course;
    let mut all = lines.records();
    all.retain(|it| it.course == course.id.as_str());
    if all.is_empty() {
        return Err(Failure::arguments_but(
            format!(
                "there is nothing to hand in: you have done nothing in `{}` yet",
                course.title
            ),
            "open the right course with `--course`, or look with `warpup progress`",
        ));
    }
    if context.console.is_terminal && !args.dry_run {
        let said = format!(
            "Your instructors will read what goes to {}.",
            folder.display()
        );
        context.console.wrapped("", "", &said)?;
    }
    let own_work = agreed(context, args, OwnWorkCount::of(&all))?;
    let unknown = all.iter().filter(|it| it.event == Event::Unknown).count() + lines.newer();
    let along = all.into_iter().filter_map(|it| own_work.along(it, course));
    let along: Vec<_> = along.collect();
    describe(context, &along)?;
    if unknown > 0 {
        let records = count(unknown, "record", "records");
        let said = format!("Stays with you: {records} that only a newer warpup understands.");
        context.console.wrapped("", "", &said)?;
    }
    deadlines(context, &Zone::system())?;
    if looked.is_listable {
        context.console.remark(&format!(
            "warning: everybody can list {}, so others can see who hands in; tell your instructor",
            folder.display()
        ))?;
    }
    if looked.is_unsafe {
        context.console.remark(&format!(
            "warning: others can remove what you hand in to {}, since it lacks the sticky bit; tell your instructor",
            folder.display()
        ))?;
    }
    if args.dry_run {
        let said = format!("Nothing was written. It would go to {}.", folder.display());
        context.console.wrapped("", "", &said)?;
        return Ok(Exit::Fine);
    }
    let me = rustix::process::geteuid().as_raw();
    let user = users::name(&users::names(&BTreeSet::from([me])), me);
    let name = DropName::new(&user, (context.clock)()).context("cannot make a name")?;
    let text = RecordLines::of(&along).as_file(&course.id);
    let text = text.map_err(records::too_long)?;
    let path = hand_in(folder, looked, &name, &text).map_err(|error| refused(folder, &error))?;
    let remembered = remember(context, &path, text.as_bytes());
    let console = &mut *context.console;
    if let Err(error) = remembered {
        console.remark(&format!(
            "warning: what your instructor sends back for it will not be found, since its name cannot be kept: {error}"
        ))?;
    }
    console.line(&format!("Handed in as {user}:"))?;
    console.line(&format!("  {}", path.display()))?;
    console.line("You can hand in again as often as you like.")?;
    Ok(Exit::Fine)
}

/// Keeps the name of what was handed in: nobody can list the folder.
fn remember(context: &CommandContext<'_, '_>, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Some(data) = context.learner.dir() else {
        return Err(io::ErrorKind::NotFound.into());
    };
    let path = std::path::absolute(path)?;
    HandIn::new(&context.course.id, &path, bytes).remember(data)
}

/// What of the learner's own work goes along: what the flags say, or the answers to questions, or nothing.
fn agreed(
    context: &mut CommandContext<'_, '_>,
    args: &ClassSubmitArgs,
    there: OwnWorkCount,
) -> Result<OwnWork> {
    let console = &mut *context.console;
    let programs = count(
        there.programs,
        "version of a program that you changed",
        "versions of programs that you changed",
    );
    let words = count(
        there.words,
        "text in your own words",
        "texts in your own words",
    );
    let asks = console.is_terminal && !args.dry_run;
    let mut ask = |flag: bool, there: usize, what: &str| -> Result<bool> {
        if flag || there == 0 || !asks {
            return Ok(flag);
        }
        console.confirm(&format!("Hand in {what}, too? [y/N] "))
    };
    let own_work = OwnWork {
        programs: ask(args.with_programs, there.programs, &programs)?,
        words: ask(args.with_words, there.words, &words)?,
    };
    let stay = [
        (
            own_work.programs,
            there.programs,
            programs,
            "--with-programs",
        ),
        (own_work.words, there.words, words, "--with-words"),
    ];
    let stay = stay
        .into_iter()
        .filter(|(along, there, ..)| !along && *there > 0);
    for (_, _, what, flag) in stay {
        let hint = if asks {
            String::new()
        } else {
            format!(" `{flag}` hands that in, too.")
        };
        console.wrapped("", "", &format!("Stays with you: {what}.{hint}"))?;
    }
    Ok(own_work)
}

/// Says what is handed in.
fn describe(context: &mut CommandContext<'_, '_>, along: &[Record]) -> Result<()> {
    let mut lessons = BTreeSet::new();
    let mut attempts = BTreeSet::new();
    let (mut answers, mut runs) = (0_usize, 0_usize);
    for record in along {
        lessons.extend(record.event.lesson());
        match &record.event {
            Event::Answered { .. } | Event::Predicted { .. } => answers += 1,
            Event::Attempted { attempt, .. } | Event::HandedIn { attempt, .. } => {
                attempts.insert(attempt);
            }
            Event::Ran { .. } => runs += 1,
            Event::Read { .. }
            | Event::Left { .. }
            | Event::Edited { .. }
            | Event::Explained { .. }
            | Event::Chose { .. }
            | Event::Reset { .. }
            | Event::Unknown => {}
        }
    }
    let times = along.iter().map(|it| it.at_ms);
    let first = times.clone().min().unwrap_or_default();
    let last = times.max().unwrap_or_default();
    let own = OwnWorkCount::of(along);
    let mut said = format!(
        "{} of {}, {} to {} UTC: {}, {}, {}",
        count(along.len(), "record", "records"),
        count(lessons.len(), "lesson", "lessons"),
        utc::minute(first),
        utc::minute(last),
        count(attempts.len(), "attempt", "attempts"),
        count(
            answers,
            "answer as you typed it",
            "answers as you typed them"
        ),
        count(runs, "run", "runs"),
    );
    if own.programs > 0 {
        let programs = count(own.programs, "program", "programs");
        said.extend([", ", &programs]);
    }
    if own.words > 0 {
        let words = count(own.words, "text of yours", "texts of yours");
        said.extend([", ", &words]);
    }
    let title = &context.course.title;
    let console = &mut *context.console;
    console.wrapped("", "", &format!("{title}: {said}."))?;
    console.wrapped("", "", NO_PROOF)
}

/// Says of each lesson that is not finished until when it is to be passed.
fn deadlines(context: &mut CommandContext<'_, '_>, zone: &Zone) -> Result<()> {
    let (course, now_ms) = (context.course, (context.clock)());
    for lesson in &course.lessons {
        let is_finished = context.learner.progress.lesson(&lesson.id).is_finished();
        if let Some(at_ms) = course.due_ms.get(&lesson.id)
            && !is_finished
        {
            let is = if *at_ms < now_ms { "was" } else { "is" };
            let (title, at, zone) = (&lesson.title, zone.minute(*at_ms), zone.name());
            let said = format!("{title} {is} due {at} (time of {zone}), and not passed yet.");
            context.console.wrapped("", "", &said)?;
        }
    }
    Ok(())
}

/// Why nothing was handed in, and what to try.
fn refused(folder: &Path, error: &io::Error) -> Failure {
    let is = |kind: io::ErrorKind| error.kind() == kind;
    let tell = "tell your instructor";
    let (why, hint) = if is(io::ErrorKind::NotFound) {
        let hint = "look at its name again, or ask your instructor";
        ("there is no such folder".to_owned(), hint)
    } else if is(io::ErrorKind::NotADirectory) {
        (
            "it is not a folder".to_owned(),
            "give the drop folder itself",
        )
    } else if is(io::ErrorKind::PermissionDenied) {
        let hint = "your instructor can open it for you: docs/handing-in.md says how";
        ("you may not write there".to_owned(), hint)
    } else if is(io::ErrorKind::StorageFull) || is(io::ErrorKind::QuotaExceeded) {
        (format!("its disk has no room: {error}"), tell)
    } else if is(io::ErrorKind::ReadOnlyFilesystem) {
        ("nobody can write there now".to_owned(), tell)
    } else {
        (error.to_string(), "try again, or tell your instructor")
    };
    Failure::arguments_but(
        format!("nothing was handed in to {}: {why}", folder.display()),
        format!("{hint}; {KEEP_IT}"),
    )
}

#[cfg(test)]
mod tests;
