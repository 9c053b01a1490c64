//! What a trace shows, as figures: one file a subject, and [`Analysis`] has them all.

mod copies;
mod device;
mod gaps;
mod kernels;
mod lanes;
mod lines;
mod loading;
mod memory;
mod operators;
mod queue;
mod rates;
mod recorded;
mod steps;
mod streams;
mod waits;
mod whole;

pub use copies::{Copies, Direction, HostMemory, SMALL_BYTES};
pub use device::Device;
pub use gaps::{AllGaps, Cause, Gap, Gaps};
pub use kernels::Kernel;
pub use lanes::LaneSummary;
pub use lines::Line;
pub use loading::Loading;
pub use memory::{Memory, Moment};
pub use operators::Operator;
pub use queue::Queue;
pub use rates::Rate;
pub use recorded::Recorded;
pub use steps::Step;
pub use streams::{IdleByReason, Stream};
pub use waits::{Reason, Wait};
pub use whole::Analysis;

#[cfg(test)]
mod tests;
