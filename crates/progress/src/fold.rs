//! The fold: records in, [`LessonProgress`] out.
//!
//! Each fact is kept with the stamp of the record that says so, and the newest stamp wins. Taking a
//! maximum does not care for order or repetition, and neither does a reset, which is only the largest
//! stamp that is hidden. So superseded records need not be kept: a year of edits costs one program a
//! lab.

use super::event::{Event, Labs, Record};
use super::facts::{Facts, Stamp};
use super::lesson::LessonProgress;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use warpup_course::{CourseId, LessonId, PageId};

/// A record of a later time, in milliseconds since 1970, is not believed: its successors could not be later. This is
/// the year 6429, and ids have room for it.
pub const LAST_MS: u64 = 1 << 47;

/// A clock that shows a later time is wrong: this is the year 4199. Up to [`LAST_MS`] there is room for the records of any session.
const LAST_CLOCK_MS: u64 = 1 << 46;

/// What a learner has done in one course.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    course: CourseId,
    /// Everything up to this is hidden.
    reset: Option<Stamp>,
    /// Of the lessons; without a lesson, what is said of the course as a whole.
    facts: BTreeMap<Option<LessonId>, Facts>,
    lessons: BTreeMap<LessonId, LessonProgress>,
    /// The time of the newest record.
    newest_ms: u64,
}

impl Progress {
    /// Nothing done yet.
    pub fn new(course: &CourseId) -> Self {
        Self {
            course: course.clone(),
            reset: None,
            facts: BTreeMap::new(),
            lessons: BTreeMap::new(),
            newest_ms: 0,
        }
    }

    /// Folds records in any order, with any repetition. Records of other courses do not count.
    pub fn from_records(records: impl IntoIterator<Item = Record>, course: &CourseId) -> Self {
        let mut progress = Self::new(course);
        for record in records {
            progress.take(record);
        }
        progress.refresh();
        progress
    }

    /// Folds one more record in.
    pub fn apply(&mut self, record: Record) {
        self.take(record);
        self.refresh();
    }

    /// The course it is about.
    pub fn course(&self) -> &CourseId {
        &self.course
    }

    /// The time for a new record: now, but after every record that is known. A clock that was ahead for a while would
    /// otherwise have written records that no later one can replace.
    ///
    /// Whatever the clock shows, the record is believed when it is read again. The time of a clock that cannot be right is that of
    /// the newest record, and a millisecond: what was done counts, and a date that nobody knows is not made up.
    pub fn stamp(&self, now_ms: u64) -> u64 {
        let known_ms = if now_ms > LAST_CLOCK_MS { 0 } else { now_ms };
        let next_ms = self.newest_ms.saturating_add(1);
        known_ms.max(next_ms).min(LAST_MS)
    }

    /// What has been done in a lesson.
    pub fn lesson(&self, lesson: &LessonId) -> &LessonProgress {
        static NOTHING: LazyLock<LessonProgress> = LazyLock::new(LessonProgress::default);
        self.lessons.get(lesson).unwrap_or(&NOTHING)
    }

    /// Where the learner left off: the page that was read last in the whole course.
    pub fn place(&self) -> Option<(LessonId, PageId)> {
        let newest = self.lessons_read().max_by_key(|it| it.0)?;
        Some((newest.1.clone(), newest.2.clone()))
    }

    /// Whether the quiz of a lesson is open, and was answered after its page that was read last.
    pub fn is_left_in_quiz(&self, lesson: &LessonId) -> bool {
        let facts = self.facts.get(&Some(lesson.clone()));
        self.lesson(lesson).open.is_some() && facts.is_some_and(Facts::has_answered_since)
    }

    /// The lessons with the page that was read last in each.
    fn lessons_read(&self) -> impl Iterator<Item = (&Stamp, &LessonId, &PageId)> {
        self.facts.iter().filter_map(|(lesson, facts)| {
            let (stamp, page) = facts.place()?;
            Some((stamp, lesson.as_ref()?, page))
        })
    }

    /// The device that was chosen last for some labs.
    pub fn device(&self, labs: Labs) -> Option<&str> {
        self.facts.get(&None)?.device(labs)
    }

    fn take(&mut self, record: Record) {
        if record.course != self.course.as_str() {
            return;
        }
        self.newest_ms = self.newest_ms.max(record.at_ms);
        let stamp = Stamp {
            at_ms: record.at_ms,
            id: record.id,
        };
        if record.event == (Event::Reset { lesson: None }) {
            self.facts.values_mut().for_each(|it| it.hide(&stamp));
            self.reset = self.reset.take().max(Some(stamp));
        } else if self.reset.as_ref() < Some(&stamp) {
            let lesson = record.event.lesson().cloned();
            let facts = self.facts.entry(lesson).or_default();
            facts.take(stamp, record.event);
        }
    }

    fn refresh(&mut self) {
        self.facts.retain(|_, facts| *facts != Facts::default());
        let lessons = self.facts.iter();
        let lessons = lessons.filter_map(|(lesson, facts)| Some((lesson.clone()?, facts.view())));
        self.lessons = lessons.filter(|(_, view)| view.is_opened()).collect();
    }
}
