//! What a program took: read off once, when it ends, so that its check and the end of the interpreter
//! cost it nothing.

use super::Engine;
use crate::protocol::{Clock, LineTime, Memory, Span};
use crate::worker::trace::DeviceTimes;

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
    /// Memory of the card; nothing without one.
    pub memory: Option<Memory>,
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
        let mut recorder = self.recorder.borrow_mut();
        recorder.charge(host_ns);
        let times = match self.clock() {
            Clock::Measured if self.card().is_none() => DeviceTimes::None,
            Clock::Measured | Clock::Modelled => DeviceTimes::Apart,
        };
        let lines = recorder.line_times(times);
        let (spans, spans_dropped) = recorder.take_spans();
        let device_ns = self.device.borrow().busy_ns();
        let memory = self.memory();
        Taken {
            host_ns,
            device_ns,
            lines,
            spans,
            spans_dropped,
            memory,
        }
    }

    fn memory(&self) -> Option<Memory> {
        let card = self.card()?;
        Some(Memory {
            live: card.counts.live,
            reserved: card.counts.reserved,
            peak_live: card.counts.peak_live,
            peak_reserved: card.counts.peak_reserved,
            peak_line: self.peak.get().1,
            capacity: card.memory,
        })
    }
}
