//! The findings for programs. Scripts depend on the keys.

use super::findings::{Findings, ProofRun};
use crate::commands::courses::OpenCourse;
use serde::Serialize;
use warpup_course::{Course, Diagnostic, Point, Severity, reading_time};
use warpup_grade::needed;
use warpup_lab::memory_limit;

/// The findings as one object.
#[derive(Serialize)]
pub(super) struct CheckJson<'a> {
    course: &'a str,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<DiagnosticJson<'a>>,
    lessons: Vec<LessonJson<'a>>,
    quizzes: Vec<QuizJson<'a>>,
    runs: &'a [ProofRun],
}

#[derive(Serialize)]
struct DiagnosticJson<'a> {
    severity: &'static str,
    rule: &'static str,
    file: &'a str,
    line: usize,
    column: usize,
    span: SpanJson,
    message: &'a str,
    hint: Option<&'a str>,
}

/// A part of a file: from `start` up to `end`, which is not part of it.
#[derive(Serialize)]
struct SpanJson {
    start: PointJson,
    end: PointJson,
}

/// A place in a file.
#[derive(Serialize)]
struct PointJson {
    /// Bytes of UTF-8 in front of it.
    byte: usize,
    /// From 1.
    line: usize,
    /// From 1; columns count characters.
    column: usize,
}

impl From<Point> for PointJson {
    fn from(point: Point) -> Self {
        let Point { byte, line, column } = point;
        Self { byte, line, column }
    }
}

#[derive(Serialize)]
pub(super) struct LessonJson<'a> {
    pub(super) lesson: &'a str,
    /// What its head says.
    pub(super) minutes: u64,
    pub(super) counted_minutes: u64,
    pub(super) reading_minutes: u64,
    /// The words that only instructors see.
    pub(super) instructor_words: usize,
    pages: Vec<PageJson<'a>>,
    labs: Vec<LabJson<'a>>,
}

#[derive(Serialize)]
struct PageJson<'a> {
    page: &'a str,
    seconds: u64,
}

#[derive(Serialize)]
struct LabJson<'a> {
    lab: &'a str,
    /// The host memory that its program may use.
    memory_bytes: u64,
}

#[derive(Serialize)]
pub(super) struct QuizJson<'a> {
    pub(super) quiz: &'a str,
    pub(super) needed: u64,
    pub(super) points: u64,
}

impl<'a> CheckJson<'a> {
    pub(super) fn of(found: &'a Findings, opened: &'a OpenCourse) -> Self {
        let diagnostics = found.diagnostics.iter();
        let diagnostics = diagnostics.map(|it| {
            let (start, end) = it.ends(text_of(opened, it));
            DiagnosticJson {
                severity: it.severity.word(),
                rule: it.rule.name(),
                file: &it.file,
                line: start.line,
                column: start.column,
                span: SpanJson {
                    start: start.into(),
                    end: end.into(),
                },
                message: &it.message,
                hint: it.hint.as_deref(),
            }
        });
        Self {
            course: opened.course.id.as_str(),
            errors: found.count(Severity::Error),
            warnings: found.count(Severity::Warning),
            diagnostics: diagnostics.collect(),
            lessons: lessons(&opened.course).collect(),
            quizzes: quizzes(&opened.course).collect(),
            runs: &found.runs,
        }
    }
}

/// The text of the file that a diagnostic is about.
pub(in crate::commands) fn text_of<'a>(opened: &'a OpenCourse, diagnostic: &Diagnostic) -> &'a str {
    let text = opened.sources.files.get(&diagnostic.file);
    text.map_or("", |it| it.as_ref())
}

/// The reading times of each lesson.
pub(super) fn lessons(course: &Course) -> impl Iterator<Item = LessonJson<'_>> {
    course.lessons.iter().map(|lesson| {
        let time = reading_time::Time::of(lesson);
        let pages = lesson.pages.iter().map(|it| PageJson {
            page: it.id.as_str(),
            seconds: reading_time::page_seconds(it, &lesson.labs),
        });
        let labs = lesson.labs.iter().map(|it| LabJson {
            lab: it.id.as_str(),
            memory_bytes: memory_limit::of_lab(it),
        });
        LessonJson {
            lesson: lesson.id.as_str(),
            minutes: u64::from(lesson.minutes),
            counted_minutes: time.minutes(),
            reading_minutes: time.reading_minutes(),
            instructor_words: reading_time::note_words(lesson),
            pages: pages.collect(),
            labs: labs.collect(),
        }
    })
}

/// The points of each quiz.
pub(super) fn quizzes(course: &Course) -> impl Iterator<Item = QuizJson<'_>> {
    let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    quizzes.map(|quiz| {
        let points = quiz.points();
        QuizJson {
            quiz: &quiz.id,
            needed: needed(points, quiz.pass),
            points,
        }
    })
}
