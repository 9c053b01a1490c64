//! `warpup progress import|export|repair`: progress from one place to another.

use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Failure, Result};
use crate::commands::file_failure::{unreadable, unwritable};
use crate::commands::learner::place;
use crate::commands::records;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use warpup_lab::units::count;
use warpup_progress::OwnWork;
use warpup_store as store;
use warpup_store::log::{self, RecordLines};

/// An export holds all own work, unless the learner leaves some out.
const EVERYTHING: OwnWork = OwnWork {
    programs: true,
    words: true,
};

/// What can be imported.
const WHAT_TO_NAME: &str =
    "name a file that `warpup progress export` wrote, a data folder, or a folder of logs";

/// Takes over the records of another place.
pub(super) fn import(context: &mut CommandContext<'_, '_>, path: Option<&Path>) -> Result<Exit> {
    let sources = match path {
        Some(path) => vec![path.to_owned()],
        None => log::kept_elsewhere(),
    };
    if sources.is_empty() {
        context
            .console
            .line("There is nothing to import: no record was kept elsewhere.")?;
    }
    let mut exit = Exit::Fine;
    for source in sources {
        match import_from(context, &source) {
            Ok(true) => {}
            Ok(false) => exit = Exit::Wrong,
            // Nobody named it: a folder that is empty, or gone by now, keeps the others from nothing.
            Err(Failure::Arguments { what, cause, .. }) if path.is_none() => {
                let why = cause.map_or(String::new(), |it| format!(": {it}"));
                context.console.remark(&format!("warning: {what}{why}"))?;
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(exit)
}

/// Gives whether all of it is intact.
fn import_from(context: &mut CommandContext<'_, '_>, source: &Path) -> Result<bool> {
    let shown = source.display();
    let lines = log::lines_in(source).map_err(|error| {
        let failure = unreadable(source, &error);
        if error.kind() == io::ErrorKind::Other {
            failure.with_hint(WHAT_TO_NAME)
        } else {
            failure
        }
    })?;
    if !lines.is_ours() {
        let what = format!("there is no progress of warpup in {shown}");
        return Err(Failure::arguments_but(what, WHAT_TO_NAME));
    }
    records::warn(context, &lines.problems)?;
    let imported = context
        .learner
        .import(&lines, (context.clock)())
        .map_err(anyhow::Error::from)?;
    context.console.line(&format!(
        "{shown}: {} imported, {} here already.",
        count(imported.new, "record", "records"),
        imported.known
    ))?;
    if imported.too_long > 0 {
        context.console.remark(&format!(
            "warning: {} too long for a log, and stay in {shown} only",
            match imported.too_long {
                1 => "1 record is".to_owned(),
                several => format!("{several} records are"),
            }
        ))?;
    }
    if imported.forgotten > 0 {
        context.console.line(&format!(
            "{} older than a `warpup progress reset` and stay forgotten. To see them, import into an empty folder: WARPUP_DATA=FOLDER warpup progress import {shown}",
            match imported.forgotten {
                1 => "1 of them is".to_owned(),
                several => format!("{several} of them are"),
            }
        ))?;
    }
    Ok(!lines.is_damaged() && imported.too_long == 0)
}

/// Writes all records as one file.
pub(super) fn export(
    context: &mut CommandContext<'_, '_>,
    file: Option<&Path>,
    own_work: OwnWork,
) -> Result<Exit> {
    if store::guest().is_some() {
        return Err(Failure::arguments_but(
            "a guest has nothing to export: each one begins with nothing",
            "to take progress along, keep it in a folder of yours: `WARPUP_DATA=FOLDER warpup`",
        ));
    }
    let mut lines = records::all(context)?;
    if own_work != EVERYTHING {
        // What only a newer version understands may hold either, and stays.
        let along = lines.records().into_iter();
        let along = along.filter_map(|it| own_work.along(it, context.course));
        lines = RecordLines::of(&along.collect::<Vec<_>>());
    }
    let text = lines.as_file(&context.course.id);
    let text = text.map_err(records::too_long)?;
    let Some(path) = file else {
        context.console.bytes(text.as_bytes())?;
        return Ok(Exit::Fine);
    };
    write_new(path, &text).map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists && !path.is_dir() {
            let what = format!("there is already a file {}", path.display());
            return Failure::arguments_but(what, "give another name: an export replaces nothing");
        }
        if path.is_dir() {
            return unwritable(path, &io::ErrorKind::IsADirectory.into());
        }
        unwritable(path, &error)
    })?;
    context.console.line(&format!(
        "{} written to {}.",
        count(lines.len(), "record", "records"),
        path.display()
    ))?;
    Ok(Exit::Fine)
}

/// Writes a file that does not exist yet, and waits for the disk.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Lists what is damaged and sets damaged logs aside.
pub(super) fn repair(context: &mut CommandContext<'_, '_>) -> Result<Exit> {
    let dir = records::data_dir(context)?;
    let found = log::read(&dir);
    for problem in &found.problems {
        context.console.line(&place(problem))?;
    }
    context.learner.problems_were_listed();
    let repaired =
        log::repair(&dir, &context.course.id, (context.clock)()).map_err(anyhow::Error::from)?;
    for it in &repaired {
        let records = count(it.records, "record", "records");
        let (from, to) = (it.from.display(), it.to.display());
        context.console.line(&format!(
            "{from}: {records} of it are in a new log; it is now {to}"
        ))?;
    }
    let records = count(found.records.len(), "record", "records");
    let said = match (found.problems.len(), repaired.len()) {
        (0, _) => format!("Nothing is damaged: {records}."),
        (_, 0) => format!("Nothing of this can be repaired; {records} can be read."),
        (_, logs) => format!(
            "{} set aside; {records} can be read, as before.",
            count(logs, "log is", "logs are")
        ),
    };
    context.console.line(&said)?;
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::learner::Learner;
    use crate::commands::sample::{self, attempted};
    use std::fs;
    use tempfile::TempDir;
    use warpup_course::LessonId;

    /// What a command prints for the learner of a data folder, with the folder above it as `DIR`.
    fn with_data(
        data: &Path,
        work: impl FnOnce(&mut CommandContext<'_, '_>) -> Result<Exit>,
    ) -> String {
        let course = sample::course();
        let (text, _) = sample::console("", |console| {
            let mut learner = Learner::load(Some(data.to_owned()), &course.id);
            let exit = work(&mut CommandContext {
                course: &course,
                learner: &mut learner,
                console,
                consent: None,
                clock: || 951_782_400_000,
            })?;
            learner.finish(console, exit)
        });
        text.replace(data.parent().unwrap().to_str().unwrap(), "DIR")
    }

    fn attempts(data: &Path) -> usize {
        let learner = Learner::load(Some(data.to_owned()), &sample::course().id);
        let copies = LessonId::new("copies");
        learner.progress.lesson(&copies).attempts.len()
    }

    #[expect(clippy::unnecessary_wraps, reason = "a command returns one")]
    fn work(context: &mut CommandContext<'_, '_>) -> Result<Exit> {
        for (earned, at_ms) in [(400, 951_782_400_000), (300, 951_782_500_000)] {
            context.learner.note(attempted(earned), at_ms);
        }
        Ok(Exit::Fine)
    }

    #[test]
    fn what_is_exported_can_be_imported_once() {
        let dir = TempDir::new().unwrap();
        let [from, to, file] = ["a", "b", "all"].map(|it| dir.path().join(it));
        with_data(&from, work);
        let export_to =
            |file: &Path| with_data(&from, |context| export(context, Some(file), EVERYTHING));
        insta::assert_snapshot!(export_to(&file), @"2 records written to DIR/all.");
        insta::assert_snapshot!(export_to(&file), @r"
        error: there is already a file DIR/all
        hint: give another name: an export replaces nothing
        ");
        insta::assert_snapshot!(export_to(dir.path()), @r"
        error: cannot write DIR
        cause: it is a folder
        hint: name a file in it
        ");
        let import_into = |source: &Path| with_data(&to, |context| import(context, Some(source)));
        insta::assert_snapshot!(import_into(&file), @"DIR/all: 2 records imported, 0 here already.");
        insta::assert_snapshot!(import_into(&from), @"DIR/a: 0 records imported, 2 here already.");
        assert_eq!(attempts(&to), 2);
        let printed = with_data(&from, |context| export(context, None, EVERYTHING));
        assert_eq!(printed, fs::read_to_string(&file).unwrap());
    }

    #[test]
    fn an_export_holds_every_record_whatever_its_characters_are() {
        let dir = TempDir::new().unwrap();
        let [from, to, file] = ["a", "b", "all"].map(|it| dir.path().join(it));
        // Characters that a terminal must not get take up to six times the bytes when they are escaped.
        let hard = [
            '\u{200b}', '\u{ad}', '\u{2028}', '\u{85}', '\u{7f}', '\u{1b}', '"', 'é',
        ];
        with_data(&from, |context| {
            for (it, at_ms) in hard.into_iter().zip(951_782_400_000..) {
                for bytes in [5_000, 10_000, 20_000, 30_000, 60_000] {
                    let source = it.to_string().repeat(bytes / it.len_utf8());
                    let edited = warpup_progress::Event::Edited {
                        lesson: LessonId::new("copies"),
                        lab: warpup_course::LabId::new("bus"),
                        source: Some(format!("{bytes}{source}")),
                    };
                    // One that is too long for a log is refused at once.
                    context.learner.note(edited, at_ms);
                }
            }
            Ok(Exit::Fine)
        });
        let there = log::lines_in(&from).unwrap();
        assert!(there.len() > 30, "{}", there.len());
        let said = with_data(&from, |context| export(context, Some(&file), EVERYTHING));
        let (count, _) = said.split_once(' ').unwrap();
        assert_eq!(count, there.len().to_string());
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert_eq!(lines, there.len() + 1, "a header and each record");
        with_data(&to, |context| import(context, Some(&file)));
        let ids = |lines: &RecordLines| -> Vec<_> {
            let records = lines.records();
            records.into_iter().map(|it| (it.id, it.event)).collect()
        };
        assert_eq!(ids(&log::lines_in(&to).unwrap()), ids(&there));
    }

    #[test]
    fn own_work_can_be_left_out_of_an_export() {
        let dir = TempDir::new().unwrap();
        let data = dir.path().join("a");
        with_data(&data, |context| {
            let edited = warpup_progress::Event::Edited {
                lesson: LessonId::new("copies"),
                lab: warpup_course::LabId::new("bus"),
                source: Some("my_own_program()".to_owned()),
            };
            context.learner.note(edited, 951_782_400_000);
            Ok(Exit::Fine)
        });
        let export_of = |programs| {
            let own_work = OwnWork {
                programs,
                words: true,
            };
            with_data(&data, |context| export(context, None, own_work))
        };
        assert!(export_of(true).contains("my_own_program"));
        assert!(!export_of(false).contains("my_own_program"));
    }

    #[test]
    fn an_export_that_was_cut_off_says_how_much_is_missing() {
        let dir = TempDir::new().unwrap();
        let [from, to, file] = ["a", "b", "all"].map(|it| dir.path().join(it));
        with_data(&from, work);
        with_data(&from, |context| export(context, Some(&file), EVERYTHING));
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        fs::write(&file, lines[..2].concat()).unwrap();
        let import_it = || with_data(&to, |context| import(context, Some(&file)));
        insta::assert_snapshot!(import_it(), @r"
        DIR/all: 1 record imported, 0 here already.
        warning: DIR/all:2: 1 of 2 records are missing after this line
        ");
        let (torn, _) = text.split_at(text.len() - 9);
        fs::write(&file, torn).unwrap();
        insta::assert_snapshot!(import_it(), @r"
        DIR/all: 0 records imported, 1 here already.
        warning: DIR/all:3: cut short; a record `attempted` of the lesson `copies` is lost
        ");
        let mut exit = Exit::Fine;
        with_data(&to, |context| {
            exit = import(context, Some(&file))?;
            Ok(exit)
        });
        assert_eq!(exit, Exit::Wrong);
    }

    #[test]
    fn what_is_no_progress_is_refused_in_one_line() {
        let dir = TempDir::new().unwrap();
        let [to, file] = ["a", "file"].map(|it| dir.path().join(it));
        fs::write(&file, "root:x:0:0\n{}\n".repeat(500)).unwrap();
        insta::assert_snapshot!(with_data(&to, |context| import(context, Some(&file))), @r"
        error: there is no progress of warpup in DIR/file
        hint: name a file that `warpup progress export` wrote, a data folder, or a folder of logs
        ");
        let null = Path::new("/dev/null");
        insta::assert_snapshot!(with_data(&to, |context| import(context, Some(null))), @"
        error: cannot read /dev/null
        cause: it is neither a file nor a folder
        hint: name a file that `warpup progress export` wrote, a data folder, or a folder of logs
        ");
    }

    #[test]
    fn an_import_says_what_a_reset_hides() {
        let dir = TempDir::new().unwrap();
        let [data, copy] = ["a", "copy"].map(|it| dir.path().join(it));
        with_data(&data, work);
        with_data(&data, |context| export(context, Some(&copy), EVERYTHING));
        with_data(&data, |context| {
            let event = warpup_progress::Event::Reset { lesson: None };
            context.learner.note(event, 951_782_600_000);
            Ok(Exit::Fine)
        });
        insta::assert_snapshot!(with_data(&data, |context| import(context, Some(&copy))), @r"
        DIR/copy: 0 records imported, 2 here already.
        2 of them are older than a `warpup progress reset` and stay forgotten. To see them, import into an empty folder: WARPUP_DATA=FOLDER warpup progress import DIR/copy
        ");
    }

    #[test]
    fn records_of_a_newer_version_are_passed_on_as_they_are() {
        let dir = TempDir::new().unwrap();
        let data = dir.path().join("a");
        fs::create_dir_all(data.join("log")).unwrap();
        let json = r#"{"id":"a","at_ms":1,"course":"warpup","kind":"sang","song":"x\u202e"}"#;
        let crc = crc32c::crc32c(json.as_bytes());
        fs::write(data.join("log/x.jsonl"), format!("{crc:08x} {json}\n")).unwrap();
        let printed = with_data(&data, |context| export(context, None, EVERYTHING));
        let line = printed.lines().nth(1).unwrap();
        insta::assert_snapshot!(line.split_once(' ').unwrap().1, @r#"{"seq":1,"id":"a","at_ms":1,"course":"warpup","kind":"sang","song":"x\u202e"}"#);
    }

    #[test]
    fn a_damaged_log_is_set_aside_and_what_can_be_read_stays() {
        let dir = TempDir::new().unwrap();
        let data = dir.path().join("data");
        with_data(&data, work);
        let logs = data.join("log");
        let path = fs::read_dir(&logs).unwrap().next().unwrap().unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let torn = [
            text.as_str(),
            text.get(text.len() - 200..text.len() - 80).unwrap(),
        ]
        .concat();
        fs::write(&path, &torn).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let said = with_data(&data, repair).replace(name, "LOG");
        insta::assert_snapshot!(said, @r"
        DIR/data/log/LOG:4: cut short; a record `attempted` of the lesson `copies` is lost
        DIR/data/log/LOG: 2 records of it are in a new log; it is now DIR/data/quarantine/LOG.20000229T000000Z.bad
        1 log is set aside; 2 records can be read, as before.
        ");
        assert_eq!(attempts(&data), 2);
        let quarantined = data.join(format!("quarantine/{name}.20000229T000000Z.bad"));
        assert_eq!(fs::read_to_string(quarantined).unwrap(), torn);
        insta::assert_snapshot!(with_data(&data, repair), @"Nothing is damaged: 2 records.");
    }

    #[test]
    fn damage_is_said_once_and_listed_by_repair() {
        let dir = TempDir::new().unwrap();
        let data = dir.path().join("data");
        with_data(&data, work);
        fs::write(data.join("log/0.jsonl"), "x\n").unwrap();
        let nothing = |_: &mut CommandContext<'_, '_>| Ok(Exit::Fine);
        insta::assert_snapshot!(with_data(&data, nothing), @"warning: the progress logs cannot be read in 1 place, the first is DIR/data/log/0.jsonl:1: damaged: its checksum is another; `warpup progress repair` lists them");
        assert_eq!(with_data(&data, nothing), "");
    }
}
