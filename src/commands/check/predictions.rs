//! What the runs of labs say about predictions: values in no bin, metrics that nothing gives, options that are right on one device.

use std::collections::{BTreeMap, BTreeSet};
use warpup_course::kinds::{PredictForm, Prediction};
use warpup_course::{Diagnostic, Lesson, Question, QuestionKind, Rule, Severity};
use warpup_grade::{self as grade, LabProof};
use warpup_lab::run::Run;
use warpup_lab::units::number;
use warpup_protocol::DeviceName;

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
pub(super) struct Metrics<'a> {
    /// Whether any run of its lab gave the metric of a prediction.
    given: BTreeMap<(&'a str, &'a str), (&'a Lesson, &'a Question, bool)>,
    strays: Vec<UnbinnedValue<'a>>,
    /// The right options of predictions about a starter, each with the devices where it is the right one.
    right: BTreeMap<(&'a str, &'a str), RightOptions<'a>>,
}

impl<'a> Metrics<'a> {
    /// Takes a run, and keeps the values that make no answer right.
    pub(super) fn take(&mut self, proof: &LabProof<'a>, run: &Run, device: &DeviceName) {
        let LabProof {
            lesson,
            lab,
            program,
            ..
        } = *proof;
        for question in lesson.quiz.iter().flat_map(|it| &it.questions) {
            let QuestionKind::Predict(asked) = &question.kind else {
                continue;
            };
            if asked.lab != lab.id {
                continue;
            }
            let key = (lesson.id.as_str(), question.id.as_str());
            let entry = self.given.entry(key).or_insert((lesson, question, false));
            let Some(value) = run.metric(&asked.metric) else {
                continue;
            };
            entry.2 = true;
            if grade::key(question, Some(value)).is_none() {
                self.stray(lesson, question, value, &format!("{program} on {device}"));
            }
            // Learners predict what the program does that they are given. A translation has the bins of its original.
            if let Some(bin) = bin_of(asked, value)
                .filter(|_| *proof.source == lab.starter && !lesson.is_translated())
            {
                let options = self.right.entry(key).or_insert(RightOptions {
                    lesson,
                    question,
                    devices: BTreeMap::new(),
                });
                let devices = options.devices.entry(bin).or_default();
                devices.push(device.to_string());
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
    pub(super) fn told(
        self,
        failed: &BTreeSet<(String, String)>,
    ) -> impl Iterator<Item = Diagnostic> {
        let strays: Vec<_> = self.strays.iter().map(UnbinnedValue::told).collect();
        let right = self.right.into_values();
        let differ = right.filter_map(|it| it.differing());
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
        strays.into_iter().chain(differ).chain(missing)
    }
}

/// The text of the bin that a value lies in.
fn bin_of(asked: &Prediction, value: f64) -> Option<String> {
    let PredictForm::Bins(bins) = &asked.form else {
        return None;
    };
    let bin = bins.iter().find(|it| (it.from..it.to).contains(&value))?;
    Some(bin.text.plain())
}

/// The options of a prediction that are right, each with the devices where it is.
struct RightOptions<'a> {
    lesson: &'a Lesson,
    question: &'a Question,
    devices: BTreeMap<String, Vec<String>>,
}

impl RightOptions<'_> {
    /// What is wrong if there are several.
    fn differing(&self) -> Option<Diagnostic> {
        if self.devices.len() < 2 {
            return None;
        }
        let each = self
            .devices
            .iter()
            .map(|(bin, devices)| format!("\"{bin}\" on {}", devices.join(", ")));
        let each: Vec<_> = each.collect();
        let told = at_question(
            Rule::TruthDiffers,
            self.lesson,
            self.question,
            format!("`{}`: right is {}", self.question.id, each.join(", and ")),
            "let the bins part elsewhere, or give the lab one device: feedback and explanation are the same for all",
        );
        Some(Diagnostic {
            severity: Severity::Warning,
            ..told
        })
    }
}
