//! `warpup check`: proves a course as far as a program can.
//!
//! What the files say is checked by [`crate::course`]; here the labs are run and everything is told.

use super::console::count;
use super::courses::Opened;
use super::runner::RunLab;
use super::{Console, Exit, Failure, Format};
use crate::course::{
    Course, DeviceWish, Diagnostic, Lab, Lesson, Question, QuestionKind, Severity,
};
use crate::grade::{self, Expect, LabProof, needed};
use crate::lab::run::Run;
use crate::protocol::{Aim, DeviceName, Limits, Outcome, RunId, RunRequest};
use serde::Serialize;
use std::collections::BTreeMap;

/// The modelled card that labs are proved on.
const CARD: &str = "t4";

/// Checks a course, running its labs where something is given to run them.
pub(super) fn check(
    opened: &Opened,
    run_lab: Option<&mut RunLab<'_>>,
    format: Format,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let mut found = Findings::of_files(opened);
    if let Some(run_lab) = run_lab {
        found.run_labs(&opened.course, run_lab, console)?;
    }
    match format {
        Format::Text => found.print(opened, console)?,
        Format::Json => console.json(&found.shown(opened))?,
    }
    Ok(Exit::of(Some(found.errors() == 0)))
}

/// What was found so far.
struct Findings {
    diagnostics: Vec<Diagnostic>,
    runs: Vec<ProofRun>,
}

/// A program that was run.
#[derive(Serialize)]
struct ProofRun {
    lesson: String,
    lab: String,
    program: &'static str,
    device: String,
    held: bool,
}

impl Findings {
    fn of_files(opened: &Opened) -> Self {
        let mut diagnostics = opened.diagnostics.clone();
        diagnostics.extend(grade::prove(&opened.course));
        Self {
            diagnostics,
            runs: Vec::new(),
        }
    }

    fn run_labs(
        &mut self,
        course: &Course,
        run_lab: &mut RunLab<'_>,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        let plan: Vec<_> = grade::plan(course)
            .into_iter()
            .filter_map(|proof| {
                let (lesson, lab) = place_of(course, &proof)?;
                Some((proof, lesson, lab))
            })
            .flat_map(|(proof, lesson, lab)| {
                let on = |device| (proof.clone(), lesson, lab, device);
                devices(&lab.device).into_iter().map(on).collect::<Vec<_>>()
            })
            .collect();
        let all = plan.len();
        let mut metrics = Metrics::default();
        for (n, (proof, lesson, lab, device)) in plan.into_iter().enumerate() {
            let what = format!(
                "{}/{} {} on {device}",
                proof.lesson, proof.lab, proof.program
            );
            console.remark(&format!("running {} of {all}: {what}", n + 1))?;
            let run = run_lab(request(n as u64 + 1, &proof, device.clone()));
            let fault = fault(&proof, &run);
            self.runs.push(ProofRun {
                lesson: proof.lesson.to_string(),
                lab: proof.lab.to_string(),
                program: proof.program,
                device: device.to_string(),
                held: fault.is_none(),
            });
            if let Some(fault) = fault {
                let message = format!("{} on {device}: {fault}", proof.program);
                self.diagnostics.push(at_lab(lesson, lab, &message));
            }
            metrics.take(lesson, &run, lab);
        }
        self.diagnostics.extend(metrics.missing());
        Ok(())
    }

    fn errors(&self) -> usize {
        self.of(Severity::Error)
    }

    fn of(&self, severity: Severity) -> usize {
        let all = self.diagnostics.iter();
        all.filter(|it| it.severity == severity).count()
    }
}

fn place_of<'a>(course: &'a Course, proof: &LabProof) -> Option<(&'a Lesson, &'a Lab)> {
    let lesson = course.lessons.iter().find(|it| it.id == proof.lesson)?;
    let lab = lesson.labs.iter().find(|it| it.id == proof.lab)?;
    Some((lesson, lab))
}

/// Where a lab has to hold: everywhere that it may be run without a card.
fn devices(wish: &DeviceWish) -> Vec<DeviceName> {
    let card = || DeviceName::Model(CARD.to_owned());
    match wish {
        DeviceWish::Any => vec![DeviceName::Cpu, card()],
        DeviceWish::Cpu => vec![DeviceName::Cpu],
        DeviceWish::Cuda => vec![card()],
        DeviceWish::Model(card) => vec![DeviceName::Model(card.clone())],
    }
}

fn request(run: u64, proof: &LabProof, device: DeviceName) -> RunRequest {
    RunRequest {
        run: RunId(run),
        name: format!("{}.py", proof.lab),
        source: proof.source.clone(),
        check: proof.check.clone(),
        device,
        limits: Limits {
            time_ms: u64::try_from(proof.time_limit.as_millis()).unwrap_or(u64::MAX),
            spans: 0,
            ..Limits::default()
        },
        trace: true,
        aim: Aim::Run,
    }
}

