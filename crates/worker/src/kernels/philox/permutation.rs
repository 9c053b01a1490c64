//! `randperm` on a card: the numbers from 0 on, sorted by random keys.
//!
//! Source: `ATen/native/cuda/Randperm.cu` and `Randperm.cuh`.

use super::sample::range;
use super::{Draw, Philox};
use std::cmp::Ordering;

/// The numbers that are set aside for a permutation.
#[derive(Clone, Debug)]
pub(crate) struct Shuffle {
    pub(crate) count: u64,
    pub(crate) keys: Vec<Draw>,
    /// For neighbours whose keys are equal.
    pub(crate) ties: Philox,
    /// How many bits of a key count.
    bits: u32,
}

/// How a word becomes a key: its remainder by `range`, plus `low`; the bits of `seen` count, and a set sign comes first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyNumbers {
    pub(crate) range: u64,
    pub(crate) low: i64,
    pub(crate) sign: u64,
    pub(crate) seen: u64,
}

impl Shuffle {
    pub(crate) fn of(generator: &mut Philox, count: u64, most_blocks: u64) -> Self {
        let bits = bits(count);
        let bytes = if bits <= 32 { 4 } else { 8 };
        let keys = generator.fill(count, (bytes, 2), most_blocks);
        let ties = generator.advance(count);
        Self {
            count,
            keys,
            ties,
            bits,
        }
    }

    /// The permutation.
    pub(crate) fn order(&self) -> Vec<i64> {
        let mut sorted: Vec<(u64, i64)> = self.keys().into_iter().zip(0..).collect();
        sorted.sort_by_key(|(key, _)| *key);
        let mut at = 0_u64;
        for island in sorted.chunk_by_mut(|(one, _), (next, _)| one.cmp(next) == Ordering::Equal) {
            self.shuffle_ties(at, island);
            at += island.len() as u64;
        }
        sorted.into_iter().map(|(_, value)| value).collect()
    }

    pub(crate) fn key_numbers(&self) -> KeyNumbers {
        let (low, high, sign) = if self.bits <= 32 {
            (i64::from(i32::MIN), i64::from(i32::MAX), 1_u64 << 31)
        } else {
            (i64::MIN, i64::MAX, 1 << 63)
        };
        KeyNumbers {
            range: range(low, high),
            low,
            sign,
            seen: u64::MAX >> (64 - self.bits.clamp(1, 64)),
        }
    }

    /// The keys, as they are compared.
    fn keys(&self) -> Vec<u64> {
        let KeyNumbers {
            range,
            low,
            sign,
            seen,
        } = self.key_numbers();
        let mut keys = Vec::with_capacity(self.count as usize);
        for draw in &self.keys {
            let threads = draw.threads();
            keys.extend((0..draw.count).map(|element| {
                let (pass, rest) = (element / (2 * threads), element % (2 * threads));
                let [a, b, c, d] = draw.from.group(rest % threads, pass);
                let (high, second) = if rest < threads { (a, b) } else { (c, d) };
                let word = (u64::from(high) << 32) | u64::from(second);
                let key = low.wrapping_add((word % range).cast_signed());
                (key.cast_unsigned() ^ sign) & seen
            }));
        }
        keys
    }

    /// Puts neighbours with equal keys, of which the first is at this position, in a random order.
    fn shuffle_ties(&self, at: u64, island: &mut [(u64, i64)]) {
        let mut words = (0..).flat_map(|group| self.ties.group(at, group));
        for last in (1..island.len()).rev() {
            let word = words.next().unwrap_or(0) as usize;
            island.swap(last, word % (last + 1));
        }
    }
}

/// How many bits keys need, such that all are different with a probability of 0.9.
fn bits(count: u64) -> u32 {
    let count = count as f64;
    let bits = (count - (6.0 * count * count + 1.0) / (0.9_f64.ln() * 12.0)).log2();
    (bits.ceil() as u32).clamp(1, 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permutation_has_each_number_once() {
        for count in [0, 1, 2, 1000, 40_000] {
            let mut generator = Philox::new(0);
            let mut order = Shuffle::of(&mut generator, count, 1056).order();
            assert!(count < 1000 || !order.is_sorted());
            order.sort_unstable();
            assert!(order.into_iter().eq(0..count.cast_signed()), "{count}");
        }
    }

    #[test]
    fn keys_have_as_many_bits_as_make_ties_rare() {
        assert_eq!([1, 10, 1000, 30_000, 40_000].map(bits), [3, 9, 23, 32, 33]);
    }

    #[test]
    fn neighbours_with_equal_keys_change_places() {
        let shuffle = Shuffle {
            count: 0,
            keys: Vec::new(),
            ties: Philox::new(5),
            bits: 9,
        };
        let mut island: Vec<(u64, i64)> = (0..6).map(|it| (7, it)).collect();
        shuffle.shuffle_ties(3, &mut island);
        let mut order: Vec<i64> = island.into_iter().map(|it| it.1).collect();
        assert!(!order.is_sorted());
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
    }
}
