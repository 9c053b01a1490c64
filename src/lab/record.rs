//! The progress event that a finished run of a lab makes.

use super::run::Run;
use crate::course::{LabId, LessonId};
use crate::progress::{self, Event, RanOn};
use crate::protocol::{DeviceName, Outcome};

/// The event of a run that came to its own end; nothing for one that was cut short, which says nothing about the
/// learner's program.
pub fn event(lesson: &LessonId, lab: &LabId, device: &DeviceName, run: &Run) -> Option<Event> {
    let report = run.report.as_ref()?;
    match &report.outcome {
        Outcome::Done | Outcome::Raised(_) => Some(Event::Ran {
            lesson: lesson.clone(),
            lab: lab.clone(),
            device: device.to_string(),
            passed: run.passed() == Some(true),
            on: run.device.as_ref().map(|it| RanOn::of(it, report.clock)),
            metrics: progress::kept(&run.metrics),
        }),
        Outcome::Cancelled
        | Outcome::TimedOut
        | Outcome::TooMuchOutput
        | Outcome::Broken { .. }
        | Outcome::Unavailable(_)
        | Outcome::Busy(_) => None,
    }
}
