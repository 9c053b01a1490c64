//! What was collected, for programs. Scripts depend on the keys.

use super::choice::{FileRow, HandInStatus};
use super::{Collection, ReadProblem};
use serde::Serialize;
use std::path::Path;
use warpup_course::Course;
use warpup_text::utc;

#[derive(Serialize)]
struct CollectedJson<'a> {
    course: &'a str,
    into: String,
    self_reported: bool,
    learners: Vec<LearnerJson<'a>>,
    /// What could not be looked at, so that nobody knows whose it is.
    problems: Vec<String>,
}

#[derive(Serialize)]
struct LearnerJson<'a> {
    learner: &'a str,
    uid: u32,
    /// The name of its file in the folder; nothing if none is good, or it could not be written.
    written: Option<String>,
    files: Vec<FileJson<'a>>,
}

#[derive(Serialize)]
struct FileJson<'a> {
    file: String,
    handed_in_utc: String,
    /// `taken`, `unwritten`, `older`, `refused` or `unread`.
    status: &'static str,
    records: usize,
    problem: Option<&'a str>,
}

/// All rows.
pub(super) fn of<'a>(
    course: &'a Course,
    into: &Path,
    collected: &'a Collection,
) -> impl Serialize + 'a {
    let learners = collected.owners.iter().map(|it| {
        let is_taken = it.files.iter().any(|it| it.fate == HandInStatus::Taken);
        LearnerJson {
            learner: &it.user,
            uid: it.owner,
            written: is_taken.then(|| format!("{}.jsonl", it.user)),
            files: it.files.iter().map(file).collect(),
        }
    });
    CollectedJson {
        course: course.id.as_str(),
        into: into.display().to_string(),
        self_reported: true,
        learners: learners.collect(),
        problems: collected.not_read.iter().map(ReadProblem::words).collect(),
    }
}

fn file(row: &FileRow) -> FileJson<'_> {
    FileJson {
        file: row.path.display().to_string(),
        handed_in_utc: utc::minute(row.at_ms),
        status: row.fate.word(),
        records: row.records,
        problem: row.reason.as_deref(),
    }
}
