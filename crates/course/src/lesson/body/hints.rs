//! What is wrong with hints: no lab above one, and pages of which nothing is left.

use super::Fold;
use crate::diagnostics::Rule;
use crate::lesson::model::Page;
use crate::model::Block;

/// How a folded part begins.
const PART: &str = "<details";

impl Fold<'_, '_> {
    /// Reports a hint without a lab above it, of which this is the first block.
    pub(super) fn hint_without_lab(&mut self, block: &Block) {
        let body = self.spot.span(&(0..0)).start;
        let above = self.text.get(..block.span.start.saturating_sub(body));
        // The part begins with its summary, and the block is under it.
        let at = match above.and_then(|it| it.rfind(PART)) {
            Some(at) => self.spot.span(&(at..at + PART.len())),
            None => block.span.clone(),
        };
        self.report
            .error(Rule::HintWithoutLab, at, "this hint has no lab above it")
            .hint("a hint belongs to the nearest lab above it; call a folded part by another word");
    }

    /// Warns about pages that are empty because all that they have is shown with a lab of another page.
    pub(super) fn check_pages_of_hints(&mut self) {
        for (page, lab) in std::mem::take(&mut self.hints_of) {
            let is_empty = |it: &Page| it.blocks.is_empty() && it.notes.is_empty();
            if let (true, Some(span)) = (
                self.pages.get(page).is_some_and(is_empty),
                self.starts.get(page),
            ) {
                let message = format!(
                    "this page is empty: its hint is shown with the lab `{lab}`, which is on an earlier page"
                );
                self.report
                    .warning(Rule::PageOfHints, span.clone(), message)
                    .hint("put the hint under its lab, or call the folded part by another word");
            }
        }
    }
}
