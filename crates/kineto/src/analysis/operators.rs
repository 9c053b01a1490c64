//! Time by operator, as the table of `key_averages()` has it, and device time by operator.

use crate::event::EventKind;
use crate::event_tree::EventTree;
use crate::index::TraceIndex;
use crate::names::NameId;
use crate::step_window;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cmp::Reverse;

/// All calls of an operator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Operator {
    /// Its name.
    pub name: String,
    /// How often it was called.
    pub count: u64,
    /// Host time without what it calls; PyTorch's `self_cpu_time_total`.
    pub self_ns: i64,
    /// Host time; PyTorch's `cpu_time_total`.
    pub total_ns: i64,
    /// Device time of the kernels and copies that it launched itself.
    pub self_device_ns: i64,
    /// The same with those of what it calls.
    pub device_ns: i64,
}

/// The operators, those with the most host time of their own first.
pub(super) fn of(index: &TraceIndex<'_>) -> Vec<Operator> {
    let mut rows = host_times(index);
    device_times(index, &mut rows);
    // Old versions write the annotations of steps as operators.
    let named = rows.into_iter().map(|(name, row)| Operator {
        name: index.trace.name(name).to_owned(),
        ..row
    });
    let named = named.filter(|it| !step_window::is_step(&it.name));
    let mut rows: Vec<Operator> = named.collect();
    rows.sort_by(|a, b| {
        let key = |it: &Operator| Reverse((it.self_ns, it.self_device_ns));
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    rows
}

fn host_times(index: &TraceIndex<'_>) -> FxHashMap<NameId, Operator> {
    let trace = index.trace;
    // Since version 2.12, Python functions inside an operator take from its own time.
    let is_older = !trace.about.has_host_name && trace.has(EventKind::Python);
    let older = is_older.then(|| EventTree::without_python(trace));
    let nest = older.as_ref().unwrap_or(&index.nest);
    let children = nest.children(trace);
    let mut rows: FxHashMap<NameId, Operator> = FxHashMap::default();
    for (number, event) in trace.events.iter().enumerate() {
        if event.kind != EventKind::Operator {
            continue;
        }
        let inside = children.get(number).map_or(0, |it| it.0);
        let row = rows.entry(event.name).or_default();
        row.self_ns += event.duration_ns - inside;
        // PyTorch counts an operator once that does nothing but call itself.
        let is_repeated = nest.parent(number).is_some_and(|parent| {
            let is_alone = children.get(parent).is_some_and(|it| it.1 == 1);
            is_alone && index.event(parent).is_some_and(|it| it.name == event.name)
        });
        if !is_repeated {
            row.count += 1;
            row.total_ns += event.duration_ns;
        }
    }
    rows
}

fn device_times(index: &TraceIndex<'_>, rows: &mut FxHashMap<NameId, Operator>) {
    // For each name, the work for which it was counted last.
    let mut counted: Vec<usize> = vec![usize::MAX; index.trace.names.len()];
    for (number, work) in index.work.iter().enumerate() {
        let Some(launch) = work.launch else {
            continue;
        };
        let mut is_first = true;
        for around in index.nest.ancestors(launch) {
            let Some(event) = index.event(around) else {
                continue;
            };
            if event.kind != EventKind::Operator {
                continue;
            }
            let last = counted.get_mut(event.name.index());
            if last.is_some_and(|it| std::mem::replace(it, number) == number) {
                continue;
            }
            let row = rows.entry(event.name).or_default();
            if std::mem::take(&mut is_first) {
                row.self_device_ns += work.event.duration_ns;
            }
            row.device_ns += work.event.duration_ns;
        }
    }
}
