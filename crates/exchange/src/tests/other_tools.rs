//! Files that other tools wrote.

use super::{quiz, shown};
use crate::{ImportedQuiz, gift, moodle};
use warpup_course::{Question, QuestionKind};

/// A file of `tests/fixtures/exchange`, where `README.md` says which tool wrote it.
fn fixture(name: &str) -> String {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/exchange/"
    );
    std::fs::read_to_string(format!("{folder}{name}")).unwrap()
}

/// The ids and types of an imported quiz, and the remarks.
fn outline(imported: &ImportedQuiz) -> String {
    let quiz = quiz(imported);
    let types = |it: &Question| match &it.kind {
        QuestionKind::Single(it) => format!("single of {}", it.options.len()),
        QuestionKind::Multi(it) => format!("multi of {}", it.options.len()),
        QuestionKind::Numeric(it) => {
            let key = it.key.as_ref().unwrap();
            format!("numeric {} {:?} {:?}", key.answer, key.tolerance, it.unit)
        }
        QuestionKind::Text(it) => format!("text {:?}", it.key.as_ref().unwrap().accept),
        QuestionKind::Match(it) => format!("match of {}", it.lefts.len()),
        QuestionKind::Words(_) => "words".to_owned(),
        QuestionKind::Order(_) | QuestionKind::Predict(_) => "another".to_owned(),
    };
    let lines: Vec<String> = quiz
        .questions
        .iter()
        .map(|it| format!("{}: {}\n", it.id, types(it)))
        .collect();
    let remarks = shown(imported);
    let remarks: Vec<&str> = remarks
        .lines()
        .filter(|it| it.starts_with("left out: ") || it.starts_with("changed: "))
        .collect();
    format!("{}{}", lines.concat(), remarks.join("\n"))
}

#[test]
fn gift_of_other_tools_is_read() {
    let read = |name| outline(&gift::read(&fixture(name), "Sample"));
    insta::assert_snapshot!(read("gift-wrapper.gift"), @"
    where-is-the-sum: single of 3
    bytes-of-six-numbers: numeric 24 Abs(2.4) None
    ");
    insta::assert_snapshot!(read("giftsnippet.gift"), @"
    output: single of 3
    both: multi of 3
    changed: line 2: Markdown has no images: what they say is there as text
    changed: line 2, line 10: there is no explanation: `explain` repeats what is right, write why
    ");
}

#[test]
fn moodle_xml_of_other_tools_is_read() {
    let read = |name| outline(&moodle::read(&fixture(name), "Sample").unwrap());
    insta::assert_snapshot!(read("quizpy.xml"), @r#"
    where-is-the-sum: multi of 2
    memories-of-a-card: multi of 3
    bytes: numeric 24 Abs(0.5) Some("B")
    tool: text ["nvidia-smi"]
    pairs: match of 2
    why: words
    changed: line 2 (Where is the sum), line 2 (Memories of a card): feedback for a whole answer is left out: each option has its own
    changed: line 2 (Where is the sum), line 2 (Memories of a card), line 2 (Tool), line 2 (Pairs), line 2 (Why): there is no explanation: `explain` repeats what is right, write why
    changed: line 2 (Why): it does not list the parts of a good explanation: write them in `parts`
    "#);
    insta::assert_snapshot!(read("moodle-questions.xml"), @r#"
    where-is-the-sum: single of 2
    tool: text ["nvidia-smi"]
    changed: line 2 (Tool): there is no explanation: `explain` repeats what is right, write why
    "#);
}
