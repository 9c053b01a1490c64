//! What a trace or a run says about a program: one sentence each, with its number, its place, and what to try first.
//!
//! Thresholds are conservative: a sound program has no finding. Pure. [`of_run`] has those of a run; those of a recorded trace are in
//! `warpup-kineto`, which takes from here what both have in common.

mod copying;
mod finding;
mod launching;
mod loading;
mod page;
mod run;
mod scale;
mod waiting;

pub use copying::{CopyCost, MANY_COPIES, SMALL_BYTES, pageable_copies, small_copies};
pub use finding::{Evidence, Finding, PLACE_NS};
pub use launching::{LAUNCH_BOUND, LaunchCost, launch_bound};
pub use loading::{LoadingCost, loader_bound};
pub use page::Page;
pub use run::{ProgramKind, of_run, steps_of};
pub use scale::{Scale, counted, duration, times};
pub use waiting::{WaitCost, WaitReason, wait};
