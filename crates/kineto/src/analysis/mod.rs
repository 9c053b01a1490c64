//! What a trace shows, as figures: one file a subject, and [`Analysis`] has them all.

mod complete;
mod copies;
mod data_loading;
mod device;
mod exchange;
mod file_figures;
mod gap_causes;
mod gaps;
mod kernels;
mod lanes;
mod late_functions;
mod lines;
mod memory;
mod memory_holders;
mod operators;
mod queue;
mod rates;
mod steps;
mod streams;
mod waits;

pub use complete::Analysis;
pub use copies::{Copies, CopyDirection, HostMemory};
pub use data_loading::DataLoading;
pub use device::Device;
pub use exchange::{Collective, Exchange};
pub use file_figures::FileFigures;
pub use gap_causes::{AllGaps, Cause, Gap, Gaps, LateFunction};
pub use kernels::KernelSummary;
pub use lanes::LaneSummary;
pub use lines::{LineCost, LineSummary};
pub use memory::{Memory, Moment};
pub use memory_holders::MemoryHolder;
pub use operators::Operator;
pub use queue::Queue;
pub use rates::Rate;
pub use steps::Step;
pub use streams::{IdleByReason, Stream};
pub use waits::Wait;

#[cfg(test)]
mod memory_tests;
#[cfg(test)]
mod tests;
