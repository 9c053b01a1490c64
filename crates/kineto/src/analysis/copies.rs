//! Copies in the steps, by direction and kind of memory.

use super::device::DeviceTimes;
use crate::event::EventKind;
use crate::index::{TraceIndex, interval};
use crate::intervals::IntervalSet;
use crate::source_lines::SourceLines;
use rustc_hash::FxHashMap;
use serde::Serialize;
use warpup_lab::findings::SMALL_BYTES;

/// Where a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CopyDirection {
    /// From the host to a device.
    ToDevice,
    /// From a device to the host.
    ToHost,
    /// Inside a device, or between two.
    OnDevice,
    /// The trace does not say.
    Unknown,
}

/// The memory of the host that a copy reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HostMemory {
    /// Ordinary memory.
    Pageable,
    /// Pinned memory.
    Pinned,
    /// None, or the trace does not say.
    Unknown,
}

/// Copies of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Copies {
    /// As the trace calls them.
    pub name: String,
    /// Where they go.
    pub direction: CopyDirection,
    /// The memory on the host's side.
    pub host_memory: HostMemory,
    /// How many.
    pub count: u64,
    /// How much.
    pub bytes: u64,
    /// Whether they are smaller than [`SMALL_BYTES`]; small ones and others are apart.
    pub is_small: bool,
    /// Device time.
    pub device_ns: i64,
    /// Device time in which no kernel computed.
    pub alone_ns: i64,
    /// Time of the calls that queue them.
    pub host_ns: i64,
    /// Bytes a second while they run; none where the trace has no sizes.
    pub bytes_per_second: Option<f64>,
    /// The line that asks for most of them, where the trace shows it.
    pub line: Option<String>,
}

impl Copies {
    /// What they are, in words: as the trace calls them, and whether they are small.
    pub fn title(&self) -> String {
        let name = self
            .name
            .strip_prefix("Memcpy ")
            .map_or(&*self.name, |it| it);
        if self.is_small {
            format!("small {name}")
        } else {
            name.to_owned()
        }
    }
}

/// The copies in the steps, those that take most first.
pub(super) fn of(
    index: &TraceIndex<'_>,
    times: &DeviceTimes,
    sources: &SourceLines,
) -> Vec<Copies> {
    let mut rows: FxHashMap<_, (Copies, FxHashMap<usize, u64>)> = FxHashMap::default();
    for work in index
        .work
        .iter()
        .filter(|it| it.event.kind == EventKind::Copy)
    {
        if !index.is_of_step(work) {
            continue;
        }
        let launch = index.launch(work);
        let event = work.event;
        let bytes = index.trace.bytes(event);
        let is_small = (1..SMALL_BYTES).contains(&bytes);
        let (row, lines) = rows.entry((event.name, is_small)).or_insert_with(|| {
            let name = index.trace.name(event.name);
            (empty(name, is_small), FxHashMap::default())
        });
        row.count += 1;
        row.bytes += bytes;
        row.device_ns += event.duration_ns;
        row.alone_ns += alone(&times.compute, event);
        row.host_ns += launch.map_or(0, |it| it.duration_ns);
        if let Some(line) = work.launch.and_then(|it| sources.line(index, it)) {
            *lines.entry(line).or_default() += 1;
        }
    }
    let rows = rows.into_values().map(|(row, lines)| {
        let seconds = row.device_ns as f64 / 1e9;
        let most = lines.iter().max_by_key(|it| (it.1, it.0));
        Copies {
            bytes_per_second: (row.bytes > 0 && seconds > 0.0).then(|| row.bytes as f64 / seconds),
            line: most.map(|it| sources.text(*it.0).to_owned()),
            ..row
        }
    });
    let mut rows: Vec<Copies> = rows.collect();
    rows.sort_by(|a, b| {
        b.device_ns
            .cmp(&a.device_ns)
            .then_with(|| (&a.name, a.is_small).cmp(&(&b.name, b.is_small)))
    });
    rows
}

fn alone(compute: &IntervalSet, event: &crate::event::Event) -> i64 {
    event.duration_ns - compute.inside(interval(event))
}

fn empty(name: &str, is_small: bool) -> Copies {
    let direction = match name {
        _ if name.contains("HtoD") => CopyDirection::ToDevice,
        _ if name.contains("DtoH") => CopyDirection::ToHost,
        _ if name.contains("DtoD") || name.contains("PtoP") => CopyDirection::OnDevice,
        _ => CopyDirection::Unknown,
    };
    let host_memory = match name {
        _ if name.contains("Pageable") => HostMemory::Pageable,
        _ if name.contains("Pinned") => HostMemory::Pinned,
        _ => HostMemory::Unknown,
    };
    Copies {
        name: name.to_owned(),
        direction,
        host_memory,
        count: 0,
        bytes: 0,
        is_small,
        device_ns: 0,
        alone_ns: 0,
        host_ns: 0,
        bytes_per_second: None,
        line: None,
    }
}
