//! What is said about the manifest and about files that are missing or too many.

use super::*;
use insta::assert_snapshot;

fn lesson(id: &str, more: &str) -> String {
    format!(
        "+++\nformat = 1\nid = \"{id}\"\ntitle = \"T\"\nsummary = \"S.\"\nminutes = 1\nobjectives = []\n{more}+++\n\nText.\n"
    )
}

fn manifest(lessons: &str) -> String {
    MANIFEST.replace("[\"lesson.md\"]", lessons)
}

#[test]
fn without_a_manifest_all_lessons_are_there_by_name() {
    let sources = sources(&[
        ("lessons/b.md", &lesson("b", "")),
        ("lessons/a.md", &lesson("a", "")),
    ]);
    assert_snapshot!(shown(&sources), @"
    error[no-course-file]: the course has no `lessons/course.toml`
    --> lessons/course.toml:1:1
     = help: without it, the lessons are shown in the order of their files' names
    ");
    let (course, _) = parse(&sources);
    let ids: Vec<_> = course.lessons.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
}

#[test]
fn an_empty_folder_gives_an_empty_course() {
    let (course, diagnostics) = parse(&Sources::default());
    assert!(course.lessons.is_empty());
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn a_listed_file_that_is_missing_names_the_nearest() {
    let sources = sources(&[
        (
            "lessons/course.toml",
            &manifest("[\"copy.md\", \"copies.md\"]"),
        ),
        ("lessons/copy-it.md", &lesson("copy-it", "")),
        ("lessons/copies.md", &lesson("copies", "")),
    ]);
    assert_snapshot!(shown(&sources), @r#"
    error[missing-file]: there is no file `lessons/copy.md`
     --> lessons/course.toml:5:12
      |
    5 | lessons = ["copy.md", "copies.md"]
      |            ^^^^^^^^^
      |
      = help: correct the name, or create the file: `warpup new lesson NAME`
    warning[lesson-not-listed]: this lesson is not listed in `lessons/course.toml`
     --> lessons/copy-it.md:1:1
      |
    1 | +++
      | ^
      |
      = help: add "copy-it.md" to its `lessons`
    "#);
}

#[test]
fn a_lesson_with_a_broken_head_is_missing_and_the_rest_works() {
    let sources = sources(&[
        ("lessons/course.toml", &manifest("[\"a.md\", \"b.md\"]")),
        ("lessons/a.md", "no head\n"),
        ("lessons/b.md", &lesson("b", "")),
    ]);
    let (course, diagnostics) = parse(&sources);
    assert_eq!(course.lessons.len(), 1);
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn lessons_are_listed_once_and_have_their_own_ids() {
    let sources = sources(&[
        (
            "lessons/course.toml",
            &manifest("[\"a.md\", \"a.md\", \"b.md\"]"),
        ),
        ("lessons/a.md", &lesson("a", "")),
        ("lessons/b.md", &lesson("a", "")),
    ]);
    assert_snapshot!(shown(&sources), @r#"
    error[listed-twice]: `a.md` is listed twice
     --> lessons/course.toml:5:20
      |
    5 | lessons = ["a.md", "a.md", "b.md"]
      |                    ^^^^^^
      |
      = help: remove one of the two
    error[duplicate-id]: there is a lesson `a` already
     --> lessons/b.md:3:6
      |
    3 | id = "a"
      |      ^^^
      |
      = help: progress is kept under it, so each lesson needs its own
    "#);
}

#[test]
fn required_lessons_come_before() {
    let sources = sources(&[
        ("lessons/course.toml", &manifest("[\"a.md\", \"b.md\"]")),
        ("lessons/a.md", &lesson("a", "requires = [\"b\", \"a\"]\n")),
        ("lessons/b.md", &lesson("b", "requires = [\"a\", \"bb\"]\n")),
    ]);
    assert_snapshot!(shown(&sources), @r#"
    error[requires-order]: lesson `b` does not come before this one
     --> lessons/a.md:8:13
      |
    8 | requires = ["b", "a"]
      |             ^^^
      |
      = help: change the order in `lessons/course.toml`
    error[requires-order]: lesson `a` does not come before this one
     --> lessons/a.md:8:18
      |
    8 | requires = ["b", "a"]
      |                  ^^^
      |
      = help: change the order in `lessons/course.toml`
    error[unknown-lesson]: there is no lesson `bb`
     --> lessons/b.md:8:18
      |
    8 | requires = ["a", "bb"]
      |                  ^^^^
      |
      = help: did you mean `b`?
    "#);
    let (course, _) = parse(&sources);
    assert_eq!(course.lessons[0].requires, []);
    assert_eq!(course.lessons[1].requires, [LessonId::new("a")]);
}

#[test]
fn quizzes_exist_and_belong_to_one_lesson() {
    let quiz = format!("{QUIZ}{QUESTION}");
    let sources = sources(&[
        (
            "lessons/course.toml",
            &manifest("[\"a.md\", \"b.md\", \"c.md\"]"),
        ),
        ("lessons/a.md", &lesson("a", "quiz = \"one.toml\"\n")),
        ("lessons/b.md", &lesson("b", "quiz = \"one.toml\"\n")),
        ("lessons/c.md", &lesson("c", "quiz = \"onne.toml\"\n")),
        ("quizzes/one.toml", &quiz),
        ("quizzes/two.toml", &quiz),
    ]);
    assert_snapshot!(shown(&sources), @r#"
    error[quiz-used-twice]: `quizzes/one.toml` is the quiz of another lesson already
     --> lessons/b.md:8:8
      |
    8 | quiz = "one.toml"
      |        ^^^^^^^^^^
      |
      = help: give each lesson a quiz of its own; `warpup new quiz LESSON` creates one
    error[missing-file]: there is no file `quizzes/onne.toml`
     --> lessons/c.md:8:8
      |
    8 | quiz = "onne.toml"
      |        ^^^^^^^^^^^
      |
      = help: did you mean `one.toml`?
    warning[quiz-not-named]: no lesson names this quiz
     --> quizzes/two.toml:1:1
      |
    1 | format = 1
      | ^
      |
      = help: write `quiz = "two.toml"` into the head of its lesson
    "#);
}

#[test]
fn mistakes_in_the_manifest_leave_the_rest_of_it() {
    let text = MANIFEST
        .replace(
            "title = \"Demo\"",
            "titel = \"Demo\"\npass = { above_percent = 100 }",
        )
        .replace("\"demo\"", "\"Demo 1\"");
    let sources = sources(&[
        ("lessons/course.toml", &text),
        ("lessons/lesson.md", &lesson("a", "")),
    ]);
    assert_snapshot!(shown(&sources), @r#"
    error[id-form]: course id `Demo 1` is not made of lower-case letters, digits and single `-`
     --> lessons/course.toml:2:6
      |
    2 | id = "Demo 1"
      |      ^^^^^^^^
      |
      = help: write `demo-1`
    error[unknown-key]: unknown key `titel` in a course
     --> lessons/course.toml:3:1
      |
    3 | titel = "Demo"
      | ^^^^^
      |
      = help: did you mean `title`?
    error[pass-percent]: nobody can earn more than all points
     --> lessons/course.toml:4:26
      |
    4 | pass = { above_percent = 100 }
      |                          ^^^
      |
      = help: `above_percent` is at most 99, which asks for all points
    "#);
    assert_eq!(parse(&sources).0.lessons.len(), 1);
}

#[test]
fn files_that_are_too_long_are_left_out() {
    let long = format!("{HEAD}{}", "x\n".repeat(MAX_FILE / 2));
    let sources = sources(&[
        ("lessons/course.toml", MANIFEST),
        ("lessons/lesson.md", &long),
    ]);
    let (course, diagnostics) = parse(&sources);
    assert!(course.lessons.is_empty());
    assert!(diagnostics[0].message.contains("1048576 are read"));
}

#[test]
fn more_than_a_hundred_mistakes_in_a_file_are_counted() {
    let body = "[x](nowhere)\n\n".repeat(150);
    let diagnostics = parse(&course_of(&body, &format!("{QUIZ}{QUESTION}"))).1;
    assert_eq!(diagnostics.len(), 101);
    assert_eq!(diagnostics[100].message, "50 more like these are not shown");
}

#[test]
fn lessons_of_another_ending_are_named_where_they_are_listed_and_where_they_lie() {
    let listed = |lessons: &str, unread: &[&str]| {
        let mut sources = sources(&[
            ("lessons/course.toml", &manifest(lessons)),
            ("lessons/a.md", &lesson("a", "")),
        ]);
        sources.unread = unread.iter().map(|it| (*it).to_owned()).collect();
        shown(&sources)
    };
    assert_snapshot!(listed("[\"a.md\", \"b.markdown\"]", &["lessons/b.markdown"]), @r#"
    error[missing-file]: there is no file `lessons/b.markdown`
     --> lessons/course.toml:5:20
      |
    5 | lessons = ["a.md", "b.markdown"]
      |                    ^^^^^^^^^^^^
      |
      = help: the name of a lesson ends with `.md`: rename the file to `b.md`, and write that here
    "#);
    assert_snapshot!(listed("[\"a.markdown\"]", &[]), @r#"
    error[missing-file]: there is no file `lessons/a.markdown`
     --> lessons/course.toml:5:12
      |
    5 | lessons = ["a.markdown"]
      |            ^^^^^^^^^^^^
      |
      = help: write `a.md`
    warning[lesson-not-listed]: this lesson is not listed in `lessons/course.toml`
     --> lessons/a.md:1:1
      |
    1 | +++
      | ^
      |
      = help: add "a.md" to its `lessons`
    "#);
    let beside = ["lessons/b.MD", "lessons/notes.txt", "quizzes/a.yaml"];
    assert_snapshot!(listed("[\"a.md\"]", &beside), @r#"
    warning[file-left-out]: this file is not read: the name of a lesson ends with `.md`
    --> lessons/b.MD:1:1
     = help: rename it to `b.md`
    warning[file-left-out]: this file is not read: the name of a quiz ends with `.toml`
    --> quizzes/a.yaml:1:1
     = help: write it as TOML into `a.toml`; `warpup new quiz LESSON` shows how
    "#);
}

#[test]
fn files_that_were_saved_under_another_name_or_in_another_folder_are_named() {
    let hint = |files: &[(&str, &str)], unread: &str| {
        let mut sources = sources(files);
        sources.unread = [unread.to_owned()].into();
        let found = parse(&sources).1;
        found[0].hint.clone().unwrap()
    };
    let text = lesson("a", "");
    let lesson = ("lessons/a.md", text.as_str());
    let listed = manifest("[\"a.md\", \"b.md\"]");
    let manifest = ("lessons/course.toml", listed.as_str());
    assert_eq!(
        hint(&[lesson], "course.toml"),
        "`course.toml` is in the folder of the course: move it to `lessons/course.toml`"
    );
    assert_eq!(
        hint(&[lesson], "lessons/course.toml.txt"),
        "`lessons/course.toml.txt` is there: rename it to `course.toml`"
    );
    assert_eq!(
        hint(&[manifest, lesson], "lessons/b.md.txt"),
        "`lessons/b.md.txt` is there: rename it to `b.md`"
    );
    assert_eq!(
        hint(&[manifest, lesson], "lessons/B.md"),
        "`lessons/B.md` is there: rename it to `b.md`"
    );
}

#[test]
fn folders_that_look_like_translations_are_named_by_the_code_of_a_language() {
    let beside = |unread: &[&str]| {
        let mut sources = sources(&[
            ("lessons/course.toml", &manifest("[\"a.md\"]")),
            ("lessons/a.md", &lesson("a", "")),
        ]);
        sources.unread = unread.iter().map(|it| (*it).to_owned()).collect();
        shown(&sources)
    };
    assert_snapshot!(beside(&["lessons/german/a.md", "lessons/german/b.md"]), @r#"
    warning[language-code]: this folder is not read: `german` is not the code of a language
    --> lessons/german:1:1
     = help: rename the folder to `de`
    "#);
    assert_snapshot!(beside(&["lessons/de_AT/a.md", "quizzes/translated/course.toml"]), @r#"
    warning[language-code]: this folder is not read: `de_AT` is not the code of a language
    --> lessons/de_AT:1:1
     = help: rename the folder to `de-AT`
    warning[language-code]: this folder is not read: `translated` is not the code of a language
    --> quizzes/translated:1:1
     = help: name the folder of a translation by the code of its language, such as `de` or `pt-BR`; if it has no translation, move it out of the course
    "#);
    assert_eq!(beside(&["lessons/old/notes.md", "lessons/drafts/b.md"]), "");
}
