//! The text around a hit, on one line.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A hit with the text around it. What is cut off is `…`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub(crate) before: String,
    pub(crate) hit: String,
    pub(crate) after: String,
}

/// The line of a hit, cut to so many columns around it. A hit that goes on in the next line is on one.
pub(crate) fn excerpt(text: &str, hit: Range<usize>, columns: usize) -> Excerpt {
    let before = text.get(..hit.start).unwrap_or_default();
    let before = before.rsplit('\n').next().unwrap_or_default().trim_start();
    let after = text.get(hit.end..).unwrap_or_default();
    let after = after.split('\n').next().unwrap_or_default().trim_end();
    let words = text.get(hit).unwrap_or_default().split_whitespace();
    let hit = start_of(&words.collect::<Vec<_>>().join(" "), columns);
    let room = columns.saturating_sub(hit.width());
    // What one side does not need is for the other one.
    let front = room.saturating_sub(after.width()).max(room / 2);
    let before = end_of(before, front);
    let after = start_of(after, room.saturating_sub(before.width()));
    Excerpt { before, hit, after }
}

/// As much of the start of a text as has room.
fn start_of(text: &str, columns: usize) -> String {
    cut(text, columns, text.graphemes(true)).unwrap_or_else(|| text.to_owned())
}

/// As much of the end of a text as has room.
fn end_of(text: &str, columns: usize) -> String {
    let Some(reversed) = cut(text, columns, text.graphemes(true).rev()) else {
        return text.to_owned();
    };
    reversed.graphemes(true).rev().collect()
}

/// The first of these letters with `…` behind them; nothing where all have room.
fn cut<'a>(text: &str, columns: usize, letters: impl Iterator<Item = &'a str>) -> Option<String> {
    if text.width() <= columns {
        return None;
    }
    let mut kept = String::new();
    let Some(mut left) = columns.checked_sub(1) else {
        return Some(kept);
    };
    for letter in letters {
        let Some(rest) = left.checked_sub(letter.width()) else {
            break;
        };
        left = rest;
        kept.push_str(letter);
    }
    Some(format!("{kept}…"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn around(text: &str, hit: &str, columns: usize) -> String {
        let start = text.find(hit).unwrap();
        let it = excerpt(text, start..start + hit.len(), columns);
        format!("{}[{}]{}", it.before, it.hit, it.after)
    }

    #[test]
    fn a_hit_is_in_the_middle_of_a_long_line() {
        let text = "one two three four five six seven";
        assert_eq!(
            around(text, "four", 80),
            "one two three [four] five six seven"
        );
        assert_eq!(around(text, "four", 20), "… three [four] five s…");
        assert_eq!(around(text, "one", 16), "[one] two three f…");
        assert_eq!(around(text, "seven", 16), "… five six [seven]");
        assert_eq!(around("漢字漢字 a 漢字漢字", "a", 8), "… [a] 漢…");
        assert_eq!(around("abcdef", "abcdef", 4), "[abc…]");
    }

    #[test]
    fn only_the_line_of_a_hit_is_shown() {
        assert_eq!(around("a\n    x = b\nc", "b", 20), "x = [b]");
        assert_eq!(
            around("a kernel\n  launch, b", "kernel\n  launch", 40),
            "a [kernel launch], b"
        );
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide(text in "[a-z漢\u{301} \n]{0,40}", start in 0usize..40, length in 0usize..9, columns in 1usize..30) {
            let starts: Vec<_> = text.char_indices().map(|it| it.0).chain([text.len()]).collect();
            let start = start.min(starts.len() - 1);
            let end = (start + length).min(starts.len() - 1);
            let it = excerpt(&text, starts[start]..starts[end], columns);
            let width = it.before.width() + it.hit.width() + it.after.width();
            prop_assert!(width <= columns.max(1), "{it:?}");
        }
    }
}
