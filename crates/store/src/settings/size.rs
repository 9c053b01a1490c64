//! A size in bytes, as people write it: `8589934592` or `"8 GiB"`.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum Size {
    Bytes(u64),
    Words(String),
}

/// Reads a size that is more than 0.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u64>, D::Error> {
    let wanted = || D::Error::custom("give bytes as in 8589934592, or words as in \"8 GiB\"");
    let bytes = match Size::deserialize(input).map_err(|_neither| wanted())? {
        Size::Bytes(bytes) => bytes,
        Size::Words(words) => bytes_of(&words).ok_or_else(wanted)?,
    };
    if bytes == 0 {
        return Err(D::Error::custom("a run without any memory does nothing"));
    }
    Ok(Some(bytes))
}

/// The bytes of `8 GiB`, `512MiB` or `1.5 GiB`.
fn bytes_of(words: &str) -> Option<u64> {
    let words = words.trim();
    let end = words.find(|it: char| it.is_ascii_alphabetic())?;
    let (number, unit) = words.split_at_checked(end)?;
    let unit: u64 = match unit {
        "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "TiB" => 1 << 40,
        _ => return None,
    };
    let (whole, part) = match number.trim().split_once('.') {
        Some((whole, part)) => (whole, part),
        None => (number.trim(), ""),
    };
    let whole = whole.parse::<u64>().ok()?.checked_mul(unit)?;
    // In whole numbers: a tenth of a gibibyte has no exact binary fraction, but a floor.
    let digits = u32::try_from(part.len()).ok().filter(|it| *it <= 6)?;
    let part = match part {
        "" => 0,
        part => part.parse::<u64>().ok()?.checked_mul(unit)? / 10_u64.pow(digits),
    };
    whole.checked_add(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!(bytes_of("8 GiB"), Some(8 << 30));
        assert_eq!(bytes_of(" 512MiB "), Some(512 << 20));
        assert_eq!(bytes_of("0.5 KiB"), Some(512));
        assert_eq!(bytes_of("7 B"), Some(7));
        for wrong in [
            "",
            "GiB",
            "8",
            "8 GB",
            "-1 GiB",
            "1.1234567 GiB",
            "99999999999 GiB",
            "1..5 GiB",
        ] {
            assert_eq!(bytes_of(wrong), None, "{wrong}");
        }
    }
}
