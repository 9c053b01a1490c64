//! The records of one file that somebody handed in. Nothing of it becomes part of these logs.
//!
//! A file is read line by line and gives its records one by one: who makes a large one costs nobody its size.

use super::line;
use super::scan::{Fault, LogEntry, scan_lines};
use crate::text_file;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;
use warpup_progress::Record;

/// The most bytes of a file that somebody hands in. A learner with 500 attempts has 1.5 MiB without programs.
pub const MAX_HANDED_IN: u64 = 16 << 20;

/// Of what is wrong, so many letters are said: a file may put its own texts into it.
const MOST_LETTERS: usize = 200;

/// How one file is.
#[derive(Debug, Default)]
pub struct HandedIn {
    /// What is wrong with the file, and where, if something is.
    pub problem: Option<String>,
    /// Whether bytes of the file have changed or are missing.
    pub is_damaged: bool,
}

/// Reads a file that `warpup progress export` wrote, as far as it can be read. Gives each record once, in the order of the file.
pub fn handed_in(path: &Path, take: &mut dyn FnMut(Record)) -> HandedIn {
    let read = text_file::open(path).and_then(|(file, length)| {
        if length > MAX_HANDED_IN {
            return Ok(HandedIn::refused(too_large()));
        }
        records_from(BufReader::new(file.take(MAX_HANDED_IN)), take)
    });
    read.unwrap_or_else(|error| HandedIn::refused(format!("it cannot be read: {error}")))
}

impl HandedIn {
    /// A file of which nothing can be read.
    pub fn refused(why: String) -> Self {
        Self {
            problem: Some(why),
            is_damaged: true,
        }
    }
}

/// What is said of a file with more than [`MAX_HANDED_IN`].
pub(super) fn too_large() -> String {
    format!(
        "it has more than {} MiB, which no answers fill; a file without programs is smaller: `warpup progress export --without-programs FILE`",
        MAX_HANDED_IN >> 20
    )
}

/// Whether bytes begin as such a file does: a checksum, and an object.
pub fn is_of_a_learner(bytes: &[u8]) -> bool {
    let (sum, rest) = bytes.split_at_checked(8).unwrap_or((bytes, &[]));
    sum.iter().all(u8::is_ascii_hexdigit) && rest.starts_with(b" {")
}

/// Reads the bytes of such a file in the same way.
pub fn records_in(bytes: &[u8], take: &mut dyn FnMut(Record)) -> HandedIn {
    // Reading what is in memory does not fail.
    records_from(bytes, take).unwrap_or_default()
}

fn records_from(file: impl BufRead, take: &mut dyn FnMut(Record)) -> io::Result<HandedIn> {
    let mut handed_in = HandedIn::default();
    // Hashes of the ids and sums of what is beside them: only whether they are equal matters.
    let mut ids = HashMap::new();
    let mut forged = 0_usize;
    let mut is_ours = false;
    let mut more = 0_usize;
    let mut is_damaged = false;
    scan_lines(file, &mut |found| match found {
        LogEntry::Header(_) | LogEntry::Newer(_) => is_ours = true,
        LogEntry::Record(record, json) => {
            is_ours = true;
            let text = crc32c::crc32c(line::rest_of(json).as_bytes());
            let mut id = DefaultHasher::new();
            record.id.hash(&mut id);
            match ids.insert(id.finish(), text) {
                None => take(*record),
                Some(before) => forged += usize::from(before != text),
            }
        }
        LogEntry::Fault(line, fault, what) => {
            is_damaged |= fault == Fault::Damage;
            if handed_in.problem.is_none() {
                let what: String = what.chars().take(MOST_LETTERS).collect();
                handed_in.problem = Some(format!("line {line}: {what}"));
            } else {
                more += 1;
            }
        }
    })?;
    if forged > 0 && handed_in.problem.is_none() {
        let what = "a record has the id of another one, and says something else";
        handed_in.problem = Some(what.to_owned());
    }
    handed_in.is_damaged = is_damaged || !is_ours;
    if !is_ours {
        let what = "it is not a file that `warpup progress export` wrote";
        handed_in.problem = Some(what.to_owned());
    } else if let Some(problem) = handed_in.problem.as_mut().filter(|_| more > 0) {
        *problem = format!("{problem} (and {more} more)");
    }
    Ok(handed_in)
}

#[cfg(test)]
mod tests {
    use super::super::{Log, MAX_LINE, lines_in};
    use super::*;
    use std::fs;
    use tempfile::TempDir;
    use warpup_course::{CourseId, LabId, LessonId};
    use warpup_progress::Event;

    /// A log with the longest program of each of these letters that fits, as a file. Gives how many records it has.
    fn full_log(letters: &[char]) -> (String, usize) {
        let dir = TempDir::new().unwrap();
        let course = CourseId::new("warpup");
        let mut log = Log::new(Some(dir.path().to_owned()), &course);
        let mut records = 0;
        for letter in letters {
            let mut longest = 0;
            for bit in (0..17).rev() {
                let length = longest | 1 << bit;
                let edited = Event::Edited {
                    lesson: LessonId::new("copies"),
                    lab: LabId::new("bus"),
                    source: Some(letter.to_string().repeat(length)),
                };
                if log.append(edited, 951_782_400_000).is_ok() {
                    (longest, records) = (length, records + 1);
                }
            }
        }
        let file = lines_in(dir.path()).unwrap().as_file(&course);
        (file.unwrap(), records)
    }

    #[test]
    fn every_line_that_a_log_holds_is_taken_from_a_file() {
        let (file, records) = full_log(&['x', 'é', '"', '\u{1b}', '\u{200b}', '\u{e0001}']);
        let longest = file.lines().map(str::len).max().unwrap();
        assert!(longest > MAX_LINE - 30, "{longest}");
        let mut taken = 0;
        let read = records_in(file.as_bytes(), &mut |_| taken += 1);
        assert_eq!(
            (taken, read.problem, read.is_damaged),
            (records, None, false)
        );
    }

    #[test]
    fn a_file_is_read_up_to_its_largest_size_and_nothing_of_a_larger_one() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("ada.jsonl");
        let (file, records) = full_log(&['x']);
        let read = |file: &str| {
            fs::write(&path, file).unwrap();
            let mut taken = 0;
            let read = handed_in(&path, &mut |_| taken += 1);
            (taken, read.problem.unwrap_or_default())
        };
        let room = usize::try_from(MAX_HANDED_IN).unwrap() - file.len();
        let full = file.clone() + &"\n".repeat(room);
        assert_eq!(read(&full), (records, String::new()));
        let (taken, problem) = read(&(full + "\n"));
        assert_eq!(taken, 0);
        assert!(problem.starts_with("it has more than 16 MiB"), "{problem}");
    }
}
