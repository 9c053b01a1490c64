//! Which of several cards is the least loaded. Pure.
//!
//! Counted roughly: what differs by less is a matter of chance, so that a class that starts at once spreads over the cards.

use std::cmp::Reverse;

/// Memory is compared in parts of a card's memory, this many.
const MEMORY_PARTS: u64 = 16;

/// How busy cards are is compared in steps of so many percent.
const BUSY_STEP: u32 = 10;

/// What is known of a card before a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Timed runs of warpup that have the card or wait for it.
    pub(super) in_line: usize,
    /// What the driver says; nothing if it does not answer.
    pub(super) load: Option<Load>,
}

/// How loaded a card is, as the driver says (NVML).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Load {
    /// Bytes of its memory that are in use, of all processes together.
    pub(crate) used: u64,
    /// Bytes of its memory.
    pub(crate) total: u64,
    /// The share of the last moments with a kernel, in percent. A MIG instance does not say it.
    pub(crate) busy_percent: Option<u32>,
    /// Processes besides this one that compute on it. In a container the driver shows none.
    pub(crate) others: u32,
}

/// The place of the least loaded card: the shortest line, then the least memory in use, then the least busy one. Of equal ones
/// `chance` picks. A card whose load is not known comes last. Nothing if there is no card.
pub(super) fn least_loaded(all: &[Candidate], chance: u64) -> Option<usize> {
    let least = all.iter().map(rank).min()?;
    let equal = all.iter().enumerate().filter(|it| rank(it.1) == least);
    let equal: Vec<usize> = equal.map(|it| it.0).collect();
    let count = u64::try_from(equal.len()).ok()?;
    let at = usize::try_from(chance.checked_rem(count)?).ok()?;
    equal.get(at).copied()
}

fn rank(card: &Candidate) -> (usize, Reverse<bool>, u64, u32) {
    let load = card.load.unwrap_or_default();
    let parts = load.used.saturating_mul(MEMORY_PARTS);
    (
        card.in_line,
        Reverse(card.load.is_some()),
        parts.checked_div(load.total).unwrap_or(0),
        load.busy_percent.unwrap_or(0) / BUSY_STEP,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A card with so many in line, gibibytes of 80 in use, and percent busy.
    fn card(in_line: usize, used: u64, busy: u32) -> Candidate {
        Candidate {
            in_line,
            load: Some(Load {
                used: used << 30,
                total: 80 << 30,
                busy_percent: Some(busy),
                others: 0,
            }),
        }
    }

    #[test]
    fn a_short_line_comes_before_memory_and_memory_before_busyness() {
        let all = [card(1, 0, 0), card(0, 70, 0), card(0, 10, 90)];
        assert_eq!(least_loaded(&all, 0), Some(2));
        assert_eq!(least_loaded(&all[..2], 0), Some(1));
        let same = [card(0, 10, 90), card(0, 11, 5)];
        assert_eq!(least_loaded(&same, 0), Some(1));
        assert_eq!(least_loaded(&[], 3), None);
    }

    #[test]
    fn chance_spreads_a_class_over_equal_cards() {
        let all = [card(0, 1, 3), card(2, 0, 0), card(0, 2, 9)];
        let picked = (0..4).map(|chance| least_loaded(&all, chance).unwrap());
        assert_eq!(picked.collect::<Vec<_>>(), [0, 2, 0, 2]);
    }

    #[test]
    fn a_card_that_says_nothing_comes_after_those_that_do() {
        let unknown = Candidate::default();
        assert_eq!(least_loaded(&[unknown, card(0, 79, 100)], 0), Some(1));
        assert_eq!(least_loaded(&[unknown, card(1, 0, 0)], 0), Some(0));
    }
}
