//! Records from one place to another: into these logs, out of them, and out of damaged ones.
//!
//! They are passed on as they are written, so that nothing of a record of a newer version is lost. Nothing is deleted: a
//! damaged log goes to the quarantine folder once what can be read of it is in a new log.

use super::line::{self, FOLDER, FORMAT, Header, MAX_LINE};
use super::read::{LoadedRecords, Problem, paths_in, text_of};
use super::scan::{Fault, LogEntry, scan};
use super::set_aside::set_aside;
use super::write::{Log, SaveError};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use warpup_course::CourseId;
use warpup_progress::{Event, Record};
use warpup_text::shown::Shown;

/// The most bytes of a file that is imported: an export is one file.
const MAX_IMPORT: u64 = 1 << 30;

/// Records as some logs have them.
#[derive(Debug, Default)]
pub struct RecordLines {
    /// The JSON of each record, without its number, and its id; a record that only a newer version understands may have
    /// none.
    pub(super) all: Vec<(Option<String>, String)>,
    /// What could not be read.
    pub problems: Vec<Problem>,
    is_damaged: bool,
    is_newer: bool,
    /// Whether any line is one of a log or an export.
    is_ours: bool,
}

/// What became of records that were imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportSummary {
    /// They are here now.
    pub new: usize,
    /// They were here already.
    pub known: usize,
    /// They do not fit into a line of a log.
    pub too_long: usize,
    /// Of all these, a reset hides so many.
    pub forgotten: usize,
}

/// A damaged log that was set aside.
#[derive(Debug)]
pub struct RepairedLog {
    /// Where it was.
    pub from: PathBuf,
    /// Where it is now.
    pub to: PathBuf,
    /// How many records of it are in a new log.
    pub records: usize,
}

/// Reads what can be imported: a data folder, a folder of logs, or one file.
pub fn lines_in(source: &Path) -> io::Result<RecordLines> {
    let logs = source.join(FOLDER);
    let found = fs::metadata(source)?;
    let paths = if found.is_file() {
        BTreeSet::from([source.to_owned()])
    } else if !found.is_dir() {
        return Err(io::Error::other("it is neither a file nor a folder"));
    } else if logs.is_dir() {
        paths_in(&logs)?
    } else {
        paths_in(source)?
    };
    let mut all = RecordLines::default();
    for path in paths {
        all.read(&path);
    }
    Ok(all)
}

impl RecordLines {
    /// How many records there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether it holds no record.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether anything in it is from warpup.
    pub fn is_ours(&self) -> bool {
        self.is_ours
    }

    /// Whether something is damaged or missing.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    fn read(&mut self, path: &Path) {
        match text_of(path, MAX_IMPORT) {
            Ok(bytes) => self.take(path, &bytes),
            Err(error) => self.problem(path, 0, error.to_string()),
        }
    }

    fn take(&mut self, path: &Path, bytes: &[u8]) {
        scan(bytes, &mut |found| {
            match &found {
                LogEntry::Header(_) | LogEntry::Record(..) | LogEntry::Newer(_) => {
                    self.is_ours = true;
                }
                LogEntry::Fault(..) => {}
            }
            match found {
                LogEntry::Header(header) => self.is_newer |= header.format > FORMAT,
                LogEntry::Record(record, json) => {
                    self.all.push((Some(record.id), line::without_number(json)));
                }
                LogEntry::Newer(json) => self.all.push((None, line::without_number(json))),
                LogEntry::Fault(line, Fault::Damage, what) => {
                    self.is_damaged = true;
                    self.problem(path, line, what);
                }
                LogEntry::Fault(line, Fault::Newer, what) => self.problem(path, line, what),
            }
        });
    }

    fn problem(&mut self, path: &Path, line: usize, what: String) {
        let path = path.to_owned();
        self.problems.push(Problem { path, line, what });
    }

    /// All of it as one file that can be imported. Characters that could change what a terminal shows are escaped, but in a
    /// record that only fits into a line without that.
    ///
    /// # Errors
    /// The length of a line that is too long: nothing is left out.
    pub fn as_file(&self, course: &CourseId) -> Result<String, usize> {
        let mut file = Vec::new();
        let mut header = Header::of(course);
        header.records = Some(self.len() as u64);
        let header = serde_json::to_string(&header).unwrap_or_default();
        file.extend(line::encode(Shown::json(&header).as_str())?);
        for (seq, (_, json)) in (1..).zip(&self.all) {
            let shown = Shown::json(json);
            // As long as an import allows, whatever number it gets there.
            let fits = line::longest(shown.as_str()) <= MAX_LINE;
            let json = if fits { shown.as_str() } else { json };
            file.extend(line::encode(&line::with_number(json, seq))?);
        }
        Ok(String::from_utf8_lossy(&file).into_owned())
    }
}

impl Log {
    /// Takes over records that are not among the known ones, and waits for the disk.
    pub fn import(
        &mut self,
        lines: &RecordLines,
        known: &LoadedRecords,
        at_ms: u64,
    ) -> Result<ImportSummary, SaveError> {
        let resets: Vec<_> = known.resets().collect();
        let mut seen = BTreeSet::new();
        let mut imported = ImportSummary::default();
        for (id, json) in &lines.all {
            let id = id.as_deref().unwrap_or(json);
            if known.has(id) || !seen.insert(id) {
                imported.known += 1;
            } else if self.take_json(json.clone(), true).is_ok() {
                imported.new += 1;
            } else {
                imported.too_long += 1;
            }
            imported.forgotten += usize::from(resets.iter().any(|it| hides(it, json)));
        }
        self.flush(at_ms)?;
        Ok(imported)
    }
}

/// Whether a reset hides a record.
fn hides(reset: &Record, json: &str) -> bool {
    let Ok(record) = serde_json::from_str::<Record>(json) else {
        return false;
    };
    let is_reset = matches!(record.event, Event::Reset { .. });
    let is_for_all = reset.event == Event::Reset { lesson: None };
    let is_meant = is_for_all || reset.event.lesson() == record.event.lesson();
    !is_reset && is_meant && reset.course == record.course && reset.at_ms >= record.at_ms
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Sets damaged logs of the data folder `dir` aside, and writes what can be read of each to a new log first.
pub fn repair(dir: &Path, course: &CourseId, at_ms: u64) -> Result<Vec<RepairedLog>, SaveError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| SaveError::Disk {
            record: None,
            path,
            source,
        }
    };
    let folder = dir.join(FOLDER);
    let mut repaired = Vec::new();
    let paths = match paths_in(&folder) {
        Err(error) if is_absent(&error) => return Ok(repaired),
        paths => paths.map_err(at(&folder))?,
    };
    for from in paths {
        let mut lines = RecordLines::default();
        lines.read(&from);
        // A log of a newer version may only look damaged.
        if !lines.is_damaged || lines.is_newer {
            continue;
        }
        let nothing = LoadedRecords::default();
        let mut log = Log::new(Some(dir.to_owned()), course);
        log.import(&lines, &nothing, at_ms)?;
        let to = set_aside(dir, &from, at_ms).map_err(at(&from))?;
        // Another process may have added records until now.
        let mut again = RecordLines::default();
        again.read(&to);
        let added = again.all.split_off(lines.len().min(again.len()));
        again.all = added;
        log.import(&again, &nothing, at_ms)?;
        let records = lines.len() + again.len();
        repaired.push(RepairedLog { from, to, records });
    }
    Ok(repaired)
}
