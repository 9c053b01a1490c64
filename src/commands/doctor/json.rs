//! The ladder as one JSON object with stable keys, as `docs/doctor.md` has them.

use super::lesson;
use crate::course::{Course, LessonId};
use crate::doctor::{Report, Rung, RungId, Verdict};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Json<'a> {
    format: u32,
    warpup: &'static str,
    verdict: Verdict,
    summary: String,
    first_broken: Option<RungId>,
    next_step: Option<&'a str>,
    rungs: Vec<OneRung<'a>>,
}

#[derive(Serialize)]
struct OneRung<'a> {
    #[serde(flatten)]
    rung: &'a Rung,
    /// A lesson of this course.
    lesson: Option<&'a str>,
}

pub(super) fn report<'a>(report: &'a Report, course: &'a Course) -> Json<'a> {
    let rungs = report.rungs.iter().map(|rung| OneRung {
        rung,
        lesson: lesson(rung.id, course).map(LessonId::as_str),
    });
    Json {
        format: 1,
        warpup: env!("CARGO_PKG_VERSION"),
        verdict: report.verdict(),
        summary: report.summary(),
        first_broken: report.first_broken().map(|it| it.id),
        next_step: report.next_step(),
        rungs: rungs.collect(),
    }
}
