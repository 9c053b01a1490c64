//! The blocks of a page as a tree: each container with what is in it, and lists around their items.

use warpup_course::block_prefix::continued;
use warpup_course::{Block, BlockKind, Container, Marker};

/// A part of a page.
#[derive(Debug, PartialEq)]
pub(super) enum Node<'a> {
    /// A block that is in no further container.
    Leaf(&'a BlockKind),
    /// A container that is no item.
    Within(&'a Container, Vec<Self>),
    /// Items that follow one another and are of one kind.
    List(Vec<Item<'a>>),
}

/// An item of a list.
#[derive(Debug, PartialEq)]
pub(super) struct Item<'a> {
    pub(super) marker: Marker,
    pub(super) inside: Vec<Node<'a>>,
}

/// The tree of these blocks. Its depth is at most that of [`warpup_course::MAX_DEPTH`] containers.
pub(super) fn tree(blocks: &[Block]) -> Vec<Node<'_>> {
    let mut open: Vec<(&Container, Vec<Node<'_>>)> = Vec::new();
    let mut top = Vec::new();
    let mut before: &[Container] = &[];
    for block in blocks {
        let stays = continued(before, &block.within);
        close(&mut open, &mut top, stays);
        for container in block.within.iter().skip(stays) {
            open.push((container, Vec::new()));
        }
        // The parser marks an empty item by an empty paragraph.
        push(&mut open, &mut top, Node::Leaf(&block.kind));
        before = &block.within;
    }
    close(&mut open, &mut top, 0);
    top
}

/// Closes containers until so many are open.
fn close<'a>(
    open: &mut Vec<(&'a Container, Vec<Node<'a>>)>,
    top: &mut Vec<Node<'a>>,
    depth: usize,
) {
    while open.len() > depth {
        let Some((container, inside)) = open.pop() else {
            return;
        };
        let Container::Item { marker, .. } = container else {
            push(open, top, Node::Within(container, inside));
            continue;
        };
        let item = Item {
            marker: *marker,
            inside,
        };
        let around = open.last_mut().map_or(&mut *top, |(_, it)| it);
        match around.last_mut() {
            Some(Node::List(items)) if items.last().is_some_and(|it| follows(it, &item)) => {
                items.push(item);
            }
            Some(_) | None => around.push(Node::List(vec![item])),
        }
    }
}

fn push<'a>(open: &mut [(&'a Container, Vec<Node<'a>>)], top: &mut Vec<Node<'a>>, node: Node<'a>) {
    open.last_mut().map_or(top, |(_, it)| it).push(node);
}

/// Whether an item goes on with the list of the one before.
fn follows(before: &Item<'_>, item: &Item<'_>) -> bool {
    match (before.marker, item.marker) {
        (Marker::Number(before), Marker::Number(number)) => number == before.saturating_add(1),
        (Marker::Number(_), Marker::Bullet | Marker::Task(_))
        | (Marker::Bullet | Marker::Task(_), Marker::Number(_)) => false,
        (Marker::Bullet | Marker::Task(_), Marker::Bullet | Marker::Task(_)) => true,
    }
}
