//! No two files of `lib/` import each other, by whatever way: the order of their imports would then decide what works.
//!
//! An import inside a function counts. The import of a package by a file inside it does not, as Python itself runs the
//! package first; nor do names that `_LATER` loads on first use, which are text.

#![expect(
    clippy::expect_used,
    reason = "helpers of tests are not #[test] functions, and a helper that fails is a test that fails"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of each module that it imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_files_of_the_library_import_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("lib");
    let found = circles(&imports(&files(&root)));
    assert!(found.is_empty(), "these files import each other: {found:?}");
}

#[test]
fn a_circle_is_found_by_every_form_of_import() {
    for import in [
        "import a.two",
        "import math, a.two as it",
        "from a.two import f",
        "from a import (\n    other, two,\n)",
        "from . import two",
        "from .two import f",
        "def f():\n    from a.two import f",
    ] {
        let files = [
            ("a", "import a.one"),
            ("a.one", import),
            ("a.two", "from a import one"),
        ];
        let files = files.map(|(name, code)| File::new(name, name == "a", code));
        assert_eq!(circles(&imports(&files)), [["a.one", "a.two"]], "{import}");
    }
}

#[test]
fn a_chain_and_an_import_of_the_package_are_no_circle() {
    let files = [
        ("a", "from a import one"),
        ("a.one", "import a\nfrom a import two, f"),
        ("a.two", "\"\"\"\nimport a.one\n\"\"\""),
    ];
    let files = files.map(|(name, code)| File::new(name, name == "a", code));
    assert_eq!(circles(&imports(&files)), Vec::<Vec<String>>::new());
}

/// A file of Python and the name of its module.
struct File {
    module: String,
    is_package: bool,
    code: String,
}

impl File {
    fn new(module: &str, is_package: bool, code: &str) -> Self {
        Self {
            module: module.into(),
            is_package,
            code: code.into(),
        }
    }

    /// The module that so many dots at the start of an import mean.
    fn package(&self, dots: usize) -> Option<&str> {
        let mut package = self.module.as_str();
        for _ in 0..dots - usize::from(self.is_package) {
            package = package.rsplit_once('.')?.0;
        }
        Some(package)
    }

    /// The modules and the names of modules that its imports may mean.
    fn imported(&self) -> Vec<String> {
        let mut names = Vec::new();
        for line in statements(&self.code) {
            if let Some(modules) = line.strip_prefix("import ") {
                names.extend(listed(modules).map(str::to_owned));
            } else if let Some((from, imported)) = line
                .strip_prefix("from ")
                .and_then(|it| it.split_once(" import "))
            {
                let path = from.trim().trim_start_matches('.');
                let dots = from.trim().len() - path.len();
                let package = if dots == 0 { None } else { self.package(dots) };
                let from = [package.unwrap_or(""), path]
                    .into_iter()
                    .filter(|it| !it.is_empty());
                let from = from.collect::<Vec<_>>().join(".");
                names.extend(listed(imported).map(|name| format!("{from}.{name}")));
                names.push(from);
            }
        }
        names
    }
}

/// The names of a list such as `a, b as c`.
fn listed(names: &str) -> impl Iterator<Item = &str> {
    names
        .split(',')
        .filter_map(|it| it.split_whitespace().next())
}

/// The lines of code, without comments and without text in three quotes; names in brackets are on the line of the first.
fn statements(code: &str) -> Vec<String> {
    let code: String = code.split("\"\"\"").step_by(2).collect();
    let mut found: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in code.lines() {
        let line = line.split('#').next().unwrap_or("").trim();
        let is_import = line.starts_with("from ");
        match found.last_mut() {
            Some(before) if is_open => {
                before.push(' ');
                before.push_str(line.trim_end_matches(')'));
            }
            _ => found.push(line.replacen(" (", " ", usize::from(is_import))),
        }
        is_open = (is_open || is_import && line.contains('(')) && !line.contains(')');
    }
    found
        .iter()
        .map(|it| it.trim_end_matches(')').to_owned())
        .collect()
}

/// All files in a folder and below it.
fn files(root: &Path) -> Vec<File> {
    let (mut folders, mut found) = (vec![root.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the library") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "py") {
                found.push(read(root, &path));
            }
        }
    }
    found
}

fn read(root: &Path, path: &Path) -> File {
    let code = fs::read_to_string(path).expect("a file of the library");
    let is_package = path.ends_with("__init__.py");
    let place = if is_package {
        path.parent().map(PathBuf::from)
    } else {
        Some(path.with_extension(""))
    };
    let place = place.expect("a file is in a folder");
    let place = place
        .strip_prefix(root)
        .expect("the file is in the library");
    let parts: Vec<_> = place.iter().map(|it| it.to_string_lossy()).collect();
    File::new(&parts.join("."), is_package, &code)
}

fn imports(files: &[File]) -> Imports {
    let known: BTreeSet<&str> = files.iter().map(|it| it.module.as_str()).collect();
    let of = |file: &File| {
        let names = file.imported().into_iter();
        names
            .filter(|it| known.contains(it.as_str()) && *it != file.module)
            .filter(|it| !file.module.starts_with(&format!("{it}.")))
            .collect()
    };
    files.iter().map(|it| (it.module.clone(), of(it))).collect()
}

/// The groups of modules of which each imports, over others perhaps, each.
fn circles(imports: &Imports) -> Vec<Vec<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|it| (it.as_str(), reached_from(it, imports)))
        .collect();
    let groups: BTreeSet<Vec<String>> = reached
        .iter()
        .filter(|(module, all)| all.contains(*module))
        .map(|(module, all)| {
            let back = |it: &&&str| reached.get(**it).is_some_and(|its| its.contains(module));
            all.iter().filter(back).map(|it| (*it).to_owned()).collect()
        })
        .collect();
    groups.into_iter().collect()
}

fn reached_from<'a>(module: &str, imports: &'a Imports) -> BTreeSet<&'a str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![module]);
    while let Some(module) = open.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if reached.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    reached
}
