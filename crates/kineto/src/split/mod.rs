//! Where one event of a trace ends and the next begins, found in a stream of bytes.
//!
//! A trace is larger than what one wants in memory, and its events are parsed by several threads. So this cuts the text
//! into pieces of whole events, in one pass that looks at brackets and quotation marks and at nothing else. It takes
//! the two forms of the format: an object with the key `traceEvents`, and an array of events.

mod fast_splitter;

pub(super) use fast_splitter::FastSplitter;

use super::json_delimiters::find_mark;
use super::json_scanner::{MAX_DEPTH, unescaped};
use super::read_error::ReadError;
use memchr::memchr2;

/// The largest event, and the largest value beside the events.
pub const MAX_EVENT_BYTES: usize = 16 << 20;

/// A piece is cut after the first event that makes it this long.
const PIECE_BYTES: usize = 2 << 20;

/// White space after an event that is kept with it.
const MAX_BLANK: usize = 4096;

/// A part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Whole events with commas between them.
    Events {
        /// Bytes of the text before it.
        at: u64,
        /// The text.
        text: Vec<u8>,
        /// Whether it is a guess that these are whole events.
        is_guess: bool,
    },
    /// A key beside the events, and its value as JSON.
    Entry {
        /// The key.
        key: String,
        /// The value.
        value: Vec<u8>,
    },
}

/// What the next byte outside of events and values can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExpectedToken {
    /// Before the first bracket.
    Start,
    /// Before a key.
    Key,
    /// In a key.
    InKey,
    /// Between a key and its value.
    Colon,
    /// Before a value.
    Value,
    /// In the value of a key that is not `traceEvents`.
    InValue,
    /// After a value of the outer object.
    Comma,
    /// Between events.
    Events,
    /// In an event.
    InEvent,
    /// After the last bracket.
    End,
}

/// Cuts a text that comes in blocks.
#[derive(Debug)]
pub(super) struct Splitter {
    place: ExpectedToken,
    /// Whether an array of events is all there is.
    is_bare: bool,
    /// Open brackets of the value or event.
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    /// Bytes before the block.
    at: u64,
    key: Vec<u8>,
    /// The value, or the events since the last cut.
    kept: Vec<u8>,
    kept_at: u64,
    /// How much of `kept` was there before the event.
    before_event: usize,
    /// How much of it was there after the event before.
    after_event: usize,
    /// What has to come between two events.
    between: BetweenEvents,
    pieces: Vec<Piece>,
}

/// What came since the last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BetweenEvents {
    /// There was none.
    Begin,
    /// Only the event.
    Event,
    /// A comma.
    Comma,
}

impl Splitter {
    /// A splitter before the first byte.
    pub(super) fn new() -> Self {
        Self {
            place: ExpectedToken::Start,
            is_bare: false,
            depth: 0,
            in_text: false,
            is_escaped: false,
            at: 0,
            key: Vec::new(),
            kept: Vec::new(),
            kept_at: 0,
            before_event: 0,
            after_event: 0,
            between: BetweenEvents::Begin,
            pieces: Vec::new(),
        }
    }

    /// Takes the next block, and adds the pieces that are complete; where something is wrong, also what was right before it.
    pub(super) fn push(&mut self, block: &[u8], pieces: &mut Vec<Piece>) -> Result<(), ReadError> {
        let taken = self.take(block);
        if taken.is_err() {
            self.cut_whole();
        }
        pieces.append(&mut self.pieces);
        taken
    }

    fn take(&mut self, block: &[u8]) -> Result<(), ReadError> {
        let mut rest = block;
        while let Some(first) = rest.first().copied() {
            let at = self.at + (block.len() - rest.len()) as u64;
            let taken = match self.place {
                ExpectedToken::InEvent | ExpectedToken::InValue => self.nested(rest, at)?,
                ExpectedToken::InKey => self.in_key(rest, at)?,
                ExpectedToken::Events => self.between_events(first, at)?,
                ExpectedToken::Start
                | ExpectedToken::Key
                | ExpectedToken::Colon
                | ExpectedToken::Value
                | ExpectedToken::Comma
                | ExpectedToken::End => self.outside(first, at)?,
            };
            rest = rest.get(taken..).unwrap_or_default();
        }
        self.at += block.len() as u64;
        Ok(())
    }

