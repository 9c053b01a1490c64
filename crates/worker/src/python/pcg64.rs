//! PCG64, and what NumPy's `Generator` (`numpy.random.default_rng`) draws with it, number for number. It makes no
//! tensors: `numpy` does.
//!
//! Source: `pcg64.h`, `bit_generator.pyx` (`SeedSequence`), `distributions.c` and `_generator.pyx` in `numpy/random`.

use std::sync::LazyLock;

const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;
const NORMAL_R: f64 = 3.654_152_885_361_009;
const NORMAL_INVERSE_R: f64 = 0.273_661_237_329_758_3;
const EXPONENTIAL_R: f64 = 7.697_117_470_131_05;

/// One strip of the two distributions: limits, widths and heights.
#[derive(Clone, Copy, Debug, Default)]
struct Strip {
    normal: Part,
    exponential: Part,
}

#[derive(Clone, Copy, Debug, Default)]
struct Part {
    k: u64,
    w: f64,
    f: f64,
}

static STRIPS: LazyLock<Vec<Strip>> = LazyLock::new(|| {
    let lines = include_str!("ziggurat.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let strip = |line: &str| {
        let mut numbers = line
            .split(' ')
            .map(|it| u64::from_str_radix(it, 16).unwrap_or(0));
        let mut next = || numbers.next().unwrap_or(0);
        let mut part = || Part {
            k: next(),
            w: f64::from_bits(next()),
            f: f64::from_bits(next()),
        };
        Strip {
            normal: part(),
            exponential: part(),
        }
    };
    lines.map(strip).collect()
});

