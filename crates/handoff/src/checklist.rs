//! Fills in the checklist: what is done, and the command for what is missing.
//!
//! It finds metrics by their names, never by those of lessons, so that it holds for any course whose labs give them. It
//! does not ask for what no lab of the course could give.

use super::explanations::{explanations, unexplained};
use super::model::{
    Checklist, ChecklistItem, MachineState, MeasuredIn, MemoryIn, MissingItem, OwnRun, UsedDevice,
};
use super::runs::{MEMORY, SYNCHRONIZED, devices, measurement, memory};
use warpup_course::{Course, Lab, Lesson};
use warpup_doctor::{CARD, DRIVER, LadderVerdict, Report};
use warpup_progress::Progress;
use warpup_protocol::Clock;

/// Fills the checklist in. What is known of the learner's own run comes before what labs gave. A modelled run shows no device
/// and measures nothing, so it ticks neither.
pub fn of<'a>(
    course: &'a Course,
    progress: &'a Progress,
    report: &Report,
    own: OwnRun,
) -> Checklist<'a> {
    let devices = devices(course, progress);
    let measurement = match own.traced {
        Some(it) => Some(MeasuredIn::Trace(it)),
        None => measurement(course, progress).map(MeasuredIn::Lab),
    };
    let memory = match own.planned {
        Some(it) => Some(MemoryIn::Plan(it)),
        None => memory(course, progress).map(MemoryIn::Lab),
    };
    let mut missing = Vec::new();
    missing.extend(device_missing(course, &devices, measurement.as_ref()));
    missing.extend(measurement_missing(course, measurement.as_ref()));
    if let (None, Some((lesson, lab))) = (&memory, giver(course, &MEMORY)) {
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
        explanations: explanations(course, progress),
        missing,
    }
}

/// What is missing for the check of the device: a run on a real card.
fn device_missing(
    course: &Course,
    devices: &[UsedDevice<'_>],
    measurement: Option<&MeasuredIn<'_>>,
) -> Option<MissingItem> {
    let labs = || {
        let mut lessons = course.lessons.iter();
        lessons.find_map(|it| Some((it, it.labs.first()?)))
    };
    let is_recorded = match measurement {
        Some(MeasuredIn::Trace(it)) => it.is_no_measurement().is_none(),
        Some(MeasuredIn::Lab(_)) | None => false,
    };
    if is_recorded || devices.iter().any(|it| is_card(it.device, it.clock)) {
        return None;
    }
    let (lesson, lab) = labs()?;
    if devices.is_empty() {
        let what = "no lab was run yet";
        return Some(run(ChecklistItem::Device, what, lesson, lab));
    }
    Some(MissingItem {
        item: ChecklistItem::Device,
        what: "no run has used a card: a modelled one is no check of a device".to_owned(),
        todo: "warpup doctor".to_owned(),
    })
}

/// What is missing for the measurement: one on a real card, of the learner's own run or of a lab.
fn measurement_missing(
    course: &Course,
    measurement: Option<&MeasuredIn<'_>>,
) -> Option<MissingItem> {
    let (lesson, lab) = giver(course, &[SYNCHRONIZED])?;
    let why = match measurement {
        None => {
            let what = "no run has measured with a synchronize";
            return Some(run(ChecklistItem::Measurement, what, lesson, lab));
        }
        Some(MeasuredIn::Trace(it)) => it.is_no_measurement()?,
        Some(MeasuredIn::Lab(it)) => match it.from.clock {
            Some(Clock::Modelled) => "the time is modelled: nothing was measured",
            Some(Clock::Measured) if !is_card(it.from.device, it.from.clock) => {
                "the time is the CPU's: no card was measured"
            }
            Some(Clock::Measured) | None => return None,
        },
    };
    Some(MissingItem {
        item: ChecklistItem::Measurement,
        what: why.to_owned(),
        todo: "warpup record -- python train.py".to_owned(),
    })
}

/// Whether a run used a real card.
fn is_card(device: &str, clock: Option<Clock>) -> bool {
    device.starts_with("cuda") && clock != Some(Clock::Modelled)
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