    /// Adds the rest, when there are no more blocks.
    pub(super) fn finish(&mut self, pieces: &mut Vec<Piece>) -> Result<(), ReadError> {
        self.cut_whole();
        pieces.append(&mut self.pieces);
        match self.place {
            ExpectedToken::End => Ok(()),
            ExpectedToken::Start => Err(ReadError::broken(self.at, "the file is empty")),
            ExpectedToken::Key
            | ExpectedToken::InKey
            | ExpectedToken::Colon
            | ExpectedToken::Value
            | ExpectedToken::InValue
            | ExpectedToken::Comma
            | ExpectedToken::Events
            | ExpectedToken::InEvent => Err(ReadError::Ends { at: self.at }),
        }
    }

    /// Bytes of an event or of a value, up to its end if the block has it. Gives how many.
    fn nested(&mut self, rest: &[u8], at: u64) -> Result<usize, ReadError> {
        let taken = self.up_to_end(rest, at)?;
        self.kept
            .extend_from_slice(rest.get(..taken).unwrap_or_default());
        if self.kept.len() - self.before_event > MAX_EVENT_BYTES {
            let what = format!(
                "one event or value is longer than {} MiB",
                MAX_EVENT_BYTES >> 20
            );
            // Everything that is kept follows on each other in the text.
            let end = at + taken as u64;
            let begin = end - (self.kept.len() - self.before_event) as u64;
            return Err(ReadError::too_much(begin, what));
        }
        if self.depth == 0 && !self.in_text && self.place == ExpectedToken::InEvent {
            self.place = ExpectedToken::Events;
            self.between = BetweenEvents::Event;
            self.after_event = self.kept.len();
            if self.kept.len() >= PIECE_BYTES {
                self.cut();
            }
        } else if self.depth == 0 && !self.in_text {
            self.end_value();
        }
        Ok(taken)
    }

