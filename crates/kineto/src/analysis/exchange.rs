//! Exchange between ranks in the steps: how long, what, and how much of it has no other kernel beside it.

use super::device::DeviceTimes;
use crate::card_peaks;
use crate::event::{EventDetails, EventKind};
use crate::exchange_kernels::{self, GLOO};
use crate::index::{TraceIndex, interval};
use crate::intervals::{Interval, IntervalSet};
use crate::trace::LaneKind;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Calls that are kept to be compared with those of other ranks.
const CALLS: usize = 100_000;

/// What ranks exchange in the steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Exchange {
    /// For how long anything was exchanged.
    pub ns: i64,
    /// For how long meanwhile no other kernel ran.
    pub alone_ns: i64,
    /// By collective, what takes longest alone first.
    pub collectives: Vec<Collective>,
    /// Bytes a second that the card can send to others in the same machine, if its name says it: a figure of its data sheet.
    pub link_bytes_per_second: Option<f64>,
    /// How long each call took, in the order of time: compared with other ranks, they say who comes late.
    #[serde(skip)]
    pub calls: Vec<i64>,
}

/// All calls of a collective.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Collective {
    /// As PyTorch calls it; where the trace does not say, the kernel.
    pub name: String,
    /// How many.
    pub count: u64,
    /// How long they took.
    pub ns: i64,
    /// For how long meanwhile no other kernel ran.
    pub alone_ns: i64,
    /// Bytes of all elements; 0 where the trace does not say.
    pub bytes: u64,
    /// How many ranks take part; 0 where the trace does not say.
    pub ranks: u32,
    /// Bytes a second that a rank sends at least, as `nccl-tests` counts its bus bandwidth; the time contains the wait for others.
    pub bus_bytes_per_second: Option<f64>,
}

impl Collective {
    /// Its name without the types of a kernel.
    pub fn short_name(&self) -> &str {
        let name = self.name.strip_prefix("void ").unwrap_or(&self.name);
        let name = name.strip_prefix("(anonymous namespace)::").unwrap_or(name);
        name.split(['(', '<']).next().unwrap_or(name)
    }
}

/// The exchange in the steps; `None` if there is none.
pub(super) fn of(index: &TraceIndex<'_>, times: &DeviceTimes) -> Option<Exchange> {
    let compute = &times.compute;
    let trace = index.trace;
    let mut rows: FxHashMap<(&str, u32), (Collective, f64)> = FxHashMap::default();
    let mut calls = Vec::new();
    for work in index
        .work
        .iter()
        .filter(|it| it.event.kind == EventKind::Kernel)
    {
        let told = match trace.details(work.event) {
            Some(EventDetails::Exchange {
                collective,
                bytes,
                ranks,
            }) => Some((trace.name(collective), bytes, ranks)),
            _ => None,
        };
        if (told.is_none() && !times.are_exchange.has(work.event.name)) || !index.is_of_step(work) {
            continue;
        }
        let (name, bytes, ranks) = told.unwrap_or((trace.name(work.event.name), 0, 0));
        let when = interval(work.event);
        let (row, sent) = rows.entry((name, ranks)).or_default();
        row.ranks = ranks;
        row.bytes += bytes;
        *sent += bytes as f64 * exchange_kernels::times_sent(name, ranks);
        add(row, when, compute);
        calls.push(when);
    }
    for (name, when) in gloo(index) {
        add(&mut rows.entry((name, 0)).or_default().0, when, compute);
        calls.push(when);
    }
    if calls.is_empty() {
        return None;
    }
    calls.sort_unstable();
    let all = IntervalSet::of(calls.iter().copied());
    let mut collectives: Vec<Collective> = rows
        .into_iter()
        .map(|((name, _), (row, sent))| Collective {
            name: name.to_owned(),
            bus_bytes_per_second: (sent > 0.0).then(|| sent * 1e9 / row.ns.max(1) as f64),
            ..row
        })
        .collect();
    collectives.sort_by(|a, b| {
        let key = |it: &Collective| std::cmp::Reverse((it.alone_ns, it.ns));
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    let card = trace
        .about
        .devices
        .first()
        .and_then(|it| card_peaks::of(it));
    let calls = if calls.len() > CALLS {
        Vec::new()
    } else {
        calls
    };
    Some(Exchange {
        ns: all.length(),
        alone_ns: all.length() - all.overlap(compute),
        collectives,
        link_bytes_per_second: card.and_then(|it| it.link),
        calls: calls.into_iter().map(Interval::length).collect(),
    })
}

fn add(row: &mut Collective, when: Interval, compute: &IntervalSet) {
    row.count += 1;
    row.ns += when.length();
    row.alone_ns += when.length() - compute.inside(when);
}

/// Exchanges of gloo in the steps, which run on the host.
fn gloo<'a>(index: &TraceIndex<'a>) -> Vec<(&'a str, Interval)> {
    let trace = index.trace;
    let are_gloo = trace.names.that(|it| it.starts_with(GLOO));
    if are_gloo.is_empty() {
        return Vec::new();
    }
    let events = trace.lanes_of(LaneKind::Host).flat_map(|it| it.2);
    let events = events.filter(|it| {
        matches!(it.kind, EventKind::Annotation | EventKind::Operator) && are_gloo.has(it.name)
    });
    let in_steps = events.filter(|it| index.is_in_step(it));
    in_steps
        .map(|it| (trace.name(it.name), interval(it)))
        .collect()
}
