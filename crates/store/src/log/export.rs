//! The records of one file that somebody handed in. Nothing of it becomes part of these logs.

use super::line;
use super::read::text_of;
use super::scan::{Fault, LogEntry, scan};
use std::collections::HashMap;
use std::path::Path;
use warpup_progress::Record;

/// The most bytes of a file that somebody hands in. A learner with 500 attempts has 1.5 MiB; several files are read at once, and
/// each takes many times its size while it is graded.
pub const MAX_HANDED_IN: u64 = 16 << 20;

/// What one file holds.
#[derive(Debug, Default)]
pub struct HandedIn {
    /// Each record once, in the order of the file.
    pub records: Vec<Record>,
    /// What is wrong with the file, and where, if something is.
    pub problem: Option<String>,
    /// Whether bytes of the file have changed or are missing.
    pub is_damaged: bool,
}

/// Reads a file that `warpup progress export` wrote, as far as it can be read.
pub fn handed_in(path: &Path) -> HandedIn {
    match text_of(path, MAX_HANDED_IN) {
        Ok(bytes) => records_in(&bytes),
        Err(error) => HandedIn::refused(format!("it cannot be read: {error}")),
    }
}

impl HandedIn {
    /// A file of which nothing can be read.
    pub fn refused(why: String) -> Self {
        Self {
            records: Vec::new(),
            problem: Some(why),
            is_damaged: true,
        }
    }
}

/// Whether bytes begin as such a file does: a checksum, and an object.
pub fn is_of_a_learner(bytes: &[u8]) -> bool {
    let (sum, rest) = bytes.split_at_checked(8).unwrap_or((bytes, &[]));
    sum.iter().all(u8::is_ascii_hexdigit) && rest.starts_with(b" {")
}

/// Reads the bytes of such a file, as far as they can be read.
pub fn records_in(bytes: &[u8]) -> HandedIn {
    let mut handed_in = HandedIn::default();
    let mut ids = HashMap::new();
    let mut forged = 0_usize;
    let mut is_ours = false;
    let mut more = 0_usize;
    let mut is_damaged = false;
    scan(bytes, &mut |found| match found {
        LogEntry::Header(_) | LogEntry::Newer(_) => is_ours = true,
        LogEntry::Record(record, json) => {
            is_ours = true;
            let text = crc32c::crc32c(line::rest_of(json).as_bytes());
            match ids.insert(record.id.clone(), text) {
                None => handed_in.records.push(*record),
                Some(before) => forged += usize::from(before != text),
            }
        }
        LogEntry::Fault(line, fault, what) => {
            is_damaged |= fault == Fault::Damage;
            if handed_in.problem.is_none() {
                handed_in.problem = Some(format!("line {line}: {what}"));
            } else {
                more += 1;
            }
        }
    });
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
    handed_in
}
