//! Bounds on all times and all bytes of a trace together, so that no sum of them overflows.

use super::batch::Batch;
use super::event::EventDetails;
use super::read_error::ReadError;

/// The most nanoseconds: 36 years, between the first moment and the last, and of all events together.
const MAX_NS: i64 = i64::MAX / 8;

/// The most bytes that allocations and copies have together, and that an allocator can hold: an exbibyte.
const MAX_BYTES: u64 = 1 << 60;

/// What there is so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OverflowGuard {
    /// The first and the last moment.
    span: Option<(i64, i64)>,
    ns: i64,
    bytes: u64,
}

impl OverflowGuard {
    /// Adds a piece; refuses it if there is too much of anything.
    pub(super) fn add(&mut self, batch: &Batch) -> Result<(), ReadError> {
        for it in &batch.events {
            let end_ns = it.start_ns.saturating_add(it.duration_ns);
            let (first, last) = self.span.unwrap_or((it.start_ns, end_ns));
            self.span = Some((first.min(it.start_ns), last.max(end_ns)));
            self.ns = self.ns.saturating_add(it.duration_ns);
        }
        for it in &batch.details {
            let (bytes, held) = match *it {
                EventDetails::Copy { bytes } | EventDetails::Exchange { bytes, .. } => (bytes, 0),
                EventDetails::Memory {
                    bytes,
                    allocated,
                    reserved,
                    ..
                } => (bytes.unsigned_abs(), allocated.max(reserved)),
                EventDetails::Operator { .. }
                | EventDetails::Python { .. }
                | EventDetails::Kernel { .. } => {
                    continue;
                }
            };
            self.bytes = self.bytes.saturating_add(bytes).max(held);
        }
        let (first, last) = self.span.unwrap_or_default();
        if last.saturating_sub(first) > MAX_NS || self.ns > MAX_NS {
            let what = "its times are more than 36 years".to_owned();
            return Err(ReadError::too_much(batch.end, what));
        }
        if self.bytes > MAX_BYTES {
            let what = "its copies and allocations are more than an exbibyte".to_owned();
            return Err(ReadError::too_much(batch.end, what));
        }
        Ok(())
    }
}
