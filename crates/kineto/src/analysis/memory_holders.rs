//! Where the tensors were made that are alive when memory is fullest.
//!
//! The trace says when the memory of a tensor is taken and when it is given back. What is alive then and was taken before the recording
//! has no place, and is the difference to the total.

use super::memory::MemoryChange;
use crate::event::{Event, EventKind};
use crate::index::TraceIndex;
use crate::source_lines::SourceLines;
use crate::step_window;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeMap;

/// Changes of memory are seldom more than that behind the operator in which they are.
const BACK: usize = 64;

/// Places that are kept.
const MOST: usize = 10;

/// Tensors of one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryHolder {
    /// The line; without one, the outermost operator; none for what was there before the recording, and for what has neither.
    pub place: Option<String>,
    /// Their bytes.
    pub bytes: u64,
    /// How many; 0 where that is not known.
    pub tensors: u64,
}

/// What is alive after these changes, by place, the most first.
pub(super) fn of(
    index: &TraceIndex<'_>,
    sources: &SourceLines,
    changes: &[MemoryChange],
) -> Vec<MemoryHolder> {
    if changes.iter().any(|it| it.address == 0) {
        return Vec::new();
    }
    let mut alive: FxHashMap<u32, &MemoryChange> = FxHashMap::default();
    for it in changes {
        if it.bytes > 0 {
            alive.insert(it.address, it);
        } else {
            alive.remove(&it.address);
        }
    }
    let mut places: BTreeMap<Option<String>, (u64, u64)> = BTreeMap::new();
    let mut known = 0;
    for it in alive.into_values() {
        let bytes = it.bytes.unsigned_abs();
        let row = places.entry(place(index, sources, it.event)).or_default();
        *row = (row.0 + bytes, row.1 + 1);
        known += bytes;
    }
    let total = changes.last().map_or(0, |it| it.after.bytes);
    let before = total.saturating_sub(known);
    if before > 0 {
        places.entry(None).or_default().0 += before;
    }
    let rows = places.into_iter();
    let mut rows: Vec<MemoryHolder> = rows
        .map(|(place, (bytes, tensors))| MemoryHolder {
            place,
            bytes,
            tensors,
        })
        .collect();
    rows.sort_by_key(|it| std::cmp::Reverse(it.bytes));
    rows.truncate(MOST);
    rows
}

/// The line in which memory was taken, or the outermost operator around it.
fn place(index: &TraceIndex<'_>, sources: &SourceLines, number: usize) -> Option<String> {
    let taken = index.event(number)?;
    let lane = index.trace.lanes.get(taken.lane.index())?;
    let begun = index.trace.events.get(lane.events.start..number)?;
    let mut back = begun.iter().rev().take(BACK);
    let back = back.position(|it| it.kind.is_host_work())?;
    let last = number.checked_sub(back + 1)?;
    let around = std::iter::once(last).chain(index.nest.ancestors(last));
    let goes_on = |it: &usize| {
        index
            .event(*it)
            .is_some_and(|it| it.end_ns() >= taken.start_ns)
    };
    let inner = around
        .filter(goes_on)
        .min_by_key(|it| index.event(*it).map_or(i64::MAX, |it| it.duration_ns))?;
    if let Some(line) = sources.line(index, inner) {
        return Some(sources.text(line).to_owned());
    }
    let around = std::iter::once(inner).chain(index.nest.ancestors(inner));
    let operators = around.filter_map(|it| index.event(it));
    let name = |it: &Event| index.trace.name(it.name);
    let operators = operators.filter(|it| it.kind == EventKind::Operator);
    let outermost = operators
        .filter(|it| !step_window::is_mark_of_loop(name(it)))
        .last();
    outermost.map(|it| name(it).to_owned())
}
