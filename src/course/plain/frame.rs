//! What stands in front of a block's lines because of the containers it is in.

use crate::course::{Callout, Container, Marker};
use unicode_width::UnicodeWidthStr;

/// Remembers the containers of the block before, so that what goes on is not begun again.
#[derive(Default)]
pub(super) struct Frames {
    before: Vec<Container>,
}

/// What stands around one block.
pub(super) struct Frame {
    /// Whether an empty line parts it from the block before.
    pub is_apart: bool,
    /// What stands on that line.
    pub between: String,
    /// Lines above it: the names of callouts and folded parts that begin here.
    pub titles: Vec<String>,
    /// What stands before its first line.
    pub first: String,
    /// What stands before the others.
    pub rest: String,
}

impl Frames {
    /// Goes on to a block in these containers.
    pub(super) fn enter(&mut self, within: &[Container]) -> Frame {
        let shared = shared(&self.before, within);
        let mut frame = Frame {
            is_apart: !is_next_item(&self.before, within),
            between: String::new(),
            titles: Vec::new(),
            first: String::new(),
            rest: String::new(),
        };
        for (depth, container) in within.iter().enumerate() {
            let goes_on = depth < shared;
            frame.add(container, goes_on);
            if goes_on {
                frame.between.clone_from(&frame.rest);
            }
        }
        self.before = within.to_vec();
        frame
    }
}

impl Frame {
    fn add(&mut self, container: &Container, goes_on: bool) {
        let marker = match container {
            Container::Quote => return self.bar("> "),
            Container::Callout(kind) => {
                if !goes_on {
                    self.titles
                        .push(format!("{}| {}", self.first, name_of(*kind)));
                    self.first.clone_from(&self.rest);
                }
                return self.bar("| ");
            }
            Container::Details { summary, .. } => {
                if !goes_on {
                    self.titles.push(format!("{}{summary}:", self.first));
                    self.first.clone_from(&self.rest);
                }
                return self.bar("  ");
            }
            Container::Item { marker, .. } => match marker {
                Marker::Bullet => "- ".to_owned(),
                Marker::Number(number) => format!("{number}. "),
                Marker::Task(true) => "[x] ".to_owned(),
                Marker::Task(false) => "[ ] ".to_owned(),
            },
            Container::Footnote { label, .. } => format!("[{label}] "),
        };
        let space = " ".repeat(marker.width());
        self.first.push_str(if goes_on { &space } else { &marker });
        self.rest.push_str(&space);
    }

    fn bar(&mut self, bar: &str) {
        self.first.push_str(bar);
        self.rest.push_str(bar);
    }
}

/// How many of the outer containers of a block are those of the block before.
fn shared(before: &[Container], within: &[Container]) -> usize {
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

/// Whether a block is the next item of the list that the block before stands in, or of one inside it.
fn is_next_item(before: &[Container], within: &[Container]) -> bool {
    let is_item = |it: Option<&Container>| matches!(it, Some(Container::Item { .. }));
    within.last().is_some_and(begins) && is_item(within.last()) && is_item(before.last())
}

fn name_of(callout: Callout) -> &'static str {
    match callout {
        Callout::Note => "Note",
        Callout::Tip => "Tip",
        Callout::Important => "Important",
        Callout::Warning => "Warning",
        Callout::Caution => "Caution",
    }
}
