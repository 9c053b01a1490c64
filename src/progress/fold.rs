//! The fold: records in, [`LessonProgress`] out.
//!
//! Each fact is kept with the stamp of the record that says so, and the newest stamp wins. Taking a
//! maximum does not care for order or repetition, and neither does a reset, which is only the largest
//! stamp that is hidden. So superseded records need not be kept: a year of edits costs one program a
//! lab.

use super::event::{Event, Labs, Record};
use super::facts::Facts;
use super::latest::{Latest, Stamp, keep_latest_of};
use super::lesson::LessonProgress;
use crate::course::{CourseId, LessonId, PageId};
use std::collections::BTreeMap;

/// What a learner has done in one course.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    course: CourseId,
    /// Everything up to this is hidden.
    reset: Option<Stamp>,
    chosen: BTreeMap<Labs, Latest<String>>,
    facts: BTreeMap<LessonId, Facts>,
    lessons: BTreeMap<LessonId, LessonProgress>,
}

impl Progress {
    /// Nothing done yet.
    pub fn new(course: &CourseId) -> Self {
        Self {
            course: course.clone(),
            reset: None,
            chosen: BTreeMap::new(),
            facts: BTreeMap::new(),
            lessons: BTreeMap::new(),
        }
    }

    /// Folds records in any order, with any repetition. Records of other courses do not count.
    pub fn from_records(records: impl IntoIterator<Item = Record>, course: &CourseId) -> Self {
        let mut progress = Self::new(course);
        for record in records {
            progress.take(record);
        }
        progress.refresh_all();
        progress
    }

    /// Folds one more record in.
    pub fn apply(&mut self, record: Record) {
        let lesson = record.event.lesson().cloned();
        self.take(record);
        match lesson {
            Some(lesson) => self.refresh(&lesson),
            None => self.refresh_all(),
        }
    }

    /// The course it is about.
    pub fn course(&self) -> &CourseId {
        &self.course
    }

    /// What has been done in a lesson.
    pub fn lesson(&self, lesson: &LessonId) -> &LessonProgress {
        const NOTHING: &LessonProgress = &LessonProgress::NOTHING;
        self.lessons.get(lesson).unwrap_or(NOTHING)
    }

    /// Where the learner left off: the page that was read last in the whole course.
    pub fn place(&self) -> Option<(LessonId, PageId)> {
        self.facts
            .iter()
            .filter_map(|(lesson, facts)| Some((facts.place.as_ref()?, lesson)))
            .max_by_key(|(place, _)| &place.stamp)
            .map(|(place, lesson)| (lesson.clone(), place.value.clone()))
    }

    /// The device that was chosen last for some labs.
    pub fn device(&self, labs: Labs) -> Option<&str> {
        self.chosen.get(&labs).map(|it| it.value.as_str())
    }

    fn take(&mut self, record: Record) {
        if record.course != self.course.as_str() {
            return;
        }
        let stamp = Stamp {
            at_ms: record.at_ms,
            id: record.id,
        };
        if let Event::Chose { labs, device } = record.event {
            if self.reset.as_ref() < Some(&stamp) {
                keep_latest_of(&mut self.chosen, labs, stamp, device);
            }
            return;
        }
        if record.event == (Event::Reset { lesson: None }) {
            self.chosen.retain(|_, it| it.stamp > stamp);
            self.facts.values_mut().for_each(|it| it.hide(&stamp));
            self.reset = self.reset.take().max(Some(stamp));
            return;
        }
        let Some(lesson) = record.event.lesson().cloned() else {
            return;
        };
        if self.reset.as_ref() < Some(&stamp) {
            let facts = self.facts.entry(lesson).or_default();
            facts.take(stamp, record.event);
        }
    }

    fn refresh(&mut self, lesson: &LessonId) {
        let view = self.facts.get(lesson).map(Facts::view);
        match view.filter(LessonProgress::is_begun) {
            Some(view) => self.lessons.insert(lesson.clone(), view),
            None => self.lessons.remove(lesson),
        };
    }

    fn refresh_all(&mut self) {
        self.facts.retain(|_, facts| *facts != Facts::default());
        self.lessons = self
            .facts
            .iter()
            .map(|(lesson, facts)| (lesson.clone(), facts.view()))
            .filter(|(_, view)| view.is_begun())
            .collect();
    }
}
