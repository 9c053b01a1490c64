//! The sample course as the screens' tests need it.

use warpup_course::{Block, BlockKind, Course, Text, sample};

pub(crate) use sample::course;

/// The sample course; the quiz of `places` also asks for the learner's own words.
pub(super) fn with_words() -> Course {
    sample::course_with(
        "quizzes/places.toml",
        r#"
[[question]]
id = "q-why"
type = "words"
prompt = "Why does the call return before the card is done?"
hints = ["Think of the bus."]
explain = "The host only queues the kernel and goes on; the card runs it later."
parts = [
  "The call only puts the kernel into the stream's queue.",
  "The card runs it `later`.",
  "Reading a value waits for it.",
]

[[question]]
id = "q-wait"
type = "words"
prompt = "When does the host wait?"
hints = ["Think of the bus."]
explain = "The host only queues the kernel and goes on; the card runs it later."
parts = [
  "The call only puts the kernel into the stream's queue.",
  "The card runs it `later`.",
  "Reading a value waits for it.",
]
"#,
    )
}

/// The sample course, whose last lesson is a page of text and nothing else.
pub(super) fn with_short_end() -> Course {
    let mut course = course();
    if let Some(last) = course.lessons.last_mut() {
        last.pages.truncate(1);
        last.labs.clear();
        last.quiz = None;
    }
    course
}

/// A block of a page, outside of all containers.
pub(super) fn block(kind: BlockKind) -> Block {
    Block {
        within: Vec::new(),
        kind,
        span: 0..0,
    }
}

/// A paragraph of plain text.
pub(super) fn paragraph(text: &str) -> Block {
    block(BlockKind::Paragraph(Text::of(text)))
}
