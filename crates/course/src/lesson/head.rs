//! The head of a lesson: TOML between two lines `+++`, the first of which is line 1.

use crate::diagnostics::{Report, Rule};
use crate::model::LessonId;
use crate::toml_walk::{Fields, WithSpan, document, is_format_known, name};
use std::ops::Range;

/// What a lesson's head says.
#[derive(Debug)]
pub(crate) struct Head {
    /// The lesson's name and its place in the file.
    pub(crate) id: WithSpan<LessonId>,
    /// Its title.
    pub(crate) title: String,
    /// One sentence for the map.
    pub(crate) summary: String,
    /// The author's estimate.
    pub(crate) minutes: u32,
    /// Where it says so: bytes of the file.
    pub(crate) minutes_at: Range<usize>,
    /// Lessons to do first.
    pub(crate) requires: Vec<WithSpan<LessonId>>,
    /// What the learner can do afterwards.
    pub(crate) objectives: Vec<String>,
    /// The quiz's file, relative to `quizzes/`.
    pub(crate) quiz: Option<WithSpan<String>>,
}

/// A lesson file as far as its head.
#[derive(Debug)]
pub(crate) struct Start {
    /// What the head says; nothing when a required key is missing.
    pub(crate) head: Option<Head>,
    /// The first byte of the body.
    pub(crate) body: usize,
}

/// The keys of a head.
const KEYS: [&str; 8] = [
    "format",
    "id",
    "title",
    "summary",
    "minutes",
    "requires",
    "objectives",
    "quiz",
];

/// The line around a head.
const FENCE: &str = "+++";

/// Reads a lesson file as far as its head; nothing when it has none.
pub(crate) fn start(text: &str, report: &mut Report) -> Option<Start> {
    let (toml, body) = split(text, report)?;
    report.shift_to(toml.start);
    let head = read(text.get(toml).unwrap_or_default(), report);
    report.shift_to(0);
    Some(Start { head, body })
}

/// The bytes of the head's TOML; nothing when the lesson has none.
pub fn range(text: &str) -> Option<Range<usize>> {
    split(text, &mut Report::new("")).map(|it| it.0)
}

/// Finds the head: the bytes of its TOML, and the first byte after it.
fn split(text: &str, report: &mut Report) -> Option<(Range<usize>, usize)> {
    let start = if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    let mut at = start;
    let mut opened = None;
    for line in text.get(start..)?.split_inclusive('\n') {
        let next = at + line.len();
        match opened {
            None if line.trim_end() == FENCE => opened = Some(next),
            None => break,
            Some(head) if line.trim_end() == FENCE => return Some((head..at, next)),
            Some(_) => {}
        }
        at = next;
    }
    match opened {
        Some(_) => not_closed(text, start, report),
        None => {
            let said = report.error(Rule::NoHead, start..start, "the lesson has no head");
            let rest = text.get(start..).unwrap_or_default();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 && rest.trim_start().starts_with(FENCE) {
                let empty = rest.get(..blank).unwrap_or_default();
                said.fixed_at(start..start + blank, empty, "")
                    .hint("remove the empty lines in front of the first line `+++`");
            } else if let Some(other) = rest.lines().next().filter(|it| is_other_fence(it)) {
                said.hint(format!(
                    "write `+++` in place of `{}`, in front of the head and behind it; its lines are `key = value`", other.trim()
                ));
            } else if rest.lines().any(|it| it.trim_end() == FENCE) {
                said.hint("the line `+++` comes first: remove what is in front of it");
            } else {
                said.hint("start the file with a line `+++`, then `format = 1`, `id`, `title`, …, then `+++`");
            }
        }
    }
    None
}

/// Whether a line is what other tools put around a head, or nearly ours.
fn is_other_fence(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1
        && line != FENCE
        && (line.chars().all(|it| it == '+')
            || line.chars().all(|it| it == '-' || it == '—')
            || line.starts_with("```"))
}

/// Reports a head without an end: at the line that was meant to be it, if there is one.
fn not_closed(text: &str, start: usize, report: &mut Report) {
    let message = "the lesson's head is not closed";
    let mut at = start;
    for line in text.get(start..).unwrap_or_default().split_inclusive('\n') {
        if is_other_fence(line) && !line.starts_with("```") {
            report
                .error(Rule::HeadNotClosed, at..at + line.trim_end().len(), message)
                .fixed_by(line.trim(), FENCE)
                .hint("end it with a line `+++`, which this one is meant to be");
            return;
        }
        if line.starts_with("##") {
            break;
        }
        at += line.len();
    }
    report
        .error(Rule::HeadNotClosed, start..start + FENCE.len(), message)
        .hint("end it with a line `+++`");
}

/// Reads a head; `None` if a required key is missing.
fn read(toml: &str, report: &mut Report) -> Option<Head> {
    let (table, broken) = document(toml, report);
    if !broken.is_empty() {
        // Fields from a recovered table would only give more messages for the same mistake.
        return None;
    }
    let fields = Fields::new("lesson", table.get_ref(), 0..0);
    if !is_format_known(&fields, report) {
        return None;
    }
    fields.check_keys(&KEYS, report);
    let id = fields.text("id", report);
    let title = fields.text("title", report);
    let summary = fields.text("summary", report);
    let minutes = fields.required::<u32>("minutes", report);
    let requires = fields.texts("requires", report);
    let objectives = fields.texts("objectives", report);
    if fields.get("objectives").is_none() {
        fields.missing("objectives", report);
    }
    let quiz = fields.optional::<&str>("quiz", report);
    let id = id.filter(|id| name::check(id.value, "lesson", id.span.clone(), report))?;
    let shift = report.shift();
    let shifted = |span: Range<usize>| span.start + shift..span.end + shift;
    let key = fields.key_span("minutes");
    let minutes_at = key
        .zip(minutes.as_ref())
        .map(|(key, it)| key.start..it.span.end);
    Some(Head {
        id: WithSpan {
            value: LessonId::new(id.value),
            span: shifted(id.span),
        },
        // Only the id is needed to keep a learner's progress; without the rest the lesson still teaches.
        title: title.map_or(id.value, |it| it.value).to_owned(),
        summary: summary.map_or("", |it| it.value).to_owned(),
        minutes: minutes.map_or(0, |it| it.value),
        minutes_at: minutes_at.map_or(0..0, shifted),
        requires: requires
            .into_iter()
            .map(|it| WithSpan {
                value: LessonId::new(it.value),
                span: shifted(it.span),
            })
            .collect(),
        objectives: objectives.iter().map(|it| it.value.to_owned()).collect(),
        quiz: quiz.map(|it| WithSpan {
            value: it.value.to_owned(),
            span: shifted(it.span),
        }),
    })
}
