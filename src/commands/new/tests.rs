//! A new course, what is added to it, and what is refused.

use super::*;
use crate::commands::{check, sample};
use std::fs;
use tempfile::TempDir;

/// A folder, and what `warpup new` and `warpup check` say in it, with its path as `DIR`.
struct Author(TempDir);

impl Author {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// An author with a new course in the folder `talk`.
    fn of_course() -> Self {
        let author = Self::new();
        author.make(&NewCommand::Course {
            dir: author.dir(),
            lesson: "first-steps".into(),
        });
        author
    }

    fn dir(&self) -> PathBuf {
        self.0.path().join("talk")
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.dir().join(file)).unwrap()
    }

    /// What a command prints, without what is the same for all.
    fn make(&self, what: &NewCommand) -> String {
        let dir = self.dir();
        let (text, _) = sample::console("", |console| execute(what, Some(&dir), console));
        let said = text.split("\nNext,").next().unwrap();
        said.replace(self.0.path().to_str().unwrap(), "DIR")
    }

    fn lesson(&self, name: &str) -> String {
        self.make(&NewCommand::Lesson { name: name.into() })
    }

    fn quiz(&self, lesson: &str) -> String {
        let lesson = lesson.into();
        self.make(&NewCommand::Quiz { lesson })
    }

    fn lab(&self, lab: &str) -> String {
        self.make(&NewCommand::Lab { lab: lab.into() })
    }

    fn checked(&self) -> String {
        let (text, exit) = sample::console("", |console| check::files_alone(&self.dir(), console));
        assert_eq!(exit, Exit::Fine, "{text}");
        text
    }
}

