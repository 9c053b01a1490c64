//! The paths in a text of code: `a::b::c`, with the trees of `use a::{b, c::{d, e}}` taken apart.

/// A path of two names or more, or one that a `use` brings in whole.
pub(super) struct Found {
    /// The line it begins on, from 1.
    pub(super) line: usize,
    /// Whether a `use` names it.
    pub(super) is_use: bool,
    /// Whether that is a `pub use`.
    pub(super) is_export: bool,
    /// Its names; `*` for a glob.
    pub(super) path: Vec<String>,
}

/// A word, `::`, or one other character.
struct Token<'a> {
    line: usize,
    text: &'a str,
}

/// All paths, in order. `code` is without comments and literals.
pub(super) fn paths_in(code: &str) -> Vec<Found> {
    let tokens = tokens_of(code);
    let mut found = Vec::new();
    let mut rest = &tokens[..];
    let (mut before, mut before_that) = ("", "");
    while let Some(first) = rest.first() {
        // What follows a dot is a field or a method.
        if is_word(first.text) && before != "." {
            let mut tree = Vec::new();
            rest = take_tree(rest, &[], &mut tree);
            for mut it in tree {
                it.is_use = before == "use";
                it.is_export = it.is_use && ["pub", ")"].contains(&before_that);
                if it.is_use || it.path.len() > 1 {
                    found.push(it);
                }
            }
        } else {
            rest = &rest[1..];
        }
        before_that = before;
        before = first.text;
    }
    found
}

/// Takes one path or one tree of paths off the front; what is left begins after it.
fn take_tree<'a>(
    tokens: &'a [Token<'a>],
    prefix: &[String],
    found: &mut Vec<Found>,
) -> &'a [Token<'a>] {
    let mut path = prefix.to_vec();
    let mut rest = tokens;
    let line = tokens.first().map_or(0, |it| it.line);
    loop {
        match rest {
            [word, after @ ..] if is_word(word.text) || word.text == "*" => {
                path.push(word.text.to_owned());
                rest = after;
            }
            [brace, after @ ..] if brace.text == "{" && !path.is_empty() => {
                return take_group(after, &path, found);
            }
            _ => break,
        }
        match rest {
            [colons, next, ..] if colons.text == "::" && continues(next.text) => rest = &rest[1..],
            _ => break,
        }
    }
    if path.last().is_some_and(|it| it == "self") && path.len() > 1 {
        path.pop();
    }
    found.push(Found {
        line,
        is_use: false,
        is_export: false,
        path,
    });
    rest
}

/// Takes the inside of `{…}`, up to and with its closing brace.
fn take_group<'a>(
    tokens: &'a [Token<'a>],
    prefix: &[String],
    found: &mut Vec<Found>,
) -> &'a [Token<'a>] {
    let mut rest = tokens;
    while let Some(token) = rest.first() {
        match token.text {
            "}" => return &rest[1..],
            "," => rest = &rest[1..],
            // The new name of `a as b` is not a path.
            "as" => rest = rest.get(2..).unwrap_or_default(),
            "*" => rest = take_tree(rest, prefix, found),
            text if is_word(text) => rest = take_tree(rest, prefix, found),
            _ => rest = &rest[1..],
        }
    }
    rest
}

fn continues(text: &str) -> bool {
    is_word(text) || text == "{" || text == "*"
}

fn is_word(text: &str) -> bool {
    text.starts_with(|it: char| it.is_alphabetic() || it == '_')
}

fn tokens_of(code: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ':' if rest.starts_with("::") => 2,
            _ if first.is_alphanumeric() || first == '_' => rest
                .find(|it: char| !it.is_alphanumeric() && it != '_')
                .unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (text, after) = rest.split_at(length);
        if first == '\n' {
            line += 1;
        }
        if !first.is_whitespace() {
            tokens.push(Token { line, text });
        }
        rest = after;
    }
    tokens
}
