//! Corrects files of a course: only what has exactly one right edit, and only in a folder.

use super::findings::Findings;
use super::json::text_of;
use crate::commands::console::Console;
use crate::commands::courses::{self, OpenCourse};
use crate::commands::failure::{Failure, Result};
use crate::commands::file_failure::{unreadable, unwritable};
use std::collections::BTreeMap;
use std::path::Path;
use warpup_course::{self as course, Edit};
use warpup_lab::units::count;
use warpup_store::text_file;

/// A correction may show the next mistake: `[question]` is named once, however often it is there.
const ROUNDS: usize = 50;

/// Corrects the files of a course folder until nothing is left to correct, and says what was changed.
pub(super) fn files(dir: Option<&Path>, console: &mut Console<'_>) -> Result<()> {
    let Some(dir) = dir else {
        return Err(Failure::arguments_but(
            "the course that is built in cannot be changed",
            "give the folder of your course: `warpup check DIR --fix`",
        ));
    };
    let mut all = 0;
    for _ in 0..ROUNDS {
        let mut opened = courses::heads(Some(dir))?;
        opened.read_all();
        let changed = round(dir, &opened, console)?;
        if changed == 0 {
            break;
        }
        all += changed;
    }
    let summary = match all {
        0 => "nothing was changed".to_owned(),
        all => format!("{} corrected", count(all, "mistake", "mistakes")),
    };
    console.remark(&summary)
}

/// Corrects what can be corrected at once: how many mistakes.
fn round(dir: &Path, opened: &OpenCourse, console: &mut Console<'_>) -> Result<usize> {
    let found = Findings::of_files(opened, &opened.translations());
    let mut edits: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
    for diagnostic in &found.diagnostics {
        let edit = diagnostic.edit(text_of(opened, diagnostic));
        edits.entry(&diagnostic.file).or_default().extend(edit);
    }
    let mut changed = 0;
    for (file, edits) in edits.into_iter().filter(|(_, edits)| !edits.is_empty()) {
        let text = opened.sources.files.get(file).map_or("", |it| it.as_ref());
        let (corrected, done) = course::corrected(text, edits);
        write(dir, file, text, &corrected)?;
        for edit in &done {
            console.remark(&told(file, text, edit))?;
        }
        changed += done.len();
    }
    Ok(changed)
}

/// Replaces a file, if it still is what was read.
fn write(dir: &Path, file: &str, read: &str, text: &str) -> Result<()> {
    let path = dir.join(file);
    let now =
        text_file::read(&path, course::MAX_FILE as u64).map_err(|it| unreadable(&path, &it))?;
    if now != read {
        let what = format!("cannot correct {}", path.display());
        return Err(
            Failure::arguments_because(what, "it was changed meanwhile").with_hint("try again")
        );
    }
    text_file::replace(&path, text).map_err(|it| unwritable(&path, &it))
}

