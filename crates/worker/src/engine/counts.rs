//! Counts what the program does for checks of labs, on every device.

use super::state::Engine;
use crate::device::{Blocking, Direction, EventId, HostMemory, TensorDevice, Transfer, Work};
use crate::facts::RunCounter;
use crate::ops::Op;
use warpup_protocol::{
    BatchKind, Call, CopyKind, Count, EarlyUse, Report, RunCounts, Side, WaitCause,
};

impl Engine {
    /// Counts what the program does from now on.
    pub(crate) fn count_all(&self) {
        self.counts.replace(Some(RunCounter::default()));
    }

    /// The current line does something.
    fn count(&self, add: impl FnOnce(&mut RunCounter, u32)) {
        if let Some(counts) = self.counts.borrow_mut().as_mut() {
            add(counts, self.line());
        }
    }

    /// It runs an operation.
    pub(super) fn count_op(&self, op: &Op, device: TensorDevice, work: Work) {
        let what = (op.facts().name(), side(device));
        let in_backward = self.in_flight.in_backward.get();
        self.count(|it, line| it.operate(line, what, in_backward, work.cost.bytes));
    }

    /// It makes a call that computes nothing by itself.
    pub(crate) fn count_plain_call(&self, call: Call) {
        self.count(|it, line| it.call(line, call));
    }

    /// It copies between host and card.
    pub(super) fn count_transfer(&self, transfer: Transfer, cause: WaitCause) {
        let kind = CopyKind {
            to: match transfer.direction {
                Direction::In => Side::Cuda,
                Direction::Out => Side::Cpu,
            },
            is_pinned: transfer.memory == HostMemory::Pinned,
            is_non_blocking: transfer.blocking == Blocking::No,
            cause,
        };
        self.count(|it, line| it.copies.add(line, kind, transfer.bytes));
    }

    pub(super) fn count_allocation(&self, device: TensorDevice, bytes: u64) {
        self.count(|it, line| it.allocate(line, side(device), bytes));
    }

    pub(super) fn count_pinned(&self, bytes: u64) {
        self.count(|it, line| it.pin(line, bytes));
    }

    /// An event was recorded in the current stream.
    pub(super) fn count_event(&self, event: EventId) {
        let stream = self.current_stream();
        self.count(|it, line| it.record(event.0, line, stream));
    }

    /// The current stream waits for an event.
    pub(crate) fn wait_in_stream(&self, event: EventId) {
        let stream = self.current_stream();
        if let Some(streams) = self.device().streams() {
            streams.stream_wait_event(event);
        }
        self.count(|it, line| it.wait_in_stream(line, stream, event.0));
    }

    /// A loader gives a batch to the program.
    pub(crate) fn count_batch(&self, batch: BatchKind) {
        self.count(|it, line| it.batches.add(line, batch, 0));
    }

    /// The program seeds PyTorch's generators.
    pub(crate) fn count_seed(&self, seed: i64) {
        self.count(|it, line| it.seed(line, seed));
    }

    /// All counts up to now.
    pub(super) fn counted(&self) -> Option<RunCounts> {
        let hazards = self.in_flight.hazards();
        let early = hazards.iter().map(|it| Count {
            line: it.line,
            kind: EarlyUse {
                hazard: it.kind,
                queued_line: it.queued,
            },
            times: 1,
            bytes: 0,
        });
        let held = self.ledger.borrow().held();
        let counts = self.counts.borrow();
        Some(counts.as_ref()?.report(early.collect(), held))
    }

    /// What the program did, for its check.
    pub(crate) fn ended(&self) -> Option<Report> {
        let ended = self.ended.borrow();
        ended.as_ref().map(|(report, _)| report.clone())
    }

    /// Does something in the check whose counts, times and peak are apart from those of the program; the report has them.
    pub(crate) fn apart<T>(&self, work: impl FnOnce() -> T) -> (T, Report) {
        let facts = self.facts.take();
        let counts = self.counts.replace(Some(RunCounter::default()));
        let recorder = self.recorder.take();
        let hazards = self.in_flight.take_hazards();
        self.start_interruptions();
        self.recorder.borrow_mut().skip_to(self.now());
        self.ledger.borrow_mut().begin_peak();
        let result = work();
        let (report, _) = self.summarize();
        self.facts.replace(facts);
        self.counts.replace(counts);
        self.recorder.replace(recorder);
        self.in_flight.put_hazards(hazards);
        (result, report)
    }

    fn current_stream(&self) -> u32 {
        let mut device = self.backend.borrow_mut();
        device.streams().map_or(0, |it| it.current_stream())
    }
}

fn side(device: TensorDevice) -> Side {
    match device {
        TensorDevice::Cpu => Side::Cpu,
        TensorDevice::Card(_) => Side::Cuda,
    }
}