/// What is wrong with how a program ended, if anything is.
fn fault(proof: &LabProof, run: &Run) -> Option<String> {
    let outcome = run.report.as_ref().map(|it| &it.outcome);
    match (outcome, proof.expect) {
        (Some(Outcome::Done), Expect::Pass) => {
            let failed = run.checks.iter().find(|it| !it.ok)?;
            Some(format!("the check \"{}\" fails", failed.name))
        }
        (Some(Outcome::Done), Expect::Fail) => {
            let passes = run.checks.iter().all(|it| it.ok);
            passes.then(|| "it passes, so there is nothing to repair".to_owned())
        }
        (Some(Outcome::Raised(raised)), Expect::Pass) => Some(format!(
            "line {}: {}: {}",
            raised.line, raised.kind, raised.message
        )),
        (Some(Outcome::Raised(raised)), Expect::Fail) if raised.in_check => Some(format!(
            "its check stops with {}: {}",
            raised.kind, raised.message
        )),
        (Some(Outcome::Raised(_)), Expect::Fail) => None,
        (Some(Outcome::TimedOut), _) => Some("it takes longer than its time limit".to_owned()),
        (Some(Outcome::TooMuchOutput), _) => Some("it prints too much".to_owned()),
        (Some(Outcome::Cancelled), _) => Some("it was stopped".to_owned()),
        (Some(Outcome::Broken { what }), _) => Some(format!("the lab broke: {what}")),
        (Some(Outcome::Unavailable(it) | Outcome::Busy(it)), _) => {
            Some(format!("it could not be run: {}", it.why))
        }
        (None, _) => Some("it never ended".to_owned()),
    }
}

fn at_lab(lesson: &Lesson, lab: &Lab, message: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: lesson.file.clone(),
        // Where the block starts; all of it would be many lines.
        span: lab.span.start..lab.span.start,
        message: format!("lab `{}`: {message}", lab.id),
        hint: None,
    }
}

/// Whether the predictions' metrics were given by any run of their lab.
#[derive(Default)]
struct Metrics<'a> {
    given: BTreeMap<(&'a str, &'a str), (&'a Lesson, &'a Question, bool)>,
}

impl<'a> Metrics<'a> {
    fn take(&mut self, lesson: &'a Lesson, run: &Run, lab: &Lab) {
        for question in lesson.quiz.iter().flat_map(|it| &it.questions) {
            if let QuestionKind::Predict {
                lab: of, metric, ..
            } = &question.kind
                && *of == lab.id
            {
                let key = (lesson.id.as_str(), question.id.as_str());
                let entry = self.given.entry(key).or_insert((lesson, question, false));
                entry.2 |= run.metric(metric).is_some();
            }
        }
    }

    fn missing(self) -> impl Iterator<Item = Diagnostic> {
        let missing = self.given.into_values().filter(|(_, _, given)| !given);
        missing.map(|(lesson, question, _)| Diagnostic {
            severity: Severity::Error,
            file: lesson
                .quiz
                .as_ref()
                .map_or_else(String::new, |it| it.file.clone()),
            span: question.span.start..question.span.start,
            message: format!("`{}`: no run of its lab gives its metric", question.id),
            hint: Some("call `lab.metric` in the lab's check".to_owned()),
        })
    }
}

impl Findings {
    fn print(&self, opened: &Opened, console: &mut Console<'_>) -> Result<(), Failure> {
        for diagnostic in &self.diagnostics {
            console.line(&diagnostic.render(text_of(opened, diagnostic)))?;
        }
        for quiz in quizzes(&opened.course) {
            console.line(&format!(
                "quiz {}: needs {} of {} points",
                quiz.quiz, quiz.needed, quiz.points
            ))?;
        }
        let course = &opened.course;
        let labs: usize = course.lessons.iter().map(|it| it.labs.len()).sum();
        let mut summary = vec![
            count(course.lessons.len(), "lesson", "lessons"),
            count(quizzes(course).count(), "quiz", "quizzes"),
            count(labs, "lab", "labs"),
        ];
        if !self.runs.is_empty() {
            let held = self.runs.iter().filter(|it| it.held).count();
            let all = count(self.runs.len(), "run", "runs");
            summary.push(format!("{held} of {all} ended as the lesson says"));
        }
        summary.push(count(self.errors(), "error", "errors"));
        summary.push(count(self.of(Severity::Warning), "warning", "warnings"));
        console.line(&summary.join(", "))
    }

    fn shown<'a>(&'a self, opened: &'a Opened) -> Shown<'a> {
        let diagnostics = self.diagnostics.iter();
        let diagnostics = diagnostics.map(|it| {
            let (line, column) = it.position(text_of(opened, it));
            ShownDiagnostic {
                severity: it.severity.word(),
                file: &it.file,
                line,
                column,
                message: &it.message,
                hint: it.hint.as_deref(),
            }
        });
        Shown {
            course: opened.course.id.as_str(),
            errors: self.errors(),
            warnings: self.of(Severity::Warning),
            diagnostics: diagnostics.collect(),
            quizzes: quizzes(&opened.course).collect(),
            runs: &self.runs,
        }
    }
}

fn text_of<'a>(opened: &'a Opened, diagnostic: &Diagnostic) -> &'a str {
    let text = opened.sources.files.get(&diagnostic.file);
    text.map_or("", |it| it.as_ref())
}

fn quizzes(course: &Course) -> impl Iterator<Item = ShownQuiz<'_>> {
    let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    quizzes.map(|quiz| {
        let points = quiz.counted().map(|it| u64::from(it.points)).sum();
        ShownQuiz {
            quiz: &quiz.id,
            needed: needed(points, quiz.pass),
            points,
        }
    })
}

/// The findings for programs. The keys are promised: scripts hang on them.
#[derive(Serialize)]
struct Shown<'a> {
    course: &'a str,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<ShownDiagnostic<'a>>,
    quizzes: Vec<ShownQuiz<'a>>,
    runs: &'a [ProofRun],
}

#[derive(Serialize)]
struct ShownDiagnostic<'a> {
    severity: &'static str,
    file: &'a str,
    line: usize,
    column: usize,
    message: &'a str,
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct ShownQuiz<'a> {
    quiz: &'a str,
    needed: u64,
    points: u64,
}

#[cfg(test)]
mod tests;
