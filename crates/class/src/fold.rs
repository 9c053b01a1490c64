//! The fold: the records of one learner after the other in, rows out.

use super::attempt_claim::Basis;
use super::class_file::ClassFile;
use super::firsts::firsts;
use super::flags::{FastAttempt, Flag, Flags, fast};
use super::learner_records::LearnerRecords;
use super::pages::{PageRow, PageTimes, Pages};
use super::questions::{LearnerAnswers, QuestionRow, Questions};
use super::regrade::{GradedRecords, graded};
use super::rows::{Enrollment, LearnerRows, LessonRow, Status};
use super::stuck::{StuckAt, stuck};
use std::collections::{BTreeMap, BTreeSet};
use warpup_course::{Course, LessonId};
use warpup_progress::{Event, Progress, Record};
use warpup_text::zone::Zone;

/// So many reasons of one learner are said.
const MOST_REASONS: usize = 3;

/// What a class has done in one course.
#[derive(Debug)]
pub struct ClassReport<'a> {
    /// The course.
    pub course: &'a Course,
    /// In the order of their names.
    pub learners: Vec<LearnerRows>,
    /// One for each question that counts and each of its versions, in the order of the course.
    pub questions: Vec<QuestionRow<'a>>,
    /// One for each page that somebody has read, in the order of the course.
    pub pages: Vec<PageRow<'a>>,
    /// Where learners are stuck, the worst place first.
    pub stuck: Vec<StuckAt>,
    /// What to ask about.
    pub flags: Vec<Flag>,
    /// In which its times are for people.
    pub zone: Zone,
}

/// The report of a class while learners are added.
#[derive(Debug)]
pub struct ClassFold<'a> {
    course: &'a Course,
    class: ClassFile,
    now_ms: u64,
    learners: Vec<LearnerRows>,
    questions: Questions<'a>,
    pages: Pages<'a>,
    flags: Flags,
    zone: Zone,
}

/// What one learner has done, judged and not yet part of a report.
#[derive(Debug)]
pub struct JudgedLearner<'a> {
    rows: LearnerRows,
    answers: LearnerAnswers,
    pages: PageTimes<'a>,
    attempts: BTreeSet<String>,
    fast: Vec<FastAttempt>,
}

impl<'a> ClassReport<'a> {
    /// The questions that those who know the rest get wrong, the worst first.
    pub fn suspects(&self) -> Vec<&QuestionRow<'a>> {
        let suspects = self.questions.iter().filter(|it| it.is_suspect);
        let mut suspects: Vec<_> = suspects.collect();
        let low = |it: &QuestionRow<'_>| it.discrimination.unwrap_or(0.0);
        suspects.sort_by(|left, right| low(left).total_cmp(&low(right)));
        suspects
    }

    /// Whether something is wrong with what some learner handed in.
    pub fn has_problems(&self) -> bool {
        self.learners.iter().any(|it| it.problem.is_some())
    }
}

impl<'a> ClassFold<'a> {
    /// A class of which nobody has handed anything in, at this time.
    pub fn new(course: &'a Course, class: ClassFile, now_ms: u64) -> Self {
        Self {
            course,
            class,
            now_ms,
            learners: Vec::new(),
            questions: Questions::of(course),
            pages: Pages::default(),
            flags: Flags::default(),
            zone: Zone::UTC,
        }
    }

    /// The same, with times in this zone.
    #[must_use]
    pub fn in_zone(self, zone: Zone) -> Self {
        Self { zone, ..self }
    }

    /// Judges and adds a learner.
    pub fn add(&mut self, name: String, records: Vec<Record>, problem: Option<String>) {
        let mut learner = self.learner();
        for record in records {
            learner.take(record);
        }
        let judged = self.judge(name, learner, problem);
        self.take(judged);
    }

