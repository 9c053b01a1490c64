//! The records of one file that somebody handed in. Nothing of it is taken over.

use super::read::{MAX_FILE, text_of};
use super::scan::{Found, scan};
use crate::progress::Record;
use std::collections::BTreeSet;
use std::path::Path;

/// What one file holds.
#[derive(Debug, Default)]
pub struct HandedIn {
    /// Each record once, in the order of the file.
    pub records: Vec<Record>,
    /// What is wrong with the file, and where, if something is.
    pub problem: Option<String>,
}

/// Reads a file that `warpup progress export` wrote, as far as it can be read.
pub fn handed_in(path: &Path) -> HandedIn {
    let bytes = match text_of(path, MAX_FILE) {
        Ok(bytes) => bytes,
        Err(error) => {
            return HandedIn {
                records: Vec::new(),
                problem: Some(format!("it cannot be read: {error}")),
            };
        }
    };
    let mut handed_in = HandedIn::default();
    let mut ids = BTreeSet::new();
    let mut is_ours = false;
    let mut more = 0_usize;
    scan(&bytes, &mut |found| match found {
        Found::Header(_) | Found::Newer(_) => is_ours = true,
        Found::Record(record, _) => {
            is_ours = true;
            if ids.insert(record.id.clone()) {
                handed_in.records.push(*record);
            }
        }
        Found::Fault(line, _, what) if handed_in.problem.is_none() => {
            handed_in.problem = Some(format!("line {line}: {what}"));
        }
        Found::Fault(..) => more += 1,
    });
    if !is_ours {
        let what = "it is not a file that `warpup progress export` wrote";
        handed_in.problem = Some(what.to_owned());
    } else if let Some(problem) = handed_in.problem.as_mut().filter(|_| more > 0) {
        *problem = format!("{problem} (and {more} more)");
    }
    handed_in
}
