//! The diagram of crates in `ARCHITECTURE.md` is that of the manifests.

use crate::support::source;
use std::collections::BTreeSet;
use std::fs;

/// The lines of the diagram, the highest first: the crates that each names.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let (_, rest) = page.split_once("```text crates\n").unwrap();
    let (diagram, _) = rest.split_once("```").unwrap();
    let lines = diagram.lines();
    lines.map(|it| it.split_whitespace().collect()).collect()
}

/// The crates of ours that a manifest lists for what is shipped: its tests may use more.
fn dependencies(manifest: &str) -> Vec<&str> {
    let (_, rest) = manifest.split_once("\n[dependencies]\n").unwrap();
    let lines = rest.lines().take_while(|it| !it.starts_with('['));
    lines
        .filter_map(|it| it.strip_prefix("warpup-")?.split(['.', ' ']).next())
        .collect()
}

/// A sentence for each dependency that the diagram does not allow.
fn violations(rows: &[Vec<&str>], name: &str, manifest: &str) -> Vec<String> {
    let Some(row) = rows.iter().position(|row| row.contains(&name)) else {
        return vec![format!("`{name}` is not in the diagram")];
    };
    let is_below = |it: &&str| rows.iter().skip(row + 1).any(|row| row.contains(it));
    let upwards = dependencies(manifest)
        .into_iter()
        .filter(|it| !is_below(it));
    upwards
        .map(|it| format!("`{name}` uses `{it}`, which is not below it"))
        .collect()
}

#[test]
fn crates_use_only_those_below_them() {
    let page = fs::read_to_string(source::root().join("ARCHITECTURE.md")).unwrap();
    let rows = rows(&page);
    let mut names = BTreeSet::from(["warpup".to_owned()]);
    let app = fs::read_to_string(source::root().join("Cargo.toml")).unwrap();
    let mut found = violations(&rows, "warpup", &app);
    for entry in fs::read_dir(source::root().join("crates")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).unwrap();
        found.extend(violations(&rows, &name, &manifest));
        names.insert(name);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    let drawn: BTreeSet<String> = rows.concat().into_iter().map(str::to_owned).collect();
    assert_eq!(drawn, names, "left: in the diagram, right: the crates");
}

#[test]
fn a_crate_that_uses_one_above_or_beside_it_is_found() {
    let rows = rows("```text crates\napp\nlab class\ncourse\n```\n");
    let manifest = "[package]\n\n[dependencies]\nwarpup-class.workspace = true\nwarpup-course.workspace = true\nserde = \"1\"\n\n[dev-dependencies]\nwarpup-app.workspace = true\n";
    assert_eq!(
        violations(&rows, "lab", manifest),
        ["`lab` uses `class`, which is not below it"]
    );
    assert!(violations(&rows, "app", manifest).is_empty());
    assert_eq!(
        violations(&rows, "text", manifest),
        ["`text` is not in the diagram"]
    );
}
