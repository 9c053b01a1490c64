//! Runs the labs of lessons, for what they print.

use crate::commands::consent::{self, ConsentPrompt, ForeignProgram};
use crate::commands::console::Console;
use crate::commands::failure::Result;
use crate::commands::runner::RunLab;
use std::path::Path;
use warpup_course::{Course, DeviceWish, Lab, Lesson};
use warpup_exchange::{Output, Outputs};
use warpup_lab::device_choice::DEFAULT_CARD;
use warpup_lab::ending::{Bounds, Ending, EndingKind};
use warpup_lab::run::Run;
use warpup_lab::{memory_limit, request};
use warpup_protocol::{DeviceName, RunId};
use warpup_store as store;

/// Whether the labs may run: those of a stranger's course only if somebody agreed.
pub(super) fn may_run(
    course: &Course,
    dir: Option<&Path>,
    asks: ConsentPrompt,
    console: &mut Console<'_>,
) -> Result<bool> {
    let mut missing = consent::missing(course, dir, store::data_dir().ok().as_deref());
    let many = ForeignProgram {
        course: &course.title,
        source: "",
        check: None,
        memory: memory_limit::more_than_usual(&course.lessons),
    };
    consent::before_run(&mut missing, asks, &many, console)
}

/// What each lab prints as it starts.
pub(super) fn of(
    lessons: &[&Lesson],
    run_lab: &mut RunLab<'_>,
    console: &mut Console<'_>,
) -> Result<Outputs> {
    let labs = lessons
        .iter()
        .flat_map(|lesson| lesson.labs.iter().map(move |lab| (lesson, lab)));
    let all = labs.clone().count();
    let mut outputs = Outputs::new();
    for (n, (lesson, lab)) in labs.enumerate() {
        let device = device(&lab.device);
        let place = format!("{}/{}", lesson.id, lab.id);
        console.remark(&format!("running {} of {all}: {place} on {device}", n + 1))?;
        let id = RunId(n as u64 + 1);
        let mut request = request::of_lab(lab, id, lab.starter.clone(), device.clone());
        request.check = None;
        request.trace = false;
        request.limits.spans = 0;
        let run = run_lab(request);
        outputs.insert(
            (lesson.id.clone(), lab.id.clone()),
            output(&run, lab, &device),
        );
    }
    Ok(outputs)
}

/// Where a lab runs without a card.
fn device(wish: &DeviceWish) -> DeviceName {
    match wish {
        DeviceWish::Any | DeviceWish::Cpu => DeviceName::Cpu,
        DeviceWish::Cuda => DeviceName::Model(DEFAULT_CARD.to_owned()),
        DeviceWish::Model(card) => DeviceName::Model(card.clone()),
    }
}

fn output(run: &Run, lab: &Lab, device: &DeviceName) -> Output {
    let on = match device {
        DeviceName::Cpu => "on the CPU, measured".to_owned(),
        DeviceName::Model(card) => format!("on a modelled {card}"),
        DeviceName::Cuda(_) => format!("on {device}, measured"),
    };
    let ending = Ending::of(run, &Bounds::of_lab(lab, device));
    let ended = match (ending, run.raised()) {
        (None, _) => Some("(it was stopped)".to_owned()),
        (Some(_), Some(raised)) if raised.message.is_empty() => Some(raised.kind.clone()),
        (Some(_), Some(raised)) => Some(format!("{}: {}", raised.kind, raised.message)),
        (Some(ending), None) => match ending.kind {
            EndingKind::Passed | EndingKind::Failed | EndingKind::Raised => None,
            EndingKind::Cancelled
            | EndingKind::Limit
            | EndingKind::Broken
            | EndingKind::Unavailable
            | EndingKind::Busy => Some(format!("({})", ending.with_reason())),
        },
    };
    Output {
        text: run.output.clone(),
        on,
        ended,
    }
}
