//! Progress for programs. Scripts depend on the keys.

use serde::Serialize;
use warpup_course::{Course, Lesson, QuestionId};
use warpup_grade::{HUNDREDTHS, Score};
use warpup_progress::{AttemptRecord, HandedInRecord, Progress};

/// What is done in a course.
#[derive(Serialize)]
pub(super) struct ProgressJson<'a> {
    course: &'a str,
    lessons: Vec<LessonJson<'a>>,
}

#[derive(Serialize)]
struct LessonJson<'a> {
    lesson: &'a str,
    title: &'a str,
    done: bool,
    first_try: bool,
    labs_passed: Vec<&'a str>,
    labs: usize,
    attempts: Vec<AttemptJson<'a>>,
    /// Attempts at a quiz without keys, which the instructor grades.
    handed_in: Vec<HandedInJson<'a>>,
}

#[derive(Serialize)]
struct HandedInJson<'a> {
    attempt: &'a str,
    at_ms: u64,
    took_ms: u64,
}

#[derive(Serialize)]
struct AttemptJson<'a> {
    attempt: &'a str,
    at_ms: u64,
    earned: f64,
    max: f64,
    above_percent: u32,
    passed: bool,
    took_ms: u64,
    missed: Vec<&'a str>,
}

impl<'a> ProgressJson<'a> {
    pub(super) fn of(course: &'a Course, progress: &'a Progress) -> Self {
        let lessons = course.lessons.iter();
        let lesson = |lesson: &'a Lesson| {
            let progress = progress.lesson(&lesson.id);
            let labs = &lesson.outline().labs;
            let passed = labs.iter().filter(|it| progress.lab(&it.id).has_passed());
            LessonJson {
                lesson: lesson.id.as_str(),
                title: &lesson.title,
                done: progress.is_done(),
                first_try: progress.first_try(),
                labs_passed: passed.map(|it| it.id.as_str()).collect(),
                labs: labs.len(),
                attempts: progress.attempts.iter().map(AttemptJson::of).collect(),
                handed_in: progress.handed_in.iter().map(HandedInJson::of).collect(),
            }
        };
        Self {
            course: course.id.as_str(),
            lessons: lessons.map(lesson).collect(),
        }
    }
}

impl<'a> HandedInJson<'a> {
    fn of(record: &'a HandedInRecord) -> Self {
        Self {
            attempt: &record.attempt,
            at_ms: record.at_ms,
            took_ms: record.took_ms,
        }
    }
}

impl<'a> AttemptJson<'a> {
    fn of(attempt: &'a AttemptRecord) -> Self {
        let Score { earned, max } = attempt.score;
        Self {
            attempt: &attempt.attempt,
            at_ms: attempt.at_ms,
            earned: earned as f64 / HUNDREDTHS as f64,
            max: max as f64 / HUNDREDTHS as f64,
            above_percent: attempt.above_percent,
            passed: attempt.passed,
            took_ms: attempt.took_ms,
            missed: attempt.missed.iter().map(QuestionId::as_str).collect(),
        }
    }
}
