//! The terminal's background: asked of the terminal, which answers as if somebody typed.
//!
//! crossterm knows no such answer and gives its bytes as keys: `Alt-]`, then `11;rgb:1e1e/1e1e/1e1e`, then `Ctrl-G` or `Alt-\`.
//! Nothing waits for it: a terminal that does not answer keeps the colours of the first frame. The mode in which a terminal
//! reports changes by itself (2031) is no way: crossterm takes its reports for the begin of a longer answer, and swallows
//! keys. So the terminal is asked again whenever the learner comes back to it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::theme::Background;

/// Asks for the colour of the background (OSC 11).
pub(super) const QUESTION: &[u8] = b"\x1b]11;?\x07";

/// Reports of when the terminal gets and loses the focus.
pub(super) const FOCUS_ON: &[u8] = b"\x1b[?1004h";
pub(super) const FOCUS_OFF: &[u8] = b"\x1b[?1004l";

/// How an answer begins.
const HEADS: [&str; 2] = ["11;rgb:", "11;rgba:"];

/// Letters of the longest colour: four numbers of four digits.
const LONGEST: usize = 19;

/// The part of an answer that has come so far.
#[derive(Debug, Default)]
pub(super) struct BackgroundAnswer {
    keys: Vec<KeyEvent>,
    text: String,
}

/// What a key is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A part of an answer.
    Part,
    /// The end of one.
    Answer(Background),
    /// These keys, which somebody pressed.
    Keys(Vec<KeyEvent>),
}

impl BackgroundAnswer {
    /// Takes a key.
    pub(super) fn take(&mut self, key: KeyEvent) -> Typed {
        let (code, modifiers) = (key.code, key.modifiers);
        if self.keys.is_empty() {
            if code != KeyCode::Char(']') || modifiers != KeyModifiers::ALT {
                return Typed::Keys(vec![key]);
            }
            self.keys.push(key);
            return Typed::Part;
        }
        self.keys.push(key);
        let ends = [
            (KeyCode::Char('g'), KeyModifiers::CONTROL),
            (KeyCode::Char('\\'), KeyModifiers::ALT),
        ];
        if ends.contains(&(code, modifiers)) {
            let text = std::mem::take(&mut self.text);
            let keys = std::mem::take(&mut self.keys);
            return background(&text).map_or(Typed::Keys(keys), Typed::Answer);
        }
        if let KeyCode::Char(letter) = code
            && KeyModifiers::SHIFT.contains(modifiers)
        {
            self.text.push(letter);
            if is_begin(&self.text) {
                return Typed::Part;
            }
        }
        self.text.clear();
        Typed::Keys(std::mem::take(&mut self.keys))
    }
}

fn is_begin(text: &str) -> bool {
    HEADS.into_iter().any(|head| {
        let colour = text.strip_prefix(head);
        let is_digit = |it: u8| it.is_ascii_hexdigit() || it == b'/';
        head.starts_with(text)
            || colour.is_some_and(|it| it.len() <= LONGEST && it.bytes().all(is_digit))
    })
}

/// The background of an answer such as `11;rgb:1e1e/1e1e/1e1e`.
fn background(text: &str) -> Option<Background> {
    let colour = HEADS.into_iter().find_map(|it| text.strip_prefix(it))?;
    let mut shares = colour.split('/').map(|digits| {
        let digits = Some(digits).filter(|it| it.len() <= 4)?;
        let most = 16_u32.pow(u32::try_from(digits.len()).ok()?) - 1;
        let value = u32::from_str_radix(digits, 16).ok()?;
        Some(f64::from(value) / f64::from(most))
    });
    let rgb = [shares.next()??, shares.next()??, shares.next()??];
    Some(Background::of_rgb(rgb))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As crossterm gives these bytes.
    fn keys(bytes: &str) -> Vec<KeyEvent> {
        let mut letters = bytes.chars();
        std::iter::from_fn(|| {
            let letter = letters.next()?;
            let (letter, modifiers) = match letter {
                '\x1b' => (letters.next()?, KeyModifiers::ALT),
                '\x07' => ('g', KeyModifiers::CONTROL),
                'A'..='Z' => (letter, KeyModifiers::SHIFT),
                _ => (letter, KeyModifiers::NONE),
            };
            Some(KeyEvent::new(KeyCode::Char(letter), modifiers))
        })
        .collect()
    }

    /// What is left of some bytes: the backgrounds in them, and the keys.
    fn taken(bytes: &str) -> (Vec<Background>, Vec<KeyEvent>) {
        let mut answer = BackgroundAnswer::default();
        let (mut backgrounds, mut pressed) = (Vec::new(), Vec::new());
        for key in keys(bytes) {
            match answer.take(key) {
                Typed::Part => {}
                Typed::Answer(it) => backgrounds.push(it),
                Typed::Keys(keys) => pressed.extend(keys),
            }
        }
        (backgrounds, pressed)
    }

    #[test]
    fn an_answer_is_no_key_whatever_ends_it() {
        use Background::{Dark, Light};
        for (bytes, background) in [
            ("\x1b]11;rgb:0000/0000/0000\x07", Dark),
            ("\x1b]11;rgb:1E1E/1E1E/2E2E\x1b\\", Dark),
            ("\x1b]11;rgb:ff/ff/ff\x07", Light),
            ("\x1b]11;rgba:fdfd/f6f6/e3e3/ffff\x1b\\", Light),
            ("\x1b]11;rgb:f/f/f\x07", Light),
        ] {
            let around = format!("j{bytes}k");
            assert_eq!(taken(&around), (vec![background], keys("jk")), "{bytes:?}");
        }
    }

    #[test]
    fn what_is_no_answer_is_typed() {
        for bytes in [
            "\x1b]x",
            "\x1b]11x",
            "\x1b]11;rgb:00/00\x07j",
            "\x1b]11;rgb:00/00/00/00/00/00/0011",
            "\x1b]11;rgb:00000/00/00\x07x",
            "\x1b]\x1b]\x1b]x",
            "\x1b]11;rgb:\u{1b}x",
        ] {
            let (backgrounds, pressed) = taken(bytes);
            assert_eq!(backgrounds, [], "{bytes:?}");
            assert_eq!(pressed, keys(bytes), "{bytes:?}");
        }
    }
}
