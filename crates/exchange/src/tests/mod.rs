//! Quizzes for the tests of several formats.

mod other_tools;

use super::{ImportedQuiz, Remark};
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
pub(super) fn quiz(imported: &ImportedQuiz) -> Quiz {
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
pub(super) fn shown(imported: &ImportedQuiz) -> String {
    let quiz = imported.quiz.clone().unwrap_or_default();
    let questions = quiz.split_once("\n\n").map_or("", |(_, it)| it);
    let line = |kind: &str, it: &Remark| format!("{kind}: {}: {}\n", it.place, it.what);
    let left_out = imported.left_out.iter().map(|it| line("left out", it));
    let changed = imported.changed.iter().map(|it| line("changed", it));
    let remarks: Vec<String> = left_out.chain(changed).collect();
    format!("{questions}{}", remarks.concat())
}
