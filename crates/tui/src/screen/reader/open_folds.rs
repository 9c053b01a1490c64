//! What the learner has opened: folded parts of pages, and since the page was turned.

use std::collections::BTreeSet;

use warpup_course::{LessonId, PageId};

/// A folded part of a page: its first block, and how many containers are around it.
pub(super) type FoldPath = (usize, usize);

/// The folded parts that are open.
#[derive(Debug, Default)]
pub(super) struct OpenFolds {
    pub(super) parts: BTreeSet<(LessonId, PageId, FoldPath)>,
    /// The one on this page that a key closes again.
    pub(super) newest: Option<FoldPath>,
}

/// What happened since the page was turned.
#[derive(Clone, Debug, Default)]
pub(super) struct SinceTurned {
    /// Whether a key led to the chosen lab.
    pub(super) is_lab_met: bool,
    /// The lab that was opened last.
    pub(super) opened_lab: Option<usize>,
    /// Whether the end of the lesson was named.
    pub(super) is_end_named: bool,
}

impl OpenFolds {
    /// Whether a part of a page is open.
    pub(super) fn has(&self, lesson: &LessonId, page: &PageId, part: FoldPath) -> bool {
        // Most pages have none.
        !self.parts.is_empty() && self.parts.contains(&(lesson.clone(), page.clone(), part))
    }
}
