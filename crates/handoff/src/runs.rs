//! What the learner's runs show: devices, a measurement, the memory of training.

use super::model::{LabMemory, Measurement, MemoryFigures, RunSource, UsedDevice};
use warpup_course::Course;
use warpup_lab::units::mib;
use warpup_progress::{Progress, RanOn, RunRecord};

/// The metric of a time that was taken after a synchronize.
pub(super) const SYNCHRONIZED: &str = "synchronized_ms";
/// The metric of the same without one.
const UNSYNCHRONIZED: &str = "unsynchronized_ms";
/// The metrics of the memory of a step: its floor, the peak that a card's allocator has counted, and the growth for each row.
pub(super) const MEMORY: [&str; 3] = ["floor_mib", "counted_peak_mib", "row_kib"];
/// The metric of the rows of the batch with that peak.
const PEAK_ROWS: &str = "peak_rows";

/// Whether the checklist reads a metric of this name.
pub fn reads_metric(name: &str) -> bool {
    let others = [SYNCHRONIZED, UNSYNCHRONIZED, PEAK_ROWS];
    MEMORY.contains(&name) || others.contains(&name)
}

/// The newest run of each lab, of any lesson.
fn newest<'a>(course: &'a Course, progress: &'a Progress) -> impl Iterator<Item = &'a RunRecord> {
    let lessons = course.lessons.iter().map(|it| progress.lesson(&it.id));
    lessons
        .flat_map(|it| it.labs.values())
        .filter_map(|it| it.newest.as_ref())
}

/// What the newest runs ran on, the device that was used last first.
pub(super) fn devices<'a>(course: &'a Course, progress: &'a Progress) -> Vec<UsedDevice<'a>> {
    let mut devices: Vec<UsedDevice<'a>> = Vec::new();
    let mut runs: Vec<_> = newest(course, progress).collect();
    runs.sort_by_key(|it| std::cmp::Reverse(it.at_ms));
    for run in runs {
        match devices.iter_mut().find(|it| it.device == run.device) {
            Some(known) => known.labs += 1,
            None => devices.push(UsedDevice {
                device: &run.device,
                title: run.on.as_ref().map(|it| it.title.as_str()),
                clock: run.on.as_ref().map(|it| it.clock),
                labs: 1,
                at_ms: run.at_ms,
            }),
        }
    }
    devices
}

/// The newest passed run that gave all of these metrics, and their values.
fn newest_with<'a, const N: usize>(
    course: &'a Course,
    progress: &'a Progress,
    metrics: [&str; N],
) -> Option<(RunSource<'a>, &'a RunRecord, [f64; N])> {
    let lessons = course
        .lessons
        .iter()
        .map(|it| (&it.id, progress.lesson(&it.id)));
    let labs =
        lessons.flat_map(|(lesson, it)| it.labs.iter().map(move |(lab, it)| (lesson, lab, it)));
    let runs =
        labs.flat_map(|(lesson, lab, it)| it.figures.iter().map(move |run| (lesson, lab, run)));
    let given = runs.filter_map(|(lesson, lab, run)| {
        let mut values = [0.0; N];
        for (value, name) in values.iter_mut().zip(metrics) {
            *value = run.metric(name)?;
        }
        Some((lesson, lab, run, values))
    });
    let (lesson, lab, run, values) = given.max_by_key(|(_, _, run, _)| run.at_ms)?;
    let on = run.on.as_ref();
    let from = RunSource {
        lesson,
        lab,
        device: &run.device,
        title: on.map(|it| it.title.as_str()),
        clock: on.map(|it| it.clock),
        at_ms: run.at_ms,
    };
    Some((from, run, values))
}

/// The newest synchronized measurement.
pub(super) fn measurement<'a>(
    course: &'a Course,
    progress: &'a Progress,
) -> Option<Measurement<'a>> {
    let (from, run, [synchronized_ms]) = newest_with(course, progress, [SYNCHRONIZED])?;
    Some(Measurement {
        from,
        synchronized_ms,
        unsynchronized_ms: run.metric(UNSYNCHRONIZED),
    })
}

/// The newest run that gave the memory of a step.
pub(super) fn memory<'a>(course: &'a Course, progress: &'a Progress) -> Option<LabMemory<'a>> {
    let (from, run, [floor_mib, peak_mib, row_kib]) = newest_with(course, progress, MEMORY)?;
    let bytes = run.on.as_ref().and_then(|it: &RanOn| it.memory_bytes);
    let figures = MemoryFigures {
        floor_mib,
        peak_mib,
        rows: run.metric(PEAK_ROWS),
        row_kib: Some(row_kib),
        card_mib: bytes.map(mib),
    };
    Some(LabMemory { from, figures })
}
