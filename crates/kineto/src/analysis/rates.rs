//! Arithmetic and bytes a second of operators whose cost follows from their shapes.

use crate::card_peaks;
use crate::event::{Event, EventDetails, EventKind};
use crate::index::TraceIndex;
use crate::names::NameId;
use crate::operator_cost::{self, OperatorCost};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Rows that are kept, those that take most.
const ROWS: usize = 40;

/// All calls of an operator with the same shapes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// Its name.
    pub operator: String,
    /// `Input Dims`, as PyTorch writes them.
    pub dims: String,
    /// The type of its first input.
    pub element: String,
    /// How many calls.
    pub count: u64,
    /// The time: of their kernels, or on the host where the trace has no device.
    pub ns: i64,
    /// Floating-point operations a second; none where only bytes count.
    pub flops_per_second: Option<f64>,
    /// Bytes a second that have to be moved at least; none where that is more than the card's memory gives, so that they came from a
    /// cache.
    pub bytes_per_second: Option<f64>,
    /// Floating-point operations for each byte; none where only bytes count.
    pub intensity: Option<f64>,
}

/// What calls with the same name and shapes have in common.
type ShapeKey = (NameId, NameId, NameId, NameId);

/// The rates, for the operators that take most first.
pub(super) fn of(index: &TraceIndex<'_>) -> Vec<Rate> {
    let mut costs: FxHashMap<ShapeKey, Option<OperatorCost>> = FxHashMap::default();
    let mut times: FxHashMap<ShapeKey, (u64, i64)> = FxHashMap::default();
    let device_ns = device_times(index);
    for (number, event) in index.trace.events.iter().enumerate() {
        let Some(key) = key(index, event) else {
            continue;
        };
        let cost = costs.entry(key).or_insert_with(|| {
            let [name, dims, types, values] = texts(index, key);
            operator_cost::cost(name, dims, types, values)
        });
        if cost.is_none() {
            continue;
        }
        let ns = if index.work.is_empty() {
            event.duration_ns
        } else {
            device_ns.get(&number).copied().unwrap_or(0)
        };
        if ns > 0 {
            let sum = times.entry(key).or_default();
            *sum = (sum.0 + 1, sum.1 + ns);
        }
    }
    let mut sorted: Vec<(ShapeKey, (u64, i64))> = times.into_iter().collect();
    sorted.sort_by_key(|it| (std::cmp::Reverse(it.1.1), it.0));
    sorted.truncate(ROWS);
    let card = index.trace.about.devices.first();
    let most = card.and_then(|it| card_peaks::of(it)).map(|it| it.memory);
    let rows = sorted.into_iter().filter_map(|(key, (count, ns))| {
        let cost = (*costs.get(&key)?)?;
        let [name, dims, types, _] = texts(index, key);
        let seconds = ns as f64 / 1e9 / count as f64;
        let has_flops = cost.flops > 0.0;
        Some(Rate {
            operator: name.to_owned(),
            dims: operator_cost::one_line(dims),
            element: first_type(types),
            count,
            ns,
            flops_per_second: has_flops.then(|| cost.flops / seconds),
            bytes_per_second: Some(cost.bytes / seconds)
                .filter(|it| most.is_none_or(|most| *it <= most)),
            intensity: has_flops.then(|| cost.flops / cost.bytes),
        })
    });
    rows.collect()
}

fn key(index: &TraceIndex<'_>, event: &Event) -> Option<ShapeKey> {
    if event.kind != EventKind::Operator {
        return None;
    }
    match index.trace.details(event)? {
        EventDetails::Operator {
            dims,
            types,
            values,
            ..
        } if dims != NameId::EMPTY => Some((event.name, dims, types, values)),
        EventDetails::Operator { .. }
        | EventDetails::Python { .. }
        | EventDetails::Copy { .. }
        | EventDetails::Kernel { .. }
        | EventDetails::Exchange { .. }
        | EventDetails::Memory { .. } => None,
    }
}

fn texts<'a>(index: &TraceIndex<'a>, key: ShapeKey) -> [&'a str; 4] {
    let trace = index.trace;
    [key.0, key.1, key.2, key.3].map(|it| trace.name(it))
}

fn first_type(types: &str) -> String {
    let types: Vec<String> = serde_json::from_str(types).unwrap_or_default();
    types.into_iter().next().unwrap_or_default()
}

/// Device time of the kernels of each call of an operator, with those of what it calls.
fn device_times(index: &TraceIndex<'_>) -> FxHashMap<usize, i64> {
    let mut times: FxHashMap<usize, i64> = FxHashMap::default();
    for work in index
        .work
        .iter()
        .filter(|it| it.event.kind == EventKind::Kernel)
    {
        let Some(launch) = work.launch else {
            continue;
        };
        for around in index.nest.ancestors(launch) {
            if index
                .event(around)
                .is_some_and(|it| it.kind == EventKind::Operator)
            {
                *times.entry(around).or_default() += work.event.duration_ns;
            }
        }
    }
    times
}
