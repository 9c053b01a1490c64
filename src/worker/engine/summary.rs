//! Times and memory of a program, as the engine knew them when it ended.

use crate::protocol::{Busy, Gaps, LineTime, Memory, Span};

#[derive(Clone, Debug)]
pub(crate) struct Summary {
    /// From its start to its end on the host's clock.
    pub(crate) host_ns: u64,
    /// Time the device has worked; nothing without one.
    pub(crate) device_ns: Option<u64>,
    pub(crate) lines: Vec<LineTime>,
    /// What was done, in order of its start.
    pub(crate) spans: Vec<Span>,
    pub(crate) spans_dropped: u64,
    /// Where host and device waited for each other; nothing without a device apart.
    pub(crate) gaps: Option<Gaps>,
    /// Memory of the card, or of the host without one.
    pub(crate) memory: Memory,
    /// What a modelled card's time was spent on.
    pub(crate) busy: Option<Busy>,
    /// Lines that read a value which was not computed.
    pub(crate) unknown_read: Vec<u32>,
}
