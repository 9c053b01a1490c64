//! Reading a typed number, and comparing numbers.
//!
//! `14.9`, `1e9`, `1_000`, `1,000`, `14,9`, each with a unit behind it or not. One comma with exactly
//! three digits behind it and one to three in front separates thousands, unless the number starts with
//! `0`; every other single comma is a decimal comma. So `1,000` is a thousand, `14,9` is 14.9, `0,125` is
//! an eighth, and `1.234,5` is refused rather than guessed.

use super::score::NoVerdict;
use warpup_course::kinds::Tolerance;
use warpup_course::units;

/// Tolerance for rounding of units and decimals.
const SLACK: f64 = 1e-9;

/// A typed number, in `unit`, which may be answered in the `accepted` units, too.
pub(super) fn read(typed: &str, unit: Option<&str>, accepted: &[&str]) -> Result<f64, NoVerdict> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Err(NoVerdict::Empty("type an answer"));
    }
    let not_a_number = || NoVerdict::NotANumber(typed.to_owned());
    let (number, written) = split(typed);
    let value = value(number).ok_or_else(not_a_number)?;
    if written.is_empty() {
        return Ok(value);
    }
    let fits = |known: &&str| units::canonical(known) == units::canonical(written);
    let unknown = |known: String| NoVerdict::UnknownUnit {
        unit: written.to_owned(),
        known,
    };
    let Some(unit) = unit else {
        return Err(NoVerdict::NotPlain);
    };
    if fits(&unit) || accepted.iter().any(fits) {
        // The author of the question has checked that accepted units convert.
        return units::convert(value, written, unit).ok_or_else(not_a_number);
    }
    let mut known = vec![unit];
    known.extend(accepted.iter().filter(|it| **it != unit));
    Err(unknown(known.join(", ")))
}

/// The number in front, and the unit behind it.
fn split(typed: &str) -> (&str, &str) {
    let mut end = 0;
    for (at, letter) in typed.char_indices() {
        let next = typed.get(at + letter.len_utf8()..).unwrap_or_default();
        let belongs = match letter {
            '0'..='9' | '.' | ',' | '_' => true,
            '+' | '-' => at == 0 || typed.get(..at).is_some_and(|it| it.ends_with(['e', 'E'])),
            'e' | 'E' => {
                let digits = next.strip_prefix(['+', '-']).unwrap_or(next);
                at > 0 && digits.starts_with(|it: char| it.is_ascii_digit())
            }
            _ => false,
        };
        if !belongs {
            break;
        }
        end = at + letter.len_utf8();
    }
    let (number, unit) = typed.split_at(end);
    (number, unit.trim())
}

/// The value of a number without a unit.
fn value(number: &str) -> Option<f64> {
    let (mantissa, exponent) = match number.find(['e', 'E']) {
        Some(at) => number.split_at(at),
        None => (number, ""),
    };
    let plain = without_separators(mantissa)?;
    if !plain.contains(|it: char| it.is_ascii_digit()) {
        return None;
    }
    let value: f64 = format!("{plain}{exponent}").parse().ok()?;
    value.is_finite().then_some(value)
}

