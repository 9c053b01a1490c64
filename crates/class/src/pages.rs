//! The pages of a course: how long a class reads each, and where those stopped who have not passed the lesson.

use super::item::median;
use std::collections::BTreeMap;
use warpup_course::{Course, LessonId, PageId};

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

/// A place in the course: lesson and page, by their numbers.
type Place = (usize, usize);

/// When one learner did something, and which pages were opened. In any order.
#[derive(Debug, Default)]
pub(super) struct PageVisits {
    times_ms: Vec<u64>,
    opened: Vec<(u64, Place)>,
}

/// What one learner has read.
#[derive(Debug, Default)]
pub(super) struct PageTimes {
    /// The time on each page, in milliseconds.
    times: BTreeMap<Place, u64>,
    /// The page of each lesson that was read last.
    last: BTreeMap<usize, usize>,
}

/// The pages of a class while learners are added.
#[derive(Debug, Default)]
pub(super) struct Pages {
    times: BTreeMap<Place, Vec<u64>>,
    stopped: BTreeMap<Place, Vec<String>>,
}

impl PageVisits {
    /// Takes in that something was done.
    pub(super) fn take(&mut self, at_ms: u64) {
        self.times_ms.push(at_ms);
    }

    /// Takes in that a page was opened, if the course has it.
    pub(super) fn opened(
        &mut self,
        course: &Course,
        (lesson, page): (&LessonId, &PageId),
        at_ms: u64,
    ) {
        let mut lessons = course.lessons.iter().enumerate();
        let place = lessons.find(|it| it.1.id == *lesson).and_then(|(at, it)| {
            let page = it.pages.iter().position(|it| it.id == *page)?;
            Some((at, page))
        });
        self.opened.extend(place.map(|it| (at_ms, it)));
    }

    /// The time on each page: from opening it to whatever was done next.
    pub(super) fn times(mut self) -> PageTimes {
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

impl Pages {
    /// Takes in what a learner has read. `is_passed` says it of a lesson, by its number.
    pub(super) fn take(&mut self, name: &str, read: PageTimes, is_passed: impl Fn(usize) -> bool) {
        for (place, time) in read.times {
            self.times.entry(place).or_default().push(time);
        }
        for place in read.last {
            if !is_passed(place.0) {
                let stopped = self.stopped.entry(place).or_default();
                stopped.push(name.to_owned());
            }
        }
    }

    /// A row for each page that somebody has read, in the order of the course.
    pub(super) fn rows(mut self, course: &Course) -> Vec<PageRow<'_>> {
        let rows = self.times.into_iter().filter_map(|(place, times)| {
            let lesson = course.lessons.get(place.0)?;
            let mut stopped = self.stopped.remove(&place).unwrap_or_default();
            stopped.sort_unstable();
            Some(PageRow {
                lesson: &lesson.id,
                page: &lesson.pages.get(place.1)?.id,
                read: times.len(),
                median_ms: median(times)?,
                stopped,
            })
        });
        rows.collect()
    }
}
