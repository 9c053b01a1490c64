//! One question of an attempt: as it was asked, what was answered, and how that was judged.

use super::input::Input;
use super::question::{input, parts_right, review};
use super::review::ReviewRow;
use super::score::Verdict;
use serde::{Deserialize, Serialize};
use warpup_course::{Answer, ChoiceId, Question};

/// One question of an attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptQuestion {
    /// The question as it was when the attempt began.
    pub question: Question,
    /// The order in which to show what can be chosen: options, bins, items to order, or right sides of
    /// pairs. Empty for typed answers.
    pub order: Vec<ChoiceId>,
    /// What was answered; `None` while it is open.
    pub given: Option<JudgedAnswer>,
}

/// An answer and how it was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedAnswer {
    /// The answer.
    pub answer: Answer,
    /// How it was judged; nothing where the quiz has no key, and the instructor judges it.
    pub verdict: Option<Verdict>,
    /// What a prediction was compared with.
    pub truth: Option<f64>,
    /// How sure the learner was, if they said so. It changes no score.
    pub confidence: Option<Confidence>,
    /// Where it comes from.
    pub from: Origin,
}

/// How sure learners say they are of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// They would bet on it.
    Sure,
    /// They guess.
    NotSure,
}

/// An answer as it was stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredAnswer<'a> {
    /// The question's hash at that time.
    pub hash: &'a str,
    /// The answer.
    pub answer: &'a Answer,
    /// How sure the learner was, if they said so.
    pub confidence: Option<Confidence>,
}

/// Where an answer of an attempt comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Answered in this attempt.
    Now,
    /// Right in an earlier attempt, and not asked again.
    Kept,
}

impl AttemptQuestion {
    /// How it is answered, with its choices in the order to show them.
    pub fn input(&self) -> Input<'_> {
        input(&self.question).in_order(&self.order)
    }

    /// The answer beside the right one, choices in the order in which they were shown; nothing while it is open, or where
    /// nobody here knows the right one.
    pub fn review(&self) -> Vec<ReviewRow> {
        let Some((given, verdict)) = self.judged() else {
            return Vec::new();
        };
        let mut rows = review(&self.question, &given.answer, verdict, given.truth);
        let place = |it: &ReviewRow| self.order.iter().position(|id| Some(id) == it.id.as_ref());
        rows.sort_by_key(|it| place(it).unwrap_or(0));
        rows
    }

    /// What the points of an answer that is not wholly right are for, as in `2 of 3 right ones chosen, none wrong`; nothing
    /// where they are all or nothing.
    pub fn parts_right(&self) -> Option<String> {
        let (given, verdict) = self.judged()?;
        let words = || parts_right(&self.question, &given.answer);
        if verdict.is_right() { None } else { words() }
    }

    /// Whether it was answered and earned every point.
    pub fn is_right(&self) -> bool {
        self.judged().is_some_and(|(_, it)| it.is_right())
    }

    /// Whether it was answered, and the instructor judges the answer.
    pub fn is_handed_in(&self) -> bool {
        let given = self.given.as_ref();
        given.is_some_and(|it| it.verdict.is_none())
    }

    /// Whether points were lost: it is open, or was not answered wholly right.
    pub fn is_missed(&self) -> bool {
        !self.is_right() && !self.is_handed_in()
    }

    /// The answer and how it was judged.
    pub fn judged(&self) -> Option<(&JudgedAnswer, &Verdict)> {
        let given = self.given.as_ref()?;
        Some((given, given.verdict.as_ref()?))
    }
}
