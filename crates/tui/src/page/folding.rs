//! Which folded parts of a page are closed, and so which of its blocks are out of sight.

use std::collections::BTreeSet;

use warpup_course::Block;
use warpup_course::collapsible::{Fold, folds};

/// The folded parts of a page. None of them is closed by default.
#[derive(Debug, Default)]
pub(crate) struct Folding {
    /// First block and depth of each.
    all: BTreeSet<(usize, usize)>,
    /// What is in sight of each block; blocks beyond the last one are whole.
    sights: Vec<BlockVisibility>,
}

/// What is in sight of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockVisibility {
    /// All of it.
    Whole,
    /// The summary of the closed part that begins with it, which is in so many containers.
    Summary(usize),
    /// Nothing: it is in a closed part.
    Hidden,
}

impl Folding {
    /// The parts of a page that can be folded; `is_open` says which are not.
    pub(crate) fn new(blocks: &[Block], is_open: impl Fn(&Fold) -> bool) -> Self {
        let mut folding = Self::default();
        for fold in folds(blocks) {
            folding.all.insert((fold.blocks.start, fold.depth));
            if is_open(&fold) {
                continue;
            }
            let last = folding.sights.len().max(fold.blocks.end);
            folding.sights.resize(last, BlockVisibility::Whole);
            let inside = folding.sights.get_mut(fold.blocks.clone());
            let mut sight = BlockVisibility::Summary(fold.depth);
            for it in inside.unwrap_or_default() {
                // A part around this one may be closed.
                if *it == BlockVisibility::Whole {
                    *it = sight;
                }
                sight = BlockVisibility::Hidden;
            }
        }
        folding
    }

    /// Whether a part that can be folded begins with this block, in so many containers.
    pub(super) fn has(&self, block: usize, depth: usize) -> bool {
        self.all.contains(&(block, depth))
    }

    /// What is in sight of a block.
    pub(super) fn sight(&self, block: usize) -> BlockVisibility {
        self.sights
            .get(block)
            .copied()
            .unwrap_or(BlockVisibility::Whole)
    }
}
