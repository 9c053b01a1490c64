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

/// Text that is safe to print: no control but the line feed, no tab, and nothing invisible that could hide text or change its order.
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
        let mut letters = text.chars().peekable();
        while let Some(it) = letters.next() {
            if it == '\n' || !is_obeyed(&shown, it, letters.peek()) {
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
                let mut letters = grapheme.chars().take(MAX_MARKS).peekable();
                while let Some(it) = letters.next() {
                    push_visible(shown, it, letters.peek());
                }
                let added = shown.get(before..).unwrap_or_default();
                column += unicode_width::UnicodeWidthStr::width(added);
            }
        }
    }
}

/// Appends a character, or a visible stand-in for one that a terminal would obey or hide.
fn push_visible(shown: &mut String, it: char, next: Option<&char>) {
    match it {
        '\0'..='\x1f' => shown.push(char::from_u32(0x2400 + u32::from(it)).unwrap_or('\u{fffd}')),
        '\x7f' => shown.push('\u{2421}'),
        _ if is_obeyed(shown, it, next) => {
            // Writing to a string cannot fail.
            let _ = write!(shown, "<U+{:04X}>", u32::from(it));
        }
        _ => shown.push(it),
    }
}

/// Whether a terminal obeys or hides a character, instead of drawing it, after the text that is shown so far.
fn is_obeyed(shown: &str, it: char, next: Option<&char>) -> bool {
    let is_control = matches!(
        it,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}'
    );
    is_control || is_default_ignorable(it) && !is_needed(shown.chars().next_back(), it, next)
}

/// Whether Unicode's property `Default_Ignorable_Code_Point` holds: nothing is drawn, so that text can be hidden in it. From
/// `DerivedCoreProperties.txt` of Unicode 16.0; code points that are not assigned yet are among them.
fn is_default_ignorable(it: char) -> bool {
    matches!(
        it,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether text is shown wrongly without such a character where it stands: Persian and the languages of India need joiners, emoji
/// need them and one choice between their two forms. Each counts once, and where it can do something.
fn is_needed(before: Option<char>, it: char, next: Option<&char>) -> bool {
    let Some(before) = before else {
        return false;
    };
    match it {
        '\u{200c}' | '\u{200d}' => !before.is_ascii() && !matches!(before, '\u{200c}' | '\u{200d}'),
        '\u{fe0e}' | '\u{fe0f}' => match before {
            '#' | '*' | '0'..='9' => next == Some(&'\u{20e3}'),
            '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}' => true,
            _ => false,
        },
        _ => false,
    }
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
        for text in [
            "f<<<1, 100>>>()",
            "naïve 漢字 é 👩‍💻",
            "█▄ │ └",
            "1\u{fe0f}\u{20e3} ☺\u{fe0e} 👁\u{fe0f}\u{200d}🗨\u{fe0f} می\u{200c}خواهم क्\u{200d}ष",
        ] {
            assert_eq!(shown(text), text);
            assert_eq!(Shown::json(text).as_str(), text);
        }
    }

    #[test]
    fn nothing_is_hidden_in_what_is_not_drawn() {
        // `Default_Ignorable_Code_Point` in `DerivedCoreProperties.txt` of Unicode 16.0, line by line.
        let property = [
            (0xad, 0xad),
            (0x34f, 0x34f),
            (0x61c, 0x61c),
            (0x115f, 0x1160),
            (0x17b4, 0x17b5),
            (0x180b, 0x180d),
            (0x180e, 0x180e),
            (0x180f, 0x180f),
            (0x200b, 0x200f),
            (0x202a, 0x202e),
            (0x2060, 0x2064),
            (0x2065, 0x2065),
            (0x2066, 0x206f),
            (0x3164, 0x3164),
            (0xfe00, 0xfe0f),
            (0xfeff, 0xfeff),
            (0xffa0, 0xffa0),
            (0xfff0, 0xfff8),
            (0x1bca0, 0x1bca3),
            (0x1d173, 0x1d17a),
            (0xe0000, 0xe0000),
            (0xe0001, 0xe0001),
            (0xe0002, 0xe001f),
            (0xe0020, 0xe007f),
            (0xe0080, 0xe00ff),
            (0xe0100, 0xe01ef),
            (0xe01f0, 0xe0fff),
        ];
        let all = property.into_iter().flat_map(|(first, last)| first..=last);
        let all: Vec<_> = all.filter_map(char::from_u32).collect();
        assert_eq!(all.len(), 4174, "as the file counts them");
        for it in all {
            let name = format!("<U+{:04X}>", u32::from(it));
            let in_text = |before: &str| {
                (
                    format!("{before}{it}{it}b"),
                    format!("{before}{name}{name}b"),
                )
            };
            for before in ["", "a", "7"] {
                let (text, safe) = in_text(before);
                assert_eq!(shown(&text), safe);
                assert!(!Shown::json(&text).as_str().contains(it), "{name}");
            }
            // Where it is needed it counts once.
            for before in ["ä", "☺"] {
                let (_, safe) = in_text(before);
                let needed = safe.replacen(&name, &it.to_string(), 1);
                let shown = shown(&in_text(before).0);
                let is_joiner = matches!(it, '\u{200c}' | '\u{200d}');
                let is_form = matches!(it, '\u{fe0e}' | '\u{fe0f}') && before == "☺";
                assert_eq!(shown, if is_joiner || is_form { needed } else { safe });
            }
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