    /// The number of bytes up to and with the one that ends the value, or all.
    fn up_to_end(&mut self, rest: &[u8], at: u64) -> Result<usize, ReadError> {
        let mut taken = 0;
        loop {
            if self.in_text {
                taken += self.up_to_quotation_mark(rest.get(taken..).unwrap_or_default());
                if self.in_text {
                    return Ok(rest.len());
                }
                if self.depth == 0 {
                    return Ok(taken);
                }
            }
            let here = rest.get(taken..).unwrap_or_default();
            let Some(found) = find_mark(here) else {
                return Ok(rest.len());
            };
            taken += found + 1;
            match here.get(found) {
                Some(b'"') => self.in_text = true,
                Some(b'{' | b'[') => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        let why = "values are nested too deep";
                        return Err(ReadError::broken(at + taken as u64, why));
                    }
                }
                _ => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Ok(taken);
                    }
                }
            }
        }
    }

    /// Goes on in a text: the number of bytes up to and with its quotation mark, or all.
    fn up_to_quotation_mark(&mut self, rest: &[u8]) -> usize {
        let mut taken = 0;
        if self.is_escaped && !rest.is_empty() {
            self.is_escaped = false;
            taken = 1;
        }
        loop {
            let here = rest.get(taken..).unwrap_or_default();
            let Some(found) = memchr2(b'"', b'\\', here) else {
                return rest.len();
            };
            taken += found + 1;
            if here.get(found) == Some(&b'"') {
                self.in_text = false;
                return taken;
            }
            if taken == rest.len() {
                self.is_escaped = true;
                return taken;
            }
            taken += 1;
        }
    }

    /// Bytes of a key of the outer object.
    fn in_key(&mut self, rest: &[u8], at: u64) -> Result<usize, ReadError> {
        self.in_text = true;
        let taken = self.up_to_quotation_mark(rest);
        let is_over = !self.in_text;
        let length = taken - usize::from(is_over);
        self.key
            .extend_from_slice(rest.get(..length).unwrap_or_default());
        if self.key.len() > MAX_EVENT_BYTES {
            return Err(ReadError::too_much(at, "a key has no end"));
        }
        if is_over {
            self.place = ExpectedToken::Colon;
        }
        self.in_text = false;
        Ok(taken)
    }

    /// A byte between two events.
    fn between_events(&mut self, byte: u8, at: u64) -> Result<usize, ReadError> {
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' => {}
            b',' if self.between == BetweenEvents::Event => self.between = BetweenEvents::Comma,
            b'{' if self.between == BetweenEvents::Event => {
                return Err(ReadError::broken(at, "expected `,` between two events"));
            }
            b'{' => {
                if self.kept.is_empty() {
                    self.kept_at = at;
                }
                self.before_event = self.kept.len();
                self.place = ExpectedToken::InEvent;
                return Ok(0);
            }
            b']' => {
                self.cut();
                self.place = if self.is_bare {
                    ExpectedToken::End
                } else {
                    ExpectedToken::Comma
                };
                return Ok(1);
            }
            _ => {
                return Err(ReadError::broken(
                    at,
                    "expected an event, which begins with `{`",
                ));
            }
        }
        if !self.kept.is_empty() {
            self.kept.push(byte);
            // White space without an end must not fill the memory.
            if self.kept.len() - self.after_event > MAX_BLANK {
                self.cut();
            }
        }
        Ok(1)
    }

    /// A byte of the outer object, outside of keys and values.
    fn outside(&mut self, byte: u8, at: u64) -> Result<usize, ReadError> {
        match (self.place, byte) {
            (_, b' ' | b'\n' | b'\r' | b'\t') => {}
            // A mark of UTF-8, which some editors write first.
            (ExpectedToken::Start, 0xef | 0xbb | 0xbf) if at < 3 => {}
            (ExpectedToken::Start, b'{') | (ExpectedToken::Comma, b',') => {
                self.place = ExpectedToken::Key;
            }
            (ExpectedToken::Start, b'[') => {
                self.is_bare = true;
                self.place = ExpectedToken::Events;
            }
            (ExpectedToken::Key, b'"') => {
                self.key.clear();
                self.place = ExpectedToken::InKey;
            }
            (ExpectedToken::Colon, b':') => self.place = ExpectedToken::Value,
            (ExpectedToken::Value, b'[') if self.key == b"traceEvents" => {
                (self.place, self.between) = (ExpectedToken::Events, BetweenEvents::Begin);
            }
            (ExpectedToken::Value, _) => return self.begin_value(byte, at),
            (ExpectedToken::Key | ExpectedToken::Comma, b'}') => self.place = ExpectedToken::End,
            (ExpectedToken::Start, _) => {
                return Err(ReadError::broken(at, "a trace begins with `{` or `[`"));
            }
            (ExpectedToken::End, _) => {
                return Err(ReadError::broken(at, "there is more after the end"));
            }
            (ExpectedToken::Key, _) => {
                return Err(ReadError::broken(at, "expected a key in quotation marks"));
            }
            (ExpectedToken::Colon, _) => return Err(ReadError::broken(at, "expected `:`")),
            _ => return Err(ReadError::broken(at, "expected `,` or `}`")),
        }
        Ok(1)
    }

    /// The first byte of a value beside the events.
    fn begin_value(&mut self, byte: u8, at: u64) -> Result<usize, ReadError> {
        self.before_event = 0;
        match byte {
            b'"' | b'{' | b'[' => self.place = ExpectedToken::InValue,
            b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'.'
                if self.kept.len() < MAX_DEPTH =>
            {
                self.kept.push(byte);
                return Ok(1);
            }
            b',' | b'}' if !self.kept.is_empty() => self.end_value(),
            _ => return Err(ReadError::broken(at, "expected a value")),
        }
        Ok(0)
    }

    fn end_value(&mut self) {
        self.place = ExpectedToken::Comma;
        let key = unescaped(&self.key).into_owned();
        let value = std::mem::take(&mut self.kept);
        self.pieces.push(Piece::Entry { key, value });
    }

    /// Gives the events since the last cut that have ended.
    fn cut_whole(&mut self) {
        self.kept.truncate(self.after_event);
        self.cut();
    }

    /// Gives the events since the last cut.
    fn cut(&mut self) {
        (self.before_event, self.after_event) = (0, 0);
        if self.kept.is_empty() {
            return;
        }
        let text = std::mem::replace(&mut self.kept, Vec::with_capacity(PIECE_BYTES + 4096));
        let at = self.kept_at;
        self.pieces.push(Piece::Events {
            at,
            text,
            is_guess: false,
        });
    }
}

#[cfg(test)]
mod tests;
