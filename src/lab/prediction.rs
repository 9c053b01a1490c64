//! The number that a lab asks for before it runs, and what the run has shown of it.
//!
//! Says nothing about who was right: that is the grader's.

use super::run::Run;
use super::units::number;
use crate::course::kinds::{PredictForm, Prediction};
use crate::course::units::canonical;
use crate::course::{Lab, LabId, Lesson, Question, QuestionKind, Quiz, RunMetric};
use crate::progress::Event;
use crate::protocol::Metric;

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

/// The record of a run with those numbers of its own that questions which count are compared with: a quiz may be taken
/// after the run is forgotten.
pub fn remembered(event: Event, lesson: &Lesson, run: &Run) -> Event {
    match event {
        Event::Ran {
            lesson: of,
            lab,
            device,
            passed,
            on,
            mut metrics,
        } => {
            metrics.extend(own_metrics(lesson, &lab, run));
            Event::Ran {
                lesson: of,
                lab,
                device,
                passed,
                on,
                metrics,
            }
        }
        Event::Read { .. }
        | Event::Edited { .. }
        | Event::Predicted { .. }
        | Event::Answered { .. }
        | Event::Attempted { .. }
        | Event::Explained { .. }
        | Event::Chose { .. }
        | Event::Reset { .. }
        | Event::Unknown => event,
    }
}

/// The numbers of a run that no program names and a question that counts asks for.
fn own_metrics(lesson: &Lesson, of: &LabId, run: &Run) -> Vec<Metric> {
    let mut metrics: Vec<Metric> = Vec::new();
    for question in lesson.quiz.iter().flat_map(Quiz::counted) {
        let QuestionKind::Predict(Prediction { lab, metric, .. }) = &question.kind else {
            continue;
        };
        let is_known = run
            .metrics
            .iter()
            .chain(&metrics)
            .any(|it| it.name == *metric);
        if let Some(own) = RunMetric::named(metric).filter(|_| lab == of && !is_known)
            && let Some(value) = run.metric(metric).filter(|it| it.is_finite())
        {
            metrics.push(Metric {
                name: metric.clone(),
                value,
                unit: own.unit().to_owned(),
            });
        }
    }
    metrics
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::{DeviceWish, sample};
    use crate::protocol::{DeviceName, Outcome, Report, RunId};

    /// The numbers that the record of a run of `timing` keeps.
    fn kept(counts: bool) -> Vec<Metric> {
        let mut course = sample::course();
        let lesson = course.lessons.first_mut().unwrap();
        for question in lesson.quiz.iter_mut().flat_map(|it| &mut it.questions) {
            question.counts |= counts;
        }
        let mut run = Run::new(RunId(1));
        run.report = Some(Report {
            host_ns: 1_500_000,
            ..Report::without_times(Outcome::Done)
        });
        let lab = LabId::new("timing");
        let event = run.event(&lesson.id, &lab, &DeviceWish::Any, &DeviceName::Cpu);
        let Event::Ran { metrics, .. } = remembered(event.unwrap(), lesson, &run) else {
            panic!("a run that came to its end is recorded");
        };
        metrics
    }

    #[test]
    fn a_run_is_remembered_for_what_a_counted_prediction_is_compared_with() {
        let host = Metric {
            name: "host_ms".to_owned(),
            value: 1.5,
            unit: "ms".to_owned(),
        };
        assert_eq!(kept(true), [host]);
        assert_eq!(kept(false), []);
    }
}
