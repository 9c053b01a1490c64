//! What a run has done, line by line and span by span. Reads no clock: each call is given its times.

mod gaps;
mod host_work;
mod kept_span;
mod line_totals;
mod pending;
mod profile;
mod recorder;
#[cfg(test)]
mod recorder_tests;
mod span_name;

pub(crate) use line_totals::Clocks;
pub(crate) use recorder::{Activity, Recorder};
pub(crate) use span_name::SpanName;
