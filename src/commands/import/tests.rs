//! What an import prints and writes, and what it refuses.

use super::*;
use crate::commands::sample;
use std::fs;
use tempfile::TempDir;

/// A folder with a file of questions, and what an import of it says, with its path as `DIR`.
struct Questions(TempDir);

impl Questions {
    fn new(name: &str, text: &[u8]) -> Self {
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join(name), text).unwrap();
        Self(dir)
    }

    fn import(&self, format: ImportFormat, name: &str, out: Option<&str>) -> (String, Exit) {
        let args = ImportArgs {
            format,
            file: self.0.path().join(name),
            out: out.map(|it| self.0.path().join(it)),
            title: None,
            force: false,
        };
        let (text, exit) = sample::console("", |console| execute(&args, console));
        (text.replace(self.0.path().to_str().unwrap(), "DIR"), exit)
    }
}

#[test]
fn a_quiz_is_written_with_what_to_do_next() {
    let questions = Questions::new("my cards.gift", b"::a:: Where? {=here ~there#No.}\n");
    let (text, exit) = questions.import(
        ImportFormat::Gift,
        "my cards.gift",
        Some("quizzes/cards.toml"),
    );
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @r#"
    wrote DIR/quizzes/cards.toml: 1 question
    Next, name it in the head of its lesson (`quiz = "cards.toml"`) and run `warpup check`.
    note: DIR/my cards.gift, line 1: there is no explanation: `explain` repeats what is right, write why
    "#);
    let quiz = fs::read_to_string(questions.0.path().join("quizzes/cards.toml")).unwrap();
    insta::assert_snapshot!(quiz, @r#"
    format = 1
    id = "cards"
    title = "Cards"

    [[question]]
    id = "a"
    type = "single"
    prompt = "Where?"
    options = [
      { id = "a", text = "here", correct = true },
      { id = "b", text = "there", feedback = "No." },
    ]
    explain = "Right: here"
    "#);
    let (text, exit) = questions.import(
        ImportFormat::Gift,
        "my cards.gift",
        Some("quizzes/cards.toml"),
    );
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text.lines().last().unwrap(), @"hint: choose another name, or replace it with `--force`");
}

#[test]
fn what_is_left_out_is_listed_and_the_rest_is_printed() {
    let questions = Questions::new("q.gift", b"Where? {=here\n\n::b:: Where? {=here ~there}\n");
    let (text, exit) = questions.import(ImportFormat::Gift, "q.gift", None);
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r#"
    format = 1
    id = "q"
    title = "Q"

    [[question]]
    id = "b"
    type = "single"
    prompt = "Where?"
    options = [
      { id = "a", text = "here", correct = true },
      { id = "b", text = "there" },
    ]
    explain = "Right: here"
    left out: DIR/q.gift, line 1: its answers have no end: write `}` behind the last one, and `\{` for a brace in a text
    note: DIR/q.gift, line 3: there is no explanation: `explain` repeats what is right, write why
    "#);
}

#[test]
fn a_file_that_is_no_text_of_the_format_is_refused() {
    let questions = Questions::new("q.xml", b"<html></html>");
    let (text, exit) = questions.import(ImportFormat::Moodle, "q.xml", Some("q.toml"));
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @"
    error: DIR/q.xml, line 1: it cannot be read as Moodle XML
    hint: its root is `<html>`, not `<quiz>`: export the questions from Moodle as *Moodle XML format*
    ");
    insta::assert_snapshot!(questions.import(ImportFormat::Gift, "q.xml", None).0, @"
    left out: DIR/q.xml, line 1: it has no answers in braces, so it asks nothing: put it into the lesson
    error: DIR/q.xml has no question that a quiz can have, and nothing was written
    hint: a question in GIFT is `::name:: What is right? { =this ~that }`, with an empty line behind it
    ");
    insta::assert_snapshot!(questions.import(ImportFormat::Gift, "none", None).0, @"
    error: cannot read DIR/none
    cause: there is no such file or folder
    hint: `ls DIR` lists what is there
    ");
    let binary = Questions::new("q.gift", b"\xff\xfe\x00");
    insta::assert_snapshot!(binary.import(ImportFormat::Gift, "q.gift", None).0, @"
    error: cannot read DIR/q.gift
    cause: it is not text in UTF-8
    hint: give a text file in UTF-8 with the questions
    ");
    assert!(!questions.0.path().join("q.toml").exists());
}
