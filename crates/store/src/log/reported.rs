//! Which problems were reported, so that each is reported once and not at every start for ever.
//!
//! A file beside the logs has a checksum of each problem a line. Where it cannot be written, problems are reported again.

use super::read::Problem;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The file, in the data folder.
const FILE: &str = "reported";

/// A file of more bytes is no list of ours.
const MAX_BYTES: u64 = 1 << 20;

/// The problems that were not reported before.
pub fn not_reported(dir: &Path, problems: &[Problem]) -> Vec<Problem> {
    if problems.is_empty() {
        return Vec::new();
    }
    let path = dir.join(FILE);
    let is_ours = fs::metadata(&path).is_ok_and(|it| it.is_file() && it.len() < MAX_BYTES);
    let text = if is_ours {
        fs::read_to_string(&path).unwrap_or_default()
    } else {
        String::new()
    };
    let reported: BTreeSet<_> = text.lines().collect();
    let is_new = |it: &&Problem| !reported.contains(key(it).as_str());
    problems.iter().filter(is_new).cloned().collect()
}

/// Notes that problems were reported.
pub fn note_reported(dir: &Path, problems: &[Problem]) -> io::Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    let lines: String = problems.iter().map(|it| key(it) + "\n").collect();
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(dir.join(FILE))?;
    file.write_all(lines.as_bytes())
}

fn key(problem: &Problem) -> String {
    let name = problem.path.file_name().unwrap_or_default();
    let text = format!(
        "{}:{}: {}",
        name.to_string_lossy(),
        problem.line,
        problem.what
    );
    format!("{:08x}", crc32c::crc32c(text.as_bytes()))
}
