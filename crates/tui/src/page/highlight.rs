//! Colours for code: Python, Rust and TOML, word by word.
//!
//! A tokeniser for colours only: it knows comments, strings, numbers and keywords, and takes a line at a
//! time except for strings over several lines. A grammar library (`syntect`) was tried on paper and rejected: the
//! grammars cost more to load than the whole start of the app may take, and TOML is not among them.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::styled;
use crate::theme::{Role, Theme};
use warpup_text::shown::Shown;

/// Code as lines, in one style where the language is unknown.
pub(crate) fn code(language: &str, code: &str, theme: Theme) -> Vec<Line<'static>> {
    let Some(language) = Language::named(language) else {
        return styled::lines(code, theme.style(Role::Text));
    };
    let shown = Shown::new(code);
    let text = shown.as_str();
    let mut inside = None;
    text.strip_suffix('\n')
        .unwrap_or(text)
        .split('\n')
        .map(|it| Line::from(line(&language, it, &mut inside, theme)))
        .collect()
}

/// What the tokeniser knows of a language.
struct Language {
    comment: &'static str,
    quotes: &'static [char],
    /// Strings that may span lines open and close with this.
    long: &'static [&'static str],
    keywords: &'static [&'static str],
}

impl Language {
    fn named(name: &str) -> Option<Self> {
        match name {
            "python" | "py" => Some(Self {
                comment: "#",
                quotes: &['"', '\''],
                long: &["\"\"\"", "'''"],
                keywords: &[
                    "False", "None", "True", "and", "as", "assert", "async", "await", "break",
                    "class", "continue", "def", "del", "elif", "else", "except", "finally", "for",
                    "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not",
                    "or", "pass", "raise", "return", "try", "while", "with", "yield",
                ],
            }),
            "rust" | "rs" => Some(Self {
                comment: "//",
                quotes: &['"'],
                long: &[],
                keywords: &[
                    "as", "async", "await", "break", "const", "continue", "crate", "else", "enum",
                    "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match",
                    "mod", "move", "mut", "pub", "ref", "return", "self", "Self", "static",
                    "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
                ],
            }),
            "toml" => Some(Self {
                comment: "#",
                quotes: &['"', '\''],
                long: &["\"\"\"", "'''"],
                keywords: &["true", "false"],
            }),
            _ => None,
        }
    }
}

/// The spans of one line. `inside` is the end of a string that an earlier line has opened.
fn line(
    language: &Language,
    text: &str,
    inside: &mut Option<&'static str>,
    theme: Theme,
) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (bytes, role) = match *inside {
            Some(end) => match rest.find(end) {
                Some(at) => {
                    *inside = None;
                    (at + end.len(), Role::Literal)
                }
                None => (rest.len(), Role::Literal),
            },
            None => token(language, rest, inside),
        };
        let Some((head, tail)) = rest.split_at_checked(bytes.max(1)) else {
            spans.push(styled::span(rest, Style::new()));
            break;
        };
        spans.push(theme.span(head, role));
        rest = tail;
    }
    spans
}

/// The length and role of the token at the start of `rest`.
fn token(language: &Language, rest: &str, inside: &mut Option<&'static str>) -> (usize, Role) {
    if rest.starts_with(language.comment) {
        return (rest.len(), Role::Comment);
    }
    if let Some(open) = language.long.iter().find(|it| rest.starts_with(**it)) {
        *inside = Some(open);
        return (open.len(), Role::Literal);
    }
    let Some(first) = rest.chars().next() else {
        return (rest.len(), Role::Text);
    };
    if language.quotes.contains(&first) {
        return (string(rest, first), Role::Literal);
    }
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    if first.is_ascii_digit() {
        let end = rest.find(|it: char| !is_word(it) && it != '.');
        return (end.unwrap_or(rest.len()), Role::Literal);
    }
    if is_word(first) {
        let end = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        let role = if language.keywords.contains(&word) {
            Role::Keyword
        } else {
            Role::Text
        };
        return (end, role);
    }
    let starts = |it: char| is_word(it) || language.quotes.contains(&it);
    let stop = rest.char_indices().skip(1).find(|(at, it)| {
        starts(*it)
            || rest
                .get(*at..)
                .is_some_and(|it| it.starts_with(language.comment))
    });
    (stop.map_or(rest.len(), |(at, _)| at), Role::Text)
}

/// The length of a string on one line, its quotes included.
fn string(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, it) in rest.char_indices().skip(1) {
        if it == quote && !escaped {
            return at + it.len_utf8();
        }
        escaped = it == '\\' && !escaped;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Colours, Letters};
    use proptest::prelude::*;

    const THEME: Theme = Theme {
        colours: Colours::Sixteen,
        letters: Letters::Unicode,
    };

    fn roles(text: &str) -> Vec<(String, &'static str)> {
        let name = |span: &Span<'_>| {
            [Role::Keyword, Role::Literal, Role::Comment]
                .into_iter()
                .zip(["keyword", "literal", "comment"])
                .find(|(role, _)| THEME.style(*role) == span.style)
                .map(|(_, name)| name)
        };
        code("python", text, THEME)
            .iter()
            .flat_map(|line| line.spans.iter())
            .filter_map(|it| Some((it.content.to_string(), name(it)?)))
            .collect()
    }

    #[test]
    fn words_strings_numbers_and_comments_are_told_apart() {
        assert_eq!(
            roles("for x in 'a\\'b': # no\n    y = 2e3"),
            [
                ("for".to_owned(), "keyword"),
                ("in".to_owned(), "keyword"),
                ("'a\\'b'".to_owned(), "literal"),
                ("# no".to_owned(), "comment"),
                ("2e3".to_owned(), "literal"),
            ]
        );
    }

    #[test]
    fn a_string_may_span_lines() {
        let found = roles("x = \"\"\"one\nfor\"\"\" if");
        assert_eq!(found.last(), Some(&("if".to_owned(), "keyword")));
        assert!(found.contains(&("for\"\"\"".to_owned(), "literal")));
    }

    proptest! {
        #[test]
        fn no_letter_is_lost(text in any::<String>()) {
            for language in ["python", "rust", "toml", "text"] {
                let lines = code(language, &text, THEME);
                let all: Vec<_> = lines.iter().map(ToString::to_string).collect();
                let shown = Shown::new(&text).into_string();
                prop_assert_eq!(all.join("\n"), shown.strip_suffix('\n').unwrap_or(&shown));
            }
        }
    }
}
