//! Units that convert into each other.
//!
//! Bytes, time, operations and per cent; any other unit has to match as written, because guessing what an
//! author meant by `images/s` would grade wrong.

/// Units of one kind, each with how many of the smallest it is.
type Family = &'static [(&'static str, f64)];

const BYTES: Family = &[
    ("B", 1.0),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
];
const TIME: Family = &[("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];
const FLOPS: Family = &[
    ("FLOP", 1.0),
    ("kFLOP", 1e3),
    ("MFLOP", 1e6),
    ("GFLOP", 1e9),
    ("TFLOP", 1e12),
];
const SHARE: Family = &[("%", 1.0)];
const FAMILIES: [Family; 4] = [BYTES, TIME, FLOPS, SHARE];

/// Other ways to write some of them.
const ALIASES: [(&str, &str); 7] = [
    ("byte", "B"),
    ("bytes", "B"),
    ("\u{b5}s", "us"),
    ("\u{3bc}s", "us"),
    ("sec", "s"),
    ("percent", "%"),
    ("FLOPs", "FLOP"),
];

/// Words that authors write for units, without the `s` of a plural. Learners' answers do not convert into them.
const SPELLED_OUT: [(&str, &str); 29] = [
    ("nsec", "ns"),
    ("nanosecond", "ns"),
    ("nano", "ns"),
    ("usec", "us"),
    ("microsecond", "us"),
    ("micro", "us"),
    ("msec", "ms"),
    ("millisecond", "ms"),
    ("milli", "ms"),
    ("second", "s"),
    ("kilobyte", "KB"),
    ("megabyte", "MB"),
    ("gigabyte", "GB"),
    ("terabyte", "TB"),
    ("kibibyte", "KiB"),
    ("mebibyte", "MiB"),
    ("gibibyte", "GiB"),
    ("tebibyte", "TiB"),
    ("kb", "KB"),
    ("mb", "MB"),
    ("gb", "GB"),
    ("teraflop", "TFLOP"),
    ("gigaflop", "GFLOP"),
    ("kbyte", "KB"),
    ("mbyte", "MB"),
    ("gbyte", "GB"),
    ("mibyte", "MiB"),
    ("gibyte", "GiB"),
    ("per cent", "%"),
];

/// The usual way to write a unit: `mib` is `MiB`, `µs` is `us`. Unknown units stay as they are.
pub fn canonical(unit: &str) -> &str {
    if let Some((name, _)) = find(unit) {
        return name;
    }
    ALIASES
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(unit))
        .map_or(unit, |(_, name)| name)
}

/// The unit that an unknown one is probably meant to be: `msec` is `ms`. Nothing for a known unit, and for one that is
/// like none.
pub(crate) fn meant(unit: &str) -> Option<&'static str> {
    if family(canonical(unit)).is_some() {
        return None;
    }
    let lower = unit.to_lowercase();
    let stem = lower.strip_suffix('s').unwrap_or(&lower);
    let known = SPELLED_OUT.iter().find(|(word, _)| *word == stem);
    known.map(|(_, name)| *name)
}

/// A value in another unit; nothing when the two are not of one kind.
pub fn convert(value: f64, from: &str, to: &str) -> Option<f64> {
    let (from, to) = (canonical(from), canonical(to));
    if from == to {
        return Some(value);
    }
    let family = family(to)?;
    let scale = |unit: &str| {
        family
            .iter()
            .find(|(name, _)| *name == unit)
            .map(|(_, scale)| *scale)
    };
    Some(value * scale(from)? / scale(to)?)
}

/// All units that convert into this one, itself included when it is known.
pub fn like(unit: &str) -> impl Iterator<Item = &'static str> {
    let family = family(canonical(unit)).unwrap_or(&[]);
    family.iter().map(|(name, _)| *name)
}

/// A known unit, in any case. No two known units of all kinds differ by case only.
fn find(unit: &str) -> Option<&'static (&'static str, f64)> {
    FAMILIES
        .into_iter()
        .flatten()
        .find(|(name, _)| name.eq_ignore_ascii_case(unit))
}

fn family(unit: &str) -> Option<Family> {
    FAMILIES
        .into_iter()
        .find(|family| family.iter().any(|(name, _)| *name == unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_and_binary_units_convert_into_each_other() {
        assert_eq!(convert(1.0, "GiB", "MiB"), Some(1024.0));
        assert_eq!(convert(1.5, "KB", "B"), Some(1500.0));
        assert_eq!(convert(1.0, "s", "ms"), Some(1000.0));
        assert_eq!(convert(2.0, "TFLOP", "GFLOP"), Some(2000.0));
    }

    #[test]
    fn case_and_common_spellings_do_not_matter() {
        assert_eq!(convert(1.0, "gib", "MiB"), Some(1024.0));
        assert_eq!(convert(24.0, "bytes", "B"), Some(24.0));
        assert_eq!(convert(1.0, "µs", "ns"), Some(1000.0));
    }

    #[test]
    fn other_units_match_themselves_only() {
        assert_eq!(convert(1.0, "images/s", "images/s"), Some(1.0));
        assert_eq!(convert(1.0, "images/s", "s"), None);
        assert_eq!(convert(1.0, "s", "B"), None);
        assert_eq!(like("images/s").count(), 0);
    }

    #[test]
    fn units_that_are_spelled_out_are_meant_to_be_known_ones() {
        assert_eq!(meant("msec"), Some("ms"));
        assert_eq!(meant("Milliseconds"), Some("ms"));
        assert_eq!(meant("GBs"), Some("GB"));
        for unit in ["ms", "µs", "bytes", "images/s", "m", "tokens"] {
            assert_eq!(meant(unit), None, "{unit}");
        }
    }

    #[test]
    fn no_two_units_differ_by_case_only() {
        let mut names: Vec<String> = FAMILIES
            .into_iter()
            .flatten()
            .map(|(name, _)| name.to_lowercase())
            .collect();
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
