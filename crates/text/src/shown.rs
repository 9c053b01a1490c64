//! The one gate between untrusted text and the terminal.
//!
//! Lessons, quizzes, printed output, file names and error texts may hold escape sequences, bidirectional
//! overrides or endless combining marks. [`Shown`] is the only type that widgets and plain output accept
//! for such text, and [`Shown::new`] is its only constructor; it makes what it finds visible instead of
//! dropping it.

use std::fmt::{self, Write};
use unicode_segmentation::UnicodeSegmentation;

/// Columns between tab stops.
pub const TAB: usize = 4;

/// Code points kept of one grapheme; more is an attack on the renderer, not a letter.
const MAX_MARKS: usize = 8;

/// Text that is safe to print: no control but the line feed, no bidirectional control, no tab.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shown(String);

impl Shown {
    /// Makes text safe. Line feeds stay, CR LF becomes LF, tabs become spaces up to the next tab stop.
    pub fn new(text: &str) -> Self {
        let mut shown = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            // Most lines are printable ASCII, also in a text with other ones.
            if line.bytes().all(|it| matches!(it, b' '..=b'~' | b'\n')) {
                shown.push_str(line);
            } else {
                push_line(&mut shown, line);
            }
        }
        Self(shown)
    }

    /// Makes a JSON text safe: what [`Shown::new`] would replace becomes an escape, so that a program reads the same
    /// values. Line feeds stay.
    pub fn json(text: &str) -> Self {
        let mut shown = String::with_capacity(text.len());
        for it in text.chars() {
            if it == '\n' || !is_control(it) {
                shown.push(it);
                continue;
            }
            for unit in it.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
        }
        Self(shown)
    }

    /// The safe text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The safe text, owned.
    pub fn into_string(self) -> String {
        self.0
    }

    /// The safe text on one line: line feeds become spaces.
    pub fn one_line(text: &str) -> Self {
        Self(Self::new(text).0.replace('\n', " "))
    }
}

/// Which characters a terminal can draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// All of them.
    Unicode,
    /// ASCII only.
    Ascii,
}

impl Letters {
    /// What the environment says of the terminal: all characters where the locale is UTF-8.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name| variable(name).filter(|it| !it.is_empty());
        let locale = set("LC_ALL")
            .or_else(|| set("LC_CTYPE"))
            .or_else(|| set("LANG"));
        let locale = locale.unwrap_or_default().to_ascii_lowercase();
        if locale.contains("utf-8") || locale.contains("utf8") {
            Self::Unicode
        } else {
            Self::Ascii
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Appends a line, made safe.
fn push_line(shown: &mut String, line: &str) {
    let mut column = 0;
    for grapheme in line.graphemes(true) {
        match grapheme {
            "\n" | "\r\n" => shown.push('\n'),
            "\t" => {
                let spaces = TAB - column % TAB;
                shown.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
            }
            _ => {
                let before = shown.len();
                grapheme
                    .chars()
                    .take(MAX_MARKS)
                    .for_each(|it| push_visible(shown, it));
                let added = shown.get(before..).unwrap_or_default();
                column += unicode_width::UnicodeWidthStr::width(added);
            }
        }
    }
}

/// Appends a character, or a visible stand-in for one that a terminal would obey or hide.
fn push_visible(shown: &mut String, it: char) {
    match it {
        '\0'..='\x1f' => shown.push(char::from_u32(0x2400 + u32::from(it)).unwrap_or('\u{fffd}')),
        '\x7f' => shown.push('\u{2421}'),
        _ if is_control(it) => {
            // Writing to a string cannot fail.
            let _ = write!(shown, "<U+{:04X}>", u32::from(it));
        }
        _ => shown.push(it),
    }
}

/// Whether a terminal obeys or hides a character instead of drawing it.
fn is_control(it: char) -> bool {
    matches!(
        it,
        '\0'..='\x1f'
        | '\x7f'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'
        | '\u{2066}'..='\u{2069}'
        | '\u{ad}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        Shown::new(text).into_string()
    }

    #[test]
    fn escape_sequences_become_pictures() {
        assert_eq!(shown("\x1b]52;c;SU5KMQ==\x07"), "␛]52;c;SU5KMQ==␇");
        assert_eq!(shown("\u{9b}31m \x7f"), "<U+009B>31m ␡");
    }

    #[test]
    fn bidirectional_overrides_become_their_names() {
        assert_eq!(shown("a\u{202e}b\u{2066}"), "a<U+202E>b<U+2066>");
    }

    #[test]
    fn tabs_reach_the_next_stop_and_line_ends_are_one_feed() {
        assert_eq!(shown("\tx\r\nab\ty\rz"), "    x\nab  y␍z");
    }

    #[test]
    fn ordinary_text_is_untouched() {
        for text in ["f<<<1, 100>>>()", "naïve 漢字 é 👩‍💻", "█▄ │ └"] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn the_locale_says_which_letters_there_are() {
        let of = |pairs: &[(&str, &str)]| {
            Letters::of_environment(|name| {
                let found = pairs.iter().find(|it| it.0 == name);
                found.map(|it| it.1.to_owned())
            })
        };
        assert_eq!(of(&[("LANG", "de_DE.UTF-8")]), Letters::Unicode);
        assert_eq!(
            of(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")]),
            Letters::Ascii
        );
    }

    proptest! {
        #[test]
        fn nothing_a_terminal_obeys_comes_through(text in any::<String>()) {
            let safe = shown(&text);
            prop_assert!(safe.chars().all(|it| it == '\n' || !it.is_control()));
            prop_assert_eq!(shown(&safe), safe);
        }
    }
}
