//! The labs run: every program that a course says something about, on every kind of device that it may be
//! run on without a card.

use super::faults::{Faults, fault};
use super::findings::{Findings, ProofRun};
use crate::commands::console::Console;
use crate::commands::courses::OpenCourse;
use crate::commands::failure::Result;
use crate::commands::runner::RunLab;
use std::collections::{BTreeMap, BTreeSet};
use warpup_course::kinds::Prediction;
use warpup_course::{
    Course, DeviceWish, Diagnostic, Lab, Language, Lesson, Question, QuestionKind, Rule, Severity,
};
use warpup_grade::{self as grade, LabProof};
use warpup_lab::request;
use warpup_lab::run::Run;
use warpup_lab::units::number;
use warpup_protocol::{DeviceName, RunId};

/// The modelled cards that labs are proved on: the smallest, and a large one of another generation, which has
/// number types, room and a queue that the small one lacks.
const CARDS: [&str; 2] = ["t4", "h100"];

/// Runs the labs and adds each program that does not end as its lesson says.
pub(super) fn run<'a>(
    (opened, translations): (&'a OpenCourse, &'a [Course]),
    found: &mut Findings,
    run_lab: &mut RunLab<'_>,
    console: &mut Console<'_>,
) -> Result<()> {
    let translated = translations.iter().flat_map(grade::lab_proofs);
    let translated = translated.filter(|it| has_other_programs(it, &opened.course));
    let plan = grade::lab_proofs(&opened.course)
        .into_iter()
        .chain(translated);
    let plan = plan.filter(|it| found.may_run(it.lesson, it.lab));
    let on = |it: LabProof<'a>| devices(&it.lab.device).into_iter().map(move |at| (it, at));
    let plan: Vec<_> = plan.flat_map(on).collect();
    let all = plan.len();
    let mut metrics = Metrics::default();
    let mut faults = Faults::default();
    for (n, (proof, device)) in plan.into_iter().enumerate() {
        let LabProof {
            lesson,
            lab,
            program,
            ..
        } = proof;
        let language = Language::of_path(&lesson.file);
        let of = language
            .as_ref()
            .map_or(String::new(), |it| format!("{it}: "));
        let what = format!("{of}{}/{} {program} on {device}", lesson.id, lab.id);
        console.remark(&format!("running {} of {all}: {what}", n + 1))?;
        let id = RunId(n as u64 + 1);
        let mut request = request::of_lab(lab, id, proof.source.to_owned(), device.clone());
        request.limits.spans = 0;
        let run = run_lab(request);
        let fault = fault(&proof, &run, &device);
        found.runs.push(ProofRun {
            lesson: lesson.id.to_string(),
            language: language.map(|it| it.to_string()),
            lab: lab.id.to_string(),
            program,
            device: device.to_string(),
            held: fault.is_none(),
        });
        if let Some(fault) = fault {
            faults.add(&proof, &device, fault);
        }
        metrics.take(lesson, &run, lab, &format!("{program} on {device}"));
    }
    found.diagnostics.extend(faults.told(&opened.sources));
    let failed: BTreeSet<_> = found
        .runs
        .iter()
        .filter(|it| !it.held)
        .map(|it| (it.lesson.clone(), it.lab.clone()))
        .collect();
    found.diagnostics.extend(metrics.told(&failed));
    Ok(())
}

/// Whether a lab of a translation has programs that are not those of the original.
fn has_other_programs(it: &LabProof<'_>, original: &Course) -> bool {
    let lesson = original
        .lessons
        .iter()
        .find(|lesson| lesson.id == it.lesson.id);
    let lab = lesson.and_then(|lesson| lesson.labs.iter().find(|lab| lab.id == it.lab.id));
    let programs = |lab: &Lab| (lab.starter.clone(), lab.check.clone(), lab.solution.clone());
    it.lesson.is_translated() && lab.is_none_or(|lab| programs(lab) != programs(it.lab))
}

/// Where a lab has to hold: everywhere that it may be run without a card.
fn devices(wish: &DeviceWish) -> Vec<DeviceName> {
    let cards = CARDS.iter().map(|it| DeviceName::Model((*it).to_owned()));
    match wish {
        DeviceWish::Any => std::iter::once(DeviceName::Cpu).chain(cards).collect(),
        DeviceWish::Cpu => vec![DeviceName::Cpu],
        DeviceWish::Cuda => cards.collect(),
        DeviceWish::Model(card) => vec![DeviceName::Model(card.clone())],
    }
}

