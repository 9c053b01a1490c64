//! The report as one JSON object with stable keys, as `docs/doctor.md` has them.

use super::values::EffectiveValue;
use crate::commands::find;
use serde::Serialize;
use warpup_course::{Course, LessonId};
use warpup_doctor::{LadderVerdict, Report, Rung, RungId};

#[derive(Serialize)]
pub(super) struct DoctorJson<'a> {
    format: u32,
    warpup: &'static str,
    verdict: LadderVerdict,
    summary: String,
    first_broken: Option<RungId>,
    next_step: Option<&'a str>,
    rungs: Vec<RungJson<'a>>,
    values: &'a [EffectiveValue],
}

#[derive(Serialize)]
struct RungJson<'a> {
    #[serde(flatten)]
    rung: &'a Rung,
    /// A lesson of this course.
    lesson: Option<&'a str>,
}

impl<'a> DoctorJson<'a> {
    pub(super) fn of(report: &'a Report, course: &'a Course, values: &'a [EffectiveValue]) -> Self {
        let rungs = report.rungs.iter().map(|rung| RungJson {
            rung,
            lesson: find::lesson_about(rung, course).map(LessonId::as_str),
        });
        Self {
            format: 1,
            warpup: env!("CARGO_PKG_VERSION"),
            verdict: report.verdict(),
            summary: report.summary(),
            first_broken: report.first_broken().map(|it| it.id),
            next_step: report.next_step(),
            rungs: rungs.collect(),
            values,
        }
    }
}
