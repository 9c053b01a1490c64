//! A trace: its events by lane and time.

use super::event::{Event, EventDetails, EventKind, LaneId};
use super::names::{NameId, NameTable};
use super::other_category::OtherCategory;
use super::trace_metadata::TraceMetadata;
use serde::Serialize;
use std::ops::Range;

/// A trace. Times of its events count from the first one.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The file's name, without folders.
    pub file: String,
    /// What it says of itself.
    pub about: TraceMetadata,
    /// All events, by lane, and in a lane by time; what contains others is before them.
    pub events: Vec<Event>,
    /// The texts.
    pub names: NameTable,
    /// The lanes.
    pub lanes: Vec<Lane>,
    /// When the first event begins, as the file says it, in nanoseconds.
    pub origin_ns: i64,
    /// How many bytes of text it was made of.
    pub text_bytes: u64,
    /// By how much times may be wrong: a microsecond where they are whole microseconds.
    pub grain_ns: i64,
    pub(super) details: Vec<EventDetails>,
    /// What nothing here reads, by category.
    pub(super) other: Vec<OtherCategory>,
}

/// A row of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// What it is.
    pub kind: LaneKind,
    /// Process or device, as the trace writes it.
    pub process: String,
    /// Thread or stream, as the trace writes it.
    pub thread: String,
    /// The name that the trace gives it; may be empty.
    pub label: String,
    /// Where its events are in [`Trace::events`].
    pub events: Range<usize>,
}

/// What a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneKind {
    /// A thread of the host.
    Host,
    /// A stream of a device.
    Stream,
    /// Waits on a device, annotations over kernels, and the rest.
    Other,
}

impl Trace {
    /// The text of a name.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id)
    }

    /// The details of an event.
    pub fn details(&self, event: &Event) -> Option<EventDetails> {
        let at = event.details.checked_sub(1)?;
        self.details.get(at as usize).copied()
    }

    /// The bytes of a copy or fill; 0 where the trace does not say.
    pub fn bytes(&self, event: &Event) -> u64 {
        match self.details(event) {
            Some(EventDetails::Copy { bytes }) => bytes,
            _ => 0,
        }
    }

    /// The lanes of a kind, with their events.
    pub fn lanes_of(&self, kind: LaneKind) -> impl Iterator<Item = (LaneId, &Lane, &[Event])> {
        let numbered = (0u32..).map(LaneId).zip(&self.lanes);
        let of_kind = numbered.filter(move |(_, it)| it.kind == kind);
        of_kind.map(|(id, lane)| (id, lane, self.events_of(lane)))
    }

    /// The events of a lane.
    pub fn events_of(&self, lane: &Lane) -> &[Event] {
        self.events.get(lane.events.clone()).unwrap_or_default()
    }

    /// A lane's name for people.
    pub fn lane_name(&self, id: LaneId) -> String {
        let Some(lane) = self.lanes.get(id.index()) else {
            return String::new();
        };
        match lane.kind {
            LaneKind::Host if lane.label.is_empty() => format!("thread {}", lane.thread),
            LaneKind::Stream => format!("device {} stream {}", lane.process, lane.thread),
            LaneKind::Host => lane.label.clone(),
            LaneKind::Other => format!("{} {}", lane.process, lane.thread),
        }
    }

    /// When the last event ends.
    pub fn end_ns(&self) -> i64 {
        self.events.iter().map(Event::end_ns).max().unwrap_or(0)
    }

    /// Whether any operator has the shapes of its inputs.
    pub fn has_shapes(&self) -> bool {
        self.details
            .iter()
            .any(|it| matches!(it, EventDetails::Operator { dims, .. } if *dims != NameId::EMPTY))
    }

    /// Whether there is an event of a kind.
    pub fn has(&self, kind: EventKind) -> bool {
        self.events.iter().any(|it| it.kind == kind)
    }
}
