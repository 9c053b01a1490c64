//! What becomes of the nodes of graphs: how many are alive, of which lines, and which the program has read results of that no
//! backward came to.
//!
//! A node has no way to the engine of its run, and all nodes of a run belong to one thread, which counts them.

use super::graph::{Edge, Node, NodeUse};
use std::cell::{Cell, RefCell};

/// Lines beyond this share one entry.
const MAX_LINES: usize = 10_000;

thread_local! {
    static LINE: Cell<u32> = const { Cell::new(0) };
    static ALIVE: Cell<u64> = const { Cell::new(0) };
    static LINES: RefCell<Vec<LineNodes>> = const { RefCell::new(Vec::new()) };
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
}

/// The program is on this line.
pub(crate) fn reach(line: u32) {
    LINE.set(line);
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

/// The passes through weights of which the program read a result and that no backward came to, by line.
pub(crate) fn unused_passes() -> Vec<(usize, u64)> {
    LINES.with_borrow(|lines| {
        let passes = lines.iter().map(|it| it.unused_passes).enumerate();
        passes.filter(|(_, it)| *it > 0).collect()
    })
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
        let mut has_weight = false;
        // The norm of a weight is no pass through it.
        let has_data = self.inputs.len() > 1;
        for edge in self.inputs.iter().filter_map(|it| it.edge.as_ref()) {
            match edge {
                Edge::Node(node) => node.mark_read(),
                Edge::Leaf(_) => has_weight |= has_data,
            }
        }
        has_weight
    }
}
