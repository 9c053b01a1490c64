//! The labs run: every program that a course says something about, on every kind of device that it may be
//! run on without a card.

use super::faults::{Faults, fault};
use super::findings::{Findings, ProofRun};
use super::loopholes::Loopholes;
use super::predictions::Metrics;
use super::repairs;
use crate::commands::console::Console;
use crate::commands::courses::OpenCourse;
use crate::commands::failure::Result;
use crate::commands::side_by_side::RunAll;
use std::collections::BTreeSet;
use warpup_course::{Course, DeviceWish, Lab, Language};
use warpup_grade::{self as grade, LabProof};
use warpup_lab::ending::EndingKind;
use warpup_lab::request;
use warpup_lab::run::Run;
use warpup_protocol::{DeviceName, RunId, RunRequest};

/// The modelled cards that labs are proved on: the smallest, and a large one of another generation, which has
/// number types, room and a queue that the small one lacks.
const CARDS: [&str; 2] = ["t4", "h100"];

/// Runs the labs and adds each program that does not end as its lesson says.
pub(super) fn run<'a>(
    (opened, translations): (&'a OpenCourse, &'a [Course]),
    found: &mut Findings,
    run_all: &mut RunAll<'_>,
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
    let requests = plan
        .iter()
        .map(|(it, device)| request_of(it.lab, it.source, device));
    let mut metrics = Metrics::default();
    let mut faults = Faults::default();
    let mut loopholes = Loopholes::default();
    run_all(requests.collect(), &mut |number, run| {
        let Some((proof, device)) = plan.get(number) else {
            return Ok(());
        };
        let LabProof {
            lesson,
            lab,
            program,
            ..
        } = *proof;
        let language = Language::of_path(&lesson.file);
        let of = language
            .as_ref()
            .map_or(String::new(), |it| format!("{it}: "));
        let what = format!("{of}{}/{} {program} on {device}", lesson.id, lab.id);
        let (at, all) = (number + 1, plan.len());
        let ended = ending(&run);
        console.remark(&format!("ran {at} of {all}: {what}: {ended}"))?;
        let fault = fault(proof, &run, device);
        found.runs.push(ProofRun {
            lesson: lesson.id.to_string(),
            language: language.map(|it| it.to_string()),
            lab: lab.id.to_string(),
            program,
            device: device.to_string(),
            ended,
            held: fault.is_none(),
        });
        if let Some(fault) = fault {
            faults.add(proof, device, fault);
        }
        metrics.take(proof, &run, device);
        loopholes.take(proof, &run, device);
        Ok(())
    })?;
    found.diagnostics.extend(faults.told(&opened.sources));
    let misjudged = repairs::run(opened, &mut loopholes, run_all, console)?;
    found.diagnostics.extend(misjudged);
    loopholes.try_nothing(run_all)?;
    let failed: BTreeSet<_> = found
        .runs
        .iter()
        .filter(|it| !it.held)
        .map(|it| (it.lesson.clone(), it.lab.clone()))
        .collect();
    found.diagnostics.extend(metrics.told(&failed));
    found
        .diagnostics
        .extend(loopholes.told(&failed, &opened.sources));
    Ok(())
}

/// What a worker is asked for a program of a lab, of which nobody looks at the single operations.
pub(super) fn request_of(lab: &Lab, program: &str, device: &DeviceName) -> RunRequest {
    let mut request = request::of_lab(lab, RunId(1), program.to_owned(), device.clone());
    request.limits.spans = 0;
    request
}

/// How a program ended, in a few words: why it failed, if it did.
pub(super) fn ending(run: &Run) -> String {
    let failed = run.checks.iter().find(|it| !it.ok);
    match (EndingKind::of(run), run.raised(), failed) {
        (_, Some(raised), _) => {
            let said = raised.message.lines().next().unwrap_or_default();
            format!("{}: {said}", raised.kind)
        }
        (_, None, Some(failed)) => format!("fails: \"{}\"", failed.name),
        (Some(kind), None, None) => kind.word().to_owned(),
        (None, None, None) => "it never ended".to_owned(),
    }
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
pub(super) fn devices(wish: &DeviceWish) -> Vec<DeviceName> {
    let cards = CARDS.iter().map(|it| DeviceName::Model((*it).to_owned()));
    match wish {
        DeviceWish::Any => std::iter::once(DeviceName::Cpu).chain(cards).collect(),
        DeviceWish::Cpu => vec![DeviceName::Cpu],
        DeviceWish::Cuda => cards.collect(),
        DeviceWish::Model(card) => vec![DeviceName::Model(card.clone())],
    }
}
