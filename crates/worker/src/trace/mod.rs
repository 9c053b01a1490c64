//! What a run has done, line by line and span by span. Reads no clock: each call is given its times.

mod gaps;
mod line_totals;
mod profile;
mod recorder;

pub(crate) use line_totals::Clocks;
pub(crate) use recorder::{Activity, Recorder};