/// The number with a decimal point and nothing between its digits.
fn without_separators(mantissa: &str) -> Option<String> {
    let digits = mantissa.trim_start_matches(['+', '-']);
    let between_digits = digits
        .split('_')
        .all(|it| it.starts_with(is_digit) && it.ends_with(is_digit));
    if digits.contains('_') && !between_digits {
        return None;
    }
    let mantissa = mantissa.replace('_', "");
    let digits = digits.replace('_', "");
    let (whole, decimals) = match digits.split_once('.') {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (digits.as_str(), None),
    };
    if decimals.is_some_and(|it| it.contains(['.', ','])) {
        return None;
    }
    let groups: Vec<&str> = whole.split(',').collect();
    let [first, rest @ ..] = groups.as_slice() else {
        return None;
    };
    let thousands = (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && rest.iter().all(|it| it.len() == 3);
    match rest {
        [] => Some(mantissa),
        [..] if thousands => Some(mantissa.replace(',', "")),
        [_] if decimals.is_none() => Some(mantissa.replace(',', ".")),
        [..] => None,
    }
}

fn is_digit(it: char) -> bool {
    it.is_ascii_digit()
}

/// Whether a value is as near to the key as it has to be.
pub(super) fn is_within(value: f64, key: f64, tolerance: Tolerance) -> bool {
    let slack = SLACK * key.abs();
    match tolerance {
        Tolerance::Exact => (value - key).abs() <= slack,
        Tolerance::Abs(off) => (value - key).abs() <= off + slack,
        Tolerance::Rel(off) => (value - key).abs() <= off * key.abs() + slack,
        Tolerance::Range(low, high) => {
            value >= low - SLACK * low.abs() && value <= high + SLACK * high.abs()
        }
    }
}

/// Whether the larger of two is at most `factor` times the smaller. Nothing is a multiple of zero but zero.
pub(super) fn is_within_factor(one: f64, other: f64, factor: f64) -> bool {
    if !one.is_finite() || !other.is_finite() {
        return false;
    }
    let (small, large) = (one.abs().min(other.abs()), one.abs().max(other.abs()));
    let same_side = one.is_sign_negative() == other.is_sign_negative();
    let both_zero = large <= f64::MIN_POSITIVE;
    both_zero || (same_side && large <= small * factor * (1.0 + SLACK))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(typed: &str) -> Option<f64> {
        read(typed, None, &[]).ok()
    }

    #[test]
    fn numbers_are_read_as_people_type_them() {
        for (typed, value) in [
            ("14.9", 14.9),
            (" 14.90 ", 14.9),
            ("1e9", 1e9),
            ("-2.5E-3", -2.5e-3),
            ("1_000", 1000.0),
            ("1,000", 1000.0),
            ("1,234,567.5", 1_234_567.5),
            ("14,9", 14.9),
            ("0,125", 0.125),
            ("1234,567", 1234.567),
            (".5", 0.5),
            ("5.", 5.0),
        ] {
            assert_eq!(plain(typed), Some(value), "{typed}");
        }
    }

    #[test]
    fn what_could_be_read_in_two_ways_or_none_is_refused() {
        for typed in [
            "", ".", "-", "e9", "abc", "1.2.3", "1.234,5", "1,23,456", "1__0", "_1", "1_", "inf",
            "nan", "1e999", "1,,2", "--1", "1-2",
        ] {
            assert_eq!(plain(typed), None, "{typed}");
        }
    }

    #[test]
    fn a_unit_is_converted_and_a_bare_number_means_the_questions_unit() {
        let accepted = ["GiB", "B"];
        let read = |typed| read(typed, Some("MiB"), &accepted);
        assert_eq!(read("14.90 GiB"), Ok(14.9 * 1024.0));
        assert_eq!(read("14.90GiB"), Ok(14.9 * 1024.0));
        assert_eq!(read("1e6 bytes"), Ok(1e6 / 1_048_576.0));
        assert_eq!(read("12"), Ok(12.0));
        assert_eq!(
            read("12 KiB").map_err(|it| it.to_string()),
            Err("`KiB` does not fit: answer in MiB, GiB, B".to_owned())
        );
    }

    #[test]
    fn factors_hold_in_both_directions_and_not_across_zero() {
        assert!(is_within_factor(2.0, 1.0, 2.0));
        assert!(is_within_factor(1.0, 2.0, 2.0));
        assert!(!is_within_factor(1.0, 2.1, 2.0));
        assert!(is_within_factor(0.0, 0.0, 2.0));
        assert!(!is_within_factor(0.0, 1.0, 2.0));
        assert!(!is_within_factor(-1.0, 1.0, 2.0));
        assert!(!is_within_factor(f64::NAN, 1.0, 2.0));
    }
}
