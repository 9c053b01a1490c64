//! Random values for labs.
//!
//! A stream of ours, seeded by `torch.manual_seed`; the same seed gives the same values on every device
//! and machine, but not those of PyTorch. Without a seed it starts from 0, so a lab repeats.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

/// Seeded streams: that of the run, and one for each `torch.Generator`.
pub(super) struct Random {
    streams: Vec<StdRng>,
    /// From which one is drawn.
    current: usize,
    /// What is drawn from, should there be no such stream.
    spare: StdRng,
}

impl Random {
    /// A run's stream of this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self {
            streams: vec![StdRng::seed_from_u64(seed)],
            current: 0,
            spare: StdRng::seed_from_u64(seed),
        }
    }

    /// One more stream, from this seed; says its number.
    pub(super) fn open(&mut self, seed: u64) -> usize {
        self.streams.push(StdRng::seed_from_u64(seed));
        self.streams.len() - 1
    }

    /// Starts a stream again, from this seed.
    pub(super) fn restart(&mut self, number: usize, seed: u64) {
        if let Some(stream) = self.streams.get_mut(number) {
            *stream = StdRng::seed_from_u64(seed);
        }
    }

    /// Draws from this stream while `draw` runs.
    pub(super) fn from<R>(&mut self, number: usize, draw: impl FnOnce(&mut Self) -> R) -> R {
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

    /// A seed for a stream of its own.
    pub(super) fn seed(&mut self) -> u64 {
        self.stream().random()
    }

    /// Values between 0 and 1, 1 not included.
    pub(super) fn uniform(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.stream().random()).collect()
    }

    /// Values of the normal distribution with mean 0 and deviation 1.
    pub(super) fn normal(&mut self, count: usize) -> Vec<f32> {
        (0..count)
            .map(|_| StandardNormal.sample(self.stream()))
            .collect()
    }

    /// Whole numbers from `low` up to `high`, not included.
    pub(super) fn whole(&mut self, count: usize, low: i64, high: i64) -> Vec<i64> {
        (0..count)
            .map(|_| self.stream().random_range(low..high.max(low + 1)))
            .collect()
    }

    /// The numbers below `count` in a random order.
    pub(super) fn order(&mut self, count: usize) -> Vec<i64> {
        let mut order: Vec<i64> = (0..count as i64).collect();
        for at in (1..count).rev() {
            let other = self.stream().random_range(0..=at);
            order.swap(at, other);
        }
        order
    }
}