/// A value that lies in no bin: a learner who predicts it is marked wrong.
struct UnbinnedValue<'a> {
    lesson: &'a Lesson,
    question: &'a Question,
    value: f64,
    /// The programs that gave it, and where they were run.
    runs: Vec<String>,
}

impl UnbinnedValue<'_> {
    fn told(&self) -> Diagnostic {
        let (value, runs) = (number(self.value), self.runs.join(", "));
        at_question(
            Rule::TruthInNoBin,
            self.lesson,
            self.question,
            format!(
                "`{}`: {runs} gives {value}, which lies in no bin",
                self.question.id
            ),
            "let the bins cover every value: leave out the `from` of the first and the `to` of the last, and no gaps",
        )
    }
}

fn at_question(
    rule: Rule,
    lesson: &Lesson,
    question: &Question,
    message: String,
    hint: &str,
) -> Diagnostic {
    let file = lesson.quiz.as_ref().map(|it| it.file.clone());
    Diagnostic {
        severity: Severity::Error,
        rule,
        file: file.unwrap_or_default(),
        span: question.span.start..question.span.start,
        message,
        hint: Some(hint.to_owned()),
        fix: None,
    }
}

/// What the runs gave to the predictions.
#[derive(Default)]
struct Metrics<'a> {
    /// Whether any run of its lab gave the metric of a prediction.
    given: BTreeMap<(&'a str, &'a str), (&'a Lesson, &'a Question, bool)>,
    strays: Vec<UnbinnedValue<'a>>,
}

impl<'a> Metrics<'a> {
    /// Takes a run, and keeps the values that make no answer right.
    fn take(&mut self, lesson: &'a Lesson, run: &Run, lab: &Lab, on: &str) {
        for question in lesson.quiz.iter().flat_map(|it| &it.questions) {
            if let QuestionKind::Predict(Prediction {
                lab: of, metric, ..
            }) = &question.kind
                && *of == lab.id
            {
                let key = (lesson.id.as_str(), question.id.as_str());
                let entry = self.given.entry(key).or_insert((lesson, question, false));
                let value = run.metric(metric);
                entry.2 |= value.is_some();
                let is_stray = |it: &f64| grade::key(question, Some(*it)).is_none();
                if let Some(value) = value.filter(is_stray) {
                    self.stray(lesson, question, value, on);
                }
            }
        }
    }

    fn stray(&mut self, lesson: &'a Lesson, question: &'a Question, value: f64, on: &str) {
        let is_it = |it: &&mut UnbinnedValue<'_>| {
            it.lesson.id == lesson.id
                && it.question.id == question.id
                && it.value.to_bits() == value.to_bits()
        };
        match self.strays.iter_mut().find(is_it) {
            Some(known) => known.runs.push(on.to_owned()),
            None => self.strays.push(UnbinnedValue {
                lesson,
                question,
                value,
                runs: vec![on.to_owned()],
            }),
        }
    }

    /// What is wrong with the predictions. A lab that `failed`, by its lesson and id, may give its metric once it is repaired.
    fn told(self, failed: &BTreeSet<(String, String)>) -> impl Iterator<Item = Diagnostic> {
        let strays: Vec<_> = self.strays.iter().map(UnbinnedValue::told).collect();
        let has_failed = |lesson: &Lesson, question: &Question| {
            let QuestionKind::Predict(Prediction { lab, .. }) = &question.kind else {
                return false;
            };
            failed.contains(&(lesson.id.to_string(), lab.to_string()))
        };
        let mut missing: Vec<_> = self.given.into_values().collect();
        missing.retain(|(lesson, question, given)| !given && !has_failed(lesson, question));
        let missing = missing.into_iter();
        let missing = missing.map(|(lesson, question, _)| {
            let message = format!("`{}`: no run of its lab gives its metric", question.id);
            at_question(
                Rule::MetricNotGiven,
                lesson,
                question,
                message,
                "call `lab.metric` in the lab's check",
            )
        });
        strays.into_iter().chain(missing)
    }
}
