//! JSON read from left to right, without building a value of it.
//!
//! A trace has millions of events of which most fields are ignored, so nothing is allocated for what nobody asks for.
//! It checks what it reads and no more: a number that is skipped may have two points.

use super::json_delimiters::{find_mark, find_quotation_mark};
use std::borrow::Cow;

/// How deep values may nest; PyTorch's are five deep.
pub(super) const MAX_DEPTH: usize = 64;

/// What is wrong with a text, and how many bytes before it were fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JsonError {
    pub(super) at: usize,
    pub(super) why: &'static str,
}

/// A place in a text, before which everything was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonScanner<'a> {
    rest: &'a [u8],
    length: usize,
    /// How many brackets are open around it, where its caller counts them: they count towards [`MAX_DEPTH`].
    pub(super) depth: usize,
}

/// The next value of a text, as far as anybody asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar<'a> {
    /// The bytes between the quotation marks, with their escapes.
    Text(&'a [u8]),
    /// The bytes of a number, `true`, `false` or `null`.
    Bare(&'a [u8]),
    /// An object or an array, with its brackets.
    Nested(&'a [u8]),
}

impl<'a> Scalar<'a> {
    /// The bytes, without quotation marks.
    pub(super) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Text(bytes) | Self::Bare(bytes) | Self::Nested(bytes) => bytes,
        }
    }

    /// A whole number at or above 0, also as a text, as some versions write it.
    pub(super) fn count(self) -> Option<u64> {
        match self {
            Self::Text(bytes) | Self::Bare(bytes) => count(bytes),
            Self::Nested(_) => None,
        }
    }

    /// A number, also as a text.
    pub(super) fn number(self) -> Option<f64> {
        match self {
            Self::Text(bytes) | Self::Bare(bytes) => {
                std::str::from_utf8(bytes).ok()?.trim().parse().ok()
            }
            Self::Nested(_) => None,
        }
    }

    /// A number of microseconds as nanoseconds, also from a text.
    pub(super) fn nanoseconds(self) -> Option<i64> {
        match self {
            Self::Text(bytes) | Self::Bare(bytes) => nanoseconds(bytes),
            Self::Nested(_) => None,
        }
    }
}

