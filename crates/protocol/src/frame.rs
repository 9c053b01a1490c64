//! The framing of messages: one JSON object per line.
//!
//! Reads from any reader and writes to any writer, so tests use the real protocol in memory. A line has a maximum
//! length, empty lines are skipped, and the last line may lack its line break. If it is cut off, it counts as the end: who wrote
//! it was ended in the middle.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, BufRead, Write};

/// The longest line that is read or written, in bytes.
pub const MAX_FRAME: usize = 16 << 20;

/// Why a message could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The pipe failed.
    #[error("cannot read from the other side")]
    Io(#[from] io::Error),
    /// The other side sent more than [`MAX_FRAME`] bytes without a line break. The stream cannot be read on.
    #[error("the other side sent a line longer than {MAX_FRAME} bytes")]
    TooLong,
    /// The line is not a valid message of this version. The stream can be read on.
    #[error("the other side sent a line that is not a valid message: {line}")]
    NotAMessage {
        /// The beginning of the line.
        line: String,
        /// What the decoder found.
        source: serde_json::Error,
    },
}

/// Reads the next message; `None` at the end of the stream.
pub fn read<T: DeserializeOwned>(input: &mut impl BufRead) -> Result<Option<T>, ReadError> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = MAX_FRAME as u64 + 1;
        let count = io::Read::take(&mut *input, limit).read_until(b'\n', &mut line)?;
        if count == 0 {
            return Ok(None);
        }
        let is_whole = line.last() == Some(&b'\n');
        if is_whole {
            line.pop();
        }
        if line.len() > MAX_FRAME {
            return Err(ReadError::TooLong);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        return match serde_json::from_slice(&line) {
            Ok(message) => Ok(Some(message)),
            Err(_) if !is_whole => Ok(None),
            Err(source) => Err(ReadError::NotAMessage {
                line: String::from_utf8_lossy(&line).chars().take(120).collect(),
                source,
            }),
        };
    }
}

/// Writes one message and flushes.
pub fn write(output: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Request, RunId};

    fn requests_in(text: &str) -> Vec<Result<Request, String>> {
        let mut input = text.as_bytes();
        let mut found = Vec::new();
        loop {
            match read::<Request>(&mut input) {
                Ok(None) => return found,
                Ok(Some(request)) => found.push(Ok(request)),
                Err(error) => found.push(Err(error.to_string())),
            }
        }
    }

    #[test]
    fn a_message_reads_back_as_written() {
        let cancel = Request::Cancel { run: RunId(7) };
        let mut line = Vec::new();
        write(&mut line, &cancel).unwrap();
        assert_eq!(line, b"{\"ask\":\"cancel\",\"run\":7}\n");
        assert_eq!(
            requests_in(std::str::from_utf8(&line).unwrap()),
            [Ok(cancel)]
        );
    }

    #[test]
    fn a_stray_line_costs_only_itself() {
        let found = requests_in("hello\n\n{\"ask\":\"hello\",\"version\":1}");
        assert!(matches!(&found[0], Err(why) if why.contains("not a valid message: hello")));
        assert_eq!(found[1], Ok(Request::Hello { version: 1 }));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_last_line_that_is_cut_off_is_the_end() {
        let whole = "{\"ask\":\"hello\",\"version\":1}\n";
        let found = requests_in(&format!("{whole}{{\"ask\":\"he"));
        assert_eq!(found, [Ok(Request::Hello { version: 1 })]);
    }

    #[test]
    fn an_endless_line_is_given_up_at_the_limit() {
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert!(matches!(
            read::<Request>(&mut endless),
            Err(ReadError::TooLong)
        ));
    }
}
