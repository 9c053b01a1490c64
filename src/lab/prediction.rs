//! The number that a lab asks for before it runs, and what the run has shown of it.
//!
//! Says nothing about who was right: that is the grader's.

use super::run::Run;
use super::units::number;
use crate::course::kinds::{PredictForm, Prediction};
use crate::course::units::canonical;
use crate::course::{Lab, Lesson, Question, QuestionKind, RunMetric};

/// The question that a lab asks before it runs.
pub fn question<'a>(lesson: &'a Lesson, lab: &Lab) -> Option<&'a Question> {
    lesson.quiz.as_ref()?.question(lab.predict.as_ref()?)
}

/// What a run has shown of the number that a prediction is about.
pub fn truth(question: &Question, run: &Run) -> Option<f64> {
    let QuestionKind::Predict(Prediction { metric, .. }) = &question.kind else {
        return None;
    };
    run.metric(metric)
}

/// What a run has shown: the number, its unit, where a time comes from, and the choice that it makes right.
pub fn told(question: &Question, run: &Run, truth: f64) -> String {
    let unit = unit(question, run);
    let mut told = format!("{} {unit}", number(truth)).trim_end().to_owned();
    if let QuestionKind::Predict(Prediction { metric, form, .. }) = &question.kind {
        let clock = run.report.as_ref().map(|it| it.clock.word());
        if let Some(clock) = clock.filter(|_| is_clocked(metric, unit)) {
            told.extend([" (", clock, ")"]);
        }
        if let PredictForm::Bins(bins) = form {
            let bin = bins.iter().find(|it| it.from <= truth && truth < it.to);
            told.extend(bin.map(|it| format!(": {}", it.text.plain())));
        }
    }
    told
}

/// Whether a number was measured or modelled. What a program counts is exact, and neither.
fn is_clocked(metric: &str, unit: &str) -> bool {
    let is_of_run = RunMetric::named(metric).is_some();
    let is_time = matches!(canonical(unit), "ns" | "us" | "ms" | "s");
    is_of_run || is_time || unit.ends_with("/s")
}

/// The unit of the number that a prediction is about.
fn unit<'a>(question: &'a Question, run: &'a Run) -> &'a str {
    let QuestionKind::Predict(Prediction { form, metric, .. }) = &question.kind else {
        return "";
    };
    let stated = match form {
        PredictForm::Number { unit, .. } => unit.as_deref(),
        PredictForm::Bins(_) => None,
    };
    let mut given = run.metrics.iter().filter(|it| it.name == *metric);
    stated
        .or_else(|| Some(given.next()?.unit.as_str()))
        .or_else(|| Some(RunMetric::named(metric)?.unit()))
        .unwrap_or_default()
}
