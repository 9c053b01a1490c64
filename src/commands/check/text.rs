//! The findings as text.

use super::findings::Findings;
use super::json::{lessons, quizzes, text_of};
use crate::commands::console::Console;
use crate::commands::courses::OpenCourse;
use crate::commands::failure::Result;
use warpup_course::{Course, Language, Severity};
use warpup_lab::memory_limit;
use warpup_lab::units::{bytes, count};

/// Prints the findings, a summary last.
pub(super) fn print(
    found: &Findings,
    (opened, translations): (&OpenCourse, &[Course]),
    console: &mut Console<'_>,
) -> Result<()> {
    for diagnostic in &found.diagnostics {
        console.diagnostic(diagnostic, text_of(opened, diagnostic))?;
    }
    if let Some(first) = found.diagnostics.first() {
        let name = first.rule.name();
        console.line(&format!(
            "`warpup check --explain {name}` explains a name in brackets.\n"
        ))?;
    }
    for lesson in lessons(&opened.course) {
        console.line(&format!(
            "lesson {}: about {}, {} of them reading; its head says {}",
            lesson.lesson,
            count_minutes(lesson.counted_minutes),
            lesson.reading_minutes,
            lesson.minutes
        ))?;
        if lesson.instructor_words > 0 {
            let words = count(lesson.instructor_words, "word", "words");
            console.line(&format!(
                "lesson {}: {words} for instructors, not in these minutes",
                lesson.lesson
            ))?;
        }
    }
    console.lines(quizzes(&opened.course).map(|it| {
        let (quiz, needed, points) = (it.quiz, it.needed, it.points);
        format!("quiz {quiz}: needs {needed} of {points} points")
    }))?;
    let course = &opened.course;
    for lesson in &course.lessons {
        let asking = lesson.labs.iter().filter(|it| it.memory.is_some());
        console.lines(asking.map(|it| {
            let memory = bytes(memory_limit::of_lab(it));
            format!("lab {}/{}: may use {memory} of memory", lesson.id, it.id)
        }))?;
    }
    console.lines(translations.iter().map(|it| {
        let all = &it.lessons;
        let lessons = all.iter().filter(|it| it.is_translated()).count();
        let (quizzes, translated) = (
            quizzes(course).count(),
            all.iter().filter_map(|it| it.quiz.as_ref()),
        );
        let translated = translated
            .filter(|it| Language::of_path(&it.file).is_some())
            .count();
        let language = it.language.as_ref().map_or("", Language::as_str);
        let quizzes = count(quizzes, "quiz", "quizzes");
        let all = count(all.len(), "lesson", "lessons");
        format!("translation {language}: {lessons} of {all}, {translated} of {quizzes}")
    }))?;
    let labs: usize = course.lessons.iter().map(|it| it.labs.len()).sum();
    let minutes = lessons(course).map(|it| it.counted_minutes).sum();
    let mut summary = vec![
        count(course.lessons.len(), "lesson", "lessons"),
        format!("about {}", count_minutes(minutes)),
        count(quizzes(course).count(), "quiz", "quizzes"),
        count(labs, "lab", "labs"),
    ];
    if !found.runs.is_empty() {
        let held = found.runs.iter().filter(|it| it.held).count();
        let all = count(found.runs.len(), "run", "runs");
        summary.push(format!("{held} of {all} ended as the lesson says"));
    }
    summary.push(count(found.count(Severity::Error), "error", "errors"));
    summary.push(count(found.count(Severity::Warning), "warning", "warnings"));
    console.line(&summary.join(", "))
}

fn count_minutes(minutes: u64) -> String {
    let noun = if minutes == 1 { "minute" } else { "minutes" };
    format!("{minutes} {noun}")
}
