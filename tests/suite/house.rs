//! The rules of the house that a tool can check.
//!
//! Each rule is one test, and each failure names files and lines. What formatter and lints already
//! hold (`Cargo.toml`, `clippy.toml`) is not repeated here.

use crate::source::{self, File};

/// The most lines of code that a file may have; blank lines and comments are free, so that nobody saves
/// on explanation.
const MAX_LINES: usize = 400;

/// Fails with one line for each finding.
fn assert_none(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}:\n{}", findings.join("\n"));
}

/// `path:line` of each line of code that holds one of the words.
fn lines_with(file: &File, code: &str, words: &[&str]) -> Vec<String> {
    code.lines()
        .enumerate()
        .filter(|(_, line)| words.iter().any(|word| line.contains(word)))
        .map(|(at, line)| format!("{}:{}: {}", file.path, at + 1, line.trim()))
        .collect()
}

/// All Rust of the repository.
fn rust() -> impl Iterator<Item = File> {
    ["src", "tests", "benches"]
        .into_iter()
        .flat_map(source::rust_files_under)
}

#[test]
fn every_file_begins_by_saying_what_it_is() {
    // What lies in tests/candle is, word for word, what the lessons show.
    let silent: Vec<String> = rust()
        .filter(|file| !file.path.starts_with("tests/candle/"))
        .filter(|file| !file.text.starts_with("//! "))
        .map(|file| file.path)
        .collect();
    assert_none("these do not begin with `//! `", &silent);
}

#[test]
fn no_file_is_too_long_to_take_in() {
    let long: Vec<String> = rust()
        .filter_map(|file| {
            let code = source::code_of(&file.text);
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
        .flat_map(|file| lines_with(&file, &source::code_of(&file.text), &["#[ignore"]))
        .collect();
    assert_none("mend or delete the test", &found);
}

#[test]
fn no_test_sleeps() {
    let mut found = Vec::new();
    for file in source::rust_files_under("tests") {
        found.extend(lines_with(&file, &source::code_of(&file.text), &["sleep("]));
    }
    for file in source::rust_files_under("src") {
        let code = source::code_of(&file.text);
        let shipped = if file.path.ends_with("/tests.rs") {
            ""
        } else {
            source::without_tests(&code)
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
        found.extend(lines_with(&file, &tests, &["sleep("]));
    }
    assert_none("wait for what you need, not for a time", &found);
}

#[test]
fn the_changelog_has_this_version() {
    let heading = concat!("## [", env!("CARGO_PKG_VERSION"), "]");
    let changelog = source::files_under("CHANGELOG.md");
    assert!(
        changelog[0]
            .text
            .lines()
            .any(|line| line.starts_with(heading)),
        "CHANGELOG.md has no `{heading}`"
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

/// Whether the line has the folder where a path begins, not inside a longer path or an address.
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
