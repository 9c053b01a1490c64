//! The handoff checklist: what a learner's own runs and words show, and what is still missing.
//!
//! Pure: progress and a report of the doctor go in, a checklist and its markdown come out.

pub(crate) mod checklist;
mod explanations;
pub(crate) mod markdown;
mod model;
mod runs;
