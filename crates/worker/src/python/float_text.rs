//! NumPy's arithmetic on single floats: the shortest digits, rounding to fewer bits, and sums in pairs.

use std::ops::Add;

/// The shortest digits that give this number back in a float of so many bits, as in `1.25e-3`.
pub(super) fn shortest(value: f64, bits: u32) -> String {
    match bits {
        16 => {
            let is_same = |text: &String| {
                let read = text.parse::<f64>();
                read.is_ok_and(|it| half(it).to_bits() == half(value).to_bits())
            };
            let mut written = (0..8).map(|digits| format!("{value:.digits$e}"));
            written
                .find(is_same)
                .unwrap_or_else(|| format!("{value:e}"))
        }
        32 => format!("{:e}", value as f32),
        _ => format!("{value:e}"),
    }
}

/// The nearest number in a float of so many bits.
pub(super) fn rounded(value: f64, bits: u32) -> f64 {
    match bits {
        16 => half(value),
        32 => f64::from(value as f32),
        _ => value,
    }
}

/// The nearest number with the 11 significant bits and the exponents of a `float16`.
fn half(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    if value.abs() >= 65_520.0 {
        return f64::INFINITY.copysign(value);
    }
    let exponent = (value.abs().to_bits() >> 52) as i32 - 1023;
    let unit = 2_f64.powi(exponent.max(-14) - 10);
    (value / unit).round_ties_even() * unit
}

/// The sums of `count` numbers each, which are `inner` apart, in NumPy's order: neighbours in pairs, rows one by one.
pub(super) fn sums<T: Copy + Default + Add<Output = T>>(
    values: &[T],
    count: usize,
    inner: usize,
) -> Vec<T> {
    if count == 0 || inner == 0 {
        return vec![T::default(); inner];
    }
    let blocks = values.chunks(count * inner);
    let sums = blocks.flat_map(|block| {
        if inner == 1 {
            return vec![pairwise(block)];
        }
        let mut rows = block.chunks(inner);
        let first = rows.next().unwrap_or_default().to_vec();
        rows.fold(first, |sums, row| {
            sums.iter().zip(row).map(|(a, b)| *a + *b).collect()
        })
    });
    sums.collect()
}

/// The sum in the order of NumPy's `pairwise_sum` (`loops_utils.h.src`): eight sums side by side in blocks of up to
/// 128 numbers, and halves above that.
pub(super) fn pairwise<T: Copy + Default + Add<Output = T>>(values: &[T]) -> T {
    let count = values.len();
    if count > 128 {
        let half = count / 2 - count / 2 % 8;
        let (first, rest) = values.split_at(half);
        return pairwise(first) + pairwise(rest);
    }
    let mut blocks = values.chunks_exact(8);
    let mut sums: Option<[T; 8]> = None;
    for block in &mut blocks {
        let mut now = sums.unwrap_or_default();
        for (sum, value) in now.iter_mut().zip(block) {
            *sum = if sums.is_some() {
                *sum + *value
            } else {
                *value
            };
        }
        sums = Some(now);
    }
    let start = sums.map_or_else(T::default, |sums| {
        let (first, second) = sums.split_at(4);
        in_pairs(first) + in_pairs(second)
    });
    blocks.remainder().iter().fold(start, |sum, it| sum + *it)
}

/// The sum of the sums of neighbours.
fn in_pairs<T: Copy + Default + Add<Output = T>>(values: &[T]) -> T {
    let pairs = values
        .chunks(2)
        .filter_map(|pair| pair.iter().copied().reduce(T::add));
    pairs.reduce(T::add).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_fewest_that_give_the_number_back() {
        assert_eq!(shortest(f64::from(0.1_f32), 32), "1e-1");
        assert_eq!(shortest(rounded(1.0 / 3.0, 16), 16), "3.333e-1");
        assert_eq!(shortest(0.1 + 0.2, 64), "3.0000000000000004e-1");
    }

    /// The reference values are those of `numpy.sum` of NumPy 2.4.6.
    #[test]
    fn sums_are_those_of_numpy() {
        let values: Vec<f32> = (0..1000).map(|it| it as f32 * 0.1).collect();
        assert_eq!(pairwise(&values).to_string(), "49950");
        let values: Vec<f64> = (0..300).map(|it| f64::from(it) * 0.1).collect();
        assert_eq!(pairwise(&values).to_string(), "4485");
    }
}
