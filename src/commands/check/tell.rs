//! What was found, told to people and to programs.

use super::Findings;
use super::labs::ProofRun;
use crate::commands::console::count;
use crate::commands::courses::Opened;
use crate::commands::{Console, Failure};
use crate::course::{Course, Diagnostic, Severity, reading};
use crate::grade::needed;
use serde::Serialize;

impl Findings {
    /// Prints all of it, a summary last.
    pub(super) fn print(&self, opened: &Opened, console: &mut Console<'_>) -> Result<(), Failure> {
        for diagnostic in &self.diagnostics {
            console.line(&diagnostic.render(text_of(opened, diagnostic)))?;
        }
        for lesson in lessons(&opened.course) {
            console.line(&format!(
                "lesson {}: about {}, {} of them reading; its head says {}",
                lesson.lesson,
                count_minutes(lesson.counted_minutes),
                lesson.reading_minutes,
                lesson.minutes
            ))?;
        }
        for quiz in quizzes(&opened.course) {
            console.line(&format!(
                "quiz {}: needs {} of {} points",
                quiz.quiz, quiz.needed, quiz.points
            ))?;
        }
        let course = &opened.course;
        let labs: usize = course.lessons.iter().map(|it| it.labs.len()).sum();
        let minutes = lessons(course).map(|it| it.counted_minutes).sum();
        let mut summary = vec![
            count(course.lessons.len(), "lesson", "lessons"),
            format!("about {}", count_minutes(minutes)),
            count(quizzes(course).count(), "quiz", "quizzes"),
            count(labs, "lab", "labs"),
        ];
        if !self.runs.is_empty() {
            let held = self.runs.iter().filter(|it| it.held).count();
            let all = count(self.runs.len(), "run", "runs");
            summary.push(format!("{held} of {all} ended as the lesson says"));
        }
        summary.push(count(self.errors(), "error", "errors"));
        summary.push(count(self.of(Severity::Warning), "warning", "warnings"));
        console.line(&summary.join(", "))
    }

    /// All of it for programs.
    pub(super) fn shown<'a>(&'a self, opened: &'a Opened) -> Shown<'a> {
        let diagnostics = self.diagnostics.iter();
        let diagnostics = diagnostics.map(|it| {
            let (line, column) = it.position(text_of(opened, it));
            ShownDiagnostic {
                severity: it.severity.word(),
                file: &it.file,
                line,
                column,
                message: &it.message,
                hint: it.hint.as_deref(),
            }
        });
        Shown {
            course: opened.course.id.as_str(),
            errors: self.errors(),
            warnings: self.of(Severity::Warning),
            diagnostics: diagnostics.collect(),
            lessons: lessons(&opened.course).collect(),
            quizzes: quizzes(&opened.course).collect(),
            runs: &self.runs,
        }
    }
}

fn text_of<'a>(opened: &'a Opened, diagnostic: &Diagnostic) -> &'a str {
    let text = opened.sources.files.get(&diagnostic.file);
    text.map_or("", |it| it.as_ref())
}

fn lessons(course: &Course) -> impl Iterator<Item = ShownLesson<'_>> {
    course.lessons.iter().map(|lesson| {
        let time = reading::Time::of(lesson);
        let pages = lesson.pages.iter().map(|it| ShownPage {
            page: it.id.as_str(),
            seconds: reading::page_seconds(it, &lesson.labs),
        });
        ShownLesson {
            lesson: lesson.id.as_str(),
            minutes: u64::from(lesson.minutes),
            counted_minutes: time.minutes(),
            reading_minutes: time.reading_minutes(),
            pages: pages.collect(),
        }
    })
}

fn count_minutes(minutes: u64) -> String {
    let noun = if minutes == 1 { "minute" } else { "minutes" };
    format!("{minutes} {noun}")
}

fn quizzes(course: &Course) -> impl Iterator<Item = ShownQuiz<'_>> {
    let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    quizzes.map(|quiz| {
        let points = quiz.counted().map(|it| u64::from(it.points)).sum();
        ShownQuiz {
            quiz: &quiz.id,
            needed: needed(points, quiz.pass),
            points,
        }
    })
}

/// The findings for programs. The keys are promised: scripts hang on them.
#[derive(Serialize)]
pub(super) struct Shown<'a> {
    course: &'a str,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<ShownDiagnostic<'a>>,
    lessons: Vec<ShownLesson<'a>>,
    quizzes: Vec<ShownQuiz<'a>>,
    runs: &'a [ProofRun],
}

#[derive(Serialize)]
struct ShownDiagnostic<'a> {
    severity: &'static str,
    file: &'a str,
    line: usize,
    column: usize,
    message: &'a str,
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct ShownLesson<'a> {
    lesson: &'a str,
    /// What its head says.
    minutes: u64,
    counted_minutes: u64,
    reading_minutes: u64,
    pages: Vec<ShownPage<'a>>,
}

#[derive(Serialize)]
struct ShownPage<'a> {
    page: &'a str,
    seconds: u64,
}

#[derive(Serialize)]
struct ShownQuiz<'a> {
    quiz: &'a str,
    needed: u64,
    points: u64,
}
