//! What one learner's records say beside their progress, in any order: when, how often, and what stopped a run.

use std::collections::BTreeMap;
use warpup_course::{LabId, Lesson, LessonId};
use warpup_progress::{Event, FailureReason, Record};

/// The effort of one learner.
#[derive(Debug, Default)]
pub(super) struct Effort {
    /// When the first and the last record of each lesson were made, in milliseconds since 1970 UTC.
    pub(super) active_ms: BTreeMap<LessonId, (u64, u64)>,
    /// The answers of each lesson that have no score, although the whole course has graded what it could.
    pub(super) not_graded: BTreeMap<LessonId, usize>,
    /// When each lesson was passed first, whatever was reset since.
    pub(super) passed_ms: BTreeMap<LessonId, u64>,
    labs: BTreeMap<(LessonId, LabId), Runs>,
}

/// From so many runs on, a lab that never passed is one in which its learner is stuck. The starter of a repair fails, as it should, so
/// that one run says nothing.
const MANY_RUNS: usize = 3;

/// The runs of one lab.
#[derive(Debug, Default)]
struct Runs {
    count: usize,
    has_passed: bool,
    is_changed: bool,
    /// Why the newest did not pass, with its time.
    newest: Option<(u64, Option<FailureReason>)>,
}

/// A lab with runs of which none has passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpassedLab {
    /// The lab.
    pub lab: LabId,
    /// How often it was run to its end.
    pub runs: usize,
    /// Whether its learner has changed the program.
    pub is_changed: bool,
    /// Why the newest run did not pass; nothing where an older version did not record it.
    pub why: Option<FailureReason>,
}

impl UnpassedLab {
    /// Whether its learner is stuck in it: several runs, or one of a changed program. With less, it was only tried.
    pub fn is_stuck(&self) -> bool {
        self.is_changed || self.runs >= MANY_RUNS
    }
}

impl Effort {
    /// The labs of a lesson that were run and never passed, whatever was reset since.
    pub(super) fn unpassed_in(&self, lesson: &Lesson) -> Vec<UnpassedLab> {
        let labs = lesson.labs.iter().filter_map(|lab| {
            let runs = self.labs.get(&(lesson.id.clone(), lab.id.clone()))?;
            (!runs.has_passed && runs.count > 0).then(|| UnpassedLab {
                lab: lab.id.clone(),
                runs: runs.count,
                is_changed: runs.is_changed,
                why: runs.newest.as_ref().and_then(|it| it.1.clone()),
            })
        });
        labs.collect()
    }

    /// Takes in that something was done in a lesson.
    pub(super) fn take(&mut self, lesson: &LessonId, at_ms: u64) {
        if let Some((first, last)) = self.active_ms.get_mut(lesson) {
            (*first, *last) = (at_ms.min(*first), at_ms.max(*last));
        } else {
            self.active_ms.insert(lesson.clone(), (at_ms, at_ms));
        }
    }

    /// Takes in a run, and why it did not pass.
    pub(super) fn ran(
        &mut self,
        (lesson, lab): (&LessonId, &LabId),
        at_ms: u64,
        passed: bool,
        unmet: Option<FailureReason>,
    ) {
        let runs = self.labs.entry((lesson.clone(), lab.clone()));
        let runs = runs.or_default();
        runs.count += 1;
        runs.has_passed |= passed;
        if runs.newest.as_ref().is_none_or(|it| it.0 <= at_ms) {
            runs.newest = Some((at_ms, unmet));
        }
    }

    /// Takes in that the program of a lab was changed.
    pub(super) fn changed(&mut self, lesson: &LessonId, lab: &LabId) {
        let runs = self.labs.entry((lesson.clone(), lab.clone()));
        runs.or_default().is_changed = true;
    }

    /// Takes in the answers and attempts once they are graded.
    pub(super) fn take_graded(&mut self, records: &[Record]) {
        for record in records {
            if let Event::Answered {
                lesson,
                score: None,
                ..
            } = &record.event
            {
                *self.not_graded.entry(lesson.clone()).or_default() += 1;
            } else if let Event::Attempted {
                lesson,
                passed: true,
                ..
            } = &record.event
            {
                let passed = self.passed_ms.entry(lesson.clone());
                let passed = passed.or_insert(record.at_ms);
                *passed = record.at_ms.min(*passed);
            }
        }
    }
}