fn strip(at: u64) -> Strip {
    STRIPS.get(at as usize).copied().unwrap_or_default()
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Pcg64 {
    state: u128,
    step: u128,
    /// The upper half of a number whose lower half was drawn.
    spare: Option<u32>,
}

impl Pcg64 {
    /// The stream of `default_rng(seed)`, whose seed is given in words, lowest first.
    pub(super) fn new(seed: &[u32]) -> Self {
        let [high, low, step_high, step_low] = seeded(seed);
        let joined = |high: u64, low: u64| (u128::from(high) << 64) | u128::from(low);
        let mut made = Self {
            state: 0,
            step: (joined(step_high, step_low) << 1) | 1,
            spare: None,
        };
        made.advance();
        made.state = made.state.wrapping_add(joined(high, low));
        made.advance();
        made
    }

    fn advance(&mut self) {
        let next = self.state.wrapping_mul(MULTIPLIER);
        self.state = next.wrapping_add(self.step);
    }

    fn u64(&mut self) -> u64 {
        self.advance();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    fn u32(&mut self) -> u32 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let both = self.u64();
        self.spare = Some((both >> 32) as u32);
        both as u32
    }

    /// A number from 0 to 1, without 1.
    pub(super) fn uniform(&mut self) -> f64 {
        (self.u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// A normal number, by the ziggurat.
    pub(super) fn normal(&mut self) -> f64 {
        loop {
            let drawn = self.u64();
            let at = drawn & 0xff;
            let is_negative = (drawn >> 8) & 1 == 1;
            let size = (drawn >> 9) & 0x000f_ffff_ffff_ffff;
            let own = strip(at).normal;
            let x = size as f64 * own.w;
            let x = if is_negative { -x } else { x };
            if size < own.k {
                return x;
            }
            if at == 0 {
                return self.normal_tail((size >> 8) & 1 == 1);
            }
            let above = strip(at - 1).normal.f;
            if (above - own.f) * self.uniform() + own.f < (-0.5 * x * x).exp() {
                return x;
            }
        }
    }

    fn normal_tail(&mut self, is_negative: bool) -> f64 {
        loop {
            let x = -NORMAL_INVERSE_R * (-self.uniform()).ln_1p();
            let y = -(-self.uniform()).ln_1p();
            if y + y > x * x {
                let far = NORMAL_R + x;
                return if is_negative { -far } else { far };
            }
        }
    }

    /// An exponential number, by the ziggurat.
    pub(super) fn exponential(&mut self) -> f64 {
        loop {
            let drawn = self.u64() >> 3;
            let (at, size) = (drawn & 0xff, drawn >> 8);
            let own = strip(at).exponential;
            let x = size as f64 * own.w;
            if size < own.k {
                return x;
            }
            if at == 0 {
                return EXPONENTIAL_R - (-self.uniform()).ln_1p();
            }
            let above = strip(at - 1).exponential.f;
            if (above - own.f) * self.uniform() + own.f < (-x).exp() {
                return x;
            }
        }
    }

    /// A whole number from 0 to `last`, both included, by Lemire's method.
    pub(super) fn up_to(&mut self, last: u64) -> u64 {
        match u32::try_from(last) {
            Ok(0) => 0,
            Ok(u32::MAX) => u64::from(self.u32()),
            Ok(last) => u64::from(self.up_to_u32(last)),
            Err(_) if last == u64::MAX => self.u64(),
            Err(_) => {
                let count = u128::from(last) + 1;
                let limit = (u128::from(u64::MAX - last) % count) as u64;
                loop {
                    let product = u128::from(self.u64()) * count;
                    if product as u64 >= limit {
                        return (product >> 64) as u64;
                    }
                }
            }
        }
    }

    fn up_to_u32(&mut self, last: u32) -> u32 {
        let count = u64::from(last) + 1;
        let limit = (u64::from(u32::MAX - last) % count) as u32;
        loop {
            let product = u64::from(self.u32()) * count;
            if product as u32 >= limit {
                return (product >> 32) as u32;
            }
        }
    }

    fn shuffle(&mut self, values: &mut [i64], first: usize) {
        for at in (first..values.len()).rev() {
            let other = self.up_to(at as u64) as usize;
            values.swap(at, other);
        }
    }

    /// The numbers below `count` in a random order.
    pub(super) fn permutation(&mut self, count: usize) -> Vec<i64> {
        let mut order: Vec<i64> = (0..count as i64).collect();
        for at in (1..count).rev() {
            let other = self.up_to_masked(at as u64) as usize;
            order.swap(at, other);
        }
        order
    }

    /// The same as `up_to`, by masks: permutations draw so.
    fn up_to_masked(&mut self, last: u64) -> u64 {
        let mask = u64::MAX.checked_shr(last.leading_zeros()).unwrap_or(0);
        loop {
            let drawn = if u32::try_from(last).is_ok() {
                u64::from(self.u32())
            } else {
                self.u64()
            };
            if drawn & mask <= last {
                return drawn & mask;
            }
        }
    }

    /// So many different numbers below `count`, as `choice` draws them.
    pub(super) fn sample(&mut self, count: usize, wanted: usize, shuffled: bool) -> Vec<i64> {
        let start = count.saturating_sub(wanted);
        let cutoff = if shuffled { 50 } else { 20 };
        if count > 10_000 && wanted > count / cutoff {
            let mut order: Vec<i64> = (0..count as i64).collect();
            self.shuffle(&mut order, start.max(1));
            return order.split_off(start);
        }
        let mut seen = std::collections::HashSet::new();
        let mut found = Vec::new();
        for last in start..count {
            let drawn = self.up_to(last as u64) as i64;
            let new = if seen.contains(&drawn) {
                last as i64
            } else {
                drawn
            };
            seen.insert(new);
            found.push(new);
        }
        if shuffled {
            self.shuffle(&mut found, 1);
        }
        found
    }
}

/// The first four numbers of NumPy's `SeedSequence`.
fn seeded(seed: &[u32]) -> [u64; 4] {
    let mut constant = 0x43b0_d7e5_u32;
    let mut hashed = |value: u32| {
        let value = value ^ constant;
        constant = constant.wrapping_mul(0x931e_8875);
        let value = value.wrapping_mul(constant);
        value ^ (value >> 16)
    };
    let mixed = |a: u32, b: u32| {
        let product = a
            .wrapping_mul(0xca01_f9dd)
            .wrapping_sub(b.wrapping_mul(0x4973_f715));
        product ^ (product >> 16)
    };
    let mut pool = [0_u32; 4];
    for (at, word) in pool.iter_mut().enumerate() {
        *word = hashed(seed.get(at).copied().unwrap_or(0));
    }
    for from in 0..4 {
        for to in 0..4 {
            let source = pool.get(from).copied().unwrap_or(0);
            if let Some(word) = pool.get_mut(to).filter(|_| from != to) {
                *word = mixed(*word, hashed(source));
            }
        }
    }
    for word in seed.iter().skip(4) {
        for own in &mut pool {
            *own = mixed(*own, hashed(*word));
        }
    }
    let mut constant = 0x8b51_f9dd_u32;
    let mut words = pool.iter().cycle().map(|word| {
        let value = word ^ constant;
        constant = constant.wrapping_mul(0x58f3_8ded);
        let value = value.wrapping_mul(constant);
        u64::from(value ^ (value >> 16))
    });
    let mut next = || {
        let low = words.next().unwrap_or(0);
        low | (words.next().unwrap_or(0) << 32)
    };
    [next(), next(), next(), next()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference values are those of NumPy 2.4.6.
    #[test]
    fn the_stream_is_that_of_numpy() {
        let mut stream = Pcg64::new(&[0]);
        assert_eq!(stream.uniform().to_string(), "0.6369616873214543");
        let mut stream = Pcg64::new(&[42]);
        assert_eq!(stream.normal().to_string(), "0.30471707975443135");
        let permutation = Pcg64::new(&[0]).permutation(8);
        assert_eq!(permutation, [2, 4, 3, 6, 5, 0, 1, 7]);
        assert_eq!(Pcg64::new(&[0]).sample(10, 4, true), [2, 4, 5, 7]);
    }
}
