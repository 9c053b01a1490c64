//! Which module imports which, read from the source.
//!
//! A path leads to the file that defines what it names: re-exports of a facade are followed to their
//! source, so that `use super::Tensor` in a child of `tensor` is an import of the file with the struct. A
//! facade's own `pub use` is therefore no import.

use super::paths::{Found, paths_in};
use super::{absolute, module_of, written_out};
use crate::source::{self, File};
use std::collections::{BTreeMap, BTreeSet};

/// A module's path from the root of the crate: `["worker", "engine"]`.
pub(super) type Module = Vec<String>;

/// One import: who, what, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Import {
    pub(super) from: Module,
    pub(super) to: Module,
    /// `src/worker/engine/mod.rs:12`
    pub(super) place: String,
}

/// What a file brings to the graph.
struct Source {
    path: String,
    /// Names of the items that it defines.
    items: BTreeSet<String>,
    /// Names that it re-exports, with the absolute path of each; `*` for globs.
    exports: Vec<(String, Vec<String>)>,
    paths: Vec<Found>,
}

/// All shipped modules of the crate.
pub(super) struct Graph {
    sources: BTreeMap<Module, Source>,
    /// Modules that have others inside.
    facades: BTreeSet<Module>,
}

impl Graph {
    /// The graph of `src/`.
    pub(super) fn of_the_source() -> Self {
        Self::of(&source::rust_files_under("src"))
    }

    /// The graph of these files, without those that only tests use.
    pub(super) fn of(files: &[File]) -> Self {
        let mut sources = BTreeMap::new();
        let mut of_tests = BTreeSet::new();
        for file in files {
            let module = module_of(&file.path);
            let code = source::code_of(&file.text);
            for name in modules_of_tests(&code) {
                of_tests.insert([module.as_slice(), &[name]].concat());
            }
            let code = source::without_tests(&code);
            let paths = paths_in(code);
            let exports = exports_of(&paths);
            let items = items_of(code);
            let path = file.path.clone();
            let source = Source {
                path,
                items,
                exports,
                paths,
            };
            sources.insert(module, source);
        }
        sources.retain(|module, _| !of_tests.iter().any(|it| module.starts_with(it)));
        let facades = sources
            .keys()
            .filter_map(|it| Some(it.split_last()?.1.to_vec()))
            .collect();
        Self { sources, facades }
    }

    /// All modules.
    pub(super) fn modules(&self) -> impl Iterator<Item = &Module> {
        self.sources.keys()
    }

    /// Every import between two different files.
    pub(super) fn imports(&self) -> BTreeSet<Import> {
        let mut found = BTreeSet::new();
        for (module, source) in &self.sources {
            for used in &source.paths {
                let path = self.path_from_root(module, &written_out(&used.path, &source.paths));
                let Some(to) = path.and_then(|path| self.defines(&path)) else {
                    continue;
                };
                // A facade may re-export what is inside it.
                let is_facade = used.is_export && to.starts_with(module);
                if to != *module && !is_facade {
                    found.insert(Import {
                        from: module.clone(),
                        to,
                        place: format!("{}:{}", source.path, used.line),
                    });
                }
            }
        }
        found
    }

    /// A path from the root of the crate; nothing if it leads to another crate.
    fn path_from_root(&self, module: &[String], used: &[String]) -> Option<Vec<String>> {
        let first = used.first()?;
        let child = [module, std::slice::from_ref(first)].concat();
        if self.sources.contains_key(&child) {
            return Some([module, used].concat());
        }
        let path = absolute(module, used);
        (path.first()? == "crate").then(|| path[1..].to_vec())
    }

    /// The module whose file defines what a path from the root names; nothing for a facade as a whole.
    fn defines(&self, path: &[String]) -> Option<Module> {
        self.follow(path, 0)
    }

    fn follow(&self, path: &[String], depth: usize) -> Option<Module> {
        let inside = (0..=path.len())
            .rev()
            .find(|it| self.sources.contains_key(&path[..*it]));
        let module = &path[..inside?];
        let source = self.sources.get(module)?;
        let Some(name) = path.get(module.len()) else {
            return (!self.facades.contains(module)).then(|| module.to_vec());
        };
        if source.items.contains(name) || depth > 8 {
            return Some(module.to_vec());
        }
        let rest = &path[module.len() + 1..];
        let named = source.exports.iter().find(|(export, _)| export == name);
        if let Some((_, target)) = named {
            let target = self.path_from_root(module, target)?;
            return self.follow(&[target.as_slice(), rest].concat(), depth + 1);
        }
        let globs = source.exports.iter().filter(|(export, _)| export == "*");
        for (_, target) in globs {
            let target = self.path_from_root(module, target)?;
            if self
                .sources
                .get(&target)
                .is_some_and(|it| it.items.contains(name))
            {
                return Some(target);
            }
        }
        Some(module.to_vec())
    }
}

/// The nodes that can be reached from one.
fn reached_from<'a>(start: &'a str, next: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(node) = waiting.pop() {
        let targets = next.get(node).into_iter().flatten();
        waiting.extend(targets.copied().filter(|to| seen.insert(*to)));
    }
    seen
}

/// Groups of nodes that reach each other, each in alphabetical order; empty if there is no cycle.
pub(super) fn cycles(edges: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> = next
        .keys()
        .map(|node| (*node, reached_from(node, &next)))
        .collect();
    let is_path = |from: &str, to: &str| reached.get(from).is_some_and(|it| it.contains(to));
    let mut groups = BTreeSet::new();
    for node in reached.keys().filter(|it| is_path(it, it)) {
        let group = reached
            .keys()
            .filter(|it| is_path(node, it) && is_path(it, node));
        groups.insert(group.map(|it| (*it).to_owned()).collect::<Vec<_>>());
    }
    groups.into_iter().collect()
}

/// The names of the modules that a file declares for tests only.
fn modules_of_tests(code: &str) -> Vec<String> {
    let after = code.split("#[cfg(test)]").skip(1);
    let declared = after.filter_map(|rest| {
        let line = rest.trim_start().lines().next()?;
        let (_, name) = line.split_once("mod ")?;
        Some(name.trim_end_matches([';', '{', ' ']).to_owned())
    });
    declared.collect()
}

/// The names of the items that a file defines, which the house writes without indentation.
fn items_of(code: &str) -> BTreeSet<String> {
    const KINDS: [&str; 8] = [
        "struct",
        "enum",
        "fn",
        "trait",
        "type",
        "const",
        "static",
        "macro_rules",
    ];
    let lines = code.lines().filter(|it| !it.starts_with(' '));
    let named = lines.filter_map(|line| {
        let words = line.split(|it: char| !it.is_alphanumeric() && it != '_');
        let mut words = words
            .filter(|it| !it.is_empty())
            .skip_while(|it| !KINDS.contains(it));
        // `const fn name`
        words.find(|it| !KINDS.contains(it))
    });
    named.map(str::to_owned).collect()
}

/// What a file re-exports: name and path.
fn exports_of(paths: &[Found]) -> Vec<(String, Vec<String>)> {
    let exported = paths.iter().filter(|it| it.is_export);
    let named = exported.filter_map(|it| {
        let (name, outer) = it.path.split_last()?;
        let path = if name == "*" { outer } else { &it.path };
        Some((name.clone(), path.to_vec()))
    });
    named.collect()
}
