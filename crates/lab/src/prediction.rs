//! The number that a lab asks for before it runs, and what the run has shown of it.
//!
//! Says nothing about who was right: that is the grader's.

use super::ending::EndingKind;
use super::run::Run;
use super::units::number;
use warpup_course::kinds::{Bin, PredictForm, Prediction};
use warpup_course::units::canonical;
use warpup_course::{Lab, LabId, Lesson, Question, QuestionKind, Quiz, RunMetric};
use warpup_progress::Event;
use warpup_protocol::Metric;

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
    let mut event = event;
    if let Event::Ran { lab, metrics, .. } = &mut event {
        metrics.extend(own_metrics(lesson, lab, run));
    }
    event
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

/// Why the prediction is not compared with a run that has shown no such number.
pub fn not_checked(run: &Run) -> String {
    let why = match EndingKind::of(run) {
        Some(EndingKind::Cancelled) => "Run cancelled",
        Some(EndingKind::Passed | EndingKind::Failed) => "This run gave no such number",
        Some(
            EndingKind::Raised
            | EndingKind::Limit
            | EndingKind::Broken
            | EndingKind::Unavailable
            | EndingKind::Busy,
        )
        | None => "This run ended before it gave the number",
    };
    format!("{why}: prediction not checked.")
}

/// What a run has shown: the choice that it makes right, the number with its unit, and where a time comes from.
pub fn told(question: &Question, run: &Run, truth: f64) -> String {
    let QuestionKind::Predict(Prediction { metric, form, .. }) = &question.kind else {
        return number(truth);
    };
    let unit = unit(question, run);
    let shown = format!("{} {unit}", number(truth)).trim_end().to_owned();
    let clock = run.report.as_ref().map(|it| it.clock.word());
    let clock = clock.filter(|_| is_clocked(metric, unit));
    let bins = match form {
        PredictForm::Number { .. } => &[],
        PredictForm::Bins(bins) => bins.as_slice(),
    };
    let right = bins.iter().find(|it| it.from <= truth && truth < it.to);
    // A choice that is only the number is not said twice.
    let right = right.map(|it| it.text.plain()).filter(|it| *it != shown);
    match (right, clock) {
        (None, None) => shown,
        (None, Some(clock)) => format!("{shown} ({clock})"),
        (Some(right), None) if unit.is_empty() && are_numbered(bins) => right,
        (Some(right), None) => format!("{right} ({shown})"),
        (Some(right), Some(clock)) => format!("{right} ({shown}, {clock})"),
    }
}

/// Whether the metric only names a choice, as 3 does the third one: no range between two others has room for two whole
/// numbers.
fn are_numbered(bins: &[Bin]) -> bool {
    let is_one = |it: &Bin| it.to.ceil() - it.from.ceil() <= 1.0;
    let mut ranges = bins
        .iter()
        .filter(|it| it.from.is_finite() && it.to.is_finite())
        .peekable();
    ranges.peek().is_some() && ranges.all(is_one)
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
    use warpup_course::{DeviceWish, sample};
    use warpup_protocol::{Clock, DeviceName, Outcome, Reply, Report, RunId};

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

    /// What is said of a run that gave this value, for choices of this metric.
    fn said(value: f64, unit: &str, bins: &str) -> String {
        let mut question = sample::question(&format!(
            "id = \"q-bins\"\ntype = \"predict\"\nlab = \"bus\"\nmetric = \"host_ms\"\nbins = [{bins}]"
        ));
        if let QuestionKind::Predict(Prediction { metric, .. }) = &mut question.kind {
            "part".clone_into(metric);
        }
        let mut run = Run::new(RunId(1));
        let metric = Metric {
            name: "part".to_owned(),
            value,
            unit: unit.to_owned(),
        };
        run.apply(Reply::Metric {
            run: RunId(1),
            metric,
        });
        run.report = Some(Report {
            clock: Clock::Modelled,
            ..Report::without_times(Outcome::Done)
        });
        told(&question, &run, truth(&question, &run).unwrap())
    }

    #[test]
    fn a_number_that_only_names_a_choice_is_left_out() {
        let parts = r#"{ id = "a", text = "in the products", to = 1.5 },
            { id = "b", text = "in the sum", from = 1.5, to = 2.5 },
            { id = "c", text = "in the read", from = 2.5 }"#;
        assert_eq!(said(3.0, "", parts), "in the read");
        assert_eq!(said(3.0, "stages", parts), "in the read (3 stages)");
        let ratio = r#"{ id = "a", text = "as long", to = 1.5 },
            { id = "b", text = "somewhat longer", from = 1.5, to = 5 },
            { id = "c", text = "much longer", from = 5 }"#;
        assert_eq!(said(6.25, "", ratio), "much longer (6.25)");
        assert_eq!(said(6.25, "ms", ratio), "much longer (6.25 ms, modelled)");
        let counts =
            r#"{ id = "a", text = "0", to = 0.5 }, { id = "b", text = "more", from = 0.5 }"#;
        assert_eq!(said(0.0, "", counts), "0");
        assert_eq!(said(3.0, "", counts), "more (3)");
    }

    #[test]
    fn a_run_without_the_number_says_why_nothing_is_checked() {
        let mut run = Run::new(RunId(1));
        run.report = Some(Report::without_times(Outcome::Cancelled));
        assert_eq!(not_checked(&run), "Run cancelled: prediction not checked.");
    }
}
