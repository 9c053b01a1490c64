//! What a text for readers shows of a course.

use std::collections::{BTreeMap, BTreeSet};
use warpup_course::{LabId, LessonId, Question, QuestionKind, Quiz};

/// Whether the reader gets answers, explanations and solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Folded, after each question and lab.
    Shown,
    /// Not at all.
    LeftOut,
}

/// What a lab printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The text.
    pub text: String,
    /// Where it ran, in words: `on the CPU, measured`.
    pub on: String,
    /// What ended it before its end, if something did: the last line of a traceback.
    pub ended: Option<String>,
}

/// What labs printed, for those that were run.
pub type Outputs = BTreeMap<(LessonId, LabId), Output>;

/// The questions of a quiz on paper: without predictions, which belong to labs, and one of each question's versions.
pub(super) fn on_paper(quiz: &Quiz) -> Vec<&Question> {
    let mut names = BTreeSet::new();
    let asked = quiz.questions.iter();
    let asked = asked.filter(|it| !matches!(it.kind, QuestionKind::Predict(_)));
    asked.filter(|it| names.insert(it.name())).collect()
}

/// How many more points than a share pass, in words.
pub(super) fn pass_rule(quiz: &Quiz) -> String {
    format!(
        "More than {} % of the points pass.",
        quiz.pass.above_percent
    )
}
