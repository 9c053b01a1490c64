//! Which file of a learner is taken: the newest good one. Every other one that is not just older has a reason.

use crate::commands::class::users;
use std::cmp::Reverse;
use std::path::PathBuf;
use warpup_class::LearnerRecords;
use warpup_course::Course;
use warpup_store::log::{DropName, DroppedFile, records_in};
use warpup_text::utc;

/// As many files of one learner are read. A learner with thousands of bad ones must not keep others waiting.
const READ_AT_MOST: usize = 20;

/// A file that claims to be later than this after now has a wrong clock. Clocks of machines that work together differ by less.
const DAY_MS: u64 = 86_400_000;

/// Clocks of a learner's machine and of the file server may differ by so much.
const SLACK_MS: u64 = 600_000;

/// The files of one learner.
#[derive(Debug)]
pub(in crate::commands::class) struct OwnerRows {
    /// The user's number.
    pub(super) owner: u32,
    /// The user's name, or the number.
    pub(in crate::commands::class) user: String,
    /// The newest first.
    pub(in crate::commands::class) files: Vec<FileRow>,
}

/// What became of one file.
#[derive(Debug)]
pub(in crate::commands::class) struct FileRow {
    pub(in crate::commands::class) path: PathBuf,
    /// When it was handed in, in milliseconds since 1970 UTC, as its name or else its owner says.
    pub(super) at_ms: u64,
    pub(in crate::commands::class) fate: HandInStatus,
    /// What is wrong with it, if something is. A file that is taken may have something wrong, too.
    pub(super) reason: Option<String>,
    /// How many records of the course it has; 0 if it was not read.
    pub(super) records: usize,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands::class) enum HandInStatus {
    /// It is the one that counts.
    Taken,
    /// It would count, and its bytes could not be written.
    NotWritten,
    /// A newer one counts.
    Older,
    /// It cannot count.
    Refused,
    /// The learner has too many files that cannot count.
    Unread,
}

impl HandInStatus {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::NotWritten => "unwritten",
            Self::Older => "older",
            Self::Refused => "refused",
            Self::Unread => "unread",
        }
    }
}

impl OwnerRows {
    /// Notes that the file that counts could not be written.
    pub(super) fn was_not_written(&mut self, why: String) {
        let mut taken = self.files.iter_mut();
        if let Some(row) = taken.find(|it| it.fate == HandInStatus::Taken) {
            row.fate = HandInStatus::NotWritten;
            row.reason = in_one([Some(why), row.reason.take()]);
        }
    }
}

/// Takes the newest good file of one learner, and gives its bytes.
pub(super) fn choose(
    (owner, user): (u32, String),
    files: Vec<DroppedFile>,
    course: &Course,
    now_ms: u64,
) -> (OwnerRows, Option<Vec<u8>>) {
    let mut found: Vec<_> = files
        .into_iter()
        .map(|it| (HandInTime::of(&it, now_ms), it))
        .collect();
    found.sort_by(|left, right| (&left.0, &left.1.path).cmp(&(&right.0, &right.1.path)));
    let mut taken = None;
    let mut read = 0;
    let mut rows = Vec::new();
    for (at, file) in found {
        let mut row = FileRow {
            at_ms: at.handed_in_ms.0,
            fate: HandInStatus::Refused,
            reason: None,
            records: 0,
            path: file.path.clone(),
        };
        if let Some(why) = file.refused.clone().or_else(|| of_another(&file, &user)) {
            row.reason = Some(why);
        } else if taken.is_some() {
            row.fate = HandInStatus::Older;
            row.reason = at.strange();
        } else if read == READ_AT_MOST {
            row.fate = HandInStatus::Unread;
        } else {
            read += 1;
            match file.bytes().and_then(|it| judge(it, course, now_ms)) {
                Ok(good) => {
                    row.fate = HandInStatus::Taken;
                    row.records = good.records;
                    row.reason = in_one([at.strange(), good.reason]);
                    taken = Some(good.bytes);
                }
                Err(why) => row.reason = Some(why),
            }
        }
        rows.push(row);
    }
    let files = rows;
    (OwnerRows { owner, user, files }, taken)
}

