//! The folded parts of a page, whose text is read apart from the page.

use crate::collapsible::{Fold, folds};
use crate::{Block, Container};

/// The folded parts that are not in others, in their order.
pub(super) fn outermost(blocks: &[Block]) -> Vec<Fold> {
    let mut found: Vec<Fold> = Vec::new();
    for fold in folds(blocks) {
        if found
            .last()
            .is_none_or(|it| it.blocks.end <= fold.blocks.start)
        {
            found.push(fold);
        }
    }
    found
}

/// The blocks of a folded part, without the containers around it.
pub(super) fn inside(blocks: &[Block], fold: &Fold) -> Vec<Block> {
    let inside = blocks.get(fold.blocks.clone()).unwrap_or_default();
    let inside = inside.iter().map(|it| Block {
        within: it.within.get(fold.depth..).unwrap_or_default().to_vec(),
        ..it.clone()
    });
    inside.collect()
}

/// The title of a folded part with a word on where its text is.
pub(super) fn title(container: &Container, place: &str) -> String {
    match container {
        Container::Details { summary, .. } => format!("{summary} ({place})"),
        Container::Quote
        | Container::Callout(_)
        | Container::Item { .. }
        | Container::Footnote { .. } => String::new(),
    }
}
