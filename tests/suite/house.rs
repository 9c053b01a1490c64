//! Rules of the house style (`docs/style.md`) that neither the formatter nor a lint checks.
//!
//! Each rule is one test, and each failure names files and lines.

use crate::support::source::{self, File};
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
