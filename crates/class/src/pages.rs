//! The pages of a course: how long a class reads each, and where those stopped who have not passed the lesson.

use super::item::median;
use std::collections::BTreeMap;
use warpup_course::{Course, Lesson, LessonId, PageId};

/// A longer stay is a walk to the kitchen, in milliseconds.
const LONGEST_MS: u64 = 600_000;

/// How a class reads one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRow<'a> {
    /// Its lesson.
    pub lesson: &'a LessonId,
    /// The page.
    pub page: &'a PageId,
    /// How many learners have read it.
    pub read: usize,
    /// The median of the times that they spent on it, in milliseconds.
    pub median_ms: u64,
    /// Who read it last in the lesson and has not passed its quiz, in the order of their names.
    pub stopped: Vec<String>,
}

/// A page and its lesson.
type Place<'a> = (&'a LessonId, &'a PageId);

/// When one learner did something, and which pages were opened. In any order.
#[derive(Debug, Default)]
pub(super) struct PageVisits<'a> {
    times_ms: Vec<u64>,
    opened: Vec<(u64, Place<'a>)>,
}

/// What one learner has read.
#[derive(Debug, Default)]
pub(super) struct PageTimes<'a> {
    /// The time on each page, in milliseconds.
    times: BTreeMap<Place<'a>, u64>,
    /// The page of each lesson that was read last.
    last: BTreeMap<&'a LessonId, &'a PageId>,
}

/// The pages of a class while learners are added.
#[derive(Debug, Default)]
pub(super) struct Pages<'a> {
    times: BTreeMap<Place<'a>, Vec<u64>>,
    stopped: BTreeMap<Place<'a>, Vec<String>>,
}

impl<'a> PageVisits<'a> {
    /// Takes in that something was done.
    pub(super) fn take(&mut self, at_ms: u64) {
        self.times_ms.push(at_ms);
    }

    /// Takes in that a page was opened, if the lesson has it.
    pub(super) fn opened(&mut self, lesson: &'a Lesson, page: &PageId, at_ms: u64) {
        let page = lesson.pages.iter().find(|it| it.id == *page);
        self.opened
            .extend(page.map(|it| (at_ms, (&lesson.id, &it.id))));
    }

    /// The time on each page: from opening it to whatever was done next.
    pub(super) fn times(mut self) -> PageTimes<'a> {
        self.times_ms.sort_unstable();
        self.opened.sort_unstable();
        let mut of_learner = PageTimes::default();
        for (at_ms, place) in self.opened {
            let next = self.times_ms.partition_point(|it| *it <= at_ms);
            let until = self.times_ms.get(next).copied().unwrap_or(at_ms);
            let time = of_learner.times.entry(place).or_default();
            *time += (until - at_ms).min(LONGEST_MS);
            of_learner.last.insert(place.0, place.1);
        }
        of_learner
    }
}

impl<'a> Pages<'a> {
    /// Takes in what a learner has read. `is_passed` says it of a lesson.
    pub(super) fn take(
        &mut self,
        name: &str,
        read: PageTimes<'a>,
        is_passed: impl Fn(&LessonId) -> bool,
    ) {
        for (place, time) in read.times {
            self.times.entry(place).or_default().push(time);
        }
        for place in read.last.into_iter().filter(|it| !is_passed(it.0)) {
            let stopped = self.stopped.entry(place).or_default();
            stopped.push(name.to_owned());
        }
    }

    /// A row for each page that somebody has read, in the order of the course.
    pub(super) fn rows(mut self, course: &'a Course) -> Vec<PageRow<'a>> {
        let lessons = course.lessons.iter();
        let places = lessons.flat_map(|it| it.pages.iter().map(|page| (&it.id, &page.id)));
        let rows = places.filter_map(|place| {
            let times = self.times.remove(&place)?;
            let mut stopped = self.stopped.remove(&place).unwrap_or_default();
            stopped.sort_unstable();
            Some(PageRow {
                lesson: place.0,
                page: place.1,
                read: times.len(),
                median_ms: median(times)?,
                stopped,
            })
        });
        rows.collect()
    }
}
