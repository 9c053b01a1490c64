//! `warpup class collect`: of each learner the newest good file of the drop folders, in a folder for `warpup class report`.
//!
//! Whose file it is, its owner says, and nothing else does.

mod choice;
mod destination;
mod json;

use super::at_once::at_once;
use super::users;
use crate::cli::ClassCollectArgs;
use crate::commands::console::{Console, quoted};
use crate::commands::failure::{Exit, Failure, Result};
use crate::commands::file_failure::unreadable;
use choice::choose;
pub(super) use choice::{FileRow, HandInStatus, OwnerRows};
use destination::Destination;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use warpup_class::words;
use warpup_course::Course;
use warpup_lab::units::count;
use warpup_store::log::DroppedFile;
use warpup_store::returned::is_returned;
use warpup_text::shown::Shown;
use warpup_text::utc;

/// As many problems of one learner are printed.
const MOST_PROBLEMS: usize = 5;

/// Collects. `set` is the drop folder of the machine's policy, or of the course's.
pub(super) fn collect(
    args: &ClassCollectArgs,
    set: Option<PathBuf>,
    course: &Course,
    now_ms: u64,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let hint = "name the drop folder: `warpup class collect FOLDER --into NEW-FOLDER`";
    let from = folders(&args.from, set, hint)?;
    let found = files(&from)?;
    let into = Destination::prepare(&args.into, &from)?;
    let collected = collected(found, &into, course, now_ms);
    if args.json {
        console.json(&json::of(course, &args.into, &collected))?;
    } else {
        print(course, &args.into, &collected, console)?;
    }
    Ok(Exit::of(Some(!collected.has_problems())))
}

/// The folders that are named, or else the drop folder that is set.
pub(super) fn folders(named: &[PathBuf], set: Option<PathBuf>, hint: &str) -> Result<Vec<PathBuf>> {
    match (named, set) {
        ([], Some(folder)) => Ok(vec![folder]),
        ([], None) => Err(Failure::arguments_but(
            "nobody has said where learners hand in",
            hint,
        )),
        (named, _) => Ok(named.to_vec()),
    }
}

/// The files of all owners, as far as they can be looked at.
#[derive(Debug, Default)]
pub(super) struct FoundFiles {
    pub(super) files: Vec<DroppedFile>,
    pub(super) not_read: Vec<ReadProblem>,
}

/// What cannot be looked at. Nobody knows whose it is, and the files of others are collected.
#[derive(Debug)]
pub(super) struct ReadProblem {
    /// The verb for what failed.
    what: &'static str,
    path: PathBuf,
    error: io::Error,
}

impl ReadProblem {
    pub(super) fn words(&self) -> String {
        format!(
            "cannot {} {}: {}",
            self.what,
            self.path.display(),
            self.error
        )
    }
}

/// What became of all files.
#[derive(Debug)]
struct Collection {
    owners: Vec<OwnerRows>,
    not_read: Vec<ReadProblem>,
}

impl Collection {
    fn has_problems(&self) -> bool {
        let mut rows = self.owners.iter().flat_map(|it| &it.files);
        !self.not_read.is_empty()
            || rows.any(|it| it.reason.is_some() || it.fate == HandInStatus::Unread)
    }
}

/// Writes the newest good file of each owner.
fn collected(found: FoundFiles, into: &Destination, course: &Course, now_ms: u64) -> Collection {
    let work = |mut rows: OwnerRows, taken: Option<Vec<u8>>| {
        let written = taken.map_or(Ok(()), |bytes| into.write(&rows.user, &bytes));
        if let Err(why) = written {
            rows.was_not_written(why);
        }
        rows
    };
    let mut owners = newest_of_each(found.files, course, now_ms, work);
    owners.sort_by(|left, right| left.user.cmp(&right.user));
    Collection {
        owners,
        not_read: found.not_read,
    }
}

/// Does something with the files of each owner, and with the bytes of the newest good one.
pub(super) fn newest_of_each<R: Send>(
    files: Vec<DroppedFile>,
    course: &Course,
    now_ms: u64,
    work: impl Fn(OwnerRows, Option<Vec<u8>>) -> R + Sync,
) -> Vec<R> {
    let mut owners: BTreeMap<u32, Vec<DroppedFile>> = BTreeMap::new();
    for file in files {
        owners.entry(file.owner).or_default().push(file);
    }
    let names = users::names(&owners.keys().copied().collect());
    at_once(owners.into_iter().collect(), |(owner, files)| {
        let user = users::name(&names, owner);
        let (rows, taken) = choose((owner, user), files, course, now_ms);
        work(rows, taken)
    })
}

