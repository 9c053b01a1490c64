//! The cards of this machine, as NVML said last, and when it is asked again.
//!
//! On a machine without a card nobody asks and nothing wakes.

use warpup_doctor::NvmlCard;

/// How often the cards are asked while they are on the screen, in milliseconds.
const EVERY_MS: u64 = 5000;

/// The cards of this machine.
#[derive(Debug, Default)]
pub(crate) struct Cards {
    seen: Vec<NvmlCard>,
    /// When they are asked again; `None` without a card, and while an answer is awaited.
    next_ms: Option<u64>,
}

impl Cards {
    /// The cards; none before the first answer.
    pub(crate) fn seen(&self) -> &[NvmlCard] {
        &self.seen
    }

    /// Takes an answer over. Without cards, or without an answer, nobody asks again.
    pub(crate) fn learn(&mut self, cards: Vec<NvmlCard>, now_ms: u64) {
        self.next_ms = (!cards.is_empty()).then(|| now_ms.saturating_add(EVERY_MS));
        self.seen = cards;
    }

    /// When they are to be asked again.
    pub(crate) fn next_ms(&self) -> Option<u64> {
        self.next_ms
    }

    /// Whether the time has come to ask again; an answer is awaited then.
    pub(crate) fn is_due(&mut self, now_ms: u64) -> bool {
        let is_due = self.next_ms.is_some_and(|it| it <= now_ms);
        if is_due {
            self.next_ms = None;
        }
        is_due
    }
}
