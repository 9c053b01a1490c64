//! Code by its words, for colours: Python, Rust and TOML.
//!
//! A tokeniser for colours only: it knows comments, strings, numbers and keywords, and takes a line at a
//! time except for strings over several lines. A grammar library (`syntect`) was tried on paper and rejected: the
//! grammars cost more to load than the whole start of the app may take, and TOML is not among them.

/// What a part of a line of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeRole {
    /// A name, a sign, space.
    Plain,
    /// A word of the language.
    Keyword,
    /// A string or a number.
    Literal,
    /// A comment.
    Comment,
}

/// Code as lines of parts, without the line feeds; nothing where the language is unknown.
pub fn lines<'c>(language: &str, code: &'c str) -> Option<Vec<Vec<(&'c str, CodeRole)>>> {
    let language = Language::named(language)?;
    let mut inside = None;
    let lines = code.strip_suffix('\n').unwrap_or(code).split('\n');
    Some(lines.map(|it| line(&language, it, &mut inside)).collect())
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

/// The parts of one line. `inside` is the end of a string that an earlier line has opened.
fn line<'c>(
    language: &Language,
    text: &'c str,
    inside: &mut Option<&'static str>,
) -> Vec<(&'c str, CodeRole)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (bytes, role) = match *inside {
            Some(end) => match rest.find(end) {
                Some(at) => {
                    *inside = None;
                    (at + end.len(), CodeRole::Literal)
                }
                None => (rest.len(), CodeRole::Literal),
            },
            None => token(language, rest, inside),
        };
        let Some((head, tail)) = rest.split_at_checked(bytes.max(1)) else {
            parts.push((rest, CodeRole::Plain));
            break;
        };
        parts.push((head, role));
        rest = tail;
    }
    parts
}

/// The length and role of the token at the start of `rest`.
fn token(language: &Language, rest: &str, inside: &mut Option<&'static str>) -> (usize, CodeRole) {
    if rest.starts_with(language.comment) {
        return (rest.len(), CodeRole::Comment);
    }
    if let Some(open) = language.long.iter().find(|it| rest.starts_with(**it)) {
        *inside = Some(open);
        return (open.len(), CodeRole::Literal);
    }
    let Some(first) = rest.chars().next() else {
        return (rest.len(), CodeRole::Plain);
    };
    if language.quotes.contains(&first) {
        return (string(rest, first), CodeRole::Literal);
    }
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    if first.is_ascii_digit() {
        let end = rest.find(|it: char| !is_word(it) && it != '.');
        return (end.unwrap_or(rest.len()), CodeRole::Literal);
    }
    if is_word(first) {
        let end = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        let role = if language.keywords.contains(&word) {
            CodeRole::Keyword
        } else {
            CodeRole::Plain
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
    (stop.map_or(rest.len(), |(at, _)| at), CodeRole::Plain)
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

    /// The parts that are no plain text.
    fn roles(text: &str) -> Vec<(&str, CodeRole)> {
        let parts = lines("python", text).unwrap().into_iter().flatten();
        parts.filter(|it| it.1 != CodeRole::Plain).collect()
    }

    #[test]
    fn words_strings_numbers_and_comments_are_told_apart() {
        assert_eq!(
            roles("for x in 'a\\'b': # no\n    y = 2e3"),
            [
                ("for", CodeRole::Keyword),
                ("in", CodeRole::Keyword),
                ("'a\\'b'", CodeRole::Literal),
                ("# no", CodeRole::Comment),
                ("2e3", CodeRole::Literal),
            ]
        );
    }

    #[test]
    fn a_string_may_span_lines() {
        let found = roles("x = \"\"\"one\nfor\"\"\" if");
        assert_eq!(found.last(), Some(&("if", CodeRole::Keyword)));
        assert!(found.contains(&("for\"\"\"", CodeRole::Literal)));
    }
}
