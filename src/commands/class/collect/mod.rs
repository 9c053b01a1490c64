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
use crate::commands::records::cannot;
use choice::{FileRow, HandInStatus, OwnerRows, choose};
use destination::Destination;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use warpup_class::words;
use warpup_course::Course;
use warpup_lab::units::count;
use warpup_store::log::DroppedFile;
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
    let from = match (args.from.as_slice(), set) {
        ([], Some(folder)) => vec![folder],
        ([], None) => {
            return Err(Failure::arguments_but(
                "nobody has said from where to collect",
                "name the drop folder: `warpup class collect FOLDER --into NEW-FOLDER`",
            ));
        }
        (named, _) => named.to_vec(),
    };
    let mut owners: BTreeMap<u32, Vec<DroppedFile>> = BTreeMap::new();
    for file in files(&from)? {
        owners.entry(file.owner).or_default().push(file);
    }
    let into = Destination::prepare(&args.into, &from)?;
    let names = users::names(&owners.keys().copied().collect());
    let written = at_once(owners.into_iter().collect(), |(owner, files)| {
        let user = users::name(&names, owner);
        let (rows, taken) = choose((owner, user), files, course, now_ms);
        let written = taken.map_or(Ok(()), |bytes| into.write(&rows.user, &bytes));
        written.map(|()| rows)
    });
    let mut all = written.into_iter().collect::<Result<Vec<_>>>()?;
    all.sort_by(|left, right| left.user.cmp(&right.user));
    if args.json {
        console.json(&json::of(course, &args.into, &all))?;
    } else {
        print(course, &args.into, &all, console)?;
    }
    let mut rows = all.iter().flat_map(|it| &it.files);
    Ok(Exit::of(Some(!rows.any(is_problem))))
}

fn is_problem(row: &FileRow) -> bool {
    row.reason.is_some() || row.fate == HandInStatus::Unread
}

/// The files that are named, and those in folders that are named, each once. Hidden files are being written.
fn files(from: &[PathBuf]) -> Result<Vec<DroppedFile>> {
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    let mut take = |path: &Path| -> io::Result<()> {
        if seen.insert(path.to_owned()) {
            files.push(DroppedFile::at(path)?);
        }
        Ok(())
    };
    for path in from {
        let is_folder = fs::metadata(path).map_err(|it| cannot("look at", path, &it))?;
        if !is_folder.is_dir() {
            take(path).map_err(|it| cannot("look at", path, &it))?;
            continue;
        }
        for entry in fs::read_dir(path).map_err(|it| cannot("list", path, &it))? {
            let entry = entry.map_err(|it| cannot("list", path, &it))?;
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if is_hidden {
                continue;
            }
            match take(&entry.path()) {
                // Its owner has removed it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => other.map_err(|it| cannot("look at", &entry.path(), &it))?,
            }
        }
    }
    Ok(files)
}

fn print(course: &Course, into: &Path, all: &[OwnerRows], console: &mut Console<'_>) -> Result<()> {
    let files = all.iter().map(|it| it.files.len()).sum();
    let files = count(files, "file", "files");
    let learners = count(all.len(), "learner", "learners");
    console.wrapped("", "", &format!("{}: {files} of {learners}", course.title))?;
    console.wrapped("", "", words::SELF_REPORTED)?;
    let mut written = 0;
    for learner in all {
        written += usize::from(of_learner(learner, console)?);
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

/// Prints what became of the files of a learner. Says whether one is taken.
fn of_learner(learner: &OwnerRows, console: &mut Console<'_>) -> Result<bool> {
    let taken = learner
        .files
        .iter()
        .find(|it| it.fate == HandInStatus::Taken);
    let older = learner
        .files
        .iter()
        .filter(|it| it.fate == HandInStatus::Older);
    let older = match older.count() {
        0 => String::new(),
        older => format!("; {}", count(older, "older file", "older files")),
    };
    let said = taken.map_or_else(
        || "nothing that can be taken".to_owned(),
        |it| {
            let records = count(it.records, "record", "records");
            format!("{records}, handed in {} UTC{older}", utc::minute(it.at_ms))
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
    Ok(taken.is_some())
}

#[cfg(test)]
mod tests;
