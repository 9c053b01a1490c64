//! The rows of a report: what one learner has done, lesson by lesson.

use super::attempt_claim::Basis;
use super::effort::UnpassedLab;
use std::collections::BTreeMap;
use warpup_course::{Lesson, LessonId, Quiz};
use warpup_grade::{HUNDREDTHS, Score};
use warpup_progress::{AttemptRecord, LessonProgress};

/// What one learner has done.
#[derive(Debug, PartialEq, Eq)]
pub struct LearnerRows {
    /// What the learner is called.
    pub name: String,
    /// What the class file and the files of learners say about the name.
    pub enrolled: Enrollment,
    /// What is wrong with what the learner handed in.
    pub problem: Option<String>,
    /// One row for each lesson; none where nothing could be read, or nothing was handed in.
    pub lessons: Vec<LessonRow>,
}

/// Whether a learner is in the class file and has handed something in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enrollment {
    /// There is a file, and no list of learners.
    Unlisted,
    /// There is a file, and the learner is in the list.
    Listed,
    /// There is a file, and the learner is not in the list.
    NotListed,
    /// The learner is in the list, and there is no file.
    HandedNothingIn,
}

/// What one learner has done in one lesson.
#[derive(Debug, PartialEq, Eq)]
pub struct LessonRow {
    /// The lesson.
    pub lesson: LessonId,
    /// How far it is.
    pub status: Status,
    /// What the best attempt earned; nothing of what an attempt can earn now where none was handed in.
    pub best: Score,
    /// How many attempts were handed in.
    pub attempts: usize,
    /// How many of them came from a course without keys, and were graded for this report.
    pub graded_here: usize,
    /// How many attempts have their points from elsewhere than their answers, by where from.
    pub as_claimed: BTreeMap<Basis, usize>,
    /// How many answers could not be graded, since their question has changed or is gone.
    pub not_graded: usize,
    /// How many of the lesson's labs passed.
    pub labs_passed: usize,
    /// How many labs the lesson has.
    pub labs: usize,
    /// When its first and its last record were made, in milliseconds since 1970 UTC.
    pub active_ms: Option<(u64, u64)>,
    /// The labs that were run and never passed.
    pub unpassed: Vec<UnpassedLab>,
    /// When the first attempt passed, in milliseconds since 1970 UTC.
    pub passed_ms: Option<u64>,
    /// Until when it is to be passed; nothing without a deadline.
    pub due_ms: Option<u64>,
    /// How many attempts were handed in after the deadline.
    pub late_attempts: usize,
}

/// How far a lesson is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing was done.
    New,
    /// Something was done.
    Begun,
    /// An attempt passed.
    Done,
}

impl Status {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Begun => "begun",
            Self::Done => "done",
        }
    }

    fn of(progress: &LessonProgress) -> Self {
        if progress.is_done() {
            Self::Done
        } else if progress.is_opened() {
            Self::Begun
        } else {
            Self::New
        }
    }
}

impl LearnerRows {
    /// Whether something was done in some lesson.
    pub fn has_begun(&self) -> bool {
        self.lessons.iter().any(|it| it.status != Status::New)
    }

    /// How many lessons are done.
    pub fn done(&self) -> usize {
        let is_done = |it: &&LessonRow| it.status == Status::Done;
        self.lessons.iter().filter(is_done).count()
    }

    /// How many of them were passed after their deadline.
    pub fn late(&self) -> usize {
        let is_late = |it: &&LessonRow| it.is_late() == Some(true);
        self.lessons.iter().filter(is_late).count()
    }

    /// Whether the learner is stuck in some lab or quiz.
    pub fn is_stuck(&self) -> bool {
        self.lessons.iter().any(LessonRow::is_stuck)
    }
}

impl LessonRow {
    /// The row of a lesson without what only the records say.
    pub(super) fn of(lesson: &Lesson, progress: &LessonProgress, due_ms: Option<u64>) -> Self {
        let nothing = || Score {
            earned: 0,
            max: lesson.quiz.as_ref().map_or(0, Quiz::points) * HUNDREDTHS,
        };
        let labs = lesson.labs.iter();
        let passed = labs.filter(|it| progress.lab(&it.id).has_passed());
        let is_late = |it: &&AttemptRecord| due_ms.is_some_and(|due| it.at_ms > due);
        Self {
            lesson: lesson.id.clone(),
            status: Status::of(progress),
            best: progress.best().map_or_else(nothing, |it| it.score),
            attempts: progress.attempts.len(),
            labs_passed: passed.count(),
            labs: lesson.labs.len(),
            graded_here: 0,
            as_claimed: BTreeMap::new(),
            not_graded: 0,
            active_ms: None,
            unpassed: Vec::new(),
            passed_ms: None,
            due_ms,
            late_attempts: progress.attempts.iter().filter(is_late).count(),
        }
    }

    /// Whether the learner is stuck in its quiz or in one of its labs.
    pub fn is_stuck(&self) -> bool {
        self.is_stuck_in_quiz() || self.stuck().next().is_some()
    }

    /// The labs in which the learner is stuck.
    pub fn stuck(&self) -> impl Iterator<Item = &UnpassedLab> {
        self.unpassed.iter().filter(|it| it.is_stuck())
    }

    /// Whether attempts were handed in, and none has passed.
    pub fn is_stuck_in_quiz(&self) -> bool {
        self.attempts > 0 && self.status != Status::Done
    }

    /// Whether it was passed after its deadline: late, or on time. Nothing where it has no deadline or was not passed.
    pub fn is_late(&self) -> Option<bool> {
        Some(self.passed_ms? > self.due_ms?)
    }
}
