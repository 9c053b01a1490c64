//! What a trace says about a training loop: one sentence each, with its number, its place, and what to try first.
//!
//! Thresholds are conservative: a loop that keeps its device busy has no finding. Each file has those of one subject.

mod copying;
mod device_starvation;
mod exchange;
mod headline;
mod not_recorded;
mod nothing_found;
mod over_steps;
mod per_step;
mod report;
mod waiting;

pub use headline::headline;
pub use over_steps::SLOW_FIRST_STEP;
pub use report::FindingsReport;

#[cfg(test)]
mod cause_tests;
#[cfg(test)]
mod tests;
