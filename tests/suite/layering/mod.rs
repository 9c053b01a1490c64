//! The layers of the house: the table in `ARCHITECTURE.md`, held against the source.
//!
//! [`table`] reads the table, [`paths`] finds the paths in a text; here the two meet. Paths are found by
//! their looks, without name resolution: that is blind to a crate hidden behind a local alias, which a
//! reviewer sees, and needs no compiler, which makes each rule a test of a few words.

mod diagram;
mod graph;
mod paths;
mod table;

use crate::source;
use graph::cycles;
use paths::{Found, paths_in};
use table::Table;

/// Where a file is: its module path, such as `["lab", "engine"]`.
fn module_of(path: &str) -> Vec<String> {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let inside = inside.strip_suffix(".rs").unwrap_or(inside);
    let mut module: Vec<String> = inside.split('/').map(str::to_owned).collect();
    if module.len() > 1 && module.last().is_some_and(|it| it == "mod") {
        module.pop();
    }
    if module.first().is_some_and(|it| it == "bin") {
        module = vec!["main".to_owned()];
    }
    module
}

/// What a file uses and may not, one line each: place, path, and the row that it breaks.
fn violations(table: &Table, path: &str, text: &str) -> Vec<String> {
    let module = module_of(path);
    if module == ["lib"] || module.iter().any(|it| it == "tests") {
        return Vec::new();
    }
    let Some(row) = table.row_of(&module) else {
        return vec![format!("{path}: no row of the table is about this file")];
    };
    let code = source::code_of(text);
    let paths = paths_in(source::without_tests(&code));
    let mut found = Vec::new();
    for Found {
        line, path: used, ..
    } in &paths
    {
        let target = absolute(&module, &written_out(used, &paths));
        let reason = match target.first().map(String::as_str) {
            Some("crate") => table.forbids_room(row, &target[1..]),
            _ => table.forbids_crate(row, &target),
        };
        if let Some(reason) = reason {
            found.push(format!("{path}:{line}: {}: {reason}", used.join("::")));
        }
    }
    found.dedup();
    found
}

/// The path with its first name written out, if a `use` of the file brings that name in: after
/// `use std::io;`, `io::stdin` is `std::io::stdin`.
fn written_out(used: &[String], paths: &[Found]) -> Vec<String> {
    let import = paths.iter().find(|it| {
        it.is_use && it.path.len() > 1 && it.path.last() == used.first() && it.path != used
    });
    match import {
        Some(import) => import.path.iter().chain(&used[1..]).cloned().collect(),
        None => used.to_vec(),
    }
}

/// The path from the root of our crate, or from the name of another.
fn absolute(module: &[String], used: &[String]) -> Vec<String> {
    let from_root = |path: &[String], rest: &[String]| -> Vec<String> {
        let root = std::iter::once("crate".to_owned());
        root.chain(path.iter().chain(rest).cloned()).collect()
    };
    match used.first().map(String::as_str) {
        Some("warpup") => from_root(&[], &used[1..]),
        Some("super") => {
            let ups = used.iter().take_while(|it| *it == "super").count();
            from_root(&module[..module.len().saturating_sub(ups)], &used[ups..])
        }
        _ => used.to_vec(),
    }
}

#[test]
fn every_room_keeps_to_its_row() {
    let table = Table::of_the_house();
    let found: Vec<String> = source::rust_files_under("src")
        .iter()
        .flat_map(|file| violations(&table, &file.path, &file.text))
        .collect();
    assert!(
        found.is_empty(),
        "these break the table in ARCHITECTURE.md:\n{}",
        found.join("\n")
    );
}

#[test]
fn the_table_has_a_row_for_each_room_and_no_other() {
    let lib = &source::files_under("src/lib.rs")[0].text;
    let code = source::code_of(lib);
    let mut rooms: Vec<&str> = code
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .chain(["main"])
        .collect();
    rooms.sort_unstable();
    assert_eq!(
        rooms,
        Table::of_the_house().outer_rooms(),
        "left: rooms of src/lib.rs, right: rows of the table"
    );
}

#[test]
fn the_layers_have_no_cycle() {
    let cycles = cycles(&Table::of_the_house().edges());
    assert_eq!(cycles, Vec::<Vec<String>>::new());
}

const SMALL: &str = "
<!-- layers: begin -->
| room | may use (rooms) | may use (crates and the world) |
| --- | --- | --- |
| `grade` | `course` | `serde` |
| `course` | | `toml` |
| `lab` | | |
| `lab::engine` | `lab` | `std::process`, `std::time::Instant` |
| `worker` | | `candle_*` |
| `tui` | everything but `worker` | `ratatui` |
<!-- layers: end -->
";

/// What is wrong with a text at a path, by the small table above.
fn wrong(path: &str, text: &str) -> Vec<String> {
    violations(
        &Table::parse(SMALL, &["serde", "toml", "ratatui", "candle_core"]),
        path,
        text,
    )
}

