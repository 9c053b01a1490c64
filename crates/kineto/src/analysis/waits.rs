//! Calls in which the host waits for the device, by what asked for them.

use crate::event::{Event, EventKind};
use crate::index::TraceIndex;
use crate::runtime_calls::RuntimeCall;
use crate::source_lines::SourceLines;
use crate::trace::LaneKind;
use serde::Serialize;
use std::collections::BTreeMap;
use warpup_lab::findings::WaitReason;

/// Waits for the same reason, on the same line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wait {
    /// What asked for them.
    pub reason: WaitReason,
    /// The call, such as `cudaStreamSynchronize`.
    pub call: String,
    /// The outermost operator around it; none where the program itself called.
    pub operator: Option<String>,
    /// The line, where the trace shows it.
    pub line: Option<String>,
    /// How often.
    pub count: u64,
    /// How long the host waited.
    pub host_ns: i64,
}

/// A call that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct WaitingCall<'a> {
    pub(super) number: usize,
    pub(super) event: &'a Event,
    pub(super) reason: WaitReason,
}

/// The calls that wait, in the order in which they end, without those of the profiler itself: before it ends, it waits for the
/// device. That is after the last step; without steps, it is taken to be after the last launch.
pub(super) fn calls<'a>(index: &TraceIndex<'a>) -> Vec<WaitingCall<'a>> {
    let mut calls = Vec::new();
    let launches = index.work.iter().filter_map(|it| index.launch(it));
    let last_launch = launches.map(|it| it.start_ns).max();
    let last_step = index.steps.last().filter(|it| it.is_marked);
    let last_ns = last_step.map(|it| it.interval.end_ns).or(last_launch);
    let is_last = |it: &Event| last_ns.is_none_or(|last| it.start_ns > last);
    for (_, lane, events) in index.trace.lanes_of(LaneKind::Host) {
        let mut copy: Option<(usize, &Event)> = None;
        for (number, event) in (lane.events.start..).zip(events) {
            if event.kind != EventKind::Runtime {
                continue;
            }
            match index.call(event) {
                RuntimeCall::Copy => copy = Some((number, event)),
                RuntimeCall::Synchronize | RuntimeCall::CopyAndWait => {
                    let own =
                        (index.call(event) == RuntimeCall::CopyAndWait).then_some((number, event));
                    let reason = reason(index, number, own.or(copy));
                    copy = None;
                    if reason != WaitReason::Synchronize || !is_last(event) {
                        calls.push(WaitingCall {
                            number,
                            event,
                            reason,
                        });
                    }
                }
                RuntimeCall::Launch
                | RuntimeCall::GraphLaunch
                | RuntimeCall::Fill
                | RuntimeCall::Allocate
                | RuntimeCall::Create
                | RuntimeCall::Other => {}
            }
        }
    }
    calls.sort_by_key(|it| it.event.end_ns());
    calls
}

/// The waits in the steps, the longest first.
pub(super) fn of(
    index: &TraceIndex<'_>,
    calls: &[WaitingCall<'_>],
    sources: &SourceLines,
) -> Vec<Wait> {
    let mut waits: BTreeMap<_, Wait> = BTreeMap::new();
    for it in calls.iter().filter(|it| index.is_in_step(it.event)) {
        let line = sources.line(index, it.number);
        let operator = outermost_operator(index, it.number).map(|it| it.name);
        let wait = waits
            .entry((it.reason, it.event.name, operator, line))
            .or_insert_with(|| Wait {
                reason: it.reason,
                call: index.trace.name(it.event.name).to_owned(),
                operator: operator.map(|it| index.trace.name(it).to_owned()),
                line: line.map(|it| sources.text(it).to_owned()),
                count: 0,
                host_ns: 0,
            });
        wait.count += 1;
        wait.host_ns += it.event.duration_ns;
    }
    let mut waits: Vec<Wait> = waits.into_values().collect();
    waits.sort_by_key(|it| std::cmp::Reverse(it.host_ns));
    waits
}

fn outermost_operator<'a>(index: &TraceIndex<'a>, number: usize) -> Option<&'a Event> {
    let around = index
        .nest
        .ancestors(number)
        .filter_map(|it| index.event(it));
    around.filter(|it| it.kind == EventKind::Operator).last()
}

/// What asked for a wait: the operators around the call say it, or the copy that was queued just before.
fn reason(index: &TraceIndex<'_>, number: usize, copy: Option<(usize, &Event)>) -> WaitReason {
    let mut found = None;
    let mut has_operator = false;
    for around in index.nest.ancestors(number) {
        let Some(event) = index
            .event(around)
            .filter(|it| it.kind == EventKind::Operator)
        else {
            continue;
        };
        has_operator = true;
        found = match index.trace.name(event.name) {
            "aten::item" | "aten::_local_scalar_dense" => found.or(Some(WaitReason::Item)),
            "aten::is_nonzero" => Some(WaitReason::Branch),
            "aten::nonzero"
            | "aten::masked_select"
            | "aten::_unique2"
            | "aten::unique_dim"
            | "aten::unique_consecutive"
            | "aten::repeat_interleave" => Some(WaitReason::Shape),
            "aten::equal" | "aten::allclose" => Some(WaitReason::Compare),
            _ => found,
        };
    }
    if let Some(reason) = found {
        return reason;
    }
    if !has_operator {
        return WaitReason::Synchronize;
    }
    // A copy of another operator, however long ago, has nothing to do with this wait.
    let operator = |it: usize| index.operator(it).map(std::ptr::from_ref);
    let copy = copy.filter(|it| operator(it.0) == operator(number));
    match copy.and_then(|(number, _)| direction_of(index, number)) {
        Some(true) => WaitReason::CopyToHost,
        Some(false) => WaitReason::CopyToDevice,
        None => WaitReason::Operator,
    }
}

/// Whether the copy that a call queued goes to the host.
fn direction_of(index: &TraceIndex<'_>, call: usize) -> Option<bool> {
    let correlation = index.event(call)?.correlation;
    let copy = index.copies.get(&correlation)?;
    let name = index.trace.name(copy.name);
    if name.contains("DtoH") {
        Some(true)
    } else {
        name.contains("HtoD").then_some(false)
    }
}
