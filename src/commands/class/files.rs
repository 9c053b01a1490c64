//! The files of a class: those that are named, and those in a folder that is named.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use warpup_store::returned::is_returned;
use warpup_text::shown::Shown;

/// A file of one learner.
pub(super) struct LearnerFile {
    /// What the learner is called: the file's name without its ending.
    pub(super) learner: String,
    /// Where it is.
    pub(super) path: PathBuf,
    /// Why it is not even opened, if so.
    pub(super) refused: Option<String>,
}

/// The files, each once, in the order of the learners' names.
///
/// Of a folder these are its files, without hidden ones and without those in folders inside it. Two files of one name
/// are told apart by their paths.
pub(super) fn named(paths: &[PathBuf]) -> Vec<LearnerFile> {
    let mut found = BTreeMap::new();
    for path in paths {
        if !path.is_dir() {
            found.insert(path.clone(), None);
            continue;
        }
        let mut files = Vec::new();
        if let Err(error) = files_in(path, &mut files) {
            let why = format!("the folder cannot be read: {error}");
            found.insert(path.clone(), Some(why));
        }
        found.extend(files.into_iter().map(|it| (it, None)));
    }
    let mut seen = BTreeSet::new();
    found.retain(|path, _| {
        let file = fs::metadata(path).map(|it| (it.dev(), it.ino()));
        file.map_or(true, |it| seen.insert(it))
    });
    let mut times = BTreeMap::<_, usize>::new();
    for path in found.keys() {
        let is_usual = path.extension().is_some_and(|it| it == "jsonl");
        *times.entry((name(path), is_usual)).or_default() += 1;
    }
    let files = found.into_iter().map(|(path, refused)| {
        let name = name(&path);
        // A file of the usual ending keeps its name, whatever else lies beside it.
        let is_usual = path.extension().is_some_and(|it| it == "jsonl");
        let is_alone = times.get(&(name.clone(), is_usual)) == Some(&1)
            && (is_usual || !times.contains_key(&(name.clone(), true)));
        let learner = if is_alone {
            name
        } else {
            one_line(&path.to_string_lossy())
        };
        LearnerFile {
            learner,
            path,
            refused,
        }
    });
    let mut files: Vec<_> = files.collect();
    files.sort_by(|left, right| (&left.learner, &left.path).cmp(&(&right.learner, &right.path)));
    files
}

/// Adds the files in a folder, as many as can be listed.
fn files_in(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !is_hidden && !is_returned(&entry.file_name()) && !entry.path().is_dir() {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn name(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str());
    one_line(&name.to_string_lossy())
}

/// A name that a terminal and a table can show.
fn one_line(name: &str) -> String {
    Shown::one_line(name).into_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn each_file_is_taken_once_in_the_order_of_names_and_names_are_told_apart() {
        let dir = TempDir::new().unwrap();
        let at = |name: &str| dir.path().join(name);
        for folder in ["a", "b", "a/inner"] {
            fs::create_dir(at(folder)).unwrap();
        }
        for file in [
            "b/eve.jsonl",
            "a/eve.jsonl",
            "a/ada.v2.jsonl",
            "a/.bob",
            "a/inner/x",
        ] {
            fs::write(at(file), "").unwrap();
        }
        let found = named(&[at("b"), at("a/ada.v2.jsonl"), at("a")]);
        let learners: Vec<_> = found.into_iter().map(|it| it.learner).collect();
        let learners = learners.join("\n");
        insta::assert_snapshot!(learners.replace(dir.path().to_str().unwrap(), "DIR"), @r"
        DIR/a/eve.jsonl
        DIR/b/eve.jsonl
        ada.v2
        ");
    }
}