/// The files that are named, and those in folders that are named, each once. Hidden files are being written.
pub(super) fn files(from: &[PathBuf]) -> Result<FoundFiles> {
    let mut found = FoundFiles::default();
    let mut seen = BTreeSet::new();
    for path in from {
        match fs::metadata(path) {
            Ok(it) if it.is_dir() => found.take_folder(path, &mut seen),
            Ok(_) => found.take(path, &mut seen),
            // A link that leads nowhere is somebody's, and has a reason of its own.
            Err(_) if path.is_symlink() => found.take(path, &mut seen),
            Err(error) => found.failed("look at", path, error),
        }
    }
    match found.not_read.first() {
        Some(first) if found.files.is_empty() => Err(unreadable(&first.path, &first.error)),
        Some(_) | None => Ok(found),
    }
}

impl FoundFiles {
    fn take_folder(&mut self, folder: &Path, seen: &mut BTreeSet<PathBuf>) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.failed("list", folder, error),
        };
        for entry in entries {
            match entry {
                Ok(it) if it.file_name().as_encoded_bytes().starts_with(b".") => {}
                // What instructors sent back is nobody's hand-in.
                Ok(it) if is_returned(&it.file_name()) => {}
                Ok(it) => self.take(&it.path(), seen),
                // What else the folder has, nobody can say.
                Err(error) => return self.failed("list all of", folder, error),
            }
        }
    }

    fn take(&mut self, path: &Path, seen: &mut BTreeSet<PathBuf>) {
        if !seen.insert(path.to_owned()) {
            return;
        }
        match DroppedFile::at(path) {
            Ok(file) => self.files.push(file),
            // Its owner has removed it meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.failed("look at", path, error),
        }
    }

    fn failed(&mut self, what: &'static str, path: &Path, error: io::Error) {
        let path = path.to_owned();
        self.not_read.push(ReadProblem { what, path, error });
    }
}

fn print(
    course: &Course,
    into: &Path,
    collected: &Collection,
    console: &mut Console<'_>,
) -> Result<()> {
    let all = &collected.owners;
    let files = all.iter().map(|it| it.files.len()).sum();
    let files = count(files, "file", "files");
    let learners = count(all.len(), "learner", "learners");
    console.wrapped("", "", &format!("{}: {files} of {learners}", course.title))?;
    console.wrapped("", "", words::SELF_REPORTED)?;
    let mut written = 0;
    for learner in all {
        written += usize::from(of_learner(learner, console)?);
    }
    for it in collected.not_read.iter().take(MOST_PROBLEMS) {
        console.wrapped("problem: ", "         ", &it.words())?;
    }
    let more = collected.not_read.len().saturating_sub(MOST_PROBLEMS);
    if more > 0 {
        let more = count(more, "more place", "more places");
        console.line(&format!("problem: and {more}, which `--json` lists"))?;
    }
    console.line("")?;
    if written == 0 {
        return console.line("Nothing was written.");
    }
    let files = count(written, "file is", "files are");
    let said = format!(
        "{files} in {}. What is in them: `{} class report {}`",
        into.display(),
        console.warpup,
        quoted(into)
    );
    console.wrapped("", "", &said)
}

/// Prints what became of the files of a learner. Says whether one is written.
fn of_learner(learner: &OwnerRows, console: &mut Console<'_>) -> Result<bool> {
    let is_good = |it: &&FileRow| matches!(it.fate, HandInStatus::Taken | HandInStatus::NotWritten);
    let good = learner.files.iter().find(is_good);
    let is_written = good.is_some_and(|it| it.fate == HandInStatus::Taken);
    let older = learner
        .files
        .iter()
        .filter(|it| it.fate == HandInStatus::Older);
    let older = match older.count() {
        0 => String::new(),
        older => format!("; {}", count(older, "older file", "older files")),
    };
    let said = good.map_or_else(
        || "nothing that can be taken".to_owned(),
        |it| {
            let records = count(it.records, "record", "records");
            let not = if is_written { "" } else { "NOT WRITTEN: " };
            let at = utc::minute(it.at_ms);
            format!("{not}{records}, handed in {at} UTC{older}")
        },
    );
    console.wrapped("", "  ", &format!("{}: {said}", learner.user))?;
    let problems = learner.files.iter().filter_map(|it| {
        let reason = it.reason.as_ref()?;
        let name = it.path.file_name().unwrap_or(it.path.as_os_str());
        let name = Shown::one_line(&name.to_string_lossy()).into_string();
        Some(format!("{name}: {reason}"))
    });
    let problems: Vec<_> = problems.collect();
    for problem in problems.iter().take(MOST_PROBLEMS) {
        console.wrapped("  problem: ", "           ", problem)?;
    }
    let unread = learner
        .files
        .iter()
        .filter(|it| it.fate == HandInStatus::Unread);
    let more = problems.len().saturating_sub(MOST_PROBLEMS) + unread.count();
    if more > 0 {
        let files = count(more, "more file", "more files");
        console.line(&format!("  problem: and {files}, which `--json` lists"))?;
    }
    Ok(is_written)
}

#[cfg(test)]
mod tests;
