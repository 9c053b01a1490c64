//! What a program took: read off once, when it ends, so that its check and the end of the interpreter
//! cost it nothing.

use super::Engine;
use crate::protocol::{Busy, Clock, Gaps, LineTime, Memory, Span};
use crate::worker::device::cpu::MEMORY_CAP;
use crate::worker::trace::Clocks;

/// What a program took.
#[derive(Clone, Debug)]
pub struct Taken {
    /// From its start to its end on the host's clock.
    pub host_ns: u64,
    /// Time the device has worked; nothing without one.
    pub device_ns: Option<u64>,
    /// Totals of its lines.
    pub lines: Vec<LineTime>,
    /// What was done, in order of its start.
    pub spans: Vec<Span>,
    /// Spans beyond the limit.
    pub spans_dropped: u64,
    /// Where host and device waited for each other; nothing without a device apart.
    pub gaps: Option<Gaps>,
    /// Memory of the card, or of the host without one.
    pub memory: Memory,
    /// What a modelled card's time was spent on.
    pub busy: Option<Busy>,
    /// Lines that read a value which was not computed.
    pub unknown_read: Vec<u32>,
}

impl Engine {
    /// The program has ended, however it did.
    pub fn finish(&self) {
        let taken = self.take();
        self.taken.borrow_mut().get_or_insert(taken);
    }

    /// What the program took: up to [`Engine::finish`], or up to now if it never came so far.
    pub fn taken(&self) -> Taken {
        let taken = self.taken.borrow_mut().take();
        taken.unwrap_or_else(|| self.take())
    }

    fn take(&self) -> Taken {
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
        Taken {
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
