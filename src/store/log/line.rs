//! One line of a log: a checksum, a space, JSON, a line feed.
//!
//! Pure. What the JSON means is not looked at here, but for that of a log's first line.

use serde::{Deserialize, Serialize};

/// The most bytes a line has, its line feed included: more is damage, or not worth a log.
pub const MAX_LINE: usize = 64 * 1024;

/// Bytes before the JSON: eight hexadecimal digits and a space.
const PREFIX: usize = 9;

/// The folder for logs inside the data folder.
pub(super) const FOLDER: &str = "log";

/// The version of the lines. Lines of a higher version are read as far as possible.
pub(super) const FORMAT: u32 = 1;

/// The first line of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) app: String,
    pub(super) host: String,
    pub(super) course: String,
}

/// Makes a line of JSON text, or says how long it would be.
pub(super) fn encode(json: &str) -> Result<Vec<u8>, usize> {
    let line = format!("{:08x} {json}\n", crc32c::crc32c(json.as_bytes())).into_bytes();
    if line.len() > MAX_LINE {
        return Err(line.len());
    }
    Ok(line)
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
