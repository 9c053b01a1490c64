//! Takes the summary of a program once, when it ends, so that its check and the end of the interpreter do not count.

use super::state::{Engine, Summary};
use crate::protocol::{Clock, Memory};
use crate::worker::device::cpu::MEMORY_CAP;
use crate::worker::trace::Clocks;

impl Engine {
    /// The program has ended, in whatever way.
    pub(crate) fn finish(&self) {
        let summary = self.summarize();
        self.summary.borrow_mut().get_or_insert(summary);
    }

    /// Times and memory of the program, up to [`Engine::finish`], or up to now without it.
    pub(crate) fn summary(&self) -> Summary {
        let summary = self.summary.borrow_mut().take();
        summary.unwrap_or_else(|| self.summarize())
    }

    fn summarize(&self) -> Summary {
        let host_ns = self.now();
        self.settle_all();
        let mut recorder = self.recorder.borrow_mut();
        recorder.charge(host_ns);
        let times = match self.clock() {
            Clock::Measured if !self.has_card() => Clocks::HostOnly,
            Clock::Measured | Clock::Modelled => Clocks::HostAndDevice,
        };
        let lines = recorder.line_times(times);
        let (spans, spans_dropped) = recorder.take_spans();
        let gaps = recorder.gaps();
        let device_ns = self.device.borrow().busy_ns();
        let busy = self.device.borrow().busy();
        let unknown_read = self.unknown_read.borrow().iter().copied().collect();
        let memory = self.memory();
        Summary {
            host_ns,
            device_ns,
            lines,
            spans,
            spans_dropped,
            gaps,
            memory,
            busy,
            unknown_read,
        }
    }

    fn memory(&self) -> Memory {
        let ledger = self.ledger.borrow();
        let (peak, peak_live) = ledger.peak();
        let outside = self.device.borrow().unpooled_memory();
        let held = Memory {
            live: ledger.live(),
            reserved: 0,
            peak_live,
            peak_reserved: 0,
            peak_line: peak.line,
            capacity: MEMORY_CAP,
            workspace: outside.workspace,
            peak: peak.held,
            floor: ledger.floor(),
            over_time: ledger.over_time(),
            overflow: outside.overflow,
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
