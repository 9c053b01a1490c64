//! Takes the summary of a program once, when it ends, so that its check and the end of the interpreter do not count.

use super::state::Engine;
use crate::trace::Clocks;
use warpup_protocol::{
    Clock, CudnnUse, DeviceTimes, KeptWorkspaces, Memory, Outcome, Report, Span,
};

impl Engine {
    /// The program has ended, in whatever way.
    pub(crate) fn finish(&self) {
        let ended = self.summarize();
        self.ended.borrow_mut().get_or_insert(ended);
    }

    /// Report and spans of the program, up to [`Engine::finish`], or up to now without it.
    pub(crate) fn report(&self, outcome: Outcome) -> (Report, Vec<Span>) {
        let ended = self.ended.borrow_mut().take();
        let (report, spans) = ended.unwrap_or_else(|| self.summarize());
        let worker_ends = match self.backend.borrow_mut().real_card() {
            Some(card) => card.is_broken(),
            None => false,
        };
        let report = Report {
            outcome,
            worker_ends,
            ..report
        };
        (report, spans)
    }

    /// Its outcome is known only after the check.
    pub(super) fn summarize(&self) -> (Report, Vec<Span>) {
        let host_ns = self.now();
        self.settle_all();
        let mut recorder = self.recorder.borrow_mut();
        self.note_interruption(&mut recorder, host_ns);
        recorder.charge(host_ns);
        let clock = self.clock();
        let times = match clock {
            Clock::Measured if !self.has_card() => Clocks::HostOnly,
            Clock::Measured | Clock::Modelled => Clocks::HostAndDevice,
        };
        let lines = recorder.line_times(times);
        let profiled = recorder.profiled(times).map(Box::new);
        let (spans, spans_dropped) = recorder.take_spans();
        let device_times = self.device_times(recorder.lost());
        // Before the literal, whose temporaries borrow the device.
        let cudnn = self.take_cudnn_use();
        let memory = self.memory();
        let report = Report {
            clock,
            host_ns,
            device_ns: self.backend.borrow().busy_ns(),
            lines,
            profiled,
            spans_dropped,
            memory: Some(Box::new(memory)),
            gaps: recorder.gaps().map(Box::new),
            facts: Some(Box::new(self.facts.borrow().report())),
            counts: self.counted().map(Box::new),
            busy: self.backend.borrow().busy().map(Box::new),
            host_range: self.backend.borrow().host_range().map(Box::new),
            device_times: device_times.map(Box::new),
            cudnn: cudnn.map(Box::new),
            host_work: recorder.host_work(),
            recording_ns: recorder.recording_ns(),
            interrupted_ns: self.interrupted_ns(host_ns),
            unknown_read: self.unknown_read(),
            not_computed: self.missed(),
            notes: [self.in_flight.notes(), self.notes.texts()].concat(),
            ..Report::without_times(Outcome::Done)
        };
        (report, spans)
    }

    /// What measured the device times, and how many of them are lost.
    fn device_times(&self, lost: u64) -> Option<DeviceTimes> {
        let mut device = self.backend.borrow_mut();
        let of_card = device.real_card()?.device_times()?;
        Some(DeviceTimes { lost, ..of_card })
    }

    fn take_cudnn_use(&self) -> Option<CudnnUse> {
        let mut device = self.backend.borrow_mut();
        device.real_card()?.take_cudnn_use()
    }

    /// What an older PyTorch holds of cuBLAS's workspaces, and its peak.
    fn kept_before_2_15(&self, peak_without_blas: u64) -> Option<KeptWorkspaces> {
        let mut device = self.backend.borrow_mut();
        let bytes = device.blas_workspaces()?.kept_before_2_15();
        (bytes > 0).then(|| KeptWorkspaces {
            bytes,
            peak_live: peak_without_blas.saturating_add(bytes),
        })
    }

    fn memory(&self) -> Memory {
        let ledger = self.ledger.borrow();
        let (peak, peak_live) = ledger.peak();
        let outside = self.backend.borrow().unpooled_memory();
        let kept = self.kept_before_2_15(ledger.peak_without_blas());
        let held = Memory {
            live: ledger.live(),
            reserved: 0,
            peak_live,
            peak_reserved: 0,
            peak_line: peak.line,
            capacity: self.backend.borrow().host_capacity(),
            workspace: outside.workspace,
            peak: peak.held,
            floor: ledger.floor(),
            over_time: ledger.over_time(),
            overflow: outside.overflow,
            convolution_workspace: ledger.workspace(),
            kept_before_2_15: kept,
        };
        match self.card() {
            None => held,
            Some(card) => Memory {
                reserved: card.counts.reserved,
                peak_reserved: card.counts.peak_reserved,
                capacity: card.memory,
                ..held
            },
        }
    }
}
