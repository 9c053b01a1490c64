//! What is wrong with hints: no lab above one, and pages of which nothing is left.

use super::Fold;
use crate::diagnostics::Rule;
use crate::lesson::model::Page;
use crate::model::{Block, Container};
use std::ops::Range;

/// Words in the title of a hint that does not begin with this word.
const OTHER_WORDS: [&str; 14] = [
    "tip", "tips", "tipp", "tipps", "help", "hilfe", "hint", "hints", "hinweis", "hinweise",
    "clue", "nudge", "stuck", "astuce",
];

/// How a folded part begins.
const PART: &str = "<details";

impl Fold<'_, '_> {
    /// Reports a hint without a lab above it, of which this is the first block.
    pub(super) fn hint_without_lab(&mut self, block: &Block) {
        let (at, _) = self.part_of(block);
        self.report
            .error(Rule::HintWithoutLab, at, "this hint has no lab above it")
            .hint("a hint belongs to the nearest lab above it; call a folded part by another word");
    }

    /// Warns about a folded part under a lab that seems to be a hint and is called by another word.
    pub(super) fn hint_by_another_word(&mut self, block: &Block) {
        let Some(Container::Details {
            summary,
            first: true,
        }) = block.within.last()
        else {
            return;
        };
        let lab = self.labs.last().filter(|it| it.check.is_some());
        let is_under_lab = |it: &Page| lab.is_some_and(|lab| lab.page == it.id);
        let words = summary.to_lowercase();
        let mut words = words.split(|it: char| !it.is_alphanumeric());
        let has_word = words.any(|it| OTHER_WORDS.contains(&it));
        if !(has_word || summary == "Details") || !self.pages.last().is_some_and(is_under_lab) {
            return;
        }
        let (at, has_title) = self.part_of(block);
        if !has_word && has_title {
            return;
        }
        let message =
            format!("this part under a lab is called `{summary}`, so it is no hint of the lab");
        self.report.warning(Rule::HintWord, at, message).hint(
            "begin its title with Hint: `<summary>Hint</summary>`; a part that is no hint has another title",
        );
    }

    /// Where the folded part begins of which this is the first block, and whether it has a title.
    fn part_of(&self, block: &Block) -> (Range<usize>, bool) {
        let body = self.spot.span(&(0..0)).start;
        let above = self.text.get(..block.span.start.saturating_sub(body));
        // The part begins with its summary, and the block is under it.
        let found = above.and_then(|above| above.rfind(PART).map(|at| (above, at)));
        let Some((above, at)) = found else {
            return (block.span.clone(), true);
        };
        let has_title = above
            .get(at..)
            .is_some_and(|it| it.to_ascii_lowercase().contains("<summary"));
        (self.spot.span(&(at..at + PART.len())), has_title)
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
