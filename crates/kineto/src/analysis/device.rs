//! What all devices of a trace did together: busy, idle, and what ran beside what.

use crate::event::{Event, EventDetails, EventKind};
use crate::exchange_kernels;
use crate::index::{TraceIndex, interval};
use crate::intervals::IntervalSet;
use crate::names::NameSelection;
use serde::Serialize;

/// Device time from the first work to the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Device {
    /// From the beginning of the first work to the end of the last.
    pub span_ns: i64,
    /// For how long any stream worked.
    pub busy_ns: i64,
    /// For how long none did.
    pub idle_ns: i64,
    /// For how long any kernel computed.
    pub compute_ns: i64,
    /// For how long ranks exchanged data: kernels of NCCL, RCCL and others.
    pub communication_ns: i64,
    /// For how long anything was copied or filled.
    pub copy_ns: i64,
    /// For how long ranks exchanged data while a kernel computed.
    pub communication_beside_compute_ns: i64,
    /// For how long anything was copied or filled while a kernel computed.
    pub copy_beside_compute_ns: i64,
}

/// When kernels compute, when ranks exchange data, and when something is copied or filled.
pub(super) struct DeviceTimes {
    pub(super) compute: IntervalSet,
    communication: IntervalSet,
    copies: IntervalSet,
    /// The kernels that exchange, by their names.
    pub(super) are_exchange: NameSelection,
}

/// What the devices did; `None` where the trace has no work of a device.
pub(super) fn of(index: &TraceIndex<'_>, times: &DeviceTimes) -> Option<Device> {
    if index.work.is_empty() {
        return None;
    }
    let busy = &index.busy;
    let DeviceTimes {
        compute,
        communication,
        copies,
        are_exchange: _,
    } = times;
    let span_ns = busy.span().length();
    Some(Device {
        span_ns,
        busy_ns: busy.length(),
        idle_ns: span_ns - busy.length(),
        compute_ns: compute.length(),
        communication_ns: communication.length(),
        copy_ns: copies.length(),
        communication_beside_compute_ns: communication.overlap(compute),
        copy_beside_compute_ns: copies.overlap(compute),
    })
}

impl DeviceTimes {
    /// The times of a trace.
    pub(super) fn of(index: &TraceIndex<'_>) -> Self {
        let of = |is_meant: &dyn Fn(&Event) -> bool| {
            let meant = index.work.iter().filter(|it| is_meant(it.event));
            IntervalSet::of(meant.map(|it| interval(it.event)))
        };
        let are_exchange = exchange_kernels::of(&index.trace.names);
        let exchanges = |it: &Event| are_exchange.has(it.name) || is_told(index, it);
        Self {
            compute: of(&|it| it.kind == EventKind::Kernel && !exchanges(it)),
            communication: of(&|it| it.kind == EventKind::Kernel && exchanges(it)),
            copies: of(&|it| matches!(it.kind, EventKind::Copy | EventKind::Fill)),
            are_exchange,
        }
    }
}

/// Whether the trace says what a kernel exchanges.
fn is_told(index: &TraceIndex<'_>, event: &Event) -> bool {
    matches!(
        index.trace.details(event),
        Some(EventDetails::Exchange { .. })
    )
}
