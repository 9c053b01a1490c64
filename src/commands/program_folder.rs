//! Where a program is, the text files in its folder that it names, which it can read under warpup, too, and what it sees of the
//! shell's environment.
//!
//! It never sees others, and what it writes stays in the memory of the run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use warpup_protocol::{DataFile, ModuleFile, ProgramFolders};

/// The most bytes of all files, the most files and entries of folders, and how deep below the program they lie.
const MAX_BYTES: u64 = 4 << 20;
const MAX_FILES: usize = 200;
const MAX_ENTRIES: usize = 2_000;
const MAX_DEPTH: usize = 3;

/// The variables of the shell that a program sees. They change what CUDA, cuBLAS and PyTorch do; all others are the machine's, and
/// would make a run depend on it.
const VARIABLES: [&str; 7] = [
    "CUBLAS_WORKSPACE_CONFIG",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_VISIBLE_DEVICES",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF",
    "TORCH_CUBLAS_WORKSPACE_CACHE",
    "TORCH_USE_CUDA_DSA",
];

/// Words without which no program reads a file.
const READERS: [&str; 7] = [
    "open(",
    "read_text(",
    "read_bytes(",
    "loadtxt(",
    "genfromtxt(",
    "listdir(",
    "glob(",
];

/// The place of the program at `path`, whose text and modules these are.
pub(super) fn of(path: &Path, source: &str, modules: &[ModuleFile]) -> Option<Box<ProgramFolders>> {
    let path = std::path::absolute(path).ok()?;
    let working = std::env::current_dir().ok()?;
    // A path that is no text cannot be sent, and Python could not print it.
    let folder = path.parent()?.to_str()?;
    let working = working.to_str()?;
    let texts = modules.iter().map(|it| it.source.as_str());
    let texts: Vec<&str> = [source].into_iter().chain(texts).collect();
    let mut found = NamedFiles {
        folder: PathBuf::from(folder),
        texts,
        files: Vec::new(),
        bytes: 0,
        entries: 0,
    };
    if READERS.iter().any(|it| found.is_named(it)) {
        found.look(Path::new(""), 0);
    }
    Some(Box::new(ProgramFolders {
        files: found.files,
        environment: environment(|name| std::env::var(name).ok()),
        folder: folder.to_owned(),
        working: working.to_owned(),
    }))
}

/// What the program sees of the shell's environment.
fn environment(variable: impl Fn(&str) -> Option<String>) -> BTreeMap<String, String> {
    let all = VARIABLES.iter();
    all.filter_map(|name| Some(((*name).to_owned(), variable(name)?)))
        .collect()
}

struct NamedFiles<'a> {
    folder: PathBuf,
    /// The program and its modules.
    texts: Vec<&'a str>,
    files: Vec<DataFile>,
    bytes: u64,
    entries: usize,
}

impl NamedFiles<'_> {
    fn is_named(&self, words: &str) -> bool {
        self.texts.iter().any(|it| it.contains(words))
    }

    /// Looks through a folder, given from the program's, and through those inside.
    fn look(&mut self, inside: &Path, depth: usize) {
        let Ok(entries) = fs::read_dir(self.folder.join(inside)) else {
            return;
        };
        let mut names: Vec<PathBuf> = entries
            .flatten()
            .take(MAX_ENTRIES)
            .map(|it| inside.join(it.file_name()))
            .collect();
        names.sort();
        for name in names {
            self.entries += 1;
            let hidden = name
                .file_name()
                .is_none_or(|it| it.as_encoded_bytes().starts_with(b"."));
            if hidden || self.entries > MAX_ENTRIES || self.files.len() >= MAX_FILES {
                continue;
            }
            // A link could lead out of the folder.
            match fs::symlink_metadata(self.folder.join(&name)) {
                Ok(it) if it.is_dir() && depth < MAX_DEPTH => self.look(&name, depth + 1),
                Ok(it) if it.is_file() => self.file(&name, it.len()),
                Ok(_) | Err(_) => {}
            }
        }
    }

    /// Keeps a file if a text has its name or the path of its folder, and if it is text itself.
    fn file(&mut self, name: &Path, size: u64) {
        let last = name.file_name().and_then(|it| it.to_str());
        let around = name.parent().and_then(Path::to_str);
        let is_named = last.is_some_and(|it| self.is_named(it))
            || around.is_some_and(|it| !it.is_empty() && self.is_named(it));
        if !is_named || self.bytes.saturating_add(size) > MAX_BYTES {
            return;
        }
        let (Ok(text), Some(path)) = (fs::read_to_string(self.folder.join(name)), name.to_str())
        else {
            return;
        };
        self.bytes = self.bytes.saturating_add(size);
        self.files.push(DataFile {
            path: path.to_owned(),
            text,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(folder: &Path, source: &str) -> Vec<String> {
        let place = of(&folder.join("main.py"), source, &[]).unwrap();
        assert_eq!(place.folder, folder.to_str().unwrap());
        place.files.into_iter().map(|it| it.path).collect()
    }

    #[test]
    fn a_program_sees_a_closed_list_of_the_shells_variables() {
        let seen = environment(|name| {
            let is_secret = !name.starts_with("CUDA_");
            (!is_secret).then(|| format!("of {name}"))
        });
        let seen: Vec<&str> = seen.keys().map(String::as_str).collect();
        assert_eq!(seen, ["CUDA_LAUNCH_BLOCKING", "CUDA_VISIBLE_DEVICES"]);
        assert!(!VARIABLES.contains(&"HOME"));
    }

    #[test]
    fn a_program_gets_the_text_files_that_it_names_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        for (name, bytes) in [
            ("words.txt", &b"one"[..]),
            ("secret.txt", b"no"),
            ("binary.txt", b"\xff\xfe"),
            ("data/names/a.txt", b"a"),
            ("data/names/b.txt", b"b"),
            ("other/other.txt", b"c"),
            (".hidden/words.txt", b"no"),
        ] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        std::os::unix::fs::symlink(outside.path(), dir.path().join("link.txt")).unwrap();
        let source = "open('words.txt'); open('binary.txt'); open('link.txt')";
        assert_eq!(paths(dir.path(), source), ["words.txt"]);
        let source = "glob('data/names/*.txt')";
        assert_eq!(
            paths(dir.path(), source),
            ["data/names/a.txt", "data/names/b.txt"]
        );
        assert_eq!(paths(dir.path(), "print('words.txt')"), [""; 0]);
    }
}
