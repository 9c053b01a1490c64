//! A graded attempt for programs. The keys are promised: scripts hang on them.

use serde::Serialize;
use std::collections::BTreeMap;
use warpup_course::{Lesson, Question, QuestionId, Quiz, Text};
use warpup_grade::{AttemptQuestion, HUNDREDTHS, Verdict};
use warpup_progress::LessonProgress;
use warpup_quiz::{Round, Session};

/// A graded attempt and what is known beside it.
pub(super) struct GradedAttempt<'a> {
    /// The lesson.
    pub(super) lesson: &'a Lesson,
    /// Its quiz.
    pub(super) quiz: &'a Quiz,
    /// The attempt.
    pub(super) session: &'a Session,
    /// Why answers could not be read.
    pub(super) unread: &'a BTreeMap<QuestionId, String>,
    /// The learner's progress in the lesson.
    pub(super) progress: &'a LessonProgress,
    /// Whether all is on the disk where it belongs.
    pub(super) saved: bool,
}

/// An attempt as one object; points are numbers such as 1.5.
#[derive(Serialize)]
pub(super) struct AttemptJson<'a> {
    lesson: &'a str,
    quiz: &'a str,
    /// The name it is stored under; nothing for a short form, which is not stored.
    attempt: Option<&'a str>,
    short: bool,
    /// Whether all is on the disk where it belongs.
    saved: bool,
    /// Nothing where the instructor grades.
    passed: Option<bool>,
    /// Who knows what is right.
    graded_by: GradedBy,
    /// Nothing where the instructor grades.
    earned: Option<f64>,
    max: f64,
    needed: u64,
    above_percent: u32,
    questions: Vec<QuestionJson<'a>>,
    own_words: Vec<OwnWordsJson<'a>>,
}

/// Who knows what is right.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum GradedBy {
    Warpup,
    /// The quiz has no keys.
    Instructor,
}

#[derive(Serialize)]
struct QuestionJson<'a> {
    question: &'a str,
    answered: bool,
    /// Nothing, as for `earned`, where the instructor judges.
    right: Option<bool>,
    earned: Option<f64>,
    max: f64,
    feedback: Vec<String>,
    unread: Option<&'a str>,
}

/// A question for the learner's own words.
#[derive(Serialize)]
struct OwnWordsJson<'a> {
    question: &'a str,
    explained: bool,
    text: Option<&'a str>,
    parts: Vec<String>,
    /// Which parts the learner has ticked, counted from 1.
    said: Vec<usize>,
}

impl<'a> GradedAttempt<'a> {
    /// The object to print.
    pub(super) fn to_json(&self) -> AttemptJson<'a> {
        let words = self.quiz.in_own_words();
        let attempt = self.session.attempt();
        let asked = attempt.asked().iter();
        let is_graded = !attempt.is_graded_elsewhere();
        AttemptJson {
            lesson: self.lesson.id.as_str(),
            quiz: &self.quiz.id,
            attempt: self.session.stored_as(),
            short: self.session.round() == Round::Short,
            saved: self.saved,
            passed: is_graded.then(|| attempt.passed()),
            graded_by: if is_graded {
                GradedBy::Warpup
            } else {
                GradedBy::Instructor
            },
            earned: is_graded.then(|| points(attempt.score().earned)),
            max: points(attempt.score().max),
            needed: attempt.needed().0,
            above_percent: attempt.rule().above_percent,
            questions: asked.map(|it| QuestionJson::of(it, self.unread)).collect(),
            own_words: words
                .map(|it| OwnWordsJson::of(it, self.progress))
                .collect(),
        }
    }
}

impl<'a> QuestionJson<'a> {
    fn of(asked: &'a AttemptQuestion, unread: &'a BTreeMap<QuestionId, String>) -> Self {
        let verdict = asked.judged().map(|it| it.1);
        let id = &asked.question.id;
        let is_judged = !asked.question.is_keyless();
        Self {
            question: id.as_str(),
            answered: asked.given.is_some(),
            right: is_judged.then(|| verdict.is_some_and(Verdict::is_right)),
            earned: is_judged.then(|| points(verdict.map_or(0, |it| it.earned))),
            max: points(u64::from(asked.question.points) * HUNDREDTHS),
            feedback: verdict
                .into_iter()
                .flat_map(|it| it.feedback.iter().map(Text::plain))
                .collect(),
            unread: unread.get(id).map(String::as_str),
        }
    }
}

impl<'a> OwnWordsJson<'a> {
    fn of(asked: (&'a Question, &'a [Text]), progress: &'a LessonProgress) -> Self {
        let (question, parts) = asked;
        let words = progress.explanation(question);
        Self {
            question: question.id.as_str(),
            explained: words.is_some(),
            text: words.map(|it| it.text.as_str()),
            parts: parts.iter().map(Text::plain).collect(),
            said: words.map_or_else(Vec::new, |it| it.said.iter().map(|at| at + 1).collect()),
        }
    }
}

fn points(hundredths: u64) -> f64 {
    hundredths as f64 / HUNDREDTHS as f64
}
