//! The folded parts of pages: opening and closing them.

use super::Reader;
use super::open_folds::FoldPath;
use super::state::Goal;
use crate::page::Summary;
use crate::search::TextSection;
use warpup_course::collapsible::folds;

impl Reader {
    /// The first closed part whose summary is on the screen.
    pub(super) fn closed_in_sight(&self) -> Option<Summary> {
        let visible = self.text.visible();
        let mut parts = self.text.summaries();
        parts.find(|it| !it.is_open && visible.contains(&it.line))
    }

    /// The part that was opened last, if its summary is on the screen.
    pub(super) fn newest_in_sight(&self) -> Option<Summary> {
        let newest = self.opened.newest?;
        let visible = self.text.visible();
        let mut parts = self.text.summaries();
        parts.find(|it| (it.block, it.depth) == newest && visible.contains(&it.line))
    }

    /// Opens the next closed part on the screen. Where there is none, closes the one that was opened last.
    pub(super) fn fold_next(&mut self) {
        let next = self.closed_in_sight();
        if let Some(part) = next.or_else(|| self.newest_in_sight()) {
            self.turn_over(part);
        }
    }

    /// Opens a closed part, or closes an open one. Its summary stays in its row, unless what it hid needs the room.
    pub(super) fn turn_over(&mut self, summary: Summary) {
        let Some(page) = self.lesson.pages.get(self.page) else {
            return;
        };
        let part = (summary.block, summary.depth);
        let key = (self.lesson.id.clone(), page.id.clone(), part);
        if !self.opened.parts.remove(&key) {
            self.opened.parts.insert(key);
        }
        self.opened.newest = (!summary.is_open).then_some(part);
        let row = summary.line.saturating_sub(self.text.visible().start);
        self.text.begin_again();
        self.goal = Some(Goal::Fold { part, row });
    }

    /// Opens the parts around a text of this page, so that it can come into sight.
    pub(super) fn uncover(&mut self, place: TextSection) {
        let (Some(page), Some(block)) =
            (self.lesson.pages.get(self.page), place.block.checked_sub(1))
        else {
            return;
        };
        for fold in folds(&page.blocks) {
            let part = (fold.blocks.start, fold.depth);
            let key = (self.lesson.id.clone(), page.id.clone(), part);
            if fold.blocks.contains(&block) && self.opened.parts.insert(key) {
                self.opened.newest = Some(part);
                self.text.begin_again();
            }
        }
    }

    /// Shows a part with its summary in a row of the screen.
    pub(super) fn show_fold(&mut self, part: FoldPath, row: usize) {
        let mut parts = self.text.summaries();
        let Some(summary) = parts.find(|it| (it.block, it.depth) == part) else {
            return;
        };
        drop(parts);
        let page = self.lesson.pages.get(self.page);
        let blocks = page.map(|it| it.blocks.as_slice()).unwrap_or_default();
        let fold = folds(blocks)
            .into_iter()
            .find(|it| (it.blocks.start, it.depth) == part);
        let last = fold.map_or(summary.block, |it| it.blocks.end.saturating_sub(1));
        let end = self.text.block(last).end.max(summary.line + 1);
        self.text.show_at(row, &(summary.line..end));
    }
}