/// What an edit changes, with its line.
fn told(file: &str, text: &str, edit: &Edit) -> String {
    let before = text.get(..edit.span.start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let old = text.get(edit.span.clone()).unwrap_or_default();
    match (old.trim(), edit.text.trim()) {
        (_, "") => format!("{file}:{line}: removed what is not seen"),
        ("", new) => format!("{file}:{line}: added `{new}`"),
        (old, new) => format!("{file}:{line}: `{old}` is now `{new}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::failure::Exit;
    use crate::commands::sample;
    use std::fs;
    use tempfile::TempDir;

    /// The course of the mistakes in a folder, with texts replaced in its files.
    fn course(changes: &[(&str, &str, &str)]) -> TempDir {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mistakes/course");
        let dir = TempDir::new().unwrap();
        for part in ["lessons", "quizzes"] {
            fs::create_dir(dir.path().join(part)).unwrap();
            for entry in fs::read_dir(from.join(part)).unwrap() {
                let entry = entry.unwrap();
                fs::copy(entry.path(), dir.path().join(part).join(entry.file_name())).unwrap();
            }
        }
        for (file, old, new) in changes {
            let path = dir.path().join(file);
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(old), "{old}");
            fs::write(path, text.replace(old, new)).unwrap();
        }
        dir
    }

    fn fixed(dir: Option<&Path>) -> String {
        let (said, _) = sample::console("", |console| files(dir, console).map(|()| Exit::Fine));
        said
    }

    fn texts(dir: &Path) -> Vec<String> {
        let files = [
            "lessons/course.toml",
            "lessons/places.md",
            "lessons/copies.md",
            "quizzes/places.toml",
            "quizzes/copies.toml",
        ];
        files
            .map(|it| fs::read_to_string(dir.join(it)).unwrap())
            .to_vec()
    }

    #[test]
    fn what_has_one_right_edit_is_corrected_and_a_second_time_nothing_is() {
        let dir = course(&[
            ("lessons/course.toml", "copies.md", "copeis.md"),
            ("lessons/places.md", "+++\nformat", "\n\n+++\nformat"),
            ("lessons/places.md", "summary = ", "sumary = "),
            (
                "lessons/places.md",
                "title = \"Where a tensor lives\"",
                "title = “Where a tensor lives”",
            ),
            ("lessons/places.md", "check=placement", "check=placment"),
            (
                "lessons/places.md",
                "title=\"Put it there\"",
                "title=Put it there",
            ),
            ("lessons/places.md", "See [", "\u{feff}See ["),
            ("lessons/copies.md", "## Measure", "# Measure"),
            (
                "lessons/copies.md",
                "lab id=measure",
                "lab title=\"Measure\"",
            ),
            ("lessons/copies.md", "device=cuda", "device=cud"),
            ("quizzes/places.toml", "[[question]]", "[question]"),
            (
                "quizzes/places.toml",
                "type = \"single\"",
                "type = \"singel\"",
            ),
            ("quizzes/copies.toml", "always = true", "always = True"),
            ("quizzes/copies.toml", "see = \"#bus\"", "see = \"bus\""),
        ]);
        insta::assert_snapshot!(fixed(Some(dir.path())), @r#"
        lessons/course.toml:6: `copeis.md` is now `copies.md`
        lessons/places.md:1: removed what is not seen
        lessons/places.md:45: removed what is not seen
        lessons/copies.md:22: `cud` is now `cuda`
        lessons/copies.md:35: `#` is now `##`
        lessons/copies.md:42: `lab` is now `lab id=measure`
        lessons/places.md:4: `title = “Where a tensor lives”` is now `title = "Where a tensor lives"`
        lessons/places.md:18: `Put it there` is now `"Put it there"`
        lessons/places.md:25: `placment` is now `placement`
        quizzes/copies.toml:29: `True` is now `true`
        lessons/places.md:5: `sumary` is now `summary`
        quizzes/copies.toml:17: `bus` is now `#bus`
        quizzes/places.toml:5: `[question]` is now `[[question]]`
        quizzes/places.toml:17: `[question]` is now `[[question]]`
        quizzes/places.toml:29: `[question]` is now `[[question]]`
        quizzes/places.toml:7: `singel` is now `single`
        16 mistakes corrected
        "#);
        let titled = (
            "lessons/copies.md",
            "lab id=measure",
            "lab id=measure title=\"Measure\"",
        );
        assert_eq!(texts(dir.path()), texts(course(&[titled]).path()));
        assert_eq!(fixed(Some(dir.path())), "nothing was changed\n");
    }

    #[test]
    fn what_needs_a_decision_is_left_as_it_is() {
        let changes = [
            ("lessons/copies.md", "lab id=measure", "lab"),
            ("lessons/copies.md", "device=cuda", "device=gpu"),
            ("quizzes/places.toml", ", correct = true", ""),
            ("quizzes/copies.toml", "from = 2", "from = 2.5"),
        ];
        let dir = course(&changes);
        assert_eq!(fixed(Some(dir.path())), "nothing was changed\n");
        assert_eq!(texts(dir.path()), texts(course(&changes).path()));
    }

    #[test]
    fn the_course_that_is_built_in_is_not_touched() {
        insta::assert_snapshot!(fixed(None), @"
        error: the course that is built in cannot be changed
        hint: give the folder of your course: `warpup check DIR --fix`
        ");
    }
}
