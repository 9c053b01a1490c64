//! Pieces of a trace become one: names and lanes get common numbers, and events their order.

use super::batch::{Batch, LaneKey};
use super::event::EventDetails;
use super::event::{Event, EventKind, LaneId};
use super::names::{NameId, NameTable};
use super::other_category::OtherCategory;
use super::overflow_guard::OverflowGuard;
use super::read_error::ReadError;
use super::trace::{Lane, LaneKind, Trace};
use super::trace_metadata::TraceMetadata;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The most bytes of names that differ.
const MAX_NAME_BYTES: usize = 128 << 20;

/// The most events. The byte at which there are more is that of the end of a piece.
pub const MAX_EVENTS: usize = 10_000_000;

/// The most lanes.
const MAX_LANES: usize = 20_000;

/// A trace of which not everything is there yet.
#[derive(Clone, Debug, Default)]
pub struct TraceBuilder {
    about: TraceMetadata,
    details: Vec<EventDetails>,
    names: NameTable,
    lanes: Vec<LaneEvents>,
    lane_ids: FxHashMap<LaneKey, LaneId>,
    /// Names of processes and threads.
    process_names: FxHashMap<String, String>,
    thread_names: FxHashMap<(String, String), String>,
    has_nanoseconds: bool,
    other: Vec<OtherCategory>,
    /// Events of the text, with those that are not kept.
    read: usize,
    text_bytes: u64,
    totals: OverflowGuard,
}

/// A lane with its events, in the order of the text: nearly that of time, so that sorting them takes little.
#[derive(Clone, Debug)]
struct LaneEvents {
    key: LaneKey,
    events: Vec<Event>,
}

impl TraceBuilder {
    /// Takes a key beside the events.
    pub(super) fn take_entry(&mut self, key: &str, value: &[u8]) {
        self.about.take(key, value);
    }

    /// Takes the next piece.
    pub(super) fn take(&mut self, batch: Batch) -> Result<(), ReadError> {
        self.read += batch.count;
        if self.read > MAX_EVENTS {
            let what = format!(
                "there are more than {} million events",
                MAX_EVENTS / 1_000_000
            );
            return Err(ReadError::too_much(batch.end, what));
        }
        self.totals.add(&batch)?;
        let names: Vec<NameId> = batch.names.iter().map(|it| self.names.share(it)).collect();
        if self.names.bytes() > MAX_NAME_BYTES {
            let what = format!(
                "names that differ take more than {} MiB",
                MAX_NAME_BYTES >> 20
            );
            return Err(ReadError::too_much(batch.end, what));
        }
        let lanes: Vec<LaneId> = batch.lanes.into_iter().map(|it| self.lane(it)).collect();
        if self.lanes.len() > MAX_LANES {
            let what = format!("there are more than {MAX_LANES} threads and streams");
            return Err(ReadError::too_much(batch.end, what));
        }
        let name = |id: NameId| names.get(id.index()).copied().unwrap_or_default();
        let before = u32::try_from(self.details.len()).unwrap_or(0);
        for it in batch.events {
            let lane = lanes.get(it.lane.index()).copied().unwrap_or_default();
            let event = Event {
                name: name(it.name),
                lane,
                details: if it.details == 0 {
                    0
                } else {
                    it.details + before
                },
                ..it
            };
            if let Some(rows) = self.lanes.get_mut(lane.index()) {
                rows.events.push(event);
            }
        }
        let details = batch.details.into_iter();
        self.details.extend(details.map(|it| with_names(it, name)));
        for it in batch.labels {
            let (process, thread) = (it.lane.process, it.lane.thread);
            if it.is_process && self.process_names.len() < MAX_LANES {
                self.process_names.insert(process, it.name);
            } else if !it.is_process && self.thread_names.len() < MAX_LANES {
                self.thread_names.insert((process, thread), it.name);
            }
        }
        self.has_nanoseconds |= batch.has_nanoseconds;
        for it in batch.other {
            OtherCategory::add(&mut self.other, it);
        }
        self.text_bytes = batch.end;
        Ok(())
    }

    /// A trace of what is there so far, for a first screen.
    pub fn so_far(&self, file: &str) -> Trace {
        self.clone().finish(file)
    }

    /// The trace.
    pub fn finish(self, file: &str) -> Trace {
        let lanes = self.lanes;
        let events = lanes.iter().flat_map(|it| &it.events);
        let origin_ns = events.map(|it| it.start_ns).min().unwrap_or(0);
        let mut trace = Trace {
            file: file.to_owned(),
            about: self.about,
            names: self.names,
            details: self.details,
            other: self.other,
            origin_ns,
            text_bytes: self.text_bytes,
            grain_ns: if self.has_nanoseconds { 0 } else { 1000 },
            ..Trace::default()
        };
        let mut events = Vec::with_capacity(lanes.iter().map(|it| it.events.len()).sum());
        for rows in lanes {
            let (key, mut of_lane) = (rows.key, rows.events);
            of_lane.sort_by_key(order);
            let begin = events.len();
            trace.lanes.push(Lane {
                kind: kind_of(&of_lane),
                label: self
                    .thread_names
                    .get(&(key.process.clone(), key.thread.clone()))
                    .cloned()
                    .unwrap_or_default(),
                process: key.process,
                thread: key.thread,
                events: begin..begin + of_lane.len(),
            });
            events.extend(of_lane.into_iter().map(|it| Event {
                start_ns: it.start_ns - origin_ns,
                ..it
            }));
        }
        trace.events = events;
        trace
    }

    fn lane(&mut self, key: LaneKey) -> LaneId {
        let next = LaneId(u32::try_from(self.lanes.len()).unwrap_or(0));
        let lanes = &mut self.lanes;
        *self.lane_ids.entry(key).or_insert_with_key(|key| {
            lanes.push(LaneEvents {
                key: key.clone(),
                events: Vec::new(),
            });
            next
        })
    }
}

/// Details with the common numbers of their names.
fn with_names(details: EventDetails, name: impl Fn(NameId) -> NameId) -> EventDetails {
    match details {
        EventDetails::Operator {
            dims,
            types,
            values,
            stack,
        } => EventDetails::Operator {
            dims: name(dims),
            values: name(values),
            types: name(types),
            stack: name(stack),
        },
        EventDetails::Python { from } => EventDetails::Python { from: name(from) },
        EventDetails::Exchange {
            collective,
            bytes,
            ranks,
        } => EventDetails::Exchange {
            collective: name(collective),
            bytes,
            ranks,
        },
        EventDetails::Copy { .. } | EventDetails::Kernel { .. } | EventDetails::Memory { .. } => {
            details
        }
    }
}

/// By time, and what contains others before them.
fn order(it: &Event) -> (i64, Reverse<i64>, EventKind, u64) {
    (it.start_ns, Reverse(it.duration_ns), it.kind, it.external)
}

fn kind_of(events: &[Event]) -> LaneKind {
    if events.iter().any(|it| it.kind.is_device_work()) {
        LaneKind::Stream
    } else if events.iter().any(|it| it.kind.is_host_work()) {
        LaneKind::Host
    } else {
        LaneKind::Other
    }
}
