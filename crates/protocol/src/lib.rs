//! The messages between the app and a lab worker, and nothing else.
//!
//! One JSON object a line in both directions ([`frame`]). The first request is always
//! [`Request::Hello`]; it is the only one that every version understands. Replies carry the number of
//! the run they belong to, so a late one can never change a newer run. The golden lines in
//! `tests/fixtures/protocol/v1/` show every message; a change of format is a change there. What an older
//! side can leave out or never asks for, such as plots, may be added within a version.

mod attempt;
mod contention;
mod counts;
mod cut;
mod device;
mod device_times;
mod facts;
pub mod frame;
mod host_range;
mod lane;
mod memory;
mod number;
mod ordinal;
mod plot;
mod probe;
mod reply;
mod report;
mod request;
mod skip;
mod span;
mod wait;

pub use attempt::{Attempt, AttemptResult, ForbiddenAction};
pub use contention::Contention;
pub use counts::{
    BatchKind, Call, CallKind, CopyKind, Count, EarlyUse, HazardKind, MemoryKind, OperationKind,
    RunCounts, Seed, Side, StreamOrder,
};
pub use cut::cut;
pub use device::{Clock, DeviceInfo, DeviceName, RealCard, UnknownDevice};
pub use device_times::{CudnnUse, DeviceTimer, DeviceTimes, HostWork, HostWorkKind};
pub use facts::{ClockTotal, CopyTotal, GraphGrowth, LineFacts, OptimizerSteps, ProgramFacts};
pub use host_range::{HostEnd, HostRange};
pub use lane::Lane;
pub use memory::{KeptWorkspaces, Memory, Moment, Overflow, Purpose, Purposes, WorkspaceBound};
pub use ordinal::ordinal;
pub use plot::{LogAxes, MAX_BARS, MAX_POINTS, MAX_SERIES, Plot, PlotSource, Series};
pub use probe::{Built, Probe, ProbeStep, ProbedCard, StepKind, StepResult};
pub use reply::{Check, Metric, Reply, Standard};
pub use report::{
    Busy, FirstUse, Gaps, Idle, LineTime, MissingValues, NotComputed, Outcome, ProfilerReport,
    Reason, Report, UncaughtException, Wait,
};
pub use request::{
    Aim, DataFile, LAB_MEMORY, Limits, ModuleFile, ProgramFolders, Request, RunId, RunRequest,
};
pub use span::Span;
pub use wait::WaitCause;

/// The version of the messages in this module.
pub const VERSION: u32 = 1;

/// The limit on the address space of a worker without CUDA, in bytes; CUDA reserves far more.
pub const HOST_MEMORY: u64 = 12 << 30;

/// The argument of the worker for cards with those that it may use: their UUIDs with commas between them.
pub const CARDS: &str = "--cards=";
