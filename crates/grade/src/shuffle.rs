//! A small deterministic shuffle.
//!
//! Not for secrets: it only keeps learners from remembering that "the second one" was right. It is our
//! own so that an order never changes with the version of a random number crate.

use warpup_course::fnv1a;

/// A stream of orders that follows from a seed and a name.
pub(super) struct Shuffle {
    state: u64,
}

impl Shuffle {
    /// The stream for this seed and name; another name gives another stream.
    pub(super) fn new(seed: u64, name: &str) -> Self {
        Self {
            state: fnv1a(seed, name),
        }
    }

    /// Brings the items into a random order (Fisher and Yates).
    pub(super) fn apply<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let other = self.below(end + 1);
            items.swap(end, other);
        }
    }

    /// A number below `bound`. The bias of the remainder is far below what anybody could notice.
    fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    /// The next number (`SplitMix64`).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(seed: u64, name: &str) -> Vec<u8> {
        let mut items: Vec<u8> = (0..8).collect();
        Shuffle::new(seed, name).apply(&mut items);
        items
    }

    #[test]
    fn the_same_seed_and_name_give_the_same_order_and_others_another() {
        assert_eq!(order(1, "q"), order(1, "q"));
        assert_ne!(order(1, "q"), order(2, "q"));
        assert_ne!(order(1, "q"), order(1, "r"));
    }

    #[test]
    fn every_place_is_reached_by_every_item() {
        for item in 0..8 {
            let places: std::collections::BTreeSet<_> = (0..400)
                .filter_map(|seed| order(seed, "q").iter().position(|it| *it == item))
                .collect();
            assert_eq!(places.len(), 8);
        }
    }
}