/// When a file was handed in. The order is that in which files are tried: the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HandInTime {
    /// Later than now: who knows when. Such a file must not win over all others for ever.
    is_future: bool,
    /// What its name says, and not later than the system last saw it change.
    handed_in_ms: Reverse<u64>,
    /// Names have whole seconds.
    modified_ms: Reverse<u64>,
    /// Whether its name says a later time than the system has seen.
    is_ahead: bool,
}

impl HandInTime {
    fn of(file: &DroppedFile, now_ms: u64) -> Self {
        let name = file.path.file_name().and_then(DropName::of);
        let claimed = name.and_then(|it| utc::of_compact(&it.at));
        let at = claimed.unwrap_or(file.modified_ms);
        let is_future = at > now_ms.saturating_add(DAY_MS);
        let most = if is_future { at } else { file.changed_ms };
        Self {
            is_future,
            handed_in_ms: Reverse(at.min(most)),
            modified_ms: Reverse(file.modified_ms),
            is_ahead: at > most.saturating_add(SLACK_MS),
        }
    }

    fn strange(self) -> Option<String> {
        let said = match (self.is_future, self.is_ahead) {
            (true, _) => "it claims to be handed in in the future",
            (false, true) => {
                "its name says a later time than the file has; the time of the file counts"
            }
            (false, false) => return None,
        };
        Some(said.to_owned())
    }
}

/// Why it cannot be this user's, if its name says so.
fn of_another(file: &DroppedFile, user: &str) -> Option<String> {
    let name = file.path.file_name().and_then(DropName::of)?;
    // Where it was handed in, the directory of users may not have answered.
    let is_own = name.user == user || name.user == users::number(file.owner);
    (!is_own).then(|| {
        format!(
            "its name says that {} handed it in, but it belongs to {user} (a copy loses its owner: collect from the drop folder itself)",
            name.user
        )
    })
}

struct ReadableHandIn {
    bytes: Vec<u8>,
    records: usize,
    reason: Option<String>,
}

/// Grades a file again. A file of which bytes have changed or are missing is not good, and one without records of the course.
fn judge(bytes: Vec<u8>, course: &Course, now_ms: u64) -> Result<ReadableHandIn, String> {
    let mut learner = LearnerRecords::new(course, now_ms);
    let read = records_in(&bytes, &mut |it| learner.take(it));
    if let Some(problem) = read.problem.clone().filter(|_| read.is_damaged) {
        return Err(problem);
    }
    let records = learner.count();
    if records == 0 {
        return Err(format!("it has no record of the course `{}`", course.id));
    }
    Ok(ReadableHandIn {
        bytes,
        records,
        reason: in_one([read.problem, learner.problems()]),
    })
}

fn in_one(reasons: [Option<String>; 2]) -> Option<String> {
    let all: Vec<_> = reasons.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 951_782_400_000;

    /// A file that was handed in at this time by its name, and that the system saw change last at `changed_ms`.
    fn at(name: &str, modified_ms: u64, changed_ms: u64) -> HandInTime {
        let folder = tempfile::TempDir::new().unwrap();
        let random = "0123456789abcdef0123456789abcdef";
        let path = folder.path().join(format!("ada-{name}-{random}.jsonl"));
        std::fs::write(&path, "x").unwrap();
        let mut file = DroppedFile::at(&path).unwrap();
        (file.modified_ms, file.changed_ms) = (modified_ms, changed_ms);
        HandInTime::of(&file, NOW)
    }

    #[test]
    fn a_name_that_is_ahead_of_the_file_does_not_win_over_a_later_file() {
        let honest = at("20000228T235000Z", NOW - 600_000, NOW - 600_000);
        let ahead = at("20000229T120000Z", NOW - 900_000, NOW - 900_000);
        assert!(honest < ahead, "{honest:?} {ahead:?}");
        assert_eq!(honest.strange(), None);
        assert!(
            ahead
                .strange()
                .unwrap()
                .contains("a later time than the file has")
        );
    }

    #[test]
    fn of_two_names_of_one_second_the_file_that_was_written_later_counts() {
        let first = at("20000228T235000Z", NOW - 600_000, NOW);
        let second = at("20000228T235000Z", NOW - 599_500, NOW);
        assert!(second < first);
    }
}
