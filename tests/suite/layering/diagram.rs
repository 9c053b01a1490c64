//! The diagram of modules in `ARCHITECTURE.md`, held against the imports.
//!
//! Rooms begin a line, the modules of a room are indented below it. One rule for both levels: a name
//! imports only from lines below its own, so neither level can have a cycle.

use super::graph::{Graph, Import, Module, cycles};
use crate::source;
use std::collections::{BTreeMap, BTreeSet};

/// The line of each room (`["worker"]`) and of each module in it (`["worker", "engine"]`).
struct Diagram(BTreeMap<Module, usize>);

impl Diagram {
    fn of_the_house() -> Self {
        Self::parse(&source::files_under("ARCHITECTURE.md")[0].text)
    }

    fn parse(page: &str) -> Self {
        let (_, rest) = page.split_once("```text modules\n").unwrap();
        let (text, _) = rest.split_once("\n```").unwrap();
        let mut lines = BTreeMap::new();
        let mut room = String::new();
        for (at, line) in text.lines().enumerate() {
            let is_inner = line.starts_with(' ');
            for name in line.split_whitespace() {
                let module = if is_inner {
                    vec![room.clone(), name.to_owned()]
                } else {
                    name.clone_into(&mut room);
                    vec![room.clone()]
                };
                let before = lines.insert(module, at);
                assert!(before.is_none(), "`{name}` is in the diagram twice");
            }
        }
        Self(lines)
    }

    /// Why an import is against the direction of the diagram, if it is.
    fn forbids(&self, import: &Import) -> Option<String> {
        let (from, to) = ends(import)?;
        let (from_line, to_line) = (self.0.get(&from)?, self.0.get(&to)?);
        let is_down = from_line < to_line;
        (!is_down).then(|| {
            let (from, to) = (from.join("::"), to.join("::"));
            format!(
                "{}: `{from}` imports `{to}`, which is not below it",
                import.place
            )
        })
    }
}

/// The rooms of an import that leaves one, or the modules of an import inside one. Nothing for what a
/// facade of a room imports from its own modules.
fn ends(import: &Import) -> Option<(Module, Module)> {
    let depth = if import.from.first() == import.to.first() {
        2
    } else {
        1
    };
    let cut = |module: &Module| module.iter().take(depth).cloned().collect::<Module>();
    let (from, to) = (cut(&import.from), cut(&import.to));
    let is_free = from == to || from.first().is_none_or(|it| it == "lib") || from.len() < depth;
    (!is_free).then_some((from, to))
}

/// A diagram that the imports agree with, each name as low as it can be: what a failing test proposes.
fn proposed(graph: &Graph, imports: &BTreeSet<Import>) -> String {
    let mut below: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for module in graph
        .modules()
        .filter(|it| !it.is_empty() && it[0] != "lib")
    {
        for depth in 1..=module.len().min(2) {
            below.entry(module[..depth].to_vec()).or_default();
        }
    }
    for (from, to) in imports.iter().filter_map(ends) {
        below.entry(from).or_default().insert(to);
    }
    let mut heights: BTreeMap<&Module, usize> = BTreeMap::new();
    for _ in 0..below.len() {
        for (module, others) in &below {
            let lower = others.iter().filter_map(|it| heights.get(it)).max();
            heights.insert(module, lower.map_or(0, |it| it + 1).min(below.len()));
        }
    }
    let rows = |room: Option<&str>| {
        let mut rows: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for (module, height) in &heights {
            let (name, outer) = module.split_last().unwrap();
            if outer.first().map(String::as_str) == room {
                rows.entry(*height).or_default().push(name);
            }
        }
        rows.into_values().rev().collect::<Vec<_>>()
    };
    let mut text = String::new();
    for room in rows(None).concat() {
        text += room;
        text += "\n";
        for row in rows(Some(room)) {
            text += &["    ", &row.join(" "), "\n"].concat();
        }
    }
    text
}

#[test]
fn every_import_points_down_the_diagram() {
    let graph = Graph::of_the_source();
    let imports = graph.imports();
    let diagram = Diagram::of_the_house();
    let wrong: Vec<String> = imports
        .iter()
        .filter_map(|it| diagram.forbids(it))
        .collect();
    let wanted = graph
        .modules()
        .flat_map(|it| (1..=it.len().min(2)).map(|depth| it[..depth].to_vec()));
    let wanted: BTreeSet<Module> = wanted.filter(|it| it[0] != "lib").collect();
    let drawn: BTreeSet<Module> = diagram.0.keys().cloned().collect();
    let names = |one: &BTreeSet<Module>, other: &BTreeSet<Module>| {
        one.difference(other)
            .map(|it| it.join("::"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert!(
        wrong.is_empty() && wanted == drawn,
        "the diagram of modules in ARCHITECTURE.md and the imports differ:\n{}\nmissing in it: {}\nnot in src: {}\n\
         the imports agree with this one:\n{}",
        wrong.join("\n"),
        names(&wanted, &drawn),
        names(&drawn, &wanted),
        proposed(&graph, &imports)
    );
}

#[test]
fn files_do_not_import_each_other_in_a_circle() {
    let imports = Graph::of_the_source().imports();
    let edges = imports
        .iter()
        .map(|it| (it.from.join("::"), it.to.join("::")));
    let found: Vec<String> = cycles(&edges.collect())
        .iter()
        .map(|it| it.join(" "))
        .collect();
    assert!(
        found.is_empty(),
        "these import each other:\n{}",
        found.join("\n")
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::File;

    const PAGE: &str = "```text modules\napp\n    screen\n    theme ink\ncore\n```";

    fn wrong(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File {
            path: format!("src/{path}.rs"),
            text: (*text).to_owned(),
        };
        let imports = Graph::of(&files.iter().map(file).collect::<Vec<_>>()).imports();
        let diagram = Diagram::parse(PAGE);
        imports
            .iter()
            .filter_map(|it| diagram.forbids(it))
            .collect()
    }

    const FILES: [(&str, &str); 5] = [
        ("lib", "mod app; mod core;"),
        (
            "app/mod",
            "mod screen; mod theme; mod ink; pub use theme::Theme;",
        ),
        ("app/theme", "pub struct Theme;"),
        ("app/ink", "pub fn ink() {}"),
        ("core", "pub struct Core;"),
    ];

    #[test]
    fn an_import_down_is_fine_and_one_up_or_beside_is_not() {
        let with = |path, text| wrong(&[&FILES[..], &[(path, text)]].concat());
        let down = "use super::Theme; use crate::core::Core; fn f() { super::ink::ink(); }";
        assert_eq!(with("app/screen", down), [""; 0]);
        assert_eq!(
            with("app/ink", "use super::Theme;"),
            ["src/app/ink.rs:1: `app::ink` imports `app::theme`, which is not below it"]
        );
        assert_eq!(
            with("core", "\nuse crate::app::Theme;"),
            ["src/core.rs:2: `core` imports `app`, which is not below it"]
        );
    }

    #[test]
    fn what_only_tests_use_is_free() {
        let with = |text| wrong(&[&FILES[..], &[("core", text)]].concat());
        assert_eq!(
            with("#[cfg(test)]\nmod tests { use crate::app::Theme; }"),
            [""; 0]
        );
    }

    #[test]
    fn a_circle_of_files_is_found() {
        let edges = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")];
        let edges = edges.map(|(from, to)| (from.to_owned(), to.to_owned()));
        assert_eq!(cycles(&BTreeSet::from(edges)), [["b", "c"]]);
    }
}
