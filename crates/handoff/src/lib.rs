//! The handoff checklist: what a learner's own runs and words show, and what is still missing.
//!
//! Pure: progress, a report of the doctor and the figures of a trace go in, a checklist and its markdown come out.

pub mod checklist;
mod explanations;
pub mod markdown;
mod model;
mod runs;
pub mod traced;

pub use model::TracedRun;
