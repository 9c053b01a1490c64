//! What `torch.profiler` sees: the spans while it records, and the totals of each line in that time.

use super::kept_span::KeptSpan;
use super::line_totals::{Clocks, LineTotals};
use crate::device::Interval;
use warpup_protocol::{Lane, ProfilerReport, Span, WaitCause};

/// PyTorch's name of the range in which the program waits for a batch and receives it.
const NEXT_BATCH: &str = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";

#[derive(Debug, Default)]
pub(super) struct Profiles {
    /// The one that records now, if one does.
    now: Option<Recording>,
    /// The sum of those that have ended; none if none has.
    ended: Option<Sum>,
}

#[derive(Debug)]
struct Recording {
    spans: Vec<KeptSpan>,
    start_ns: u64,
    /// The totals when it began.
    before: LineTotals,
}

#[derive(Debug, Default)]
struct Sum {
    steps: u64,
    ns: u64,
    lines: LineTotals,
}

impl Profiles {
    pub(super) fn are_recording(&self) -> bool {
        self.now.is_some()
    }

    pub(super) fn see(&mut self, mut span: KeptSpan) {
        match span.lane {
            // PyTorch's profiler sees neither other processes nor the thread that pins.
            Lane::Worker(_) | Lane::Pinning => return,
            Lane::Host if span.cause == WaitCause::Loader => span.name = NEXT_BATCH.into(),
            Lane::Host | Lane::Kernel | Lane::CopyToDevice | Lane::CopyToHost => {}
        }
        if let Some(now) = &mut self.now {
            now.spans.push(span);
        }
    }

    pub(super) fn begin(&mut self, start_ns: u64, totals: &LineTotals) {
        self.now = Some(Recording {
            spans: Vec::new(),
            start_ns,
            before: totals.clone(),
        });
    }

    /// The recording ends: adds its totals to those of the program's other recordings.
    pub(super) fn add(&mut self, steps: u64, end_ns: u64, totals: &LineTotals) {
        let Some(now) = &self.now else {
            return;
        };
        let when = Interval {
            start_ns: now.start_ns,
            end_ns,
        };
        let sum = self.ended.get_or_insert_default();
        sum.steps += steps;
        sum.ns += when.ns();
        sum.lines.add(totals, &now.before);
    }

    /// The spans of the recording, in the order of start.
    pub(super) fn take_spans(&mut self) -> Vec<Span> {
        let spans = self.now.take().map_or_else(Vec::new, |it| it.spans);
        KeptSpan::in_order(spans)
    }

    pub(super) fn report(&self, clocks: Clocks) -> Option<ProfilerReport> {
        self.ended.as_ref().map(|it| ProfilerReport {
            steps: it.steps,
            ns: it.ns,
            lines: it.lines.reached(clocks),
        })
    }
}
