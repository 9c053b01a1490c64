//! What course files may contain, told by examples: text in, diagnostics or blocks out.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are not #[test] functions, and a helper that fails is a test that fails"
)]

mod any_text;
mod causes;
mod course_files;
mod from_elsewhere;
mod front_ends;
mod keyless;
mod lessons;
mod links;
mod misplaced;
mod pages;
mod pools;
mod programs;
mod question_kinds;
mod questions;
mod reading;
mod schema;
mod translations;
mod versions;
mod whole;

use warpup_course::*;
use warpup_grade::{Expect, lab_proofs, prove};

/// A manifest that lists `lesson.md`.
const MANIFEST: &str = r#"format = 1
id = "demo"
title = "Demo"
summary = "Everything in small."
lessons = ["lesson.md"]
"#;

/// A head that lets a lesson be read; it has ten lines.
const HEAD: &str = r#"+++
format = 1
id = "lesson"
title = "Lesson"
summary = "One sentence."
minutes = 5
objectives = ["Say it."]
quiz = "lesson.toml"
+++

"#;

/// A quiz head; it has four lines.
const QUIZ: &str = r#"format = 1
id = "lesson"
title = "Lesson"

"#;

/// A question without mistakes.
const QUESTION: &str = r#"[[question]]
id = "q-fine"
type = "single"
prompt = "Fine?"
explain = "It is."
options = [
  { id = "a", text = "yes", correct = true },
  { id = "b", text = "no", feedback = "Why not?" },
]
"#;

/// A course of these files.
fn sources(files: &[(&str, &str)]) -> Sources {
    Sources::of(
        files
            .iter()
            .map(|(file, text)| ((*file).to_owned(), (*text).to_owned().into())),
    )
}

/// A course of one lesson with this body, and this quiz.
fn course_of(body: &str, quiz: &str) -> Sources {
    sources(&[
        ("lessons/course.toml", MANIFEST),
        ("lessons/lesson.md", &format!("{HEAD}{body}")),
        ("quizzes/lesson.toml", quiz),
    ])
}

/// What is wrong with a course, as its author sees it.
fn shown(sources: &Sources) -> String {
    let (course, diagnostics) = parse(sources);
    let mut shown = String::new();
    for diagnostic in diagnostics.iter().chain(&prove(&course)) {
        let text = sources.files.get(&diagnostic.file);
        shown.push_str(&diagnostic.render(text.map_or("", |it| it.as_ref())));
    }
    shown
}

/// The first message has these parts.
#[track_caller]
fn leads(shown: &str, parts: &[&str]) {
    let first = shown.split("\n\n").next().unwrap_or_default();
    for part in parts {
        assert!(first.contains(part), "{part}\n{shown}");
    }
}

/// What is wrong with a lesson of this body.
fn diagnostics_of(body: &str) -> String {
    shown(&course_of(body, &format!("{QUIZ}{QUESTION}")))
}

/// What is wrong with a quiz that has this question after a good one.
fn diagnostics_of_question(question: &str) -> String {
    shown(&course_of(
        "Text.\n",
        &format!("{QUIZ}{QUESTION}{question}"),
    ))
}

/// The lesson of this body.
fn lesson_of(body: &str) -> Lesson {
    let quiz = format!("{QUIZ}{QUESTION}");
    let (course, _) = parse(&course_of(body, &quiz));
    course.lessons.into_iter().next().unwrap()
}

/// The blocks of a lesson's pages, one a line: containers, then what is in them.
fn blocks_of(body: &str) -> String {
    let lesson = lesson_of(body);
    let mut lines = Vec::new();
    for page in &lesson.pages {
        lines.push(format!("# {} ({})\n", page.title, page.id));
        lines.extend(page.blocks.iter().map(line));
    }
    lines.concat()
}

fn line(block: &Block) -> String {
    let within: String = block.within.iter().map(container).collect();
    let kind = match &block.kind {
        BlockKind::Heading { level, text } => format!("h{level} {}", looks(text)),
        BlockKind::Paragraph(text) => format!("p {}", looks(text)),
        BlockKind::Code { language, code } => format!("code {language} {code:?}"),
        BlockKind::Figure { alt, art } => format!("figure {alt:?} {art:?}"),
        BlockKind::Table { align, head, rows } => {
            let cells = |row: &Vec<Text>| row.iter().map(looks).collect::<Vec<_>>().join("|");
            let rows: Vec<_> = rows.iter().map(cells).collect();
            format!("table {align:?} {} / {}", cells(head), rows.join(" / "))
        }
        BlockKind::Lab(id) => format!("lab {id}"),
        BlockKind::Rule => "rule".to_owned(),
    };
    format!("{within}{kind}\n")
}

fn container(container: &Container) -> String {
    match container {
        Container::Quote => "> ".to_owned(),
        Container::Callout(kind) => format!("{kind:?}> "),
        Container::Item { marker, first } => format!("{marker:?}{} ", mark(*first)),
        Container::Footnote { label, first } => format!("[^{label}]{} ", mark(*first)),
        Container::Details { summary, first } => format!("<{summary}>{} ", mark(*first)),
    }
}

fn mark(first: bool) -> &'static str {
    if first { "" } else { "…" }
}

/// A text with its looks: `{text:strong,code}`.
fn looks(text: &Text) -> String {
    let shown: String = text.pieces.iter().map(piece_looks).collect();
    shown.replace('\n', "⏎")
}

fn piece_looks(piece: &Piece) -> String {
    let mut looks = Vec::new();
    for (is_on, look) in [
        (piece.strong, "strong"),
        (piece.emphasis, "emphasis"),
        (piece.code, "code"),
        (piece.struck, "struck"),
        (piece.footnote, "note"),
    ] {
        looks.extend(is_on.then(|| look.to_owned()));
    }
    looks.extend(piece.link.as_ref().map(|to| format!("to {to}")));
    if looks.is_empty() {
        return piece.text.clone();
    }
    format!("{{{}:{}}}", piece.text, looks.join(","))
}
