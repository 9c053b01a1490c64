//! Rules of the house style (`docs/style.md`) that neither the formatter nor a lint checks.
//!
//! Each rule is one test, and each failure names files and lines.

use crate::support::source::{self, File};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The most lines of code that a file may have. Blank lines and comments do not count, so that nobody saves
/// comments.
const MAX_LINES: usize = 400;

/// Fails with a line for each finding.
fn assert_none(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}:\n{}", findings.join("\n"));
}

/// `path:line` of each line of code that contains one of the words.
fn lines_with(file: &File, code: &str, words: &[&str]) -> Vec<String> {
    code.lines()
        .enumerate()
        .filter(|(_, line)| words.iter().any(|word| line.contains(word)))
        .map(|(at, line)| format!("{}:{}: {}", file.path, at + 1, line.trim()))
        .collect()
}

/// A Rust file, and its code without comments and literals.
struct RustFile {
    file: File,
    code: String,
}

/// All Rust files of the repository, scanned once for all rules.
fn rust() -> &'static [RustFile] {
    static FILES: LazyLock<Vec<RustFile>> = LazyLock::new(|| {
        let files = ["src", "crates", "tests", "benches"].map(source::rust_files_under);
        let with_code = |file: File| RustFile {
            code: source::code_of(&file.text),
            file,
        };
        files.into_iter().flatten().map(with_code).collect()
    });
    &FILES
}

#[test]
fn every_file_begins_by_saying_what_it_is() {
    // The files in tests/candle are what the lessons show, word for word.
    let silent: Vec<String> = rust()
        .iter()
        .map(|it| &it.file)
        .filter(|file| !file.path.starts_with("tests/candle/"))
        .filter(|file| !file.text.starts_with("//! "))
        .map(|file| file.path.clone())
        .collect();
    assert_none("these do not begin with `//! `", &silent);
}

#[test]
fn no_file_is_too_long_to_take_in() {
    let long: Vec<String> = rust()
        .iter()
        .filter_map(|RustFile { file, code }| {
            let lines = code.lines().filter(|line| !line.trim().is_empty()).count();
            (lines > MAX_LINES).then(|| format!("{}: {lines} lines of code", file.path))
        })
        .collect();
    assert_none(
        &format!("these have more than {MAX_LINES}, split them"),
        &long,
    );
}

#[test]
fn no_test_is_switched_off() {
    let found: Vec<String> = rust()
        .iter()
        .flat_map(|it| lines_with(&it.file, &it.code, &["#[ignore"]))
        .collect();
    assert_none("fix or delete the test", &found);
}

#[test]
fn no_test_sleeps() {
    let mut found = Vec::new();
    for RustFile { file, code } in rust() {
        if file.path.starts_with("benches/") {
            continue;
        }
        let is_test = ["tests/", "/tests.rs", "_tests.rs"]
            .iter()
            .any(|it| file.path.contains(it));
        let shipped = if is_test {
            ""
        } else {
            source::without_tests(code)
        };
        let before = shipped.lines().count();
        let tests: String = code
            .lines()
            .enumerate()
            .map(|(at, line)| {
                if at < before {
                    "\n".into()
                } else {
                    format!("{line}\n")
                }
            })
            .collect();
        found.extend(lines_with(file, &tests, &["sleep("]));
    }
    assert_none("wait for what you need, not for a time", &found);
}

#[test]
fn the_changelog_has_this_version_or_unreleased_changes() {
    let headings = [
        concat!("## [", env!("CARGO_PKG_VERSION"), "]"),
        "## [Unreleased]",
    ];
    let changelog = source::files_under("CHANGELOG.md");
    let is_heading = |line: &str| headings.iter().any(|it| line.starts_with(it));
    assert!(
        changelog[0].text.lines().any(is_heading),
        "CHANGELOG.md has none of {headings:?}"
    );
}

