//! Finds the next quotation mark or bracket, eight bytes at a time: half of the text of a trace is between them.

use memchr::memchr2;

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
const BIT: u64 = u64::from_ne_bytes([0x20; 8]);

/// Where the first `"`, `{`, `}`, `[` or `]` is.
pub(super) fn find_mark(bytes: &[u8]) -> Option<usize> {
    let is_mark = |it: &u8| matches!(it, b'"' | b'{' | b'}' | b'[' | b']');
    let mut at = 0;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        // In ASCII, `[` and `]` differ from `{` and `}` by this bit, which `"` has.
        let word = u64::from_le_bytes(*word) | BIT;
        let found = equal(word, b'"') | equal(word, b'{') | equal(word, b'}');
        if found == 0 {
            at += 8;
            continue;
        }
        at += found.trailing_zeros() as usize / 8;
        if bytes.get(at).is_some_and(is_mark) {
            return Some(at);
        }
        // The byte 2 becomes a quotation mark by that bit.
        at += 1;
    }
    let rest = bytes.get(at..)?;
    rest.iter().position(is_mark).map(|it| at + it)
}

/// Where the first `"` or `\` is. Most texts of a trace are short, and memchr takes longer to begin.
pub(super) fn find_quotation_mark(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>)
        && at < 16
    {
        let word = u64::from_le_bytes(*word);
        let found = equal(word, b'"') | equal(word, b'\\');
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr2(b'"', b'\\', bytes.get(at..)?).map(|it| at + it)
}

/// The high bit of each byte that is this one; above the first of them, also of some others.
fn equal(word: u64, byte: u8) -> u64 {
    let differ = word ^ (ONES * u64::from(byte));
    differ.wrapping_sub(ONES) & !differ & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_first_of_the_two(bytes in proptest::collection::vec(
            prop_oneof![Just(b'"'), Just(b'\\'), any::<u8>(), Just(b'a'), Just(b'a'), Just(b'a'), Just(b'a')],
            0..60,
        )) {
            let first = bytes.iter().position(|it| b"\"\\".contains(it));
            prop_assert_eq!(find_quotation_mark(&bytes), first);
        }

        #[test]
        fn it_is_the_first_of_the_five(bytes in proptest::collection::vec(
            prop_oneof![Just(b'"'), Just(b'{'), Just(b'}'), Just(b'['), Just(b']'), Just(2u8), any::<u8>(), Just(b'a'), Just(b'a')],
            0..40,
        )) {
            let first = bytes.iter().position(|it| b"\"{}[]".contains(it));
            prop_assert_eq!(find_mark(&bytes), first);
        }
    }
}
