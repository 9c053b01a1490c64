//! All that is computed of a trace.

use super::copies::{self, Copies};
use super::data_loading::{self, DataLoading, Fetches};
use super::device::{self, Device, DeviceTimes};
use super::exchange::{self, Exchange};
use super::gap_causes::AllGaps;
use super::gaps;
use super::kernels::{self, KernelSummary};
use super::lanes::{self, LaneSummary};
use super::lines::{self, LineSummary};
use super::memory::{self, Memory};
use super::operators::{self, Operator};
use super::queue::{self, Queue};
use super::rates::{self, Rate};
use super::steps::{self, Step};
use super::streams::{self, Stream};
use super::waits::{self, Wait, WaitingCall};
use crate::event::EventKind;
use crate::index::TraceIndex;
use crate::other_category::OtherCategory;
use crate::source_lines::{Precision, SourceLines};
use crate::trace::Trace;
use crate::trace_metadata::TraceMetadata;
use serde::Serialize;
use std::thread;

/// All that is computed of a trace. Times are nanoseconds; moments count from the first event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The file's name.
    pub file: String,
    /// What the trace says of itself.
    pub about: TraceMetadata,
    /// How many events were kept.
    pub events: u64,
    /// From the first event to the end of the last.
    pub span_ns: i64,
    /// Whether the trace marks its steps; else the whole of it is one.
    pub has_steps: bool,
    /// From the beginning of the first step to the end of the last one and of what it launched; without the time in which a device
    /// still did what was queued before the recording began.
    pub stepped_ns: i64,
    /// When the last step and what it launched are over.
    pub stepped_end_ns: i64,
    /// For how long any stream worked for a step.
    pub stepped_device_ns: i64,
    /// For how long no stream worked in that time, as far as it was recorded; 0 without a device.
    pub stepped_idle_ns: i64,
    /// What lines are known of.
    pub precision: Precision,
    /// Whether any operator has the shapes of its inputs.
    pub has_shapes: bool,
    /// The rows of the timeline.
    pub lanes: Vec<LaneSummary>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The operators.
    pub operators: Vec<Operator>,
    /// The kernels and kinds of copies.
    pub kernels: Vec<KernelSummary>,
    /// What devices did; none without a device.
    pub device: Option<Device>,
    /// What each stream did.
    pub streams: Vec<Stream>,
    /// The launch queue of each stream.
    pub queues: Vec<Queue>,
    /// Why devices were idle in the steps.
    pub gaps: AllGaps,
    /// Calls in the steps that waited for a device.
    pub waits: Vec<Wait>,
    /// Copies in the steps.
    pub copies: Vec<Copies>,
    /// Exchange between ranks in the steps; none where there is none.
    pub exchange: Option<Exchange>,
    /// Fetches of batches in the steps.
    pub loading: Option<DataLoading>,
    /// Time by line, in the steps.
    pub lines: Vec<LineSummary>,
    /// Memory over time.
    pub memory: Vec<Memory>,
    /// Arithmetic and bytes a second.
    pub rates: Vec<Rate>,
    /// Work of devices that nothing here reads.
    pub other_devices: Vec<OtherCategory>,
}

/// The category in which `warpup run --trace` writes what waits.
const WARPUP: &str = "waiting";

/// The figures of the host.
struct HostFigures {
    lanes: Vec<LaneSummary>,
    steps: Vec<Step>,
    operators: Vec<Operator>,
    lines: Vec<LineSummary>,
    rates: Vec<Rate>,
}

impl Analysis {
    /// Computes it all, on two threads: what the host did beside what devices did.
    pub fn of(trace: &Trace) -> Self {
        let index = TraceIndex::of(trace);
        let sources = SourceLines::of(&index);
        let calls = waits::calls(&index);
        thread::scope(|scope| {
            let host = scope.spawn(|| Self::of_host(&index, &sources, &calls));
            let of_devices = Self::of_devices(&index, &sources, &calls);
            match host.join() {
                Ok(of_host) => Self {
                    lanes: of_host.lanes,
                    steps: of_host.steps,
                    operators: of_host.operators,
                    lines: of_host.lines,
                    rates: of_host.rates,
                    ..of_devices
                },
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// The figures by operator, line and thread.
    fn of_host(
        index: &TraceIndex<'_>,
        sources: &SourceLines,
        calls: &[WaitingCall<'_>],
    ) -> HostFigures {
        HostFigures {
            lanes: lanes::of(index),
            steps: steps::of(index),
            operators: operators::of(index),
            lines: lines::of(index, calls, sources),
            rates: rates::of(index),
        }
    }

    /// All other figures.
    fn of_devices(
        index: &TraceIndex<'_>,
        sources: &SourceLines,
        calls: &[WaitingCall<'_>],
    ) -> Self {
        let trace = index.trace;
        let fetches = Fetches::of(index);
        let times = DeviceTimes::of(index);
        Self {
            file: trace.file.clone(),
            about: TraceMetadata {
                is_of_warpup: trace.other.iter().any(|it| it.category == WARPUP),
                ..trace.about.clone()
            },
            events: trace.events.len() as u64,
            span_ns: trace.end_ns(),
            has_steps: index.steps.iter().any(|it| it.is_marked),
            stepped_ns: index.span.length(),
            stepped_end_ns: index.span.end_ns,
            stepped_device_ns: steps::device_ns(index),
            stepped_idle_ns: index.idle_in(index.span),
            precision: sources.precision,
            has_shapes: trace.has_shapes(),
            lanes: Vec::new(),
            steps: Vec::new(),
            operators: Vec::new(),
            kernels: kernels::of(index),
            device: device::of(index, &times),
            streams: streams::of(index),
            queues: queue::of(index),
            gaps: gaps::of(index, calls, &fetches, sources),
            waits: waits::of(index, calls, sources),
            copies: copies::of(index, &times, sources),
            exchange: exchange::of(index, &times),
            loading: data_loading::of(index, sources),
            lines: Vec::new(),
            memory: memory::of(index, sources),
            rates: Vec::new(),
            other_devices: other_devices(trace),
        }
    }

    /// Where something happens, to be said after a verb; nothing without marked steps.
    pub fn scope(&self) -> &'static str {
        if self.has_steps { " in the steps" } else { "" }
    }

    /// How many steps there are, at least one.
    pub fn step_count(&self) -> i64 {
        i64::try_from(self.steps.len()).unwrap_or(1).max(1)
    }

    /// Kernels in the steps.
    pub fn kernels_in_steps(&self) -> u64 {
        self.steps.iter().map(|it| it.kernels).sum()
    }

    /// Device time of kernels, and how many.
    pub fn kernel_time(&self) -> (i64, u64) {
        let kernels = self
            .kernels
            .iter()
            .filter(|it| it.kind == EventKind::Kernel);
        kernels.fold((0, 0), |sum, it| (sum.0 + it.total_ns, sum.1 + it.count))
    }
}

/// The categories of work of other devices, the largest first.
fn other_devices(trace: &Trace) -> Vec<OtherCategory> {
    let other = trace.other.iter().filter(|it| it.device().is_some());
    let mut other: Vec<OtherCategory> = other.cloned().collect();
    other.sort_by_key(|it| std::cmp::Reverse(it.events));
    other
}
