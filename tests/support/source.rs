//! The repository's own files as text, and Rust code without comments and literals.
//!
//! This is not a parser: the tests search for words and paths, and a short scanner is easier to read than the
//! use of a syntax tree.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A text file of the repository.
pub(crate) struct File {
    /// Its path from the root, with `/` on every system.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

/// The text files at or under a path of the repository, in order; none if there is no such path.
///
/// Leaves out hidden files, build output, and what is not UTF-8.
pub(crate) fn files_under(path: &str) -> Vec<File> {
    let mut found = Vec::new();
    collect(&root().join(path), &mut found);
    found.sort_by(|left, right| left.path.cmp(&right.path));
    found
}

/// The Rust files at or under a path of the repository, in order.
pub(crate) fn rust_files_under(path: &str) -> Vec<File> {
    let mut files = files_under(path);
    files.retain(|file| {
        Path::new(&file.path)
            .extension()
            .is_some_and(|it| it == "rs")
    });
    files
}

fn collect(path: &Path, found: &mut Vec<File>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                collect(&entry.path(), found);
            }
        }
    } else if let Ok(text) = fs::read_to_string(path) {
        let relative: PathBuf = path.strip_prefix(root()).unwrap().into();
        let path = relative.to_string_lossy().replace('\\', "/");
        found.push(File { path, text });
    }
}

/// The code of a Rust text: comments and the insides of literals become spaces, line breaks stay, so
/// that a line of the result is the same line of the text.
pub(crate) fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, is_code) = next_part(rest, first, code.chars().next_back());
        let (part, after) = rest.split_at(length);
        if is_code {
            code.push_str(part);
        } else {
            code.extend(part.chars().map(|it| if it == '\n' { '\n' } else { ' ' }));
        }
        rest = after;
    }
    code
}

/// How long the next part is, in bytes, and whether it is code.
fn next_part(rest: &str, first: char, before: Option<char>) -> (usize, bool) {
    let in_word = before.is_some_and(|it| it.is_alphanumeric() || it == '_');
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), false);
    }
    if !in_word && let Some(length) = raw_string(rest) {
        return (length, false);
    }
    match first {
        '"' => (quoted(rest, '"'), false),
        '\'' => char_literal(rest).map_or((1, true), |length| (length, false)),
        _ => (first.len_utf8(), true),
    }
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The length of the raw string, if one starts here (`r"…"`, `br#"…"#`).
fn raw_string(rest: &str) -> Option<usize> {
    let body = ["br", "cr", "r"]
        .iter()
        .find_map(|prefix| rest.strip_prefix(prefix))?;
    let hashes = body.chars().take_while(|it| *it == '#').count();
    let inside = body.get(hashes..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(rest.len() - inside.len() + length)
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, it) in rest.char_indices().skip(1) {
        match it {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if it == quote => return at + it.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The length of the character literal, unless this quote belongs to a lifetime or a label.
fn char_literal(rest: &str) -> Option<usize> {
    let mut chars = rest.chars().skip(1);
    let (inside, after) = (chars.next()?, chars.next()?);
    (inside == '\\' || after == '\'').then(|| quoted(rest, '\''))
}

/// A text up to its tests, which are the last item of a file.
pub(crate) fn without_tests(code: &str) -> &str {
    code.split_once("#[cfg(test)]\nmod tests {")
        .map_or(code, |(shipped, _)| shipped)
}

#[test]
fn comments_and_literals_are_no_code_and_lines_stay() {
    let text = "a // b\n/* c /* d\n */ */ e\n\"f \\\" g\" h r#\"i \" j\"# k '\"' l 'm: n br\"o\" for_\n'\\'' p";
    let words: Vec<Vec<String>> = code_of(text)
        .lines()
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect();
    assert_eq!(
        words,
        [
            vec!["a"],
            vec![],
            vec!["e"],
            vec!["h", "k", "l", "'m:", "n", "for_"],
            vec!["p"],
        ]
    );
    assert_eq!(code_of(text).lines().count(), text.lines().count());
}

#[test]
fn tests_are_cut_off() {
    assert_eq!(without_tests("a\n#[cfg(test)]\nmod tests {\nb"), "a\n");
    assert_eq!(
        without_tests("a\nmod tests_of_speed;"),
        "a\nmod tests_of_speed;"
    );
}
