//! The values of options: numbers, devices, languages, sizes.
//!
//! Each refuses a value with what is wrong with it and what to write instead.

use std::ops::RangeInclusive;
use thiserror::Error;
use warpup_course::Language;
use warpup_protocol::DeviceName;

/// A value that an option does not take.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{what}")]
pub(super) struct WrongValue {
    what: String,
    /// What to write instead.
    pub(super) instead: Instead,
}

/// What to write instead of a wrong value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Instead {
    /// A value such as this one.
    Example(&'static str),
    /// What these words say.
    Words(&'static str),
}

/// A language by its code.
pub(super) fn language(code: &str) -> Result<Language, WrongValue> {
    Language::of_locale(code).ok_or_else(|| WrongValue {
        what: format!("`{code}` is not the code of a language"),
        instead: Instead::Words("two small letters, such as `de`, or with a region: `pt-BR`"),
    })
}

/// A device by its name. A word with a digit, such as `t4`, is a modelled card.
pub(super) fn device(text: &str) -> Result<DeviceName, WrongValue> {
    let of_name: Option<DeviceName> = text.parse().ok();
    let is_card = text.bytes().all(|it| it.is_ascii_alphanumeric())
        && text.bytes().any(|it| it.is_ascii_digit());
    let card = || is_card.then(|| DeviceName::Model(text.to_lowercase()));
    of_name.or_else(card).ok_or_else(|| WrongValue {
        what: format!("`{text}` is not a device"),
        instead: Instead::Words(
            "`cuda` is a real card (`cuda:1` the second one, `auto` the least loaded), the name of a card, such as `t4`, a modelled one, and `cpu` no card",
        ),
    })
}

/// A moment in nanoseconds, written as `12.5ms`.
#[expect(clippy::cast_possible_truncation, reason = "it was compared")]
pub(super) fn moment(text: &str) -> Result<i64, WrongValue> {
    let units = [
        ("ns", 1.0),
        ("us", 1e3),
        ("µs", 1e3),
        ("ms", 1e6),
        ("s", 1e9),
    ];
    let mut units = units.into_iter();
    let ns = units.find_map(|(unit, ns)| {
        let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
        Some(number * ns)
    });
    // Further than any trace.
    let ns = ns.filter(|it| (0.0..1e18).contains(it));
    ns.map(|it| it.round() as i64).ok_or_else(|| WrongValue {
        what: format!("`{text}` is not a moment"),
        instead: Instead::Example("12.5ms"),
    })
}

/// Columns and rows, as in `80x24`.
pub(super) fn size(text: &str) -> Result<(u16, u16), WrongValue> {
    let sides = text.split_once(['x', '×']);
    let size = sides.and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    size.filter(|(columns, rows)| *columns >= 1 && *rows >= 1)
        .ok_or_else(|| WrongValue {
            what: format!("`{text}` is not columns and rows"),
            instead: Instead::Example("80x24"),
        })
}

/// Two numbers of rows, such as `32,64`.
pub(super) fn two_batches(text: &str) -> Result<(u64, u64), WrongValue> {
    let pair = text.split_once(',');
    let pair = pair.and_then(|(few, many)| {
        let few = few.trim().parse::<u64>().ok()?;
        Some((few, many.trim().parse::<u64>().ok()?))
    });
    pair.filter(|(few, many)| few < many)
        .ok_or_else(|| WrongValue {
            what: format!("`{text}` is not two numbers, the smaller one first"),
            instead: Instead::Example("32,64"),
        })
}

/// A whole number in a range, and one that people write.
pub(super) fn number(
    range: RangeInclusive<u64>,
    example: &'static str,
) -> impl Fn(&str) -> Result<u64, WrongValue> + Clone + Send + Sync + 'static {
    move |text| {
        let wrong = |what: String| WrongValue {
            what,
            instead: Instead::Example(example),
        };
        // A number that is too long for the type is still a number.
        let digits = text.strip_prefix('-').unwrap_or(text);
        if text.is_empty() {
            return Err(wrong("a number is missing".to_owned()));
        }
        if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
            return Err(wrong(format!("`{text}` is not a whole number")));
        }
        let number = text.parse::<u64>();
        let (least, most) = (range.start(), range.end());
        let is_small = text.starts_with('-') || number.as_ref().is_ok_and(|it| it < least);
        match number {
            Ok(number) if range.contains(&number) => Ok(number),
            _ if is_small => Err(wrong(format!("{text} is too small: at least {least}"))),
            _ => Err(wrong(format!("{text} is too large: at most {most}"))),
        }
    }
}

/// A size: at least one, of which people write this one.
pub(super) fn at_least_one(
    example: &'static str,
) -> impl Fn(&str) -> Result<u64, WrongValue> + Clone + Send + Sync + 'static {
    number(1..=u64::MAX, example)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_needs_no_word_in_front() {
        let device = |name: &str| device(name).map(|it| it.to_string());
        assert_eq!(device("t4"), Ok("model:t4".to_owned()));
        assert_eq!(device("RTX4090"), Ok("model:rtx4090".to_owned()));
        assert_eq!(device("cuda:1"), Ok("cuda:1".to_owned()));
        assert!(device("gpu").is_err());
        assert!(device("cuda:x").is_err());
    }

    #[test]
    fn a_moment_has_a_unit() {
        assert_eq!(moment("12.5ms"), Ok(12_500_000));
        assert_eq!(moment("3 µs"), Ok(3_000));
        assert_eq!(moment("2s"), Ok(2_000_000_000));
        for wrong in ["12", "-1ms", "ms", "1e30s", "infs"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_number_is_refused_for_what_is_wrong_with_it() {
        let said = |text: &str| match number(1..=100, "32")(text) {
            Ok(number) => number.to_string(),
            Err(wrong) => wrong.to_string(),
        };
        let all = [
            "32",
            "x",
            "",
            "-",
            "3.5",
            "0",
            "-4",
            "101",
            "99999999999999999999999",
        ];
        insta::assert_snapshot!(all.map(said).join("\n"), @r"
        32
        `x` is not a whole number
        a number is missing
        `-` is not a whole number
        `3.5` is not a whole number
        0 is too small: at least 1
        -4 is too small: at least 1
        101 is too large: at most 100
        99999999999999999999999 is too large: at most 100
        ");
    }
}
