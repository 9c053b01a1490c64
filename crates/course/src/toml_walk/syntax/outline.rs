//! Texts and brackets of a TOML file, also of one that is not TOML: what is open at a byte, and what was never closed.

use std::ops::Range;

/// Keys that begin a line of a question or a head. A text of several lines that holds one of them is not closed.
const KEYS: [&str; 21] = [
    "accept",
    "accepted",
    "also",
    "answer",
    "ask",
    "bins",
    "explain",
    "hints",
    "id",
    "items",
    "lab",
    "lessons",
    "metric",
    "near",
    "options",
    "pairs",
    "points",
    "prompt",
    "see",
    "tolerance",
    "type",
];

/// Where the texts and the open brackets are.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Each text, with its quotation marks, in order.
    texts: Vec<Range<usize>>,
    /// The first text of one line that its line ends before it is closed.
    pub(super) open_line: Option<Range<usize>>,
    /// The first text of several lines that is not closed.
    pub(super) open_text: Option<Range<usize>>,
    /// The first bracket that is not closed where another part begins, and where that is.
    pub(super) open_bracket: Option<(usize, usize)>,
    /// Each bracket with what it closes, if that was opened.
    pairs: Vec<Range<usize>>,
}

impl Outline {
    /// Finds them in one pass.
    pub(super) fn of(text: &str) -> Self {
        let mut outline = Self::default();
        let mut open: Vec<(char, usize)> = Vec::new();
        let mut at = 0;
        let mut begins_line = true;
        while let Some(letter) = text.get(at..).and_then(|it| it.chars().next()) {
            if begins_line && !letter.is_whitespace() {
                begins_line = false;
                outline.check_open(text, at, &open);
            }
            match letter {
                '\n' => begins_line = true,
                '#' => {
                    at += line_end(text, at) - at;
                    continue;
                }
                '"' | '\'' => {
                    at = outline.quoted(text, at, letter);
                    continue;
                }
                '[' | '{' => open.push((letter, at)),
                ']' | '}' => {
                    if let Some((_, start)) = open.pop() {
                        outline.pairs.push(start..at + 1);
                    }
                }
                _ => {}
            }
            at += letter.len_utf8();
        }
        outline.pairs.extend(open.iter().map(|it| it.1..text.len()));
        if let (Some((_, start)), None) = (open.first(), outline.open_bracket) {
            outline.open_bracket = Some((*start, text.len()));
        }
        outline
    }

    /// Each text, with its quotation marks, in order.
    pub(super) fn into_texts(self) -> Vec<Range<usize>> {
        self.texts
    }

    /// The text of several lines that ends in front of a byte, with nothing between the two.
    pub(super) fn long_text_before(&self, at: usize, text: &str) -> Option<&Range<usize>> {
        let behind = self.texts.partition_point(|it| it.end <= at);
        let last = behind.checked_sub(1).and_then(|it| self.texts.get(it))?;
        let between = text.get(last.end..at)?;
        let written = text.get(last.clone())?;
        let is_it = between.trim().is_empty() && !between.contains('\n') && written.contains('\n');
        is_it.then_some(last)
    }

    /// Whether a byte is in a text.
    pub(super) fn is_in_text(&self, at: usize) -> bool {
        let behind = self.texts.partition_point(|it| it.start <= at);
        let last = behind.checked_sub(1).and_then(|it| self.texts.get(it));
        last.is_some_and(|it| it.contains(&at))
    }

    /// Whether a byte is between brackets of a list or a table.
    pub(super) fn is_in_brackets(&self, at: usize) -> bool {
        self.pairs.iter().any(|it| it.start < at && at < it.end)
    }

    /// Looks at the beginning of a line that is between brackets: what it begins may not be there.
    fn check_open(&mut self, text: &str, at: usize, open: &[(char, usize)]) {
        let (Some((bracket, start)), None) = (open.last(), self.open_bracket) else {
            return;
        };
        let line = text.get(at..line_end(text, at)).unwrap_or_default();
        let is_other = match bracket {
            '[' => begins_key(line),
            _ => line.starts_with('{'),
        };
        if is_other || line.starts_with("[[") {
            self.open_bracket = Some((*start, at));
        }
    }

