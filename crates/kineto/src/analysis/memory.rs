//! What the allocators hold over time, where the trace has memory (`profile_memory`).

use super::memory_holders::{self, MemoryHolder};
use crate::event::{EventDetails, EventKind};
use crate::index::TraceIndex;
use crate::source_lines::SourceLines;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most points that are kept of a curve.
const POINTS: usize = 400;

/// The memory of one device, or of the host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// `cpu`, `cuda:0`, or PyTorch's number of another kind of device.
    pub device: String,
    /// Allocations.
    pub allocations: u64,
    /// The most bytes of live tensors.
    pub peak_bytes: u64,
    /// When that was.
    pub peak_at_ns: i64,
    /// The most bytes that the allocator held; 0 where it does not say, as on the CPU.
    pub reserved_bytes: u64,
    /// What the allocator held when live tensors were most.
    pub reserved_at_peak_bytes: u64,
    /// What was alive at that moment, by where it was made, the most first; none where the trace has no addresses.
    pub alive_at_peak: Vec<MemoryHolder>,
    /// Bytes of live tensors at the end of each step.
    pub at_step_ends: Vec<u64>,
    /// Bytes of live tensors: the most in each part of the time.
    pub over_time: Vec<Moment>,
}

impl Memory {
    /// Which tensors are counted: PyTorch knows all of a card, and of the CPU those made while the profiler records.
    pub fn tensors(&self) -> &'static str {
        if self.device == "cpu" {
            "tensors made meanwhile"
        } else {
            "live tensors"
        }
    }
}

/// A point of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// When.
    pub at_ns: i64,
    /// How much.
    pub bytes: u64,
}

/// A change of memory.
#[derive(Clone, Copy)]
pub(super) struct MemoryChange {
    /// When, and the bytes of live tensors after it.
    pub(super) after: Moment,
    /// The bytes by which it changes.
    pub(super) bytes: i64,
    /// What the allocator holds after it.
    pub(super) reserved: u64,
    /// What tells the tensor from others; 0 where that is not known.
    pub(super) address: u32,
    /// The number of the event.
    pub(super) event: usize,
}

/// The memory of each device that has any.
pub(super) fn of(index: &TraceIndex<'_>, sources: &SourceLines) -> Vec<Memory> {
    let mut curves: BTreeMap<(i8, i8), Vec<MemoryChange>> = BTreeMap::new();
    for (number, event) in index.trace.events.iter().enumerate() {
        if event.kind != EventKind::Memory {
            continue;
        }
        if let Some(EventDetails::Memory {
            bytes,
            allocated,
            reserved,
            device_type,
            device,
            address,
        }) = index.trace.details(event)
        {
            let after = Moment {
                at_ns: event.start_ns,
                bytes: allocated,
            };
            let curve = curves.entry((device_type, device)).or_default();
            curve.push(MemoryChange {
                after,
                bytes,
                reserved,
                address,
                event: number,
            });
        }
    }
    let curves = curves.into_iter();
    curves
        .map(|(device, curve)| memory(index, sources, device, curve))
        .collect()
}

fn memory(
    index: &TraceIndex<'_>,
    sources: &SourceLines,
    device: (i8, i8),
    mut curve: Vec<MemoryChange>,
) -> Memory {
    curve.sort_by_key(|it| it.after.at_ns);
    // Some versions give no totals for the CPU: then the changes add up to them.
    if curve.iter().all(|it| it.after.bytes == 0) {
        let mut held = 0i64;
        let least = curve.iter().scan(0i64, |sum, it| {
            *sum += it.bytes;
            Some(*sum)
        });
        held -= least.min().unwrap_or(0).min(0);
        for it in &mut curve {
            held += it.bytes;
            it.after.bytes = u64::try_from(held).unwrap_or(0);
        }
    }
    leave_out_others(&mut curve);
    let changes = curve.iter().enumerate();
    let peak = changes.max_by_key(|(_, it)| (it.after.bytes, -it.after.at_ns));
    let until_peak = peak.map_or(&[] as &[_], |(at, _)| curve.get(..=at).unwrap_or_default());
    let peak = peak.map(|it| it.1);
    let ends = index.steps.iter().filter(|it| it.is_marked).map(|step| {
        let after = curve.partition_point(|it| it.after.at_ns <= step.interval.end_ns);
        let last = after.checked_sub(1).and_then(|it| curve.get(it));
        last.map_or(0, |it| it.after.bytes)
    });
    Memory {
        device: match device {
            (0, _) => "cpu".to_owned(),
            (1, number) => format!("cuda:{number}"),
            (kind, number) => format!("type {kind}:{number}"),
        },
        allocations: curve.iter().filter(|it| it.bytes > 0).count() as u64,
        peak_bytes: peak.map_or(0, |it| it.after.bytes),
        peak_at_ns: peak.map_or(0, |it| it.after.at_ns),
        reserved_at_peak_bytes: match device {
            (0, _) => 0,
            _ => peak.map_or(0, |it| it.reserved),
        },
        alive_at_peak: memory_holders::of(index, sources, until_peak),
        // What PyTorch writes for the CPU counts something else: it has no caching allocator.
        reserved_bytes: match device {
            (0, _) => 0,
            _ => curve.iter().map(|it| it.reserved).max().unwrap_or(0),
        },
        at_step_ends: ends.collect(),
        over_time: thinned(&curve),
    }
}

/// Leaves out what another allocator reports between the totals, such as that of shared memory: its own total is 0.
fn leave_out_others(curve: &mut Vec<MemoryChange>) {
    let mut held = 0i64;
    curve.retain(|it| {
        let is_other = it.after.bytes == 0 && held + it.bytes != 0;
        if !is_other {
            held = i64::try_from(it.after.bytes).unwrap_or(i64::MAX);
        }
        !is_other
    });
}

/// The most in each part of the changes.
fn thinned(curve: &[MemoryChange]) -> Vec<Moment> {
    let part = curve.len().div_ceil(POINTS).max(1);
    let most = |it: &[MemoryChange]| it.iter().map(|it| it.after).max_by_key(|it| it.bytes);
    curve.chunks(part).filter_map(most).collect()
}
