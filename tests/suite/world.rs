//! What no manifest can say: which files may touch the world through the standard library.
//!
//! Everything else about layers is in the manifests: a crate imports what its `Cargo.toml` lists, and cargo refuses a circle.

use crate::support::source::{self, code_of, without_tests};

/// Where the world may be touched, and by which names. Whatever is under no such path is pure.
const MAY_TOUCH: [(&str, &[&str]); 12] = [
    ("src/", &WORLD),
    ("crates/confine/src/", &WORLD),
    ("crates/doctor/src/look/", &WORLD),
    ("crates/kineto/src/analysis/", &["std::thread"]),
    ("crates/kineto/src/load/", &["std::fs", "std::thread"]),
    ("crates/lab/src/engine/", &WORLD),
    ("crates/python/build.rs", &WORLD),
    ("crates/store/build.rs", &WORLD),
    ("crates/store/src/", &WORLD),
    ("crates/tui/examples/", &["stdin()", "stdout()"]),
    ("crates/tui/src/shell/", &WORLD),
    ("crates/worker/src/", &WORLD),
];

/// Names of the standard library that touch files, processes, threads, clocks and the terminal.
const WORLD: [&str; 11] = [
    "std::env",
    "std::fs",
    "std::net",
    "std::os",
    "std::process",
    "std::thread",
    "Instant",
    "SystemTime",
    "stdin()",
    "stdout()",
    "stderr()",
];

/// `path:line: name` of each name that this file may not use.
fn violations(path: &str, text: &str) -> Vec<String> {
    let row = MAY_TOUCH.iter().find(|(place, _)| path.starts_with(place));
    let allowed = row.map_or(&[][..], |(_, names)| names);
    let code = code_of(without_tests(text));
    let mut found = Vec::new();
    for (line, at) in code.lines().zip(1..) {
        for name in WORLD.iter().filter(|name| !allowed.contains(name)) {
            // `env!` and its like read the environment of the compiler.
            if line.contains(name) && !line.contains("env!(") {
                found.push(format!("{path}:{at}: {name}"));
            }
        }
        if let Some((_, group)) = line.split_once("use std::{") {
            found.push(format!("{path}:{at}: write `{{{group}` as single lines"));
        }
    }
    found
}

/// Unit tests in files of their own, which may do what they need.
fn is_of_tests(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("tests.rs")
}

#[test]
fn only_these_places_touch_the_world() {
    let files = ["src", "crates"]
        .into_iter()
        .flat_map(source::rust_files_under);
    let shipped = files.filter(|file| !is_of_tests(&file.path));
    let found: Vec<String> = shipped
        .flat_map(|file| violations(&file.path, &file.text))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_name_of_the_world_is_found_with_its_line() {
    let text = "//! std::fs is fine here.\nuse std::fs;\nlet now = Instant::now();\n";
    assert_eq!(
        violations("crates/course/src/parse.rs", text),
        [
            "crates/course/src/parse.rs:2: std::fs",
            "crates/course/src/parse.rs:3: Instant"
        ]
    );
    assert_eq!(
        violations("crates/kineto/src/load/mod.rs", text),
        ["crates/kineto/src/load/mod.rs:3: Instant"]
    );
    assert!(violations("crates/store/src/log/mod.rs", text).is_empty());
    assert!(violations("crates/grade/src/score.rs", "use std::fmt;\n").is_empty());
}
