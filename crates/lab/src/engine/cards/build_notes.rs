//! The file that the build of a worker leaves beside it: `warpup-worker-cuda.toml`.
//!
//! It is read leniently and only helps: a worker without it, or with one of another version, still starts,
//! and the loader decides.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most that is read of it, in bytes.
const MOST: u64 = 64 << 10;

/// How a worker was built, as far as the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildNotes {
    /// Folders where its libraries were when it was linked.
    pub library_path: Vec<PathBuf>,
    /// The CUDA that it was built with, such as `13.0`.
    pub cuda: Option<String>,
    /// The compute capability that its kernels are for, such as `8.0`.
    pub capability: Option<String>,
    /// The compiler.
    pub(crate) built_with: Option<String>,
}

impl BuildNotes {
    /// The notes beside a worker, or beside the target of a link to it; empty if there are none.
    pub fn beside(worker: &Path) -> Self {
        let linked = worker.canonicalize().ok();
        let texts = [Some(worker), linked.as_deref()].into_iter().flatten();
        let mut texts = texts.filter_map(text_beside);
        texts.next().map_or_else(Self::default, |it| Self::of(&it))
    }

    fn of(text: &str) -> Self {
        let table: toml::Table = text.parse().unwrap_or_default();
        let word = |key: &str| Some(table.get(key)?.as_str()?.to_owned());
        let folders = table.get("library_path").and_then(toml::Value::as_array);
        let folders = folders
            .into_iter()
            .flatten()
            .filter_map(toml::Value::as_str);
        Self {
            library_path: folders
                .map(PathBuf::from)
                .filter(|it| it.is_absolute())
                .collect(),
            cuda: word("cuda"),
            capability: word("capability"),
            built_with: word("built_with"),
        }
    }
}

fn text_beside(worker: &Path) -> Option<String> {
    let mut name = worker.file_name()?.to_owned();
    name.push(".toml");
    let file = File::open(worker.with_file_name(name)).ok()?;
    let mut text = String::new();
    file.take(MOST).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    const TEXT: &str = r#"
        # How the worker beside this file was built.
        library_path = ["/opt/cuda/lib64", "relative", 7]
        cuda = "13.0"
        capability = 8
        someday = true
    "#;

    #[test]
    fn what_makes_sense_is_taken_and_the_rest_is_left() {
        let notes = BuildNotes {
            library_path: vec!["/opt/cuda/lib64".into()],
            cuda: Some("13.0".to_owned()),
            ..BuildNotes::default()
        };
        assert_eq!(BuildNotes::of(TEXT), notes);
        for nothing in ["", "library_path = ", "library_path = \"/opt\"", "\u{0}"] {
            assert_eq!(BuildNotes::of(nothing), BuildNotes::default(), "{nothing}");
        }
    }

    #[test]
    fn a_link_to_a_worker_has_the_notes_of_that_worker() {
        let dir = TempDir::new().unwrap();
        let (worker, link) = (dir.path().join("built"), dir.path().join("link"));
        fs::write(&worker, "").unwrap();
        assert_eq!(BuildNotes::beside(&worker), BuildNotes::default());
        fs::write(dir.path().join("built.toml"), TEXT).unwrap();
        symlink(&worker, &link).unwrap();
        assert_eq!(BuildNotes::beside(&worker), BuildNotes::of(TEXT));
        assert_eq!(BuildNotes::beside(&link), BuildNotes::of(TEXT));
        assert_eq!(
            BuildNotes::beside(&dir.path().join("nowhere")),
            BuildNotes::default()
        );
    }
}
