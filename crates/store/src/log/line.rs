//! One line of a log: a checksum, a space, JSON, a line feed.
//!
//! Pure. What the JSON means is not looked at here, but for that of a log's first line.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use warpup_course::CourseId;

/// The most bytes a line has, its line feed included: more is damage, or not worth a log.
pub const MAX_LINE: usize = 64 * 1024;

/// Bytes before the JSON: eight hexadecimal digits and a space.
const PREFIX: usize = 9;

/// How the JSON of a numbered record begins.
const NUMBER: &str = "{\"seq\":";

/// The folder for logs inside the data folder.
pub(super) const FOLDER: &str = "log";

/// The version of the lines. Lines of a higher version are read as far as possible.
pub(super) const FORMAT: u32 = 1;

/// The first line of a file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) app: String,
    pub(super) host: String,
    pub(super) course: String,
    /// How many records other logs had when this one was begun: a log with fewer was cut off. Only logs that no
    /// earlier header counts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) seen: BTreeMap<String, u64>,
    /// How many records follow; an export knows, a log does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) records: Option<u64>,
}

impl Header {
    /// The header of a log of this version.
    pub(super) fn of(course: &CourseId) -> Self {
        Self {
            format: FORMAT,
            app: env!("CARGO_PKG_VERSION").to_owned(),
            course: course.to_string(),
            ..Self::default()
        }
    }
}

/// Makes a line of JSON text, or says how long it would be.
pub(super) fn encode(json: &str) -> Result<Vec<u8>, usize> {
    let line = format!("{:08x} {json}\n", crc32c::crc32c(json.as_bytes())).into_bytes();
    if line.len() > MAX_LINE {
        return Err(line.len());
    }
    Ok(line)
}

/// The JSON of a record with its number in its log, as `{"seq":7,…`. A gap shows that lines are missing.
pub(super) fn with_number(json: &str, seq: u64) -> String {
    let rest = json.strip_prefix('{').unwrap_or(json);
    format!("{NUMBER}{seq},{rest}")
}

/// The length of a record's line with the largest number.
pub(super) fn longest(json: &str) -> usize {
    // The digits of the largest number, and a comma.
    PREFIX + NUMBER.len() + 21 + json.len()
}

/// The number of a record in its log; older versions wrote none.
pub(super) fn number_of(json: &str) -> Option<u64> {
    split_number(json).map(|it| it.0)
}

/// The JSON of a record without its number.
pub(super) fn without_number(json: &str) -> String {
    split_number(json).map_or_else(|| json.to_owned(), |(_, rest)| format!("{{{rest}"))
}

/// What follows the number in the JSON of a record.
pub(super) fn rest_of(json: &str) -> &str {
    split_number(json).map_or_else(|| json.strip_prefix('{').unwrap_or(json), |it| it.1)
}

fn split_number(json: &str) -> Option<(u64, &str)> {
    let (seq, rest) = json.strip_prefix(NUMBER)?.split_once(',')?;
    Some((seq.parse().ok()?, rest))
}

/// The JSON of each intact line, without numbers.
pub(super) fn json_of_lines(bytes: &[u8]) -> impl Iterator<Item = String> {
    let lines = bytes.split(|it| *it == b'\n');
    let intact = lines.filter_map(|it| std::str::from_utf8(decode(trim_nul(it))?).ok());
    intact.map(without_number)
}

/// Takes the JSON out of a line without its line feed. Nothing if a byte of it has changed.
pub(super) fn decode(line: &[u8]) -> Option<&[u8]> {
    let (prefix, json) = line.split_at_checked(PREFIX)?;
    let (digits, space) = prefix.split_at_checked(PREFIX - 1)?;
    // Compared as text, so that an upper-case digit is a changed byte, too.
    let intact = digits == format!("{:08x}", crc32c::crc32c(json)).as_bytes() && space == b" ";
    intact.then_some(json)
}

/// Cuts off the NUL bytes at both ends, which a crash leaves where a file had grown but was not written.
pub(super) fn trim_nul(mut line: &[u8]) -> &[u8] {
    while let Some(rest) = line
        .strip_prefix(b"\0")
        .or_else(|| line.strip_suffix(b"\0"))
    {
        line = rest;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_checksum_and_json() {
        let line = encode("{}").unwrap();
        insta::assert_snapshot!(String::from_utf8(line.clone()).unwrap().trim_end(), @"297bd0aa {}");
        assert_eq!(decode(&line[..line.len() - 1]), Some(b"{}".as_slice()));
    }

    #[test]
    fn a_line_of_more_than_the_limit_is_refused_with_its_length() {
        let longest = "x".repeat(MAX_LINE - PREFIX - 1);
        assert_eq!(encode(&longest).unwrap().len(), MAX_LINE);
        assert_eq!(encode(&format!("{longest}x")), Err(MAX_LINE + 1));
    }

    #[test]
    fn any_changed_byte_is_noticed() {
        let line = encode(r#"{"kind":"read"}"#).unwrap();
        let line = &line[..line.len() - 1];
        for at in 0..line.len() {
            for byte in 0..=u8::MAX {
                let mut changed = line.to_vec();
                changed[at] = byte;
                assert_eq!(decode(&changed).is_some(), changed == line);
            }
        }
    }
}