    /// Takes in the records of a learner, of whom nothing is known yet.
    pub fn learner(&self) -> LearnerRecords<'a> {
        LearnerRecords::new(self.course, self.now_ms)
    }

    /// Judges a learner who handed in these records, and what is wrong with them. Records of other courses do not count. Changes
    /// nothing, so that several learners can be judged at once.
    pub fn judge(
        &self,
        name: String,
        mut learner: LearnerRecords<'a>,
        problem: Option<String>,
    ) -> JudgedLearner<'a> {
        let kept = std::mem::take(&mut learner.kept);
        let handed_in = handed_in(&kept);
        let attempts = attempts(&kept);
        let GradedRecords {
            records,
            bases,
            reasons,
        } = graded(self.course, kept);
        let elsewhere = (learner.all > 0 && learner.ours == 0)
            .then(|| format!("none of its records is of the course `{}`", self.course.id));
        let firsts = firsts(&records);
        let answers = self.questions.judge(&firsts);
        let fast = fast(self.course, &firsts);
        let pages = std::mem::take(&mut learner.pages).times();
        let is_unread = learner.all == 0 && problem.is_some();
        let problems = problem.or(elsewhere).into_iter();
        let problems = problems.chain(learner.dates.strange());
        let problems = problems.chain(learner.not_counted());
        let problems: Vec<_> = problems.chain(in_short(reasons)).collect();
        let lessons = if is_unread {
            Vec::new()
        } else {
            self.lessons(learner, records, &handed_in, &bases)
        };
        JudgedLearner {
            rows: LearnerRows {
                enrolled: self.enrolled(&name),
                name,
                problem: (!problems.is_empty()).then(|| problems.join("; ")),
                lessons,
            },
            answers,
            pages,
            attempts,
            fast,
        }
    }

    /// Adds a learner who was judged.
    pub fn take(&mut self, learner: JudgedLearner<'a>) {
        let wrong = self.questions.take(learner.answers);
        let (attempts, fast) = (learner.attempts, learner.fast);
        let rows = &learner.rows;
        self.flags.take(&rows.name, wrong, attempts, fast);
        let is_done = |lesson: &LessonId| {
            let row = rows.lessons.iter().find(|it| it.lesson == *lesson);
            row.is_some_and(|it| it.status == Status::Done)
        };
        self.pages.take(&rows.name, learner.pages, is_done);
        self.learners.push(learner.rows);
    }

    /// The report of those who were added, and of those in the class file who were not.
    pub fn report(mut self) -> ClassReport<'a> {
        let names: BTreeSet<_> = self.learners.iter().map(|it| it.name.clone()).collect();
        let listed = self.class.learners.iter().flatten();
        let missing = listed.filter(|it| !names.contains(*it));
        let missing = missing.map(|name| LearnerRows {
            name: name.clone(),
            enrolled: Enrollment::HandedNothingIn,
            problem: None,
            lessons: Vec::new(),
        });
        self.learners.extend(missing);
        self.learners
            .sort_by(|left, right| left.name.cmp(&right.name));
        let questions = &self.questions;
        ClassReport {
            course: self.course,
            stuck: stuck(self.course, &self.learners),
            flags: self.flags.raised(|at| questions.id(at)),
            learners: self.learners,
            questions: self.questions.rows().collect(),
            pages: self.pages.rows(self.course),
            zone: self.zone,
        }
    }

    fn enrolled(&self, name: &String) -> Enrollment {
        match &self.class.learners {
            None => Enrollment::Unlisted,
            Some(listed) if listed.contains(name) => Enrollment::Listed,
            Some(_) => Enrollment::NotListed,
        }
    }

    /// The deadline of the class file, or else of the course.
    fn due_ms(&self, lesson: &LessonId) -> Option<u64> {
        let of_class = self.class.due_ms.get(lesson);
        of_class.or(self.course.due_ms.get(lesson)).copied()
    }

    fn lessons(
        &self,
        mut learner: LearnerRecords<'_>,
        graded: Vec<Record>,
        handed_in: &BTreeSet<String>,
        bases: &BTreeMap<(LessonId, String), Basis>,
    ) -> Vec<LessonRow> {
        learner.effort.take_graded(&graded);
        let effort = &learner.effort;
        let counts = graded.into_iter().filter(is_progress);
        let counts = counts.chain(learner.newest()).map(|it| Record {
            course: self.course.id.to_string(),
            ..it
        });
        let progress = Progress::from_records(counts, &self.course.id);
        let rows = self.course.lessons.iter().map(|it| {
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
                not_graded: effort.not_graded.get(&it.id).copied().unwrap_or(0),
                active_ms: effort.active_ms.get(&it.id).copied(),
                unpassed: effort.unpassed_in(it),
                passed_ms: effort.passed_ms.get(&it.id).copied(),
                ..LessonRow::of(it, progress, self.due_ms(&it.id))
            }
        });
        rows.collect()
    }
}

/// The first reasons, and how many more there are.
pub(super) fn in_short(mut reasons: Vec<String>) -> Option<String> {
    let more = reasons.len().saturating_sub(MOST_REASONS);
    reasons.truncate(MOST_REASONS);
    let said = reasons.join("; ");
    match (said.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(said),
        (false, more) => Some(format!("{said}; and {more} more")),
    }
}

/// The names of all attempts.
fn attempts(records: &[Record]) -> BTreeSet<String> {
    let attempts = records.iter().filter_map(|it| match &it.event {
        Event::Attempted { attempt, .. } | Event::HandedIn { attempt, .. } => Some(attempt.clone()),
        Event::Answered { .. }
        | Event::Read { .. }
        | Event::Left { .. }
        | Event::Edited { .. }
        | Event::Predicted { .. }
        | Event::Ran { .. }
        | Event::Explained { .. }
        | Event::Chose { .. }
        | Event::Reset { .. }
        | Event::Unknown => None,
    });
    attempts.collect()
}

/// The attempts that came from a course without keys.
pub(super) fn handed_in(records: &[Record]) -> BTreeSet<String> {
    let attempts = records.iter().filter_map(|it| {
        let Event::HandedIn { attempt, .. } = &it.event else {
            return None;
        };
        Some(attempt.clone())
    });
    attempts.collect()
}

/// Whether a record changes a row. Answers and runs do not: a lesson with one has begun, which its newest record says.
fn is_progress(record: &Record) -> bool {
    matches!(
        record.event,
        Event::Attempted { .. } | Event::HandedIn { .. } | Event::Reset { .. }
    )
}
