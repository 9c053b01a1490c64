//! Quizzes for the tests of several formats.

use super::{Imported, Remark, gift, moodle};
use warpup_course::kinds::{NearMiss, Tolerance};
use warpup_course::{
    self as course, Block, Choice, OptionsKey, Question, QuestionKind, Quiz, Sources, Text,
};
use warpup_store::course::embedded;

/// All quizzes of the course that is built in.
pub(super) fn shipped() -> Vec<Quiz> {
    let (course, _) = course::parse(&embedded());
    course
        .lessons
        .into_iter()
        .filter_map(|it| it.quiz.clone())
        .collect()
}

/// The quiz of an imported file, in which nothing may be wrong.
pub(super) fn quiz(imported: &Imported) -> Quiz {
    let text = imported.quiz.clone().unwrap();
    let files = [
        ("lessons/course.toml", "format = 1\nid = \"c\"\ntitle = \"C\"\nsummary = \"C.\"\nlessons = [\"l.md\"]\n".to_owned()),
        ("lessons/l.md", "+++\nformat = 1\nid = \"l\"\ntitle = \"L\"\nsummary = \"L.\"\nminutes = 1\nobjectives = []\nquiz = \"q.toml\"\n+++\n\nText.\n".to_owned()),
        ("quizzes/q.toml", text.clone()),
    ];
    let files = files.map(|(file, text)| (file.to_owned(), text.into()));
    let (course, found) = course::parse(&Sources::of(files));
    let errors: Vec<_> = found
        .iter()
        .filter(|it| {
            it.severity == course::Severity::Error && !it.message.contains("nobody can pass")
        })
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    course.lessons[0].quiz.clone().unwrap()
}

/// What a question says, without what formats do not carry: places, ids of options, hints.
pub(super) fn said(question: &Question) -> String {
    let blocks = |blocks: &[Block]| {
        let kinds: Vec<_> = blocks.iter().map(|it| (&it.within, &it.kind)).collect();
        format!("{kinds:?}")
    };
    let options = |all: &[Choice], key: &OptionsKey| {
        let option = |it: &Choice| {
            let (is_right, feedback) = (key.is_right(&it.id), key.feedback(&it.id));
            format!("{:?} {is_right} {feedback:?}", it.text)
        };
        all.iter().map(option).collect::<Vec<_>>().join("\n")
    };
    let near = |it: &NearMiss| {
        format!(
            "{} {} {:?}",
            it.value,
            bounds(it.value, it.tolerance),
            it.feedback
        )
    };
    let kind = match &question.kind {
        _ if question.is_keyless() => "without a key".to_owned(),
        QuestionKind::Single(it) => {
            format!("single {}", options(&it.options, it.key.as_ref().unwrap()))
        }
        QuestionKind::Multi(it) => {
            let key = it.key.as_ref().unwrap();
            format!(
                "multi {} {}",
                key.partial,
                options(&it.options, &key.options)
            )
        }
        QuestionKind::Numeric(it) => {
            let key = it.key.as_ref().unwrap();
            let nears: Vec<_> = key.near.iter().map(near).collect();
            // A range is kept, the place of the answer in it is not.
            let answer = match key.tolerance {
                Tolerance::Range(..) => String::new(),
                Tolerance::Exact | Tolerance::Abs(_) | Tolerance::Rel(_) => key.answer.to_string(),
            };
            format!(
                "numeric {answer} {} {:?} {nears:?}",
                bounds(key.answer, key.tolerance),
                it.unit
            )
        }
        QuestionKind::Text(it) => {
            let key = it.key.as_ref().unwrap();
            format!("text {:?} {:?}", key.accept, key.near)
        }
        QuestionKind::Match(it) => {
            let pairs = it.rows();
            let pairs: Vec<(&Text, String)> = pairs
                .map(|(left, right)| (&left.text, right.text.plain()))
                .collect();
            format!("match {pairs:?}")
        }
        QuestionKind::Words(it) => format!("words {:?}", it.parts),
        QuestionKind::Order(it) => {
            format!("order {}", options(&it.items, &OptionsKey::default()))
        }
        QuestionKind::Predict(_) => "predict".to_owned(),
    };
    format!(
        "{}\n{}\n{kind}\n{}",
        question.id,
        blocks(&question.prompt),
        blocks(&question.explain)
    )
}

fn bounds(value: f64, tolerance: Tolerance) -> String {
    let (low, high) = match tolerance {
        Tolerance::Exact => (value, value),
        Tolerance::Abs(off) => (value - off, value + off),
        Tolerance::Rel(off) => (value - value.abs() * off, value + value.abs() * off),
        Tolerance::Range(low, high) => (low, high),
    };
    format!("{low:.6e} to {high:.6e}")
}

/// The quiz of a file without its head, then what was left out and what was changed.
pub(super) fn shown(imported: &Imported) -> String {
    let quiz = imported.quiz.clone().unwrap_or_default();
    let questions = quiz.split_once("\n\n").map_or("", |(_, it)| it);
    let line = |kind: &str, it: &Remark| format!("{kind}: {}: {}\n", it.place, it.what);
    let left_out = imported.left_out.iter().map(|it| line("left out", it));
    let changed = imported.changed.iter().map(|it| line("changed", it));
    let remarks: Vec<String> = left_out.chain(changed).collect();
    format!("{questions}{}", remarks.concat())
}

/// A file of `tests/fixtures/exchange`, where `README.md` says which tool wrote it.
fn fixture(name: &str) -> String {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/exchange/"
    );
    std::fs::read_to_string(format!("{folder}{name}")).unwrap()
}

/// The ids and types of an imported quiz, and the remarks.
fn outline(imported: &Imported) -> String {
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
