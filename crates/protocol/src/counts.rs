//! What a run did, counted by line, on every device in the same way: what checks of labs read, and `warpup run --json` prints.

use super::memory::Purposes;
use super::skip::is_default;
use super::wait::WaitCause;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a run did. Rows are in the order of lines, and one row has all that a line did of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunCounts {
    /// Operations on tensors that compute or write something; views do not. Their bytes are those that they read and write.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<Count<OperationKind>>,
    /// Calls that compute nothing by themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Count<CallKind>>,
    /// Copies between host and card, and reading values of a card is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<Count<CopyKind>>,
    /// Memory of tensors that was given out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allocations: Vec<Count<MemoryKind>>,
    /// Host memory that was page-locked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pinned: Vec<Count<MemoryKind>>,
    /// Batches that loaders gave to the line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub batches: Vec<Count<BatchKind>>,
    /// Seeds of PyTorch's generators.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<Count<Seed>>,
    /// Streams that were told to wait for an event of another one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stream_waits: Vec<Count<StreamOrder>>,
    /// Memory that a line used before queued work was done with it, by the times of a modelled card.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hazards: Vec<Count<EarlyUse>>,
    /// Bytes that tensors hold at the end, by purpose: on the card, or on the host in a run without one.
    #[serde(skip_serializing_if = "is_default")]
    pub held: Purposes,
}

/// How often a line did something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count<K> {
    /// The line, from 1; 0 if the program has no such line.
    pub line: u32,
    /// What.
    #[serde(flatten)]
    pub kind: K,
    /// How often.
    pub times: u64,
    /// The bytes of all of them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bytes: u64,
}

/// Where a tensor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The host's memory.
    Cpu,
    /// The card's.
    Cuda,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OperationKind {
    /// Its name, as in the timeline: `matmul`, `addmm`, `relu`.
    pub name: Cow<'static, str>,
    /// Where it ran.
    pub device: Side,
    /// Whether `backward()` asked for it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub in_backward: bool,
}

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallKind {
    /// Which.
    pub call: Call,
}

/// Calls that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// A `torch.nn.Module`, inner ones, too.
    Module,
    /// `backward()`, or `torch.autograd.grad`.
    Backward,
    /// `step()` of an optimizer.
    Step,
    /// `zero_grad()` of an optimizer.
    ZeroGrad,
    /// `torch.cuda.synchronize()`, whether there was something to wait for or not.
    Synchronize,
    /// `Event.synchronize()`.
    SynchronizeEvent,
    /// `Stream.synchronize()`.
    SynchronizeStream,
    /// `Event.record()`, and what records one.
    RecordEvent,
    /// `to(device)`, `cuda()`, `cpu()`: also one that returns the tensor itself, since it is there already.
    ToDevice,
    /// `torch.cuda.empty_cache()`.
    EmptyCache,
}

/// A copy between host and card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CopyKind {
    /// Where to.
    pub to: Side,
    /// Whether the host's memory is page-locked.
    pub is_pinned: bool,
    /// Whether the program asked not to wait (`non_blocking=True`).
    pub is_non_blocking: bool,
    /// What asked for it.
    pub cause: WaitCause,
}

/// Memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemoryKind {
    /// Whose.
    pub device: Side,
}

/// A batch of a loader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BatchKind {
    /// The loader's workers; 0 if the program makes its batches itself.
    pub workers: u32,
    /// Whether the loader pins batches.
    pub is_pinned: bool,
}

/// A seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seed {
    /// Its number.
    pub seed: i64,
}

/// A stream waits for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StreamOrder {
    /// The number of the stream that waits; 0 is the default stream.
    pub stream: u32,
    /// The number of the stream that has the event.
    pub behind: u32,
    /// The line that recorded the event.
    pub behind_line: u32,
}

/// A use of memory that came too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EarlyUse {
    /// What.
    pub hazard: HazardKind,
    /// The line that had queued the work.
    pub queued_line: u32,
}

/// What a program can do before queued work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HazardKind {
    /// The host read memory that a copy fills.
    ReadBeforeFill,
    /// The host wrote to memory that a copy fills.
    WriteBeforeFill,
    /// The host wrote to memory that a copy reads.
    WriteBeforeRead,
    /// A stream read what another one writes.
    OtherStream,
}
