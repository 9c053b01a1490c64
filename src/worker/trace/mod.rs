//! What a run has done, line by line and span by span. Reads no clock: each call is given its times.

mod gaps;
mod line_totals;
mod profile;
mod recorder;

pub(in crate::worker) use line_totals::Clocks;
pub(in crate::worker) use recorder::{Activity, Recorder};
