//! `warpup check --against`: a commit of the repository that holds the course, or a folder.

use crate::support::source;
use crate::support::temp_home::TempHome;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A copy of the course of the mistakes, in a folder of a home.
fn course(home: &TempHome, name: &str) -> String {
    let from = source::root().join("tests/fixtures/mistakes/course");
    let folder = home.path().join(name);
    for part in ["lessons", "quizzes"] {
        fs::create_dir_all(folder.join(part)).unwrap();
        for entry in fs::read_dir(from.join(part)).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), folder.join(part).join(entry.file_name())).unwrap();
        }
    }
    folder.to_str().unwrap().to_owned()
}

/// Runs git in a folder. Whether there is a git.
fn git(folder: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-C", folder]);
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .args(arguments);
    command.output().is_ok_and(|it| it.status.success())
}

/// What `warpup check` says about a course and an older edition, and how it ends.
fn against(home: &TempHome, course: &str, edition: &str) -> (String, Option<i32>) {
    let output = home.run(&["check", course, "--strict", "--against", edition]);
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8(said).unwrap();
    let lines = said
        .lines()
        .filter(|it| it.contains('[') || it.contains(": "));
    let lines = lines.filter(|it| !it.starts_with("lesson ") && !it.starts_with("quiz "));
    let lines: Vec<&str> = lines.filter(|it| !it.starts_with("lab ")).collect();
    (home.normalised(&lines.join("\n")), output.status.code())
}

#[test]
fn a_course_is_compared_with_a_folder() {
    let home = TempHome::new();
    let (old, new) = (course(&home, "old"), course(&home, "new"));
    assert_eq!(against(&home, &new, &old), (String::new(), Some(0)));
    let quiz = Path::new(&new).join("quizzes/places.toml");
    let text = fs::read_to_string(&quiz).unwrap();
    fs::write(&quiz, text.replace("q-name", "q-method")).unwrap();
    let (said, exit) = against(&home, &new, &old);
    assert_eq!(exit, Some(1));
    insta::assert_snapshot!(said, @r#"
    warning[renamed-id]: question `q-method` had the id `q-name`
    29 | [[question]]
       = help: its answers are stored under that: write `id = "q-name"`
    "#);
}

#[test]
fn a_course_is_compared_with_a_commit() {
    let home = TempHome::new();
    let folder = course(&home, "course");
    let is_there = git(&folder, &["init", "-q"]) && git(&folder, &["add", "."]);
    if !is_there || !git(&folder, &["commit", "-q", "-m", "first"]) {
        eprintln!("left out: there is no git");
        return;
    }
    assert_eq!(against(&home, &folder, "HEAD"), (String::new(), Some(0)));
    let manifest = Path::new(&folder).join("lessons/course.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"places.md\", ", "")).unwrap();
    fs::remove_file(Path::new(&folder).join("lessons/places.md")).unwrap();
    let lesson = Path::new(&folder).join("lessons/copies.md");
    let text = fs::read_to_string(&lesson).unwrap();
    fs::write(&lesson, text.replace("requires = [\"places\"]\n", "")).unwrap();
    let (said, exit) = against(&home, &folder, "HEAD");
    assert_eq!(exit, Some(1));
    insta::assert_snapshot!(said, @r#"
    warning[quiz-not-named]: no lesson names this quiz
      = help: write `quiz = "places.toml"` into the head of its lesson
    warning[removed-id]: lesson `places` is gone
      = help: a pass of it stays stored and is not shown; never use its id for another lesson
    "#);
    let (said, exit) = against(&home, &folder, "no-such-commit");
    assert_eq!(exit, Some(2));
    insta::assert_snapshot!(said, @"
    error: `no-such-commit` is neither a folder nor a commit with this course
    cause: git says: fatal: Not a valid object name no-such-commit
    hint: give a folder, or a commit, a tag or a branch of the course's own repository
    ");
    assert_eq!(against(&home, &folder, "--output=x").1, Some(2));
}
