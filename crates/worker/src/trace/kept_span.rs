//! A span as it is kept while the program runs. It owns no text, so that an operation asks for no memory.

use super::span_name::SpanName;
use crate::device::Interval;
use crate::meta::Cost;
use warpup_protocol::{Lane, Span, WaitCause};

#[derive(Clone, Debug)]
pub(super) struct KeptSpan {
    pub(super) lane: Lane,
    pub(super) name: SpanName,
    pub(super) line: u32,
    pub(super) when: Interval,
    pub(super) cost: Cost,
    pub(super) cause: WaitCause,
}

impl KeptSpan {
    /// The spans of the protocol, in the order of start.
    pub(super) fn in_order(mut kept: Vec<Self>) -> Vec<Span> {
        kept.sort_by_key(|it| it.when.start_ns);
        kept.into_iter().map(Self::into_span).collect()
    }

    fn into_span(self) -> Span {
        Span {
            lane: self.lane,
            name: self.name.to_string(),
            line: self.line,
            start_ns: self.when.start_ns,
            end_ns: self.when.end_ns,
            bytes: self.cost.bytes,
            flops: self.cost.flops,
            cause: self.cause,
        }
    }
}
