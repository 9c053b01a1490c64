//! The fold: the records of one learner after the other in, rows out.

use super::claim::Basis;
use super::questions::{QuestionRow, Questions};
use super::regrade::{Graded, graded};
use crate::course::{Course, Lesson, LessonId, Quiz};
use crate::grade::{HUNDREDTHS, Score};
use crate::progress::{Event, LessonProgress, Progress, Record};
use std::collections::{BTreeMap, BTreeSet};

/// So many reasons of one learner are said.
const MOST_REASONS: usize = 3;

/// What a class has done in one course.
#[derive(Debug)]
pub(crate) struct ClassReport<'a> {
    course: &'a Course,
    /// In the order in which they were added.
    pub(crate) learners: Vec<LearnerRows>,
    questions: Questions<'a>,
}

/// What one learner has done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LearnerRows {
    /// What the learner is called.
    pub(crate) name: String,
    /// What is wrong with what the learner handed in.
    pub(crate) problem: Option<String>,
    /// One row for each lesson; none where nothing could be read.
    pub(crate) lessons: Vec<LessonRow>,
}

/// What one learner has done in one lesson.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LessonRow {
    /// The lesson.
    pub(crate) lesson: LessonId,
    /// How far it is.
    pub(crate) status: Status,
    /// What the best attempt earned; nothing of what an attempt can earn now where none was handed in.
    pub(crate) best: Score,
    /// How many attempts were handed in.
    pub(crate) attempts: usize,
    /// How many of them came from a course without keys, and were graded for this report.
    pub(crate) graded_here: usize,
    /// How many attempts have their points from elsewhere than their answers, by where from.
    pub(crate) as_claimed: BTreeMap<Basis, usize>,
    /// How many answers could not be graded, since their question has changed or is gone.
    pub(crate) not_graded: usize,
    /// How many of the lesson's labs passed.
    pub(crate) labs_passed: usize,
    /// How many labs the lesson has.
    pub(crate) labs: usize,
    /// When its first and its last record were made, in milliseconds since 1970 UTC.
    pub(crate) active_ms: Option<(u64, u64)>,
}

/// How far a lesson is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Nothing was done.
    New,
    /// Something was done.
    Begun,
    /// An attempt passed.
    Done,
}

impl Status {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Begun => "begun",
            Self::Done => "done",
        }
    }

    fn of(progress: &LessonProgress) -> Self {
        if progress.is_done() {
            Self::Done
        } else if progress.is_begun() {
            Self::Begun
        } else {
            Self::New
        }
    }
}

impl<'a> ClassReport<'a> {
    /// The report of a class without learners.
    pub(crate) fn new(course: &'a Course) -> Self {
        Self {
            course,
            learners: Vec::new(),
            questions: Questions::of(course),
        }
    }

    /// Adds a learner who handed in these records, and what is wrong with them. Records of other courses do not count.
    pub(crate) fn add(&mut self, name: String, records: Vec<Record>, problem: Option<String>) {
        let course = &self.course.id;
        let all = records.len();
        let ours = records
            .into_iter()
            .filter(|it| it.course == course.as_str());
        let ours: Vec<_> = ours.collect();
        let handed_in = handed_in(&ours);
        let Graded {
            records: ours,
            bases,
            reasons,
        } = graded(self.course, ours);
        let elsewhere = (all > 0 && ours.is_empty())
            .then(|| format!("none of its records is of the course `{course}`"));
        self.questions.take(&ours);
        let lessons = match (all, &problem) {
            (0, Some(_)) => Vec::new(),
            _ => self.lessons(ours, &handed_in, &bases),
        };
        let problems = problem.or(elsewhere).into_iter().chain(in_short(reasons));
        let problems: Vec<_> = problems.collect();
        self.learners.push(LearnerRows {
            name,
            problem: (!problems.is_empty()).then(|| problems.join("; ")),
            lessons,
        });
    }

    /// A row for each question that counts, in the order of the course.
    pub(crate) fn questions(&self) -> impl Iterator<Item = QuestionRow<'a>> + '_ {
        self.questions.rows()
    }

    /// Whether something is wrong with what some learner handed in.
    pub(crate) fn has_problems(&self) -> bool {
        self.learners.iter().any(|it| it.problem.is_some())
    }

    fn lessons(
        &self,
        records: Vec<Record>,
        handed_in: &BTreeSet<String>,
        bases: &BTreeMap<(LessonId, String), Basis>,
    ) -> Vec<LessonRow> {
        let lessons = self.course.lessons.iter();
        let active: Vec<_> = lessons.map(|it| active_ms(it, &records)).collect();
        let not_graded = not_graded(&records);
        let progress = Progress::from_records(records, &self.course.id);
        let lessons = self.course.lessons.iter().zip(active);
        let rows = lessons.map(|(it, active_ms)| {
            let progress = progress.lesson(&it.id);
            let attempts = progress.attempts.iter();
            let graded_here = attempts
                .clone()
                .filter(|it| handed_in.contains(&it.attempt));
            let mut as_claimed = BTreeMap::new();
            let of_lesson = |attempt: &str| bases.get(&(it.id.clone(), attempt.to_owned()));
            for basis in attempts.filter_map(|it| of_lesson(&it.attempt)) {
                if *basis != Basis::Answers {
                    *as_claimed.entry(*basis).or_default() += 1;
                }
            }
            LessonRow {
                graded_here: graded_here.count(),
                as_claimed,
                not_graded: not_graded.get(&it.id).copied().unwrap_or(0),
                active_ms,
                ..row(it, progress)
            }
        });
        rows.collect()
    }
}

/// The first reasons, and how many more there are.
fn in_short(mut reasons: Vec<String>) -> Option<String> {
    let more = reasons.len().saturating_sub(MOST_REASONS);
    reasons.truncate(MOST_REASONS);
    let said = reasons.join("; ");
    match (said.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(said),
        (false, more) => Some(format!("{said}; and {more} more")),
    }
}

/// The attempts that came from a course without keys.
fn handed_in(records: &[Record]) -> BTreeSet<String> {
    let attempts = records.iter().filter_map(|it| {
        let Event::HandedIn { attempt, .. } = &it.event else {
            return None;
        };
        Some(attempt.clone())
    });
    attempts.collect()
}

/// The answers of each lesson that have no score, although the whole course has graded what it could.
fn not_graded(records: &[Record]) -> BTreeMap<LessonId, usize> {
    let mut counts = BTreeMap::new();
    for record in records {
        if let Event::Answered {
            lesson,
            score: None,
            ..
        } = &record.event
        {
            *counts.entry(lesson.clone()).or_default() += 1;
        }
    }
    counts
}

fn row(lesson: &Lesson, progress: &LessonProgress) -> LessonRow {
    let nothing = || Score {
        earned: 0,
        max: lesson.quiz.as_ref().map_or(0, Quiz::points) * HUNDREDTHS,
    };
    let labs = lesson.labs.iter();
    let passed = labs.filter(|it| progress.lab(&it.id).has_passed());
    LessonRow {
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
    }
}

fn active_ms(lesson: &Lesson, records: &[Record]) -> Option<(u64, u64)> {
    let of_lesson = records
        .iter()
        .filter(|it| it.event.lesson() == Some(&lesson.id));
    let times = of_lesson.map(|it| it.at_ms);
    Some((times.clone().min()?, times.max()?))
}
