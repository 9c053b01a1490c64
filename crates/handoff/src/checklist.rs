//! Fills in the checklist: what is done, and the command for what is missing.
//!
//! It finds metrics by their names, never by those of lessons, so that it holds for any course whose labs give them. It
//! does not ask for what no lab of the course could give.

use super::explanations::{explanations, unexplained};
use super::model::{Checklist, ChecklistItem, MachineState, MeasuredIn, MissingItem, TracedRun};
use super::runs::{SYNCHRONIZED, TERMS, devices, measurement, memory};
use warpup_course::{Course, Lab, Lesson};
use warpup_doctor::{CARD, DRIVER, LadderVerdict, Report};
use warpup_progress::Progress;

/// Fills the checklist in. The measurement is that of a trace, if there is one, and else of a lab.
pub fn of<'a>(
    course: &'a Course,
    progress: &'a Progress,
    report: &Report,
    traced: Option<TracedRun>,
) -> Checklist<'a> {
    let devices = devices(course, progress);
    let measurement = match traced {
        Some(it) => Some(MeasuredIn::Trace(it)),
        None => measurement(course, progress).map(MeasuredIn::Lab),
    };
    let memory = memory(course, progress);
    let explanations = explanations(course, progress);
    let mut missing = Vec::new();
    let any_lab = course
        .lessons
        .iter()
        .find_map(|it| Some((it, it.labs.first()?)));
    if let (true, Some((lesson, lab))) = (devices.is_empty(), any_lab) {
        missing.push(run(
            ChecklistItem::Device,
            "no lab was run yet",
            lesson,
            lab,
        ));
    }
    if let (None, Some((lesson, lab))) = (&measurement, giver(course, &[SYNCHRONIZED])) {
        missing.push(run(
            ChecklistItem::Measurement,
            "no run has measured with a synchronize",
            lesson,
            lab,
        ));
    }
    let of_no_card = match &measurement {
        Some(MeasuredIn::Trace(it)) => it.is_no_measurement(),
        Some(MeasuredIn::Lab(_)) | None => None,
    };
    if let (Some(why), Some((lesson, lab))) = (of_no_card, giver(course, &[SYNCHRONIZED])) {
        missing.push(run(ChecklistItem::Measurement, why, lesson, lab));
    }
    let terms = TERMS.map(|it| it.0);
    if let (None, Some((lesson, lab))) = (&memory, giver(course, &terms)) {
        missing.push(run(
            ChecklistItem::Memory,
            "no run has measured training memory",
            lesson,
            lab,
        ));
    }
    missing.extend(
        course
            .lessons
            .iter()
            .filter_map(|it| unexplained(it, progress)),
    );
    Checklist {
        course: course.id.as_str(),
        title: &course.title,
        complete: missing.is_empty(),
        devices,
        machine: MachineState::of(report),
        measurement,
        memory,
        explanations,
        missing,
    }
}

fn run(item: ChecklistItem, what: &str, lesson: &Lesson, lab: &Lab) -> MissingItem {
    // The command alone fails: its program is one to be repaired. It is still a run.
    let repair = if item != ChecklistItem::Device && lab.solution.is_some() {
        " (the lab that does is to be repaired first)"
    } else {
        ""
    };
    MissingItem {
        item,
        what: format!("{what}{repair}"),
        todo: format!("warpup run {}/{}", lesson.id, lab.id),
    }
}

/// The last lab of the course whose text gives all of these metrics: what a course ends with is the place for it.
fn giver<'a>(course: &'a Course, metrics: &[&str]) -> Option<(&'a Lesson, &'a Lab)> {
    let mut labs = course
        .lessons
        .iter()
        .flat_map(|lesson| lesson.labs.iter().map(move |lab| (lesson, lab)));
    labs.rfind(|(_, lab)| metrics.iter().all(|it| lab.gives(it)))
}

impl MachineState {
    fn of(report: &Report) -> Self {
        let verdict = report.verdict();
        let says = match verdict {
            LadderVerdict::Broken | LadderVerdict::WithoutCard | LadderVerdict::Ready => {
                report.summary()
            }
            // The card was left alone, so what is known of it is what the system and its driver say.
            LadderVerdict::Looking => {
                let rungs = [CARD.id, DRIVER.id].map(|it| report.rung(it));
                let says = rungs.into_iter().flatten().map(|it| it.says.as_str());
                let says: Vec<_> = says.collect();
                format!(
                    "{} The card itself was left alone; `warpup doctor` tries it.",
                    says.join(" ")
                )
            }
        };
        Self {
            verdict,
            says,
            next_step: report.next_step().map(str::to_owned),
        }
    }
}
