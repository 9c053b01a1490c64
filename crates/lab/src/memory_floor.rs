//! The floor of training: the bytes that are held before the first activation.
//!
//! Pure arithmetic in whole numbers. It leaves out what depends on the program: activations, the batch, the
//! allocator's rounding and what the framework holds. So it says when a model cannot be trained on a card,
//! and never that it can.

/// More parameters than this are a slip of the finger, and their bytes still fit a `u64`.
const MOST: u64 = 1_000_000_000_000_000;

/// What a training step keeps its numbers in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Everything in `float32`.
    Full,
    /// Weights and gradients in 16 bits, a master copy of the weights in `float32` for the optimizer.
    Mixed,
}

impl Precision {
    /// Both, in the order they are shown.
    pub const ALL: [Self; 2] = [Self::Full, Self::Mixed];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Full => "float32",
            Self::Mixed => "mixed precision",
        }
    }

    /// What training with Adam holds for each parameter: names, and bytes for one parameter.
    pub fn parts(self) -> &'static [(&'static str, u64)] {
        match self {
            Self::Full => &[("weights", 4), ("gradients", 4), ("Adam's two moments", 8)],
            Self::Mixed => &[
                ("weights, 16 bits", 2),
                ("gradients, 16 bits", 2),
                ("master weights, float32", 4),
                ("Adam's two moments", 8),
            ],
        }
    }

    /// The bytes of all parts for one parameter.
    pub fn bytes_each(self) -> u64 {
        self.parts().iter().map(|(_, bytes)| bytes).sum()
    }

    /// The floor for so many parameters, in bytes.
    pub fn floor(self, parameters: u64) -> u64 {
        self.bytes_each().saturating_mul(parameters)
    }
}

/// A text that is no number of parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a number of parameters from 1 to 1e15")]
pub struct NoCount(String);

/// Reads a number of parameters as people write it: `125_000_000`, `1e9`, `1.5e9`, `7b`, `350M`.
pub fn parameters(text: &str) -> Result<u64, NoCount> {
    let plain = text.trim().replace('_', "").to_ascii_lowercase();
    let count = counted(&plain).filter(|it| (1..=MOST).contains(it));
    count.ok_or_else(|| NoCount(text.to_owned()))
}

fn counted(text: &str) -> Option<u64> {
    let (digits, zeros) = scaled(text)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let is_plain = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_plain(whole) || !is_plain(fraction) {
        return None;
    }
    // What is left behind the point is a part of a parameter.
    let zeros = zeros.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
    digits.checked_mul(10_u64.checked_pow(zeros)?)
}

/// The digits, and how many places the point moves.
fn scaled(text: &str) -> Option<(&str, u32)> {
    if let Some((digits, exponent)) = text.split_once('e') {
        return Some((digits, exponent.parse().ok()?));
    }
    let units = [('k', 3), ('m', 6), ('b', 9), ('t', 12)];
    let found = units
        .iter()
        .find_map(|&(unit, zeros)| Some((text.strip_suffix(unit)?, zeros)));
    Some(found.unwrap_or((text, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_billion_parameters_hold_sixteen_billion_bytes_before_any_activation() {
        let floor = Precision::Full.floor(1_000_000_000);
        assert_eq!(floor, 16_000_000_000);
    }

    #[test]
    fn mixed_precision_does_not_lower_the_floor() {
        assert_eq!(Precision::Mixed.bytes_each(), Precision::Full.bytes_each());
    }

    #[test]
    fn counts_are_read_as_people_write_them() {
        let read = [
            "1",
            "125_000_000",
            "1e9",
            "1.5E9",
            "7b",
            "350M",
            "1.10k",
            "0.5b",
            "1e15",
        ];
        let read = read.map(|it| parameters(it).unwrap().to_string());
        insta::assert_snapshot!(read.join(" "), @"1 125000000 1000000000 1500000000 7000000000 350000000 1100 500000000 1000000000000000");
    }

    #[test]
    fn what_is_no_count_is_refused() {
        for text in [
            "",
            "0",
            "-1",
            "+1",
            "1.5",
            "1e",
            "1e-3",
            "1e16",
            "2e15",
            ".5e9",
            "1.2.3e9",
            "7bb",
            "many",
            "0x10",
            "1e99999999999",
            "99999999999999999999",
            "1.0001k",
            "٣",
        ] {
            assert!(parameters(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_count_is_read_back(count in 1..=MOST) {
            prop_assert_eq!(parameters(&count.to_string()), Ok(count));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}") {
            let _either = parameters(&text);
        }
    }
}
