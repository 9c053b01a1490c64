//! Time by kernel.

use crate::event::{EventDetails, EventKind};
use crate::index::TraceIndex;
use crate::names::NameId;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// All runs of a kernel, or of a kind of copy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelSummary {
    /// Its name.
    pub name: String,
    /// Whether it computes.
    pub kind: EventKind,
    /// How often it ran.
    pub count: u64,
    /// Device time of all runs.
    pub total_ns: i64,
    /// The shortest run.
    pub shortest_ns: i64,
    /// The longest run.
    pub longest_ns: i64,
    /// Estimated occupancy in percent, weighted by time, where the trace has it.
    pub occupancy_percent: Option<f64>,
    /// The operator that launched most of its time, where the trace shows it.
    pub operator: Option<String>,
}

#[derive(Default)]
struct KernelTotals {
    kind: Option<EventKind>,
    count: u64,
    total_ns: i64,
    shortest_ns: i64,
    longest_ns: i64,
    /// Percent times nanoseconds, and the nanoseconds for which it is known.
    occupancy: (f64, f64),
    operators: FxHashMap<NameId, i64>,
}

/// The kernels and kinds of copies, those that take most first.
pub(super) fn of(index: &TraceIndex<'_>) -> Vec<KernelSummary> {
    let mut sums: FxHashMap<NameId, KernelTotals> = FxHashMap::default();
    for work in &index.work {
        let event = work.event;
        let sum = sums.entry(event.name).or_default();
        let ns = event.duration_ns;
        sum.shortest_ns = if sum.count == 0 {
            ns
        } else {
            sum.shortest_ns.min(ns)
        };
        sum.longest_ns = sum.longest_ns.max(ns);
        sum.kind = Some(event.kind);
        sum.count += 1;
        sum.total_ns += ns;
        if let Some(EventDetails::Kernel { occupancy }) = index.trace.details(event)
            && occupancy <= 100
        {
            sum.occupancy.0 += f64::from(occupancy) * ns as f64;
            sum.occupancy.1 += ns as f64;
        }
        if let Some(operator) = work.launch.and_then(|it| index.operator(it)) {
            *sum.operators.entry(operator.name).or_default() += ns;
        }
    }
    let rows = sums.into_iter().map(|(name, sum)| {
        let most = sum.operators.iter().max_by_key(|it| (*it.1, *it.0));
        KernelSummary {
            name: index.trace.name(name).to_owned(),
            kind: sum.kind.unwrap_or(EventKind::Kernel),
            count: sum.count,
            total_ns: sum.total_ns,
            shortest_ns: sum.shortest_ns,
            longest_ns: sum.longest_ns,
            occupancy_percent: (sum.occupancy.1 > 0.0).then(|| sum.occupancy.0 / sum.occupancy.1),
            operator: most.map(|it| index.trace.name(*it.0).to_owned()),
        }
    });
    let mut rows: Vec<KernelSummary> = rows.collect();
    rows.sort_by(|a, b| {
        b.total_ns
            .cmp(&a.total_ns)
            .then_with(|| a.name.cmp(&b.name))
    });
    rows
}
