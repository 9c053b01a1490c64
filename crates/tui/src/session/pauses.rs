//! How far the pages of lessons are shown: to their next pause.

use super::Session;
use warpup_course::{BlockKind, LabId, Lesson};

impl Session {
    /// How many blocks of a page are shown.
    pub(crate) fn shown_blocks(&self, lesson: &Lesson, at: usize) -> usize {
        let Some(page) = lesson.pages.get(at) else {
            return 0;
        };
        if page.pauses.is_empty() {
            return page.blocks.len();
        }
        let key = (lesson.id.clone(), page.id.clone());
        let seen = self.view.revealed.get(&key).copied().unwrap_or(0);
        let progress = self.learner.progress.lesson(&lesson.id);
        progress.shown_blocks(lesson, at, seen)
    }

    /// Whether there is more on a page than is shown.
    pub(crate) fn is_paused(&self, lesson: &Lesson, at: usize) -> bool {
        let page = lesson.pages.get(at);
        page.is_some_and(|it| self.shown_blocks(lesson, at) < it.blocks.len())
    }

    /// Shows a page as far as this block, and on to the pause after it.
    pub(crate) fn reveal(&mut self, lesson: &Lesson, at: usize, block: usize) {
        let shown = self.shown_blocks(lesson, at);
        if let Some(page) = lesson.pages.get(at)
            && block >= shown
        {
            let key = (lesson.id.clone(), page.id.clone());
            self.view.revealed.insert(key, block);
        }
    }
}

/// Where the labs of a page are among its blocks.
pub(crate) fn lab_blocks(lesson: &Lesson, at: usize) -> Vec<(&LabId, usize)> {
    let page = lesson.pages.get(at);
    let blocks = page.map(|it| it.blocks.as_slice()).unwrap_or_default();
    let labs = blocks.iter().enumerate().filter_map(|(block, it)| {
        if let BlockKind::Lab(id) = &it.kind {
            Some((id, block))
        } else {
            None
        }
    });
    labs.collect()
}