impl<'a> JsonScanner<'a> {
    /// A scanner at the beginning of a text.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes,
            length: bytes.len(),
            depth: 0,
        }
    }

    /// How many bytes were read.
    pub(super) fn at(&self) -> usize {
        self.length - self.rest.len()
    }

    /// Something is wrong here.
    pub(super) fn broken<T>(&self, why: &'static str) -> Result<T, JsonError> {
        Err(JsonError { at: self.at(), why })
    }

    /// The next byte that is not white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.rest {
                // Traces are indented.
                [b' ', b' ', b' ', b' ', rest @ ..] | [b' ' | b'\n' | b'\r' | b'\t', rest @ ..] => {
                    self.rest = rest;
                }
                _ => return self.rest.first().copied(),
            }
        }
    }

    /// Goes past a byte, if it is the next one.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        if self.peek() != Some(byte) {
            return false;
        }
        self.advance(1);
        true
    }

    /// The next key of an object whose bracket was read; `None` at its end, which it goes past.
    pub(super) fn key(&mut self, is_first: &mut bool) -> Result<Option<&'a [u8]>, JsonError> {
        let mut next = self.peek();
        if next == Some(b'}') {
            self.advance(1);
            return Ok(None);
        }
        if !*is_first {
            if next != Some(b',') {
                return self.broken("expected `,` or `}`");
            }
            self.advance(1);
            next = self.peek();
        }
        *is_first = false;
        if next != Some(b'"') {
            return self.broken("expected a key in quotation marks");
        }
        let key = self.text()?;
        if !self.take(b':') {
            return self.broken("expected `:`");
        }
        Ok(Some(key))
    }

    /// The next value.
    pub(super) fn value(&mut self) -> Result<Scalar<'a>, JsonError> {
        match self.peek() {
            Some(b'"') => self.text().map(Scalar::Text),
            Some(b'{' | b'[') => {
                let before = self.rest;
                self.skip_nested()?;
                let length = before.len() - self.rest.len();
                Ok(Scalar::Nested(before.get(..length).unwrap_or_default()))
            }
            Some(b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => {
                let is_part = |it: &u8| matches!(it, b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'+' | b'.');
                let length = self.rest.iter().take_while(|it| is_part(it)).count();
                let bytes = self.rest.get(..length).unwrap_or_default();
                self.advance(length);
                Ok(Scalar::Bare(bytes))
            }
            Some(_) => self.broken("expected a value"),
            None => self.broken("the text ends where a value should be"),
        }
    }

    /// The bytes between quotation marks, of which the first is next.
    fn text(&mut self) -> Result<&'a [u8], JsonError> {
        let inside = self.rest.get(1..).unwrap_or_default();
        let mut length = 0;
        loop {
            let here = inside.get(length..).unwrap_or_default();
            let Some(found) = find_quotation_mark(here) else {
                return self.broken("a text has no end");
            };
            if here.get(found) == Some(&b'"') {
                length += found;
                break;
            }
            length += found + 2;
        }
        self.advance(length + 2);
        Ok(inside.get(..length).unwrap_or_default())
    }

    /// Goes past an object or an array whose bracket is next.
    fn skip_nested(&mut self) -> Result<(), JsonError> {
        let mut open = [0u8; MAX_DEPTH];
        let open = open.get_mut(self.depth..).unwrap_or_default();
        let mut depth = 0;
        loop {
            let Some(skipped) = find_mark(self.rest) else {
                self.advance(self.rest.len());
                return self.broken("a bracket is not closed");
            };
            self.advance(skipped);
            match self.rest.first() {
                Some(b'"') => {
                    self.text()?;
                }
                Some(&bracket @ (b'{' | b'[')) => {
                    let Some(place) = open.get_mut(depth) else {
                        return self.broken("values are nested too deep");
                    };
                    *place = bracket;
                    depth += 1;
                    self.advance(1);
                }
                bracket => {
                    let opened = depth.checked_sub(1).and_then(|it| open.get(it));
                    // In ASCII, a closing bracket is two after its opening one.
                    if opened.map(|it| it + 2).as_ref() != bracket {
                        return self.broken("a bracket closes none that is open");
                    }
                    depth -= 1;
                    self.advance(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

/// A text without its escapes. Bytes that are no UTF-8 become U+FFFD.
pub(super) fn unescaped(bytes: &[u8]) -> Cow<'_, str> {
    if !bytes.contains(&b'\\') {
        return String::from_utf8_lossy(bytes);
    }
    let quoted = [b"\"", bytes, b"\""].concat();
    match serde_json::from_slice(&quoted) {
        Ok(text) => Cow::Owned(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// A whole number at or above 0.
fn count(bytes: &[u8]) -> Option<u64> {
    let mut sum = 0u64;
    for byte in bytes {
        let digit = byte.checked_sub(b'0').filter(|it| *it < 10)?;
        sum = sum.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    (!bytes.is_empty()).then_some(sum)
}

/// Microseconds, which may have digits after the point, as nanoseconds. An `f64` would lose nanoseconds of times since
/// 1970.
fn nanoseconds(bytes: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, bytes),
    };
    let whole = digits.iter().take_while(|it| it.is_ascii_digit()).count();
    let (whole, rest) = digits.split_at(whole);
    let whole = count(whole).and_then(|it| i64::try_from(it).ok());
    let (Some(whole), [b'.', fraction @ ..] | fraction @ []) = (whole, rest) else {
        return in_floats(bytes);
    };
    let mut ns = 0;
    let mut unit = 100;
    for byte in fraction {
        let Some(digit) = byte.checked_sub(b'0').filter(|it| *it < 10) else {
            return in_floats(bytes);
        };
        ns += i64::from(digit) * unit;
        unit /= 10;
    }
    let ns = whole.checked_mul(1000)?.checked_add(ns)?;
    Some(if is_negative { -ns } else { ns })
}

/// The same for a number with an exponent.
fn in_floats(bytes: &[u8]) -> Option<i64> {
    let microseconds: f64 = std::str::from_utf8(bytes).ok()?.trim().parse().ok()?;
    let ns = microseconds * 1e3;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (ns.abs() < 9.2e18).then_some(ns as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Keys and values of an object, one a line.
    fn read(text: &str) -> String {
        let mut scanner = JsonScanner::new(text.as_bytes());
        let mut lines = Vec::new();
        let mut is_first = true;
        assert!(scanner.take(b'{'));
        let mut next = || -> Result<Option<String>, JsonError> {
            let Some(key) = scanner.key(&mut is_first)? else {
                return Ok(None);
            };
            let value = scanner.value()?;
            let (key, bytes) = (unescaped(key), unescaped(value.bytes()));
            Ok(Some(format!("{key} = {bytes}")))
        };
        loop {
            match next() {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => break,
                Err(JsonError { at, why }) => {
                    lines.push(format!("{at}: {why}"));
                    break;
                }
            }
        }
        lines.join("\n")
    }

    #[test]
    fn values_of_all_kinds_are_read() {
        let text = r#"{"a": "x\"\u00e9", "b" : -1.5e3,"c": [1, {"d": "]"}], "e": null }"#;
        insta::assert_snapshot!(read(text), @r#"
        a = x"é
        b = -1.5e3
        c = [1, {"d": "]"}]
        e = null
        "#);
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        assert_eq!(read(r#"{"a" 1}"#), "5: expected `:`");
        assert_eq!(read(r#"{"a": 1 "b""#), "a = 1\n8: expected `,` or `}`");
        assert_eq!(read(r#"{"a": "b"#), "6: a text has no end");
        assert_eq!(
            read(r#"{"a": [1}"#),
            "8: a bracket closes none that is open"
        );
        assert_eq!(
            read(&format!(r#"{{"a": {}"#, "[".repeat(65))),
            "70: values are nested too deep"
        );
    }

    #[test]
    fn microseconds_keep_their_nanoseconds() {
        let of = |text: &str| nanoseconds(text.as_bytes());
        assert_eq!(of("1695835542514261.123"), Some(1_695_835_542_514_261_123));
        assert_eq!(of("12"), Some(12_000));
        assert_eq!(of("0.5"), Some(500));
        assert_eq!(of("-3.25"), Some(-3250));
        assert_eq!(of("1e3"), Some(1_000_000));
        assert_eq!(of("1e30"), None);
        assert_eq!(of("nan"), None);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut scanner = JsonScanner::new(&bytes);
            while scanner.value().is_ok() {}
            drop(unescaped(&bytes));
            prop_assert!(nanoseconds(&bytes).is_none_or(|it| it != i64::MIN));
        }

        #[test]
        fn what_serde_writes_is_one_value(text in any::<String>(), numbers in any::<Vec<i32>>()) {
            let json = serde_json::to_string(&(&text, numbers)).unwrap();
            let mut scanner = JsonScanner::new(json.as_bytes());
            prop_assert_eq!(scanner.value(), Ok(Scalar::Nested(json.as_bytes())));
            prop_assert_eq!(scanner.peek(), None);
            let quoted = serde_json::to_string(&text).unwrap();
            let Ok(Scalar::Text(inside)) = JsonScanner::new(quoted.as_bytes()).value() else {
                panic!("no text: {quoted}");
            };
            prop_assert_eq!(unescaped(inside), text);
        }
    }
}
