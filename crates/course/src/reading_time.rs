//! How long a lesson takes, estimated from its content.
//!
//! An estimate for authors, so that no page is a wall of text and the minutes in a lesson's head are not a
//! wish. Learners are shown what the head says.

use super::diagnostics::{Diagnostic, Rule, Severity};
use super::lesson::{Course, Lab, Lesson, Page};
use super::model::{Block, BlockKind, Text};
use std::ops::Range;

/// Words read in a minute; slow, since it is a text to learn from, and often in a second language.
const WORDS_A_MINUTE: u64 = 200;
/// A line of a program, shown or in a lab. Empty ones take no time.
const CODE_LINE_MS: u64 = 4_000;
/// A drawing.
const FIGURE_MS: u64 = 10_000;
/// What is done with a lab beside reading it: run, change, run again.
const LAB_SECONDS: u64 = 180;
/// A page that takes longer is too long to be read at a screen.
const PAGE_SECONDS: u64 = 180;

/// What a lesson takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// Seconds for all pages, the labs' programs among them.
    pub reading_s: u64,
    /// Seconds for working with the labs.
    pub labs_s: u64,
}

impl Time {
    /// What a lesson takes without its quiz.
    pub fn of(lesson: &Lesson) -> Self {
        let pages = lesson.pages.iter();
        Self {
            reading_s: pages.map(|it| page_seconds(it, &lesson.labs)).sum(),
            labs_s: LAB_SECONDS * lesson.labs.len() as u64,
        }
    }

    /// All of it in minutes, and at least one.
    pub fn minutes(self) -> u64 {
        in_minutes(self.reading_s + self.labs_s)
    }

    /// The reading in minutes, and at least one.
    pub fn reading_minutes(self) -> u64 {
        in_minutes(self.reading_s)
    }
}

fn in_minutes(seconds: u64) -> u64 {
    ((seconds + 30) / 60).max(1)
}

/// How many seconds a page takes to read, with the programs of the labs on it. A glossary is looked up, and not read.
pub fn page_seconds(page: &Page, labs: &[Lab]) -> u64 {
    if page.is_glossary() {
        return 0;
    }
    let blocks = page.blocks.iter().map(|it| block_ms(it, labs));
    blocks.sum::<u64>().div_ceil(1_000)
}

/// The words of a lesson that only instructors see. They are not part of its reading time.
pub fn note_words(lesson: &Lesson) -> usize {
    let notes = lesson.pages.iter().flat_map(|it| &it.notes);
    notes.map(|it| block_words(&it.block)).sum()
}

/// The words of running text in a block; those of programs and drawings do not count.
pub fn block_words(block: &Block) -> usize {
    let words = |text: &Text| text.plain().split_whitespace().count();
    match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => words(text),
        BlockKind::Table { head, rows, .. } => rows.iter().flatten().chain(head).map(words).sum(),
        BlockKind::Code { .. } | BlockKind::Figure { .. } | BlockKind::Lab(_) | BlockKind::Rule => {
            0
        }
    }
}

fn block_ms(block: &Block, labs: &[Lab]) -> u64 {
    match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => words_ms(text),
        BlockKind::Code { code, .. } => code_ms(code),
        BlockKind::Figure { .. } => FIGURE_MS,
        BlockKind::Table { head, rows, .. } => {
            rows.iter().flatten().chain(head).map(words_ms).sum()
        }
        BlockKind::Lab(id) => {
            let lab = labs.iter().find(|it| &it.id == id);
            lab.map_or(0, |it| code_ms(&it.starter))
        }
        BlockKind::Rule => 0,
    }
}

fn words_ms(text: &Text) -> u64 {
    text.plain().split_whitespace().count() as u64 * 60_000 / WORDS_A_MINUTE
}

fn code_ms(code: &str) -> u64 {
    let lines = code.lines().filter(|it| !it.trim().is_empty());
    lines.count() as u64 * CODE_LINE_MS
}

/// Warns about pages that are too long, and about lessons that take much longer or shorter than they say.
pub fn warnings(course: &Course) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for lesson in &course.lessons {
        let warning = |rule: Rule, span: Range<usize>, message: String, hint: &str| Diagnostic {
            severity: Severity::Warning,
            rule,
            file: lesson.file.clone(),
            span,
            message,
            hint: Some(hint.to_owned()),
            fix: None,
        };
        for page in &lesson.pages {
            let seconds = page_seconds(page, &lesson.labs);
            if seconds > PAGE_SECONDS {
                let (minutes, rest) = (seconds / 60, seconds % 60);
                found.push(warning(
                    Rule::PageTooLong,
                    page.blocks.first().map_or(0..0, |it| it.span.start..it.span.start),
                    format!(
                        "the page `{}` takes about {minutes} min {rest} s to read; 3 min are enough",
                        page.id
                    ),
                    "cut it, or make two pages of it",
                ));
            }
        }
        let (said, counted) = (u64::from(lesson.minutes), Time::of(lesson).minutes());
        // A head without minutes has an error of its own.
        if said > 0 && (said * 2 < counted || said > counted * 2) {
            found.push(warning(
                Rule::MinutesDiffer,
                lesson.minutes_at.clone(),
                format!("the head says {said} min; reading and labs take about {counted} min"),
                &format!("write `minutes = {counted}`, or change the lesson"),
            ));
        }
    }
    found
}
