//! What a run counted of its program, line by line: facts, of which `warpup-lab` makes findings. They judge nothing.

use super::lane::Lane;
use super::skip::is_default;
use serde::{Deserialize, Serialize};

/// What a run counted. Numbers are those of the whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFacts {
    /// The steps of the optimizer that took the first one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub steps: OptimizerSteps,
    /// What happened on each line that has any of it, in the order of lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineFacts>,
    /// Copies between host and card that the program asked for, by line and kind; with steps, from the first on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopyTotal>,
    /// Times between two readings of a clock, by their lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<ClockTotal>,
    /// The graphs for backward that were alive from step to step, or from one call of a module to the next without steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graphs: Option<GraphGrowth>,
}

/// The steps of an optimizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptimizerSteps {
    /// How many.
    pub count: u64,
    /// When the first began, on the host's clock.
    pub first_ns: u64,
    /// When the last began.
    pub last_ns: u64,
    /// How long code was compiled between the two.
    #[serde(default, skip_serializing_if = "is_default")]
    pub compiling_ns: u64,
}

/// What one line of the program did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LineFacts {
    /// The line, from 1.
    pub line: u32,
    /// Kernels that it launched.
    #[serde(skip_serializing_if = "is_default")]
    pub kernels: u64,
    /// Device time of those whose time was known at once, as on a modelled card.
    #[serde(skip_serializing_if = "is_default")]
    pub kernel_ns: u64,
    /// Kernels that computed in `float64`.
    #[serde(skip_serializing_if = "is_default")]
    pub double_kernels: u64,
    /// Their device time.
    #[serde(skip_serializing_if = "is_default")]
    pub double_ns: u64,
    /// In how many steps it launched such a kernel.
    #[serde(skip_serializing_if = "is_default")]
    pub double_steps: u64,
    /// Matrix products for tensor cores whose rows in memory are no multiple of 16 bytes.
    #[serde(skip_serializing_if = "is_default")]
    pub odd_products: u64,
    /// Their device time.
    #[serde(skip_serializing_if = "is_default")]
    pub odd_product_ns: u64,
    /// Rows, columns and inner size of the one that took longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odd_product: Option<[u64; 3]>,
    /// Copies on the card that put elements which require no gradient into row-major order.
    #[serde(skip_serializing_if = "is_default")]
    pub reorders: u64,
    /// Their device time.
    #[serde(skip_serializing_if = "is_default")]
    pub reorder_ns: u64,
    /// Bytes of the elements.
    #[serde(skip_serializing_if = "is_default")]
    pub reorder_bytes: u64,
    /// Operations on tensors of the host after the first step, in a run with a card, outside of loaders; those on a few numbers do
    /// not count.
    #[serde(skip_serializing_if = "is_default")]
    pub host_operations: u64,
    /// Their time.
    #[serde(skip_serializing_if = "is_default")]
    pub host_operation_ns: u64,
    /// Operations on the host that recorded a graph for backward after the first step, in a run with a card.
    #[serde(skip_serializing_if = "is_default")]
    pub host_nodes: u64,
    /// Batches that a loader without workers made for it.
    #[serde(skip_serializing_if = "is_default")]
    pub batches: u64,
    /// The host's time for them.
    #[serde(skip_serializing_if = "is_default")]
    pub batch_ns: u64,
    /// How long the device had nothing to do meanwhile.
    #[serde(skip_serializing_if = "is_default")]
    pub batch_idle_ns: u64,
    /// Calls of `pin_memory()`, outside of loaders.
    #[serde(skip_serializing_if = "is_default")]
    pub pins: u64,
    /// The host's time for them.
    #[serde(skip_serializing_if = "is_default")]
    pub pin_ns: u64,
    /// Calls of `empty_cache()`.
    #[serde(skip_serializing_if = "is_default")]
    pub emptied: u64,
    /// How long code was compiled that it called.
    #[serde(skip_serializing_if = "is_default")]
    pub compile_ns: u64,
    /// How often code was compiled that it had called before.
    #[serde(skip_serializing_if = "is_default")]
    pub recompiles: u64,
    /// How long that took.
    #[serde(skip_serializing_if = "is_default")]
    pub recompile_ns: u64,
    /// Calls of `backward()`.
    #[serde(skip_serializing_if = "is_default")]
    pub backward: u64,
    /// Of those: they added to gradients that a step had used, which the next step used again.
    #[serde(skip_serializing_if = "is_default")]
    pub uncleared: u64,
    /// Of those: they added the whole mean of a batch to gradients that no step had used yet.
    #[serde(skip_serializing_if = "is_default")]
    pub undivided: u64,
    /// Graphs through weights that ended here: the program read a value of them, and no backward came to them.
    #[serde(skip_serializing_if = "is_default")]
    pub unused_passes: u64,
    /// Passes without gradients in which a dropout or batch norm of this line was in training mode, and of which the program computed
    /// a loss or read a value.
    #[serde(skip_serializing_if = "is_default")]
    pub training_passes: u64,
}

/// Copies of one line and one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyTotal {
    /// The line.
    pub line: u32,
    /// Which way.
    pub lane: Lane,
    /// Whether the host's memory is page-locked.
    pub is_pinned: bool,
    /// Whether the program asked not to wait (`non_blocking=True`).
    pub is_non_blocking: bool,
    /// How many.
    pub times: u64,
    /// How much.
    pub bytes: u64,
    /// Device time.
    pub ns: u64,
}

/// The times from one reading of a clock to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockTotal {
    /// The line of the first reading.
    pub from_line: u32,
    /// The line of the second.
    pub line: u32,
    /// How often.
    pub times: u64,
    /// All of them.
    pub ns: u64,
    /// The first.
    pub first_ns: u64,
    /// What the first use of the card and the start of its libraries took within them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub starting_ns: u64,
    /// Kernels and copies that were queued within them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub queued: u64,
    /// How often some of that was not done at the second reading.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unfinished: u64,
    /// How long that took the device after the readings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unfinished_ns: u64,
}

/// Nodes of graphs that are alive, from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphGrowth {
    /// How often the nodes were counted.
    pub counts: u64,
    /// The largest number of counts in a row of which each had more than the one before.
    pub in_a_row: u64,
    /// How many more nodes the last of these had than the first.
    pub nodes: u64,
    /// The line of the newest node that is kept from step to step.
    pub line: u32,
}
