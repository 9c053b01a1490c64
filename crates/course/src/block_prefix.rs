//! What is in front of a block's lines because of the containers around it: quotes, callouts, lists and such.
//!
//! Plain output and the app put different marks in the same places: a mark is a string there and a styled span here.

use super::{Container, Marker};

/// How a container is drawn.
pub struct ContainerStyle<M> {
    /// A line above its first block, such as the name of a callout. Empty if there is none.
    pub title: Vec<M>,
    /// Before the first line of its first block.
    pub first: M,
    /// Before all other lines; as wide as `first`.
    pub rest: M,
}

/// What is in front of the lines of one block, outer containers first.
pub struct Frame<M> {
    /// On the empty line above the block. `None` if the block follows its predecessor without one.
    pub gap: Option<Vec<M>>,
    /// Lines above the block: the titles of the containers that begin with it.
    pub titles: Vec<Vec<M>>,
    /// Before its first line.
    pub first: Vec<M>,
    /// Before its other lines.
    pub rest: Vec<M>,
}

/// The frame of a block in the containers `within`, where the block before it is in `before`, if there is one.
pub fn frame<M: Clone>(
    before: Option<&[Container]>,
    within: &[Container],
    mut mark: impl FnMut(&Container) -> ContainerStyle<M>,
) -> Frame<M> {
    let continued = continued(before.unwrap_or_default(), within);
    let mut frame = Frame {
        gap: before
            .is_some_and(|it| !is_next_item(it, within))
            .then(Vec::new),
        titles: Vec::new(),
        first: Vec::new(),
        rest: Vec::new(),
    };
    for (depth, container) in within.iter().enumerate() {
        let mark = mark(container);
        if depth < continued {
            frame.first.push(mark.rest.clone());
            frame.rest.push(mark.rest);
            frame.gap = frame.gap.map(|_| frame.rest.clone());
            continue;
        }
        if !mark.title.is_empty() {
            frame
                .titles
                .push([frame.first.as_slice(), mark.title.as_slice()].concat());
            frame.first.clone_from(&frame.rest);
        }
        frame.first.push(mark.first);
        frame.rest.push(mark.rest);
    }
    frame
}

/// The text in front of a list item or footnote; `None` for other containers.
pub fn marker(container: &Container, bullet: &str) -> Option<String> {
    match container {
        Container::Item { marker, .. } => Some(match marker {
            Marker::Bullet => format!("{bullet} "),
            Marker::Number(number) => format!("{number}. "),
            Marker::Task(true) => "[x] ".to_owned(),
            Marker::Task(false) => "[ ] ".to_owned(),
        }),
        Container::Footnote { label, .. } => Some(format!("[{label}] ")),
        Container::Quote | Container::Callout(_) | Container::Details { .. } => None,
    }
}

/// How many of the outer containers of a block began with an earlier block.
pub fn continued(before: &[Container], within: &[Container]) -> usize {
    let pairs = before.iter().zip(within);
    pairs
        .take_while(|(old, new)| !begins(new) && is_same(old, new))
        .count()
}

/// Whether a container has its first block here.
fn begins(container: &Container) -> bool {
    match container {
        Container::Quote | Container::Callout(_) => false,
        Container::Item { first, .. }
        | Container::Footnote { first, .. }
        | Container::Details { first, .. } => *first,
    }
}

fn is_same(old: &Container, new: &Container) -> bool {
    match (old, new) {
        (Container::Item { marker: old, .. }, Container::Item { marker: new, .. }) => old == new,
        (Container::Footnote { label: old, .. }, Container::Footnote { label: new, .. })
        | (Container::Details { summary: old, .. }, Container::Details { summary: new, .. }) => {
            old == new
        }
        (old, new) => old == new,
    }
}

/// Whether a block begins the next item of the list that the block before is in, or of a list inside that.
fn is_next_item(before: &[Container], within: &[Container]) -> bool {
    let is_item = |it: Option<&Container>| matches!(it, Some(Container::Item { .. }));
    within.last().is_some_and(begins) && is_item(within.last()) && is_item(before.last())
}
