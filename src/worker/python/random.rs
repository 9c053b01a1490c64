//! Random values for labs.
//!
//! A stream of ours, seeded by `torch.manual_seed`; the same seed gives the same values on every device
//! and machine, but not those of PyTorch. Without a seed it starts from 0, so a lab repeats.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

/// A seeded stream.
pub(super) struct Random(StdRng);

impl Random {
    /// The stream of this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    /// A seed for a stream of its own.
    pub(super) fn seed(&mut self) -> u64 {
        self.0.random()
    }

    /// Values between 0 and 1, 1 not included.
    pub(super) fn uniform(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.0.random()).collect()
    }

    /// Values of the normal distribution with mean 0 and deviation 1.
    pub(super) fn normal(&mut self, count: usize) -> Vec<f32> {
        (0..count)
            .map(|_| StandardNormal.sample(&mut self.0))
            .collect()
    }

    /// Whole numbers from `low` up to `high`, not included.
    pub(super) fn whole(&mut self, count: usize, low: i64, high: i64) -> Vec<i64> {
        (0..count)
            .map(|_| self.0.random_range(low..high.max(low + 1)))
            .collect()
    }

    /// The numbers below `count` in a random order.
    pub(super) fn order(&mut self, count: usize) -> Vec<i64> {
        let mut order: Vec<i64> = (0..count as i64).collect();
        for at in (1..count).rev() {
            let other = self.0.random_range(0..=at);
            order.swap(at, other);
        }
        order
    }
}