#[test]
fn nothing_names_a_folder_of_somebodys_machine() {
    // In pieces, so that this file does not name one.
    let folders = [
        ["/ho", "me/"],
        ["/ro", "ot/"],
        ["/wo", "rk/"],
        ["/Use", "rs/"],
    ]
    .map(|it| it.concat());
    let mut found = Vec::new();
    for file in source::files_under(".") {
        for (at, line) in file.text.lines().enumerate() {
            if folders.iter().any(|folder| is_absolute_in(line, folder)) {
                found.push(format!("{}:{}: {}", file.path, at + 1, line.trim()));
            }
        }
    }
    assert_none("write `~` or a relative path", &found);
}

/// Whether a path in the line begins with the folder; inside a longer path or an address it does not count.
fn is_absolute_in(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|it| it.chars().next_back());
        before.is_none_or(|it| !it.is_alphanumeric() && !"./~}_-".contains(it))
    })
}

#[test]
fn a_path_inside_another_is_not_absolute() {
    let folder = ["/wo", "rk/"].concat();
    assert!(is_absolute_in(&format!("see `{folder}x`"), &folder));
    assert!(is_absolute_in(&folder, &folder));
    assert!(!is_absolute_in(
        &format!("docs{folder}x ~{folder} ./a{folder}"),
        &folder
    ));
}

/// How many types may have a name, where it is more than [`MAX_MEANINGS`]. These can only become fewer.
const MANY_MEANINGS: &[(&str, usize)] = &[("Event", 4), ("Backward", 4)];

/// The most types of one name, in different modules.
const MAX_MEANINGS: usize = 3;

/// The names of the types that a piece of code defines, without those that belong to a trait.
fn types_in(code: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in code.lines() {
        let words = line.trim_start();
        let words = match words.strip_prefix("pub(") {
            Some(rest) => rest.split_once(") ").map_or("", |it| it.1),
            None => words.strip_prefix("pub ").unwrap_or(words),
        };
        let name = ["struct ", "enum ", "trait ", "union "]
            .iter()
            .find_map(|it| words.strip_prefix(it));
        let alias = words
            .strip_prefix("type ")
            .filter(|_| !line.starts_with(' '));
        if let Some(name) = name.or(alias) {
            let end = name.find(|it: char| !it.is_alphanumeric() && it != '_');
            // In a macro the name may be a variable.
            names.extend(
                name.get(..end.unwrap_or(name.len()))
                    .filter(|it| !it.is_empty()),
            );
        }
    }
    names
}

#[test]
fn a_type_name_has_few_meanings() {
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for RustFile { file, code } in rust() {
        let is_test = ["/tests/", "/tests.rs", "_tests.rs"]
            .iter()
            .any(|it| file.path.contains(it));
        let is_shipped = file.path.starts_with("src/") || file.path.contains("/src/");
        if is_shipped && !is_test {
            for name in types_in(source::without_tests(code)) {
                files.entry(name).or_default().push(&file.path);
            }
        }
    }
    let mut found = Vec::new();
    for (name, files) in &files {
        let listed = MANY_MEANINGS.iter().find(|it| it.0 == *name);
        if files.len() > listed.map_or(MAX_MEANINGS, |it| it.1) {
            found.push(format!(
                "{name}: {} types, in {}",
                files.len(),
                files.join(", ")
            ));
        }
    }
    for (name, allowed) in MANY_MEANINGS {
        let count = files.get(name).map_or(0, Vec::len);
        if count < *allowed || count <= MAX_MEANINGS {
            found.push(format!("{name}: {allowed} are allowed, there are {count}"));
        }
    }
    assert_none("rename one, or make the list shorter", &found);
}

#[test]
fn a_definition_is_found_however_it_is_written() {
    let code = "pub(in crate::a) struct A<'a> {\n    pub enum B {\ntrait C: D {}\npub(super) type E = F;\n    type G = H;\n// G\nuse I;";
    assert_eq!(types_in(&source::code_of(code)), ["A", "B", "C", "E"]);
}
