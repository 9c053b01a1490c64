//! The folded parts of a page: which of its blocks are in each.

use super::{Block, BlockKind, Container};
use std::ops::Range;

/// A part (`<details>`) that is closed until the reader opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The positions of its blocks on the page; never none.
    pub blocks: Range<usize>,
    /// How many containers are around it.
    pub depth: usize,
}

/// The folded parts of a page in the order of their summaries. What an instructor alone sees is open, and so is a part with
/// a lab: nobody would find the lab.
pub fn folds(blocks: &[Block]) -> Vec<Fold> {
    let mut found: Vec<Fold> = Vec::new();
    // The numbers of those that the block before is in.
    let mut open: Vec<usize> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let mut here = Vec::new();
        for (depth, container) in block.within.iter().enumerate() {
            let Container::Details { first, .. } = container else {
                continue;
            };
            if container.is_for_instructors() {
                continue;
            }
            let is_it = |it: &Fold| it.depth == depth && !first;
            let known = open.iter().find(|it| found.get(**it).is_some_and(is_it));
            let number = known.copied().unwrap_or(found.len());
            match found.get_mut(number) {
                Some(fold) => fold.blocks.end = at + 1,
                None => found.push(Fold {
                    blocks: at..at + 1,
                    depth,
                }),
            }
            here.push(number);
        }
        open = here;
    }
    let is_lab = |it: &Block| matches!(it.kind, BlockKind::Lab(_));
    found.retain(|it| {
        let inside = blocks.get(it.blocks.clone()).unwrap_or_default();
        !inside.iter().any(is_lab)
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    /// The blocks of each folded part of a page, and its depth.
    fn found(markdown: &str) -> Vec<(Range<usize>, usize)> {
        let course = sample::course_with("lessons/places.md", &format!("## Folds\n\n{markdown}\n"));
        let lesson = course.lessons.first().unwrap();
        let folds = folds(&lesson.pages.last().unwrap().blocks).into_iter();
        folds.map(|it| (it.blocks, it.depth)).collect()
    }

    fn details(summary: &str, inside: &str) -> String {
        format!("<details><summary>{summary}</summary>\n\n{inside}\n\n</details>\n")
    }

    #[test]
    fn a_part_has_all_blocks_to_its_end() {
        let page = format!("Why?\n\n{}\nSo.", details("Answer", "One.\n\n- Two."));
        assert_eq!(found(&page), [(1..3, 0)]);
    }

    #[test]
    fn parts_of_one_name_are_several_and_one_may_be_in_another() {
        let inner = details("Answer", "In.");
        let page = [details("Answer", "One."), details("Answer", &inner)].concat();
        assert_eq!(found(&page), [(0..1, 0), (1..2, 0), (1..2, 1)]);
    }

    #[test]
    fn a_part_with_a_lab_is_open() {
        let lab = "Before.\n\n```python lab id=inside\nprint(1)\n```";
        assert_eq!(found(&details("More", lab)), []);
    }
}
