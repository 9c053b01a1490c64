//! One log, line by line: its records, its header, and what is damaged or missing.
//!
//! Pure. A torn last line, runs of NUL, text that is no UTF-8 and lines of a newer version are ordinary input.

use super::line::{self, FORMAT, Header, MAX_LINE};
use std::io::{self, BufRead, Read as _};
use std::ops::RangeInclusive;
use warpup_progress::{LAST_MS, Record};

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
pub(super) fn scan(bytes: &[u8], tell: &mut dyn FnMut(LogEntry<'_>)) -> u64 {
    // Reading what is in memory does not fail.
    scan_lines(bytes, tell).unwrap_or_default()
}

/// The same for a file that is read line by line: it costs the memory of one line, however large it is.
pub(super) fn scan_lines(
    mut log: impl BufRead,
    tell: &mut dyn FnMut(LogEntry<'_>),
) -> io::Result<u64> {
    let mut count = Count::default();
    let mut lines = 0;
    let mut is_torn = false;
    let mut text = Vec::new();
    while let Some(end) = next_line(&mut log, &mut text)? {
        if end == LineEnd::Torn {
            is_torn = true;
            break;
        }
        lines += 1;
        let line = match end {
            LineEnd::TooLong => Line::Damaged("too long".to_owned()),
            LineEnd::Whole | LineEnd::Torn => read_line(&text),
        };
        tell_line(lines, line, &mut count, tell);
    }
    if is_torn {
        let torn = line::trim_nul(&text);
        if !torn.is_empty() {
            let what = format!("cut short{}", lost(torn));
            tell(LogEntry::Fault(lines + 1, Fault::Damage, what));
        } else if lines == 0 {
            let what = "it holds nothing but NUL bytes".to_owned();
            tell(LogEntry::Fault(0, Fault::Damage, what));
        }
    }
    let torn = u64::from(is_torn);
    if let Some(what) = count.cut_off(torn) {
        let what = format!("{what} after this line");
        tell(LogEntry::Fault(lines, Fault::Damage, what));
    }
    let before = count.earlier.saturating_add(count.last);
    Ok(before.saturating_add(count.damaged + torn))
}

/// Counts a line and tells what it is.
fn tell_line(number: usize, line: Line<'_>, count: &mut Count, tell: &mut dyn FnMut(LogEntry<'_>)) {
    match line {
        Line::Empty => {}
        Line::Header(header) => {
            if header.format > FORMAT {
                let app: String = header.app.chars().take(40).collect();
                let what = format!("written by warpup {app}: what this version knows is read");
                tell(LogEntry::Fault(number, Fault::Newer, what));
            }
            if let Some(what) = count.cut_off(0) {
                let what = format!("{what} before this line");
                tell(LogEntry::Fault(number, Fault::Damage, what));
            }
            count.header(header.records);
            tell(LogEntry::Header(header));
        }
        Line::Record(seq, record, json) => {
            if let Some(missing) = count.record(seq) {
                let what = format!("{} before this line", numbers(&missing));
                tell(LogEntry::Fault(number, Fault::Damage, what));
            }
            tell(LogEntry::Record(record, json));
        }
        Line::Newer(json, what) => {
            count.damaged();
            tell(LogEntry::Fault(number, Fault::Newer, what));
            tell(LogEntry::Newer(json));
        }
        Line::Damaged(what) => {
            count.damaged();
            tell(LogEntry::Fault(number, Fault::Damage, what));
        }
    }
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnd {
    /// With a line feed.
    Whole,
    /// With the file.
    Torn,
    /// With a line feed that comes too late: the text is only its beginning.
    TooLong,
}

/// Reads the next line without its line feed; nothing at the end of the file. Runs of NUL at both ends may have any length.
fn next_line(log: &mut impl BufRead, text: &mut Vec<u8>) -> io::Result<Option<LineEnd>> {
    let is_done = |text: &mut Vec<u8>| text.pop_if(|it| *it == b'\n').is_some();
    text.clear();
    let mut is_empty = true;
    while text.len() < MAX_LINE {
        let room = MAX_LINE - text.len();
        if log.by_ref().take(room as u64).read_until(b'\n', text)? == 0 {
            return Ok((!is_empty).then_some(LineEnd::Torn));
        }
        is_empty = false;
        if is_done(text) {
            return Ok(Some(LineEnd::Whole));
        }
        let nul = text.iter().take_while(|it| **it == 0).count();
        text.drain(..nul);
    }
    let mut rest = Vec::new();
    let mut end = LineEnd::Whole;
    loop {
        rest.clear();
        if log
            .by_ref()
            .take(MAX_LINE as u64)
            .read_until(b'\n', &mut rest)?
            == 0
        {
            return Ok(Some(LineEnd::Torn));
        }
        let has_end = is_done(&mut rest);
        if !line::trim_nul(&rest).is_empty() {
            end = LineEnd::TooLong;
        }
        if has_end {
            return Ok(Some(end));
        }
    }
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
    let text = line::trim_nul(text);
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

    /// Each entry of a log that is read in pieces of this size, and how many records it had.
    fn told(log: &[u8], piece: usize) -> String {
        let mut told = Vec::new();
        let reader = io::BufReader::with_capacity(piece, log);
        let count = scan_lines(reader, &mut |found| {
            told.push(match found {
                LogEntry::Header(_) => "header".to_owned(),
                LogEntry::Record(record, json) => format!("record {} {}", record.id, json.len()),
                LogEntry::Newer(_) => "newer".to_owned(),
                LogEntry::Fault(line, _, what) => format!("{line}: {what}"),
            });
        });
        told.push(format!("{} records", count.unwrap()));
        told.join("\n")
    }

    fn record(id: &str, bytes: usize) -> Vec<u8> {
        let json = format!(
            r#"{{"id":"{id}","at_ms":1,"course":"","kind":"edited","lesson":"a","lab":"b","source":""#
        );
        // Around the program are a checksum, a space, what is above, two letters and a line feed.
        let source = "x".repeat(bytes.saturating_sub(json.len() + 12));
        line::encode(&format!("{json}{source}\"}}")).unwrap()
    }

    #[test]
    fn lines_are_read_in_pieces_up_to_the_longest_and_nul_at_their_ends_has_any_length() {
        let nul = |length| vec![0; length];
        let logs: Vec<Vec<u8>> = vec![
            [record("a", 100), record("b", MAX_LINE), record("c", 100)].concat(),
            [nul(3 * MAX_LINE), record("a", 60_000), record("b", 100)].concat(),
            [nul(40_000), record("a", 40_000)].concat(),
            [&record("a", 40_000)[..39_999], &nul(100_000), b"\n"].concat(),
            [&record("a", 40_000)[..39_999], &nul(100_000), b"x\n"].concat(),
            [vec![b'x'; MAX_LINE], vec![b'\n'], record("a", 100)].concat(),
            [vec![b'x'; 5 * MAX_LINE], record("a", 100)].concat(),
            [record("a", 100), vec![b'x'; 5 * MAX_LINE]].concat(),
            nul(2 * MAX_LINE + 7),
            nul(MAX_LINE),
            [record("a", 100), nul(MAX_LINE)].concat(),
            Vec::new(),
        ];
        let all: Vec<_> = logs.iter().map(|it| told(it, 1 << 16)).collect();
        for (log, told_at_once) in logs.iter().zip(&all) {
            for piece in [1, 4095, 1 << 20] {
                assert_eq!(told(log, piece), *told_at_once);
            }
        }
        insta::assert_snapshot!(all.join("\n---\n"), @"
        record a 90
        record b 65526
        record c 90
        3 records
        ---
        record a 59990
        record b 90
        2 records
        ---
        record a 39990
        1 records
        ---
        record a 39990
        1 records
        ---
        1: too long
        1 records
        ---
        1: too long
        record a 90
        2 records
        ---
        1: too long
        1 records
        ---
        record a 90
        2: cut short
        2 records
        ---
        0: it holds nothing but NUL bytes
        1 records
        ---
        0: it holds nothing but NUL bytes
        1 records
        ---
        record a 90
        2 records
        ---
        0 records
        ");
    }

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
