//! What becomes of the nodes of graphs: how many are alive, of which lines, and which the program has read results of that no
//! backward came to.
//!
//! A node has no way to the engine of its run, and all nodes of a run belong to one thread, which counts them.

use super::graph::{Edge, Input, Node, NodeUse};
use std::cell::{Cell, RefCell};
use std::collections::{HashSet, VecDeque};
use std::rc::{Rc, Weak};

/// Lines beyond this share one entry.
const MAX_LINES: usize = 10_000;

/// How many of the results that were read last may be alive at the end of a run.
const LAST_READ: usize = 8;

thread_local! {
    static LINE: Cell<u32> = const { Cell::new(0) };
    static ALIVE: Cell<u64> = const { Cell::new(0) };
    static LINES: RefCell<Vec<LineNodes>> = const { RefCell::new(Vec::new()) };
    static READ: RefCell<VecDeque<Weak<Node>>> = const { RefCell::new(VecDeque::new()) };
}

/// The nodes of one line.
#[derive(Clone, Copy, Debug, Default)]
struct LineNodes {
    alive: u64,
    /// Of those: no backward came to them.
    unused: u64,
    /// The number of the newest.
    newest: u64,
    unused_passes: u64,
}

/// A new run: what is left of one before does not count.
pub(crate) fn begin() {
    LINE.set(0);
    ALIVE.set(0);
    LINES.take();
    READ.take();
}

/// The program is on this line.
pub(crate) fn reach(line: u32) {
    LINE.set(line);
}

/// The line of the program that runs.
pub(super) fn line() -> u32 {
    LINE.get()
}

/// How many nodes are alive.
pub(crate) fn alive() -> u64 {
    ALIVE.get()
}

/// The line of the newest node among lines that have at least so many; first of those to which no backward came, which are what
/// keeps the others, if any do.
pub(crate) fn newest_of_many(nodes: u64) -> u32 {
    let newest = LINES.with_borrow(|lines| {
        let many = lines.iter().enumerate().skip(1);
        let many = many.filter(|(_, it)| it.alive >= nodes);
        many.max_by_key(|(_, it)| (it.unused >= nodes, it.newest))
            .map(|(line, _)| line)
    });
    newest.and_then(|it| u32::try_from(it).ok()).unwrap_or(0)
}

/// The graphs through weights of which the program read a result and that no backward came to, by line: those that were dropped, and
/// those that are alive.
pub(crate) fn unused_passes() -> Vec<(usize, u64)> {
    let mut graphs: Vec<u64> =
        LINES.with_borrow(|lines| lines.iter().map(|it| it.unused_passes).collect());
    for line in alive_and_read() {
        let at = (line as usize).min(MAX_LINES);
        graphs.resize(graphs.len().max(at + 1), 0);
        if let Some(it) = graphs.get_mut(at) {
            *it += 1;
        }
    }
    let graphs = graphs.into_iter().enumerate();
    graphs.filter(|(_, it)| *it > 0).collect()
}

/// The program has read a value of what this node made.
pub(crate) fn read(node: &Rc<Node>) {
    if node.fate.get() == NodeUse::Unused {
        node.mark_read();
        READ.with_borrow_mut(|read| {
            read.push_back(Rc::downgrade(node));
            if read.len() > LAST_READ {
                read.pop_front();
            }
        });
    }
}

/// The lines of the graphs through weights that are alive, whose result was only read. Part of a larger one is no graph of its own.
fn alive_and_read() -> Vec<u32> {
    let mut roots: Vec<Rc<Node>> =
        READ.with_borrow(|it| it.iter().filter_map(Weak::upgrade).collect());
    roots.sort_by_key(|it| std::cmp::Reverse(it.id));
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    for root in roots {
        let mut has_weight = false;
        let line = root.line;
        let mut left = vec![root];
        while let Some(node) = left.pop() {
            if node.fate.get() == NodeUse::Backward || !seen.insert(node.id) {
                continue;
            }
            has_weight |= node.has_weight();
            let edges = node.inputs.iter().filter_map(|it| it.edge.as_ref());
            left.extend(edges.filter_map(|it| match it {
                Edge::Node(node) => Some(Rc::clone(node)),
                Edge::Leaf(_) => None,
            }));
        }
        if has_weight {
            lines.push(line);
        }
    }
    lines
}

fn at(line: u32, change: impl FnOnce(&mut LineNodes)) {
    // What is dropped with the thread itself does not count.
    let counted = LINES.try_with(|lines| {
        let mut lines = lines.borrow_mut();
        let at = (line as usize).min(MAX_LINES);
        if lines.len() <= at {
            lines.resize(at + 1, LineNodes::default());
        }
        if let Some(it) = lines.get_mut(at) {
            change(it);
        }
    });
    counted.unwrap_or_default();
}

/// A node is made; its line.
pub(super) fn made(id: u64) -> u32 {
    let line = LINE.get();
    ALIVE.set(ALIVE.get() + 1);
    at(line, |it| {
        it.alive += 1;
        it.unused += 1;
        it.newest = id;
    });
    line
}

/// A node is dropped.
pub(super) fn dropped(node: &Node) {
    ALIVE.set(ALIVE.get().saturating_sub(1));
    let is_unused = u64::from(node.fate.get() != NodeUse::Backward);
    at(node.line, |it| {
        it.alive = it.alive.saturating_sub(1);
        it.unused = it.unused.saturating_sub(is_unused);
    });
}

/// A graph through weights is dropped whose result was only read.
pub(super) fn passed_unused(line: u32) {
    at(line, |it| it.unused_passes += 1);
}

impl Node {
    /// Whether an input is a weight. The norm of one is no pass through it.
    fn has_weight(&self) -> bool {
        let is_leaf = |it: &Input| matches!(it.edge, Some(Edge::Leaf(_)));
        self.inputs.len() > 1 && self.inputs.iter().any(is_leaf)
    }

    /// The program has read a value of its result, or one that is made of that.
    pub(crate) fn mark_read(&self) {
        if self.fate.get() == NodeUse::Unused {
            self.fate.set(NodeUse::Read);
        }
    }

    /// Backward has come to it.
    pub(crate) fn mark_backward(&self) {
        if self.fate.replace(NodeUse::Backward) != NodeUse::Backward {
            at(self.line, |it| it.unused = it.unused.saturating_sub(1));
        }
    }

    /// Before it is dropped: what was read was made of its inputs. Whether one of them is a weight.
    pub(super) fn pass_on_use(&self) -> bool {
        if self.fate.get() != NodeUse::Read {
            return false;
        }
        for edge in self.inputs.iter().filter_map(|it| it.edge.as_ref()) {
            match edge {
                Edge::Node(node) => node.mark_read(),
                Edge::Leaf(_) => {}
            }
        }
        self.has_weight()
    }
}
