//! One log, line by line: its records, its header, and what is damaged or missing.
//!
//! Pure. A torn last line, runs of NUL, text that is no UTF-8 and lines of a newer version are ordinary input.

use super::line::{self, FORMAT, Header, MAX_LINE};
use std::ops::RangeInclusive;
use warpup_progress::Record;

/// A record of a later time, in milliseconds since 1970, is not believed: its successors could not be later. This is
/// the year 6429, and ids have room for it.
const LAST_MS: u64 = 1 << 47;

/// What a line is, or what is between two lines.
pub(super) enum LogEntry<'a> {
    /// The first line of a log.
    Header(Header),
    /// A record, and its JSON.
    Record(Box<Record>, &'a str),
    /// The JSON of an intact line that only a newer version understands.
    Newer(&'a str),
    /// Something is wrong: the line, from 1, and what.
    Fault(usize, Fault, String),
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Bytes have changed or are missing.
    Damage,
    /// A newer version wrote it.
    Newer,
}

/// Scans the bytes of a log. Returns how many records it had: one that is damaged or missing counts, too.
pub(super) fn scan<'a>(bytes: &'a [u8], tell: &mut dyn FnMut(LogEntry<'a>)) -> u64 {
    let (whole, torn) = match bytes.iter().rposition(|it| *it == b'\n') {
        Some(end) => bytes.split_at(end + 1),
        None => (&[][..], bytes),
    };
    let mut count = Count::default();
    let mut lines = 0;
    for text in whole.split_inclusive(|it| *it == b'\n') {
        lines += 1;
        match read_line(text) {
            Line::Empty => {}
            Line::Header(header) => {
                if header.format > FORMAT {
                    let app: String = header.app.chars().take(40).collect();
                    let what = format!("written by warpup {app}: what this version knows is read");
                    tell(LogEntry::Fault(lines, Fault::Newer, what));
                }
                if let Some(what) = count.cut_off(0) {
                    tell(LogEntry::Fault(
                        lines,
                        Fault::Damage,
                        format!("{what} before this line"),
                    ));
                }
                count.header(header.records);
                tell(LogEntry::Header(header));
            }
            Line::Record(seq, record, json) => {
                if let Some(missing) = count.record(seq) {
                    tell(LogEntry::Fault(
                        lines,
                        Fault::Damage,
                        format!("{} before this line", numbers(&missing)),
                    ));
                }
                tell(LogEntry::Record(record, json));
            }
            Line::Newer(json, what) => {
                count.damaged();
                tell(LogEntry::Fault(lines, Fault::Newer, what));
                tell(LogEntry::Newer(json));
            }
            Line::Damaged(what) => {
                count.damaged();
                tell(LogEntry::Fault(lines, Fault::Damage, what));
            }
        }
    }
    if !line::trim_nul(torn).is_empty() {
        let what = format!("cut short{}", lost(torn));
        tell(LogEntry::Fault(lines + 1, Fault::Damage, what));
    } else if lines == 0 && !torn.is_empty() {
        tell(LogEntry::Fault(
            0,
            Fault::Damage,
            "it holds nothing but NUL bytes".to_owned(),
        ));
    }
    let torn = u64::from(!torn.is_empty());
    if let Some(what) = count.cut_off(torn) {
        tell(LogEntry::Fault(
            lines,
            Fault::Damage,
            format!("{what} after this line"),
        ));
    }
    let before = count.earlier.saturating_add(count.last);
    before.saturating_add(count.damaged + torn)
}

/// Counts the records of a log.
#[derive(Default)]
struct Count {
    /// Records of other logs in the same file.
    earlier: u64,
    /// The number of the last record.
    last: u64,
    /// Damaged lines since then, which explain as many missing numbers.
    damaged: u64,
    /// How many records an export says that it has.
    promised: Option<u64>,
}

impl Count {
    /// Counts a record. Gives the numbers that are missing before it.
    fn record(&mut self, seq: Option<u64>) -> Option<RangeInclusive<u64>> {
        // A forged number may be the largest there is.
        let next = self.last.saturating_add(self.damaged + 1);
        self.damaged = 0;
        match seq {
            Some(seq) => {
                self.last = self.last.max(seq);
                (seq > next).then(|| next..=seq - 1)
            }
            None => {
                self.last = next;
                None
            }
        }
    }

    /// Several logs may have been put into one file; each has its own numbers.
    fn header(&mut self, promised: Option<u64>) {
        let all = self.last.saturating_add(self.damaged);
        self.earlier = self.earlier.saturating_add(all);
        (self.last, self.damaged) = (0, 0);
        self.promised = promised;
    }

    /// What is missing at the end of an export, which may have a torn line.
    fn cut_off(&self, torn: u64) -> Option<String> {
        let promised = self.promised?;
        let missing = promised.saturating_sub(self.last.saturating_add(self.damaged + torn));
        (missing > 0).then(|| format!("{missing} of {promised} records are missing"))
    }

    fn damaged(&mut self) {
        self.damaged += 1;
    }
}

/// What is missing, in words.
fn numbers(missing: &RangeInclusive<u64>) -> String {
    if missing.start() == missing.end() {
        format!("record {} is missing", missing.start())
    } else {
        format!(
            "records {} to {} are missing",
            missing.start(),
            missing.end()
        )
    }
}

enum Line<'a> {
    Empty,
    Header(Header),
    Record(Option<u64>, Box<Record>, &'a str),
    Newer(&'a str, String),
    Damaged(String),
}

fn read_line(text: &[u8]) -> Line<'_> {
    let text = line::trim_nul(text.strip_suffix(b"\n").unwrap_or(text));
    if text.is_empty() {
        return Line::Empty;
    }
    if text.len() >= MAX_LINE {
        return Line::Damaged("too long".to_owned());
    }
    let json = line::decode(text).and_then(|it| std::str::from_utf8(it).ok());
    let Some(json) = json else {
        return Line::Damaged(format!("damaged: its checksum is another{}", lost(text)));
    };
    match serde_json::from_str::<Record>(json) {
        Ok(record) if record.at_ms > LAST_MS => Line::Damaged(format!(
            "its time is not a date: {} ms after 1970",
            record.at_ms
        )),
        Ok(record) => Line::Record(line::number_of(json), Box::new(record), json),
        Err(error) => match serde_json::from_str::<Header>(json) {
            Ok(header) => Line::Header(header),
            // Intact, so a later version wrote it on purpose.
            Err(_) => Line::Newer(json, format!("not understood by this version: {error}")),
        },
    }
}

/// What a damaged line held, as far as it can still be seen: `; a record `answered` of the lesson `copies` is lost`.
fn lost(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let value = |key: &str| {
        let (_, rest) = text.split_once(&format!("\"{key}\":\""))?;
        let (value, _) = rest.split_once('"')?;
        let is_name = |it: char| it.is_ascii_alphanumeric() || "-_".contains(it);
        (value.len() <= 64 && value.chars().all(is_name)).then(|| value.to_owned())
    };
    let Some(kind) = value("kind") else {
        return String::new();
    };
    let lesson = value("lesson").map_or(String::new(), |it| format!(" of the lesson `{it}`"));
    format!("; a record `{kind}`{lesson} is lost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forged_number_of_a_record_is_counted_and_ends_nothing() {
        let mut count = Count::default();
        assert_eq!(count.record(Some(u64::MAX)), Some(1..=u64::MAX - 1));
        assert_eq!(count.record(None), None);
        count.damaged();
        assert_eq!(count.record(Some(u64::MAX)), None);
        count.header(Some(u64::MAX));
        assert_eq!(count.earlier, u64::MAX);
        count.record(Some(u64::MAX));
        assert_eq!(count.cut_off(1), None);
    }
}
