//! A graded attempt for programs. The keys are promised: scripts hang on them.

use super::{Round, Sitting};
use crate::course::{Question, QuestionId, Quiz, Text};
use crate::grade::{Asked, HUNDREDTHS};
use crate::progress::LessonProgress;
use serde::Serialize;
use std::collections::BTreeMap;

/// An attempt as one object; points are numbers such as 1.5.
#[derive(Serialize)]
pub(super) struct Shown<'a> {
    lesson: &'a str,
    quiz: &'a str,
    /// The name it is stored under; nothing for a short form, which is not stored.
    attempt: Option<&'a str>,
    short: bool,
    passed: bool,
    earned: f64,
    max: f64,
    needed: u64,
    above_percent: u32,
    questions: Vec<ShownQuestion<'a>>,
    own_words: Vec<ShownWords<'a>>,
}

#[derive(Serialize)]
struct ShownQuestion<'a> {
    question: &'a str,
    answered: bool,
    right: bool,
    earned: f64,
    max: f64,
    feedback: Vec<String>,
    unread: Option<&'a str>,
}

/// A question for the learner's own words.
#[derive(Serialize)]
struct ShownWords<'a> {
    question: &'a str,
    explained: bool,
    text: Option<&'a str>,
    parts: Vec<String>,
    /// Which parts the learner has ticked, counted from 1.
    said: Vec<usize>,
}

impl<'a> Shown<'a> {
    /// What came of an attempt; `known` says why answers could not be read, and what is stored.
    pub(super) fn of(
        sitting: &'a Sitting<'_>,
        quiz: &'a Quiz,
        known: (&'a BTreeMap<QuestionId, String>, &'a LessonProgress),
    ) -> Self {
        let (unread, progress) = known;
        let words = quiz.in_own_words();
        let attempt = &sitting.attempt;
        let asked = attempt.asked().iter();
        Self {
            lesson: sitting.lesson.id.as_str(),
            quiz: &quiz.id,
            attempt: (sitting.round == Round::Whole).then_some(sitting.id.as_str()),
            short: sitting.round == Round::Short,
            passed: attempt.passed(),
            earned: points(attempt.score().earned),
            max: points(attempt.score().max),
            needed: attempt.needed().0,
            above_percent: attempt.rule().above_percent,
            questions: asked.map(|it| ShownQuestion::of(it, unread)).collect(),
            own_words: words.map(|it| ShownWords::of(it, progress)).collect(),
        }
    }
}

impl<'a> ShownQuestion<'a> {
    fn of(asked: &'a Asked, unread: &'a BTreeMap<QuestionId, String>) -> Self {
        let verdict = asked.given.as_ref().map(|it| &it.verdict);
        let id = &asked.question.id;
        Self {
            question: id.as_str(),
            answered: verdict.is_some(),
            right: verdict.is_some_and(crate::grade::Verdict::is_right),
            earned: points(verdict.map_or(0, |it| it.earned)),
            max: points(u64::from(asked.question.points) * HUNDREDTHS),
            feedback: verdict
                .into_iter()
                .flat_map(|it| it.feedback.iter().map(Text::plain))
                .collect(),
            unread: unread.get(id).map(String::as_str),
        }
    }
}

impl<'a> ShownWords<'a> {
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
