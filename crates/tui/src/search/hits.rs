//! The hits of a search, and the one that the learner is at.

use super::index::{Index, TextSection};
use super::query::Query;

/// A place where the words are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    pub(crate) place: TextSection,
    /// Which of the hits in that text it is, from 0.
    pub(crate) nth: usize,
}

/// How many hits are on a page, in its lesson and in the course.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) page: usize,
    pub(crate) lesson: usize,
    pub(crate) course: usize,
}

/// A search that is open: its hits in the course, in reading order, never none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Search {
    pub(crate) query: Query,
    hits: Vec<Hit>,
    at: usize,
}

impl Search {
    /// Searches the course from what would be a hit there on, and after its end from its start. Nothing if the words are nowhere.
    pub(crate) fn new(query: Query, index: &Index, from: Hit) -> Option<Self> {
        let hits = hits(&query, index);
        let at = hits.partition_point(|it| *it < from);
        let at = if at < hits.len() { at } else { 0 };
        (!hits.is_empty()).then_some(Self { query, hits, at })
    }

    /// Counts hits without keeping them, for the words typed so far.
    pub(crate) fn count(query: &Query, index: &Index, here: TextSection) -> Counts {
        let mut counts = Counts::default();
        for hit in hits(query, index) {
            let is_lesson = hit.place.lesson == here.lesson;
            counts.course += 1;
            counts.lesson += usize::from(is_lesson);
            counts.page += usize::from(is_lesson && hit.place.page == here.page);
        }
        counts
    }

    /// All hits.
    pub(crate) fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Goes to the hit with this number, from 0, if there is one.
    pub(crate) fn choose(&mut self, at: usize) {
        self.at = at.min(self.hits.len().saturating_sub(1));
    }

    /// The hit that the learner is at.
    pub(crate) fn hit(&self) -> Option<Hit> {
        self.hits.get(self.at).copied()
    }

    /// Its number, from 1, and how many there are in the course.
    pub(crate) fn number(&self) -> (usize, usize) {
        (self.at + 1, self.hits.len())
    }

    /// Goes to the next hit; after the last one to the first. Who has gone to another page meanwhile goes on from there.
    pub(crate) fn next(&mut self, here: TextSection) {
        if self.is_on_page(here) {
            self.at = (self.at + 1) % self.hits.len().max(1);
        } else {
            let at = self.hits.partition_point(|it| it.place < here);
            self.at = if at < self.hits.len() { at } else { 0 };
        }
    }

    /// Goes to the previous hit; before the first one to the last.
    pub(crate) fn previous(&mut self, here: TextSection) {
        let before = if self.is_on_page(here) {
            self.at
        } else {
            self.hits.partition_point(|it| it.place < here)
        };
        let last = self.hits.len().saturating_sub(1);
        self.at = before.checked_sub(1).unwrap_or(last);
    }

    /// Whether the hit that the learner is at is on this page.
    fn is_on_page(&self, here: TextSection) -> bool {
        let page = |it: TextSection| (it.lesson, it.page);
        self.hit().is_some_and(|it| page(it.place) == page(here))
    }
}

fn hits(query: &Query, index: &Index) -> Vec<Hit> {
    let texts = index.0.iter();
    let hits = texts.flat_map(|(place, text)| {
        let count = query.ranges(text).len();
        (0..count).map(|nth| Hit { place: *place, nth })
    });
    hits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;
    use warpup_course::sample;

    fn course() -> Index {
        let lessons: Vec<_> = sample::course().lessons.into_iter().map(Rc::new).collect();
        Index::of(&lessons)
    }

    fn place(lesson: usize, page: usize, block: usize) -> TextSection {
        TextSection {
            lesson,
            page,
            block,
        }
    }

    #[test]
    fn hits_are_counted_on_the_page_in_the_lesson_and_in_the_course() {
        let query = Query::new("cuda").unwrap();
        let counts = Search::count(&query, &course(), place(0, 1, 0));
        assert_eq!((counts.page, counts.lesson, counts.course), (1, 1, 2));
    }

    #[test]
    fn hints_checks_and_solutions_are_not_searched() {
        for hidden in ["Look at the device", "lab.check", "solved", "repaired()"] {
            let query = Query::new(hidden).unwrap();
            assert_eq!(
                Search::new(query, &course(), Hit::default()),
                None,
                "{hidden}"
            );
        }
    }

    #[test]
    fn hits_are_gone_through_in_a_circle_from_where_the_learner_is() {
        let query = Query::new("cuda").unwrap();
        let from = Hit {
            place: place(1, 0, 0),
            nth: 0,
        };
        let mut search = Search::new(query, &course(), from).unwrap();
        assert_eq!(search.number(), (2, 2));
        let here = search.hit().unwrap().place;
        search.next(here);
        assert_eq!(search.number(), (1, 2));
        search.previous(search.hit().unwrap().place);
        assert_eq!(search.number(), (2, 2));
        // From another page, the next hit is the next one from there.
        search.next(place(0, 0, 0));
        assert_eq!(search.number(), (1, 2));
        search.previous(place(0, 0, 0));
        assert_eq!(search.number(), (2, 2));
    }
}