    /// Passes over a text that begins at this byte; gives its end.
    fn quoted(&mut self, text: &str, start: usize, quote: char) -> usize {
        let three: String = [quote; 3].iter().collect();
        let rest = text.get(start..).unwrap_or_default();
        let is_long = rest.starts_with(&three);
        let close = if is_long { 3 } else { 1 };
        let (close, inside) = (
            three.get(..close).unwrap_or_default(),
            rest.get(close..).unwrap_or_default(),
        );
        let end = closing(inside, close, quote == '"').map(|it| start + it + 2 * close.len());
        // The line's end is looked for only here: thousands of texts may be on one line.
        let range = start..end.unwrap_or_else(|| {
            if is_long {
                text.len()
            } else {
                line_end(text, start)
            }
        });
        if is_long {
            let swallows = inside_lines(text, &range)
                .any(|it| it.starts_with("[[question") || is_known_key(it));
            if end.is_none() || swallows {
                self.open_text.get_or_insert(range.clone());
            }
        } else if end.is_none() {
            self.open_line.get_or_insert(range.clone());
        }
        self.texts.push(range.clone());
        range.end
    }
}

/// The lines that begin in a text.
fn inside_lines<'a>(text: &'a str, range: &Range<usize>) -> impl Iterator<Item = &'a str> {
    text.get(range.clone()).unwrap_or_default().lines().skip(1)
}

/// Where the closing quotation marks are; a single one is on the same line.
fn closing(inside: &str, close: &str, has_escapes: bool) -> Option<usize> {
    let ends = |it: char| it == '\n' && close.len() == 1;
    let mut is_escaped = false;
    for (at, letter) in inside.char_indices() {
        if ends(letter) {
            return None;
        }
        if !is_escaped && inside.get(at..)?.starts_with(close) {
            return Some(at);
        }
        is_escaped = has_escapes && letter == '\\' && !is_escaped;
    }
    None
}

/// Where the line of a byte ends.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    text.get(at..)
        .and_then(|it| it.find('\n'))
        .map_or(text.len(), |it| at + it)
}

/// Whether a line begins with a key and `=`.
fn begins_key(line: &str) -> bool {
    let Some((key, _)) = line.split_once('=') else {
        return false;
    };
    let key = key.trim();
    !key.is_empty()
        && key
            .chars()
            .all(|it| it.is_alphanumeric() || "-_.".contains(it))
}

/// Whether a line gives a value to a key that course files have.
fn is_known_key(line: &str) -> bool {
    begins_key(line)
        && line
            .split('=')
            .next()
            .is_some_and(|it| KEYS.contains(&it.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_closed_is_found_where_it_begins() {
        let open = |text: &str| Outline::of(text).open_bracket.map(|it| it.0);
        assert_eq!(open("a = [\"x\",\nb = 1\n"), Some(4));
        assert_eq!(open("a = [\n {b = 1,\n {c = 2}]\n"), Some(7));
        assert_eq!(open("a = [{\n  b = 1,\n  c = 2 }]\n[[question]]\n"), None);
        assert_eq!(open("# [\na = \"[\"\n"), None);
        let text = |text: &str| Outline::of(text).open_text.map(|it| it.start);
        assert_eq!(
            text("p = \"\"\"x\"\noptions = []\nexplain = \"\"\"y\"\"\"\n"),
            Some(4)
        );
        assert_eq!(text("p = \"\"\"x\ny = 1\n\"\"\"\n"), None);
        let line = |text: &str| Outline::of(text).open_line.map(|it| it.start);
        assert_eq!(line("a = \"x\nb = 'it\\'\n"), Some(4));
        assert_eq!(line("a = \"x\\\"\"\n"), None);
        assert_eq!(line("a = \"x\\\nb = \"y\"\n"), Some(4));
        assert_eq!(line("a = \"x\\\\\"\n"), None);
    }
}
