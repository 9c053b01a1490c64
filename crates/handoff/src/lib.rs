//! The handoff checklist: what a learner's own runs and words show, and what is still missing.
//!
//! Pure: progress, a report of the doctor and the figures of a trace or a plan go in, a checklist and its markdown come out.

pub mod checklist;
mod explanations;
pub mod markdown;
mod model;
pub mod planned;
mod runs;
pub mod traced;

pub use model::{OwnRun, PlannedRun, TracedRun};
pub use runs::reads_metric;
