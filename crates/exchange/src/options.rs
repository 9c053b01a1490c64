//! What a text for readers shows of a course.

use std::collections::{BTreeMap, BTreeSet};
use warpup_course::{DeviceWish, Lab, LabId, Lesson, LessonId, Question, QuestionKind, Quiz};

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

impl Output {
    /// All that it printed, and below it what ended it.
    pub(super) fn whole(&self) -> String {
        let ended = self.ended.as_ref();
        let ended = ended.map_or(String::new(), |it| format!("{it}\n"));
        format!("{}{ended}", self.text)
    }
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

/// The prediction that a lab asks for.
pub(super) fn prediction<'a>(lesson: &'a Lesson, lab: &Lab) -> Option<&'a Question> {
    lesson.quiz.as_ref()?.question(lab.predict.as_ref()?)
}

/// What a lab asks to run on, in a sentence.
pub(super) fn device(wish: &DeviceWish) -> String {
    match wish {
        DeviceWish::Any => "It runs on any device.".to_owned(),
        DeviceWish::Cpu => "It runs on the CPU.".to_owned(),
        DeviceWish::Cuda => "It asks for a card, real or modelled.".to_owned(),
        DeviceWish::Model(card) => format!("It asks for a modelled {card}."),
    }
}
