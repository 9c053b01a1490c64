//! Which file of a learner is taken: the newest good one. Every other one that is not just older has a reason.

use crate::class::{claims, in_short, strange_dates};
use crate::commands::class::users;
use crate::course::Course;
use crate::store::log::{DropName, Dropped, records_in};
use crate::utc;
use std::cmp::Reverse;
use std::path::PathBuf;

/// As many files of one learner are read. A learner with thousands of bad ones must not keep others waiting.
const READ_AT_MOST: usize = 20;

/// A file that claims to be later than this after now has a wrong clock. Clocks of machines that work together differ by less.
const DAY_MS: u64 = 86_400_000;

/// The files of one learner.
#[derive(Debug)]
pub(super) struct OwnerRows {
    /// The user's number.
    pub(super) owner: u32,
    /// The user's name, or the number.
    pub(super) user: String,
    /// The newest first.
    pub(super) files: Vec<FileRow>,
}

/// What became of one file.
#[derive(Debug)]
pub(super) struct FileRow {
    pub(super) path: PathBuf,
    /// When it was handed in, in milliseconds since 1970 UTC, as its name or else its owner says.
    pub(super) at_ms: u64,
    pub(super) fate: Fate,
    /// What is wrong with it, if something is. A file that is taken may have something wrong, too.
    pub(super) reason: Option<String>,
    /// How many records of the course it has; 0 if it was not read.
    pub(super) records: usize,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is the one that counts.
    Taken,
    /// A newer one counts.
    Older,
    /// It cannot count.
    Refused,
    /// The learner has too many files that cannot count.
    Unread,
}

impl Fate {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Older => "older",
            Self::Refused => "refused",
            Self::Unread => "unread",
        }
    }
}

/// Takes the newest good file of one learner, and gives its bytes.
pub(super) fn choose(
    (owner, user): (u32, String),
    files: Vec<Dropped>,
    course: &Course,
    now_ms: u64,
) -> (OwnerRows, Option<Vec<u8>>) {
    let mut found: Vec<_> = files
        .into_iter()
        .map(|it| (At::of(&it, now_ms), it))
        .collect();
    found.sort_by(|left, right| (&left.0, &left.1.path).cmp(&(&right.0, &right.1.path)));
    let mut taken = None;
    let mut read = 0;
    let mut rows = Vec::new();
    for (at, file) in found {
        let mut row = FileRow {
            at_ms: at.ms(),
            fate: Fate::Refused,
            reason: None,
            records: 0,
            path: file.path.clone(),
        };
        if let Some(why) = file.refused.clone().or_else(|| of_another(&file, &user)) {
            row.reason = Some(why);
        } else if taken.is_some() {
            row.fate = Fate::Older;
            row.reason = at.strange();
        } else if read == READ_AT_MOST {
            row.fate = Fate::Unread;
        } else {
            read += 1;
            match file.bytes().and_then(|it| judge(it, course, now_ms)) {
                Ok(good) => {
                    row.fate = Fate::Taken;
                    row.records = good.records;
                    row.reason = in_one([at.strange(), good.reason, None]);
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

/// When a file was handed in. The order is that in which files are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    /// The newest first.
    Then(Reverse<u64>),
    /// Later than now: who knows when. Such a file must not win over all others for ever.
    Future(Reverse<u64>),
}

impl At {
    fn of(file: &Dropped, now_ms: u64) -> Self {
        let name = file.path.file_name().and_then(DropName::of);
        let claimed = name.and_then(|it| utc::of_compact(&it.at));
        let at = claimed.unwrap_or(file.modified_ms);
        if at > now_ms.saturating_add(DAY_MS) {
            Self::Future(Reverse(at))
        } else {
            Self::Then(Reverse(at))
        }
    }

    fn ms(self) -> u64 {
        let (Self::Then(Reverse(at)) | Self::Future(Reverse(at))) = self;
        at
    }

    fn strange(self) -> Option<String> {
        let is_future = matches!(self, Self::Future(_));
        is_future.then(|| "it claims to be handed in in the future".to_owned())
    }
}

/// Why it cannot be this user's, if its name says so.
fn of_another(file: &Dropped, user: &str) -> Option<String> {
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

struct Good {
    bytes: Vec<u8>,
    records: usize,
    reason: Option<String>,
}

/// Grades a file again. A file of which bytes have changed or are missing is not good, and one without records of the course.
fn judge(bytes: Vec<u8>, course: &Course, now_ms: u64) -> Result<Good, String> {
    let read = records_in(&bytes);
    let own = |it: &&crate::progress::Record| it.course == course.id.as_str();
    let records = read.records.iter().filter(own).count();
    if let Some(problem) = read.problem.clone().filter(|_| read.is_damaged) {
        return Err(problem);
    }
    if records == 0 {
        return Err(format!("it has no record of the course `{}`", course.id));
    }
    let dates = strange_dates(&read.records, now_ms);
    let mut ours = read.records;
    ours.retain(|it| it.course == course.id.as_str());
    let forged = in_short(claims(course, ours));
    Ok(Good {
        bytes,
        records,
        reason: in_one([dates, read.problem, forged]),
    })
}

fn in_one(reasons: [Option<String>; 3]) -> Option<String> {
    let all: Vec<_> = reasons.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}