#[test]
fn a_new_course_passes_its_check_and_says_what_to_do_next() {
    let author = Author::new();
    let what = NewCommand::Course {
        dir: author.dir(),
        lesson: "first-steps".into(),
    };
    let (text, exit) = sample::console("", |console| execute(&what, None, console));
    assert_eq!(exit, Exit::Fine);
    let text = text.replace(author.0.path().to_str().unwrap(), "DIR");
    insta::assert_snapshot!(text, @"
    created DIR/talk/lessons/course.toml
    created DIR/talk/lessons/first-steps.md
    created DIR/talk/quizzes/first-steps.toml

    Next, replace the example texts with yours, look at them, and check them:

        warpup preview DIR/talk
        warpup check DIR/talk --run-labs --trust
    ");
    insta::assert_snapshot!(author.checked(), @"
    lesson first-steps: about 3 minutes, 1 of them reading; its head says 5
    quiz first-steps: needs 2 of 2 points
    1 lesson, about 3 minutes, 1 quiz, 1 lab, 0 errors, 0 warnings
    ");
    insta::assert_snapshot!(author.make(&what), @"
    error: DIR/talk/lessons/course.toml exists already, and nothing was written
    hint: choose another name, or change that file
    ");
}

#[test]
fn parts_are_added_to_a_course_and_each_passes_the_check() {
    let author = Author::of_course();
    insta::assert_snapshot!(author.lesson("long-queues"), @"
    created DIR/talk/lessons/long-queues.md
    changed DIR/talk/lessons/course.toml: lists long-queues.md as the last lesson
    ");
    insta::assert_snapshot!(author.quiz("long-queues"), @"
    created DIR/talk/quizzes/long-queues.toml
    changed DIR/talk/lessons/long-queues.md: names long-queues.toml as its quiz
    ");
    insta::assert_snapshot!(author.lab("long-queues/wait-less"), @"changed DIR/talk/lessons/long-queues.md: ends with a page `wait-less` for the lab, and takes 4 minutes longer");
    for lab in ["try-it-again", "start", "more", "and-more"] {
        author.lab(&format!("long-queues/{lab}"));
    }
    insta::assert_snapshot!(author.checked(), @"
    lesson first-steps: about 3 minutes, 1 of them reading; its head says 5
    lesson long-queues: about 20 minutes, 2 of them reading; its head says 25
    quiz first-steps: needs 2 of 2 points
    quiz long-queues: needs 2 of 2 points
    2 lessons, about 23 minutes, 2 quizzes, 7 labs, 0 errors, 0 warnings
    ");
    insta::assert_snapshot!(author.read("lessons/course.toml"), @r#"
    format = 1
    # Progress is stored under the id: do not change it once somebody has begun.
    id = "talk"
    title = "Talk"
    summary = "Say in a sentence what the course is about."
    lessons = ["first-steps.md", "long-queues.md"]
    "#);
}

#[test]
fn what_exists_is_refused_and_stays_as_it_is() {
    let author = Author::of_course();
    let before = author.read("lessons/first-steps.md");
    insta::assert_snapshot!(author.lesson("first-steps"), @"
    error: there is a lesson `first-steps` already, and nothing was written
    hint: choose another name
    ");
    insta::assert_snapshot!(author.quiz("first-steps"), @"
    error: the lesson `first-steps` has a quiz already
    hint: add a `[[question]]` to that file
    ");
    insta::assert_snapshot!(author.lab("first-steps/try-it"), @"
    error: there is a lab `first-steps/try-it` already, and nothing was written
    hint: choose another name
    ");
    fs::write(author.dir().join("lessons/mine.md"), "mine").unwrap();
    insta::assert_snapshot!(author.lesson("mine"), @"
    error: DIR/talk/lessons/mine.md exists already, and nothing was written
    hint: choose another name, or change that file
    ");
    assert_eq!(author.read("lessons/mine.md"), "mine");
    assert_eq!(author.read("lessons/first-steps.md"), before);
}

#[test]
fn a_name_that_cannot_be_an_id_is_answered_with_one_that_can() {
    let author = Author::of_course();
    insta::assert_snapshot!(author.lesson("Long Queues!"), @"
    error: `Long Queues!` cannot be the id of a lesson
    hint: write `long-queues`; the title can be changed in the file
    ");
    insta::assert_snapshot!(author.lab("wait-less"), @"
    error: `wait-less` does not say in which lesson the lab is to be
    hint: write LESSON/wait-less
    ");
    insta::assert_snapshot!(author.lab("first-step/wait-less"), @"
    error: there is no lesson `first-step`
    hint: did you mean `first-steps`?
    ");
}

#[test]
fn a_course_with_a_mistake_in_its_list_is_not_touched() {
    let author = Author::of_course();
    fs::write(author.dir().join("lessons/course.toml"), "lessons = [").unwrap();
    insta::assert_snapshot!(author.lesson("new"), @"
    error: lessons/course.toml cannot be changed, and nothing was written: it is not TOML: unclosed array, expected `]`
    hint: `warpup check` says what is wrong with it
    ");
    assert_eq!(author.read("lessons/course.toml"), "lessons = [");
    assert!(!author.dir().join("lessons/new.md").exists());
}

#[test]
fn a_folder_whose_name_is_no_id_gives_the_course_another() {
    for (folder, id) in [
        ("warpup", "my-course"),
        ("My Talk", "my-talk"),
        ("漢", "my-course"),
    ] {
        let (_, manifest) = &plan::course(folder, "first-steps").unwrap().created[0];
        assert!(manifest.contains(&format!("id = \"{id}\"")), "{manifest}");
    }
    assert_eq!(quoted(Path::new("a b")), "'a b'");
}

#[test]
fn a_new_course_begins_with_the_lesson_that_is_named() {
    let author = Author::new();
    let named = |lesson: &str| NewCommand::Course {
        dir: author.dir(),
        lesson: lesson.into(),
    };
    let refused = author.make(&named("Where tensors live"));
    assert!(refused.contains("write `where-tensors-live`"), "{refused}");
    assert!(!author.dir().exists());
    insta::assert_snapshot!(author.make(&named("where-tensors-live")), @"
    created DIR/talk/lessons/course.toml
    created DIR/talk/lessons/where-tensors-live.md
    created DIR/talk/quizzes/where-tensors-live.toml
    ");
    let checked = author.checked();
    assert!(checked.contains(" 0 errors, 0 warnings"), "{checked}");
}