#[test]
fn what_a_row_allows_is_allowed() {
    let fine = "
        use crate::course::Question;
        use serde::{Deserialize, Serialize};
        use std::{collections::BTreeMap, io::Read, time::Duration};
        fn f(it: crate::grade::Answer) -> Verdict { Answer::of(super::grade::x) }
        // use ratatui::Frame;
        const TEXT: &str = \"crate::worker::run\";
        #[cfg(test)]
        mod not_here;
    ";
    assert_eq!(wrong("src/grade/mod.rs", fine), [""; 0]);
    assert_eq!(
        wrong("src/worker/tensor/op.rs", "use candle_core::Tensor;"),
        [""; 0]
    );
    assert_eq!(
        wrong(
            "src/tui/app.rs",
            "use crate::{lab::engine, course}; use ratatui::Frame;"
        ),
        [""; 0]
    );
}

#[test]
fn a_use_of_a_room_outside_the_row_names_place_and_row() {
    assert_eq!(
        wrong(
            "src/course/parse.rs",
            "\nuse crate::{shown, grade::{Answer, Score}};"
        ),
        [
            "src/course/parse.rs:2: crate::shown: there is no room of this name",
            "src/course/parse.rs:2: crate::grade::Answer: row `course` does not list room `grade`",
            "src/course/parse.rs:2: crate::grade::Score: row `course` does not list room `grade`",
        ]
    );
}

#[test]
fn a_path_without_a_use_counts_as_well() {
    assert_eq!(
        wrong(
            "src/tui/screen/lab.rs",
            "fn f() {\n    crate::worker::run();\n}"
        ),
        ["src/tui/screen/lab.rs:2: crate::worker::run: row `tui` does not list room `worker`"]
    );
    assert_eq!(
        wrong("src/course/a.rs", "#[derive(serde::Serialize)] struct It;"),
        ["src/course/a.rs:1: serde::Serialize: row `course` does not list `serde`"]
    );
}

#[test]
fn a_way_up_is_followed() {
    assert_eq!(
        wrong(
            "src/course/parse/head.rs",
            "use super::super::super::grade::Score;"
        ),
        [
            "src/course/parse/head.rs:1: super::super::super::grade::Score: row `course` does not list room `grade`"
        ]
    );
    assert_eq!(
        wrong("src/course/parse/head.rs", "use super::super::model::Lab;"),
        [""; 0]
    );
}

#[test]
fn an_inner_room_has_a_row_of_its_own() {
    assert_eq!(
        wrong("src/lab/run.rs", "use crate::lab::engine::Engine;"),
        [
            "src/lab/run.rs:1: crate::lab::engine::Engine: row `lab` does not list room `lab::engine`"
        ]
    );
    assert_eq!(
        wrong(
            "src/lab/engine/mod.rs",
            "use crate::lab::run::Run; use std::process::Child;"
        ),
        [""; 0]
    );
}

#[test]
fn the_world_is_listed_or_left_alone() {
    assert_eq!(
        wrong(
            "src/course/a.rs",
            "use std::fs;\nuse std::{time::{Duration, Instant}, env::var};\nuse std::time::*;"
        ),
        [
            "src/course/a.rs:1: std::fs: row `course` does not list `std::fs`",
            "src/course/a.rs:2: std::time::Instant: row `course` does not list `std::time::Instant`",
            "src/course/a.rs:2: std::env::var: row `course` does not list `std::env`",
            "src/course/a.rs:3: std::time::*: row `course` does not list `std::time::Instant`",
        ]
    );
    assert_eq!(
        wrong(
            "src/course/a.rs",
            "use std::io::{self, Read};\nfn f(_: io::Error) { io::stdin(); }"
        ),
        ["src/course/a.rs:2: io::stdin: row `course` does not list `std::io::stdin`"]
    );
}

#[test]
fn tests_and_files_of_tests_are_free() {
    let text = "#[cfg(test)]\nmod tests {\n    use crate::worker::x;\n}";
    assert_eq!(wrong("src/course/a.rs", text), [""; 0]);
    for path in ["src/course/tests.rs", "src/course/tests/pages.rs"] {
        assert_eq!(wrong(path, "use crate::worker::x;"), [""; 0]);
    }
}

#[test]
fn a_file_without_a_row_is_named() {
    assert_eq!(
        wrong("src/attic.rs", ""),
        ["src/attic.rs: no row of the table is about this file"]
    );
}

#[test]
fn a_cycle_is_found() {
    let table = Table::parse(
        &SMALL
            .replace("`toml`", "")
            .replace("| `course` | |", "| `course` | `grade` |"),
        &[],
    );
    assert_eq!(cycles(&table.edges()), [["course", "grade"]]);
}
