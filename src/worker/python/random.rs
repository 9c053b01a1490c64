//! Random numbers for tensors.
//!
//! A seed gives the same values on every device and machine, but not those of PyTorch. Without
//! `torch.manual_seed` the seed is 0, so a lab repeats.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

/// The random streams of a run: stream 0 for the run itself, then one for each `torch.Generator`.
pub(super) struct Random {
    streams: Vec<StdRng>,
    /// The stream that is drawn from.
    current: usize,
    /// Drawn from if `current` does not exist.
    spare: StdRng,
}

impl Random {
    /// The streams of a new run: one, with this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self {
            streams: vec![StdRng::seed_from_u64(seed)],
            current: 0,
            spare: StdRng::seed_from_u64(seed),
        }
    }

    /// Adds a stream with this seed; returns its number.
    pub(super) fn open(&mut self, seed: u64) -> usize {
        self.streams.push(StdRng::seed_from_u64(seed));
        self.streams.len() - 1
    }

    /// Seeds a stream again.
    pub(super) fn restart(&mut self, number: usize, seed: u64) {
        if let Some(stream) = self.streams.get_mut(number) {
            *stream = StdRng::seed_from_u64(seed);
        }
    }

    /// Copies the state of a stream into another.
    pub(super) fn copy(&mut self, from: usize, to: usize) {
        let copied = self.streams.get(from).cloned();
        if let (Some(copied), Some(stream)) = (copied, self.streams.get_mut(to)) {
            *stream = copied;
        }
    }

    /// Calls `draw` with this stream as the current one.
    pub(super) fn with_stream<R>(&mut self, number: usize, draw: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.current, number);
        let drawn = draw(self);
        self.current = before;
        drawn
    }

    fn stream(&mut self) -> &mut StdRng {
        self.streams
            .get_mut(self.current)
            .unwrap_or(&mut self.spare)
    }

    /// A random seed for another generator.
    pub(super) fn seed(&mut self) -> u64 {
        self.stream().random()
    }

    /// Uniform values from 0 up to, not including, 1.
    pub(super) fn uniform(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.stream().random()).collect()
    }

    /// Normal values with mean 0 and standard deviation 1.
    pub(super) fn normal(&mut self, count: usize) -> Vec<f32> {
        (0..count)
            .map(|_| StandardNormal.sample(self.stream()))
            .collect()
    }

    /// Uniform integers from `low` up to, not including, `high`.
    pub(super) fn integers(&mut self, count: usize, low: i64, high: i64) -> Vec<i64> {
        (0..count)
            .map(|_| self.stream().random_range(low..high.max(low + 1)))
            .collect()
    }

    /// The numbers below `count` in a random order (`randperm`).
    pub(super) fn permutation(&mut self, count: usize) -> Vec<i64> {
        let mut permutation: Vec<i64> = (0..count as i64).collect();
        for at in (1..count).rev() {
            let other = self.stream().random_range(0..=at);
            permutation.swap(at, other);
        }
        permutation
    }
}
