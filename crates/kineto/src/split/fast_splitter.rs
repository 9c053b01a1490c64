//! Cuts a large text between events without looking at each of its bytes.
//!
//! Looking for brackets and quotation marks costs half as much as parsing. PyTorch writes each event with `ph` as its first key,
//! so that `, { "ph"` is nearly always between two events; in a text, its quotation marks would have backslashes before them. It is still
//! a guess: the parser confirms it, since a piece has to be whole events to its last byte, and what comes
//! before it was confirmed. If it does not, the file is read again without leaps. Where there is no such place, and at the end,
//! [`Splitter`] goes on.

use super::{BetweenEvents, ExpectedToken, PIECE_BYTES, Piece, Splitter};
use crate::read_error::ReadError;
use memchr::memmem;

/// What an event begins with.
const FIRST_KEY: &[u8] = b"\"ph\"";

/// How many places are looked at.
const TRIES: usize = 16;

/// Cuts a text that comes in blocks.
#[derive(Debug)]
pub(crate) struct FastSplitter {
    splitter: Splitter,
    may_leap: bool,
    /// Bytes since the last cut, which is between two events; the splitter stopped there.
    held: Option<Vec<u8>>,
}

impl FastSplitter {
    /// Before the first byte.
    pub(crate) fn new(may_leap: bool) -> Self {
        Self {
            splitter: Splitter::new(),
            may_leap,
            held: None,
        }
    }

    /// Takes the next block, and adds the pieces that are complete; where something is wrong, also what was right before it.
    pub(crate) fn push(&mut self, block: &[u8], pieces: &mut Vec<Piece>) -> Result<(), ReadError> {
        let Some(held) = &mut self.held else {
            self.splitter.push(block, pieces)?;
            if self.may_leap {
                self.held = self.splitter.step_back(pieces);
            }
            return Ok(());
        };
        held.extend_from_slice(block);
        if held.len() < PIECE_BYTES {
            return Ok(());
        }
        let Some(end) = last_event_begin(held) else {
            self.may_leap = false;
            return self.go_on(pieces);
        };
        let rest = held.get(end..).unwrap_or_default();
        let mut next = Vec::with_capacity(PIECE_BYTES + block.len());
        next.extend_from_slice(rest);
        let mut text = std::mem::replace(held, next);
        text.truncate(end);
        pieces.push(self.splitter.leap(text));
        Ok(())
    }

    /// Adds the rest, when there are no more blocks.
    pub(crate) fn finish(&mut self, pieces: &mut Vec<Piece>) -> Result<(), ReadError> {
        self.go_on(pieces)?;
        self.splitter.finish(pieces)
    }

    /// Adds the events that have ended, when the next block cannot be read.
    pub(crate) fn stop(&mut self, pieces: &mut Vec<Piece>) -> Result<(), ReadError> {
        self.go_on(pieces)?;
        // The text ends too early, and the caller knows why.
        drop(self.splitter.finish(pieces));
        Ok(())
    }

    /// Lets the splitter go on where it stopped.
    fn go_on(&mut self, pieces: &mut Vec<Piece>) -> Result<(), ReadError> {
        let held = self.held.take().unwrap_or_default();
        self.splitter.push(&held, pieces)
    }
}

impl Splitter {
    /// Goes back to before the event that has not ended, gives its bytes, and adds the events before it to the pieces.
    fn step_back(&mut self, pieces: &mut Vec<Piece>) -> Option<Vec<u8>> {
        if self.place != ExpectedToken::InEvent {
            return None;
        }
        let begun = self.kept.split_off(self.before_event);
        (self.depth, self.in_text, self.is_escaped) = (0, false, false);
        (self.place, self.between) = (ExpectedToken::Events, BetweenEvents::Comma);
        self.at -= begun.len() as u64;
        self.cut();
        pieces.append(&mut self.pieces);
        Some(begun)
    }

    /// Goes past events that nobody looked at, up to a comma between two.
    fn leap(&mut self, text: Vec<u8>) -> Piece {
        let at = self.at;
        self.at += text.len() as u64;
        Piece::Events {
            at,
            text,
            is_guess: true,
        }
    }
}

/// Where an event seems to begin, as late as possible: after its comma.
fn last_event_begin(text: &[u8]) -> Option<usize> {
    let mut keys = memmem::rfind_iter(text, FIRST_KEY).take(TRIES);
    keys.find_map(|key| {
        let before = text.get(..key)?.trim_ascii_end();
        let before = before.strip_suffix(b"{")?.trim_ascii_end();
        before.ends_with(b",").then_some(before.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_between_events_is_after_a_comma_and_before_the_first_key() {
        let of = |text: &str| last_event_begin(text.as_bytes());
        assert_eq!(of(r#"{"ph": "X"}, {"ph": "X", "a": 1"#), Some(12));
        assert_eq!(
            of("{\"ph\": 1},\n  {\n    \"ph\": 1, \"name\": \"a"),
            Some(10)
        );
        assert_eq!(of(r#"{"name": "a, {\"ph\": 1"#), None);
        assert_eq!(of(r#"{"name": 1, "ph": 1}, {"name""#), None);
        assert_eq!(of(r#"{"ph": 1}"#), None);
    }
}
