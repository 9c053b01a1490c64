//! The Python files beside a program: what it imports, as under `python FILE.py`, where its folder is searched first.
//!
//! Only files that an `import` of the program, or of such a file, can reach are read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use warpup_protocol::ModuleFile;

/// The most bytes of all of them, and the most files and folders.
const MAX_BYTES: u64 = 4 << 20;
const MAX_FILES: usize = 200;

/// Packages that are always warpup's own.
const OURS: [&str; 4] = ["torch", "torchvision", "numpy", "warpup"];

/// The files in the folder of the program at `path` that its source imports.
pub(super) fn of(path: &Path, source: &str) -> Vec<ModuleFile> {
    let mut found = SiblingModules {
        folder: path.parent().unwrap_or(Path::new("")).to_owned(),
        seen: BTreeSet::new(),
        files: Vec::new(),
        folders: 0,
        bytes: 0,
    };
    found.imports_of(source);
    found.files
}

struct SiblingModules {
    folder: PathBuf,
    /// Names of modules that were looked for.
    seen: BTreeSet<String>,
    files: Vec<ModuleFile>,
    folders: usize,
    bytes: u64,
}

impl SiblingModules {
    fn imports_of(&mut self, source: &str) {
        for name in imported(source) {
            if OURS.contains(&name) || !self.seen.insert(name.to_owned()) {
                continue;
            }
            if self.folder.join(name).is_dir() {
                self.package(Path::new(name));
            } else {
                self.file(Path::new(&format!("{name}.py")));
            }
        }
    }

    /// All files of a package: which of them its modules import is known only when they run.
    fn package(&mut self, package: &Path) {
        self.folders += 1;
        if self.folders > MAX_FILES {
            return;
        }
        let Ok(entries) = fs::read_dir(self.folder.join(package)) else {
            return;
        };
        let mut names: Vec<PathBuf> = entries
            .flatten()
            .map(|it| package.join(it.file_name()))
            .collect();
        names.sort();
        for name in names {
            if self.files.len() >= MAX_FILES {
                return;
            }
            if name.extension().is_some_and(|it| it == "py") {
                self.file(&name);
            } else if is_package(&self.folder.join(&name)) {
                self.package(&name);
            }
        }
    }

    /// A file that cannot be read is left out: the program's import then says that it is missing.
    fn file(&mut self, name: &Path) {
        let path = self.folder.join(name);
        let size = match fs::metadata(&path) {
            Ok(it) if it.is_file() => it.len(),
            Ok(_) | Err(_) => return,
        };
        if self.bytes.saturating_add(size) > MAX_BYTES {
            return;
        }
        let (Ok(source), Some(name)) = (fs::read_to_string(&path), name.to_str()) else {
            return;
        };
        self.bytes = self.bytes.saturating_add(size);
        self.files.push(ModuleFile {
            path: name.to_owned(),
            source: source.clone(),
        });
        self.imports_of(&source);
    }
}

/// Whether a folder in a package can be one, too: its name can follow `import`. A link could lead back to where it is.
fn is_package(path: &Path) -> bool {
    let name = path.file_name().and_then(|it| it.to_str());
    let is_name = name.is_some_and(|it| {
        !it.starts_with("__") && it.chars().all(|it| it.is_alphanumeric() || it == '_')
    });
    is_name && fs::symlink_metadata(path).is_ok_and(|it| it.is_dir())
}

/// The first parts of the names after `import` and `from`, at any indentation.
fn imported(source: &str) -> impl Iterator<Item = &str> {
    source.lines().flat_map(|line| {
        let line = line.trim_start();
        let names = match (line.strip_prefix("import "), line.strip_prefix("from ")) {
            (Some(names), _) => names,
            (None, Some(rest)) => rest.split(' ').next().unwrap_or_default(),
            (None, None) => "",
        };
        names.split(',').filter_map(|name| {
            let name = name.trim_start();
            let end = name.find(|it: char| !it.is_alphanumeric() && it != '_');
            let name = name.get(..end.unwrap_or(name.len()))?;
            (!name.is_empty()).then_some(name)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(folder: &Path, source: &str) -> Vec<String> {
        let found = of(&folder.join("main.py"), source);
        found.into_iter().map(|it| it.path).collect()
    }

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    #[test]
    fn what_is_imported_is_found_and_nothing_else() {
        let dir = folder(&[
            ("helper.py", "from deeper import x"),
            ("deeper.py", "x = 1"),
            ("unused.py", ""),
            ("torch.py", ""),
            ("models/__init__.py", ""),
            ("models/net.py", ""),
            ("models/data.txt", ""),
            ("models/blocks/__init__.py", ""),
            ("models/plain/layer.py", ""),
            ("models/.hidden/1.py", ""),
            ("models/__pycache__/net.py", ""),
        ]);
        let source =
            "import torch, helper as h\nif True:\n    from models.net import Net\nimport json\n";
        let expected = [
            "helper.py",
            "deeper.py",
            "models/__init__.py",
            "models/blocks/__init__.py",
            "models/net.py",
            "models/plain/layer.py",
        ];
        assert_eq!(paths(dir.path(), source), expected);
    }

    #[test]
    fn a_program_that_imports_itself_or_nothing_has_none_or_itself() {
        let dir = folder(&[("main.py", "import main")]);
        assert_eq!(paths(dir.path(), "print('from here')"), [""; 0]);
        assert_eq!(paths(dir.path(), "import main"), ["main.py"]);
    }
}
