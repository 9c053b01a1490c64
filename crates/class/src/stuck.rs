//! Where a class is stuck: labs that were run several times or changed and never passed, and quizzes with attempts and no pass.
//! The worst first.

use super::rows::LearnerRows;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use warpup_course::{Course, LabId, LessonId};
use warpup_progress::FailureReason;

/// A place where learners are stuck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StuckAt {
    /// The lesson.
    pub lesson: LessonId,
    /// The lab; nothing for the quiz.
    pub lab: Option<LabId>,
    /// Who is stuck there, in the order of their names.
    pub learners: Vec<String>,
    /// Their runs or attempts.
    pub tries: usize,
    /// What stops most of them, and how many; of equals the first in order. Nothing where no record says it.
    pub why: Option<(FailureReason, usize)>,
}

/// The places where learners are stuck: those with most learners first, then those with most tries, then in the order of the
/// course.
pub(super) fn stuck(course: &Course, learners: &[LearnerRows]) -> Vec<StuckAt> {
    let mut places = Vec::new();
    for (at, lesson) in course.lessons.iter().enumerate() {
        let rows = learners
            .iter()
            .filter_map(|it| Some((it, it.lessons.get(at)?)));
        let mut quiz = StuckAt::new(&lesson.id, None);
        let mut labs: BTreeMap<_, (StuckAt, BTreeMap<&FailureReason, usize>)> = BTreeMap::new();
        for (learner, row) in rows {
            if row.is_stuck_in_quiz() {
                quiz.take(learner, row.attempts);
            }
            for lab in row.stuck() {
                let new = || {
                    (
                        StuckAt::new(&lesson.id, Some(lab.lab.clone())),
                        BTreeMap::new(),
                    )
                };
                let (place, why) = labs.entry(&lab.lab).or_insert_with(new);
                place.take(learner, lab.runs);
                if let Some(unmet) = &lab.why {
                    *why.entry(unmet).or_default() += 1;
                }
            }
        }
        for lab in &lesson.labs {
            let Some((mut place, why)) = labs.remove(&lab.id) else {
                continue;
            };
            // Of equals, `max_by_key` gives the last one.
            let most = why.into_iter().rev().max_by_key(|it| it.1);
            place.why = most.map(|(unmet, learners)| (unmet.clone(), learners));
            places.push(place);
        }
        places.extend((!quiz.learners.is_empty()).then_some(quiz));
    }
    places.sort_by_key(|it| Reverse((it.learners.len(), it.tries)));
    places
}

impl StuckAt {
    fn new(lesson: &LessonId, lab: Option<LabId>) -> Self {
        Self {
            lesson: lesson.clone(),
            lab,
            learners: Vec::new(),
            tries: 0,
            why: None,
        }
    }

    fn take(&mut self, learner: &LearnerRows, tries: usize) {
        self.learners.push(learner.name.clone());
        self.tries += tries;
    }
}
