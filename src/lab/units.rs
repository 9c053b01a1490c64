//! Times and sizes for people: three digits and a unit.

/// A time in at most six columns: `412ns`, `1.25µs`, `38.0ms`, `12.3s`.
pub fn short_ns(ns: u64) -> String {
    let mut value = ns as f64;
    for unit in ["ns", "µs", "ms"] {
        if value < 999.5 {
            return format!("{}{unit}", three_digits(value, unit == "ns"));
        }
        value /= 1000.0;
    }
    format!("{}s", three_digits(value, false))
}

/// A size in binary units: `512 B`, `1.50 KiB`, `15.8 GiB`.
pub fn short_bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if value < 1023.5 {
            return format!("{} {unit}", three_digits(value, unit == "B"));
        }
        value /= 1024.0;
    }
    format!("{} TiB", three_digits(value, false))
}

/// A number with three digits, without decimals where it is a count.
fn three_digits(value: f64, is_count: bool) -> String {
    let decimals = if is_count || value >= 99.95 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let shown: Vec<_> = [0, 999, 1_000, 12_345, 999_600, 38_000_000, 12_300_000_000]
            .map(short_ns)
            .to_vec();
        assert_eq!(
            shown,
            ["0ns", "999ns", "1.00µs", "12.3µs", "1.00ms", "38.0ms", "12.3s"]
        );
    }

    #[test]
    fn sizes_are_binary() {
        let shown: Vec<_> = [0, 1023, 1536, 16_965_120_000].map(short_bytes).to_vec();
        assert_eq!(shown, ["0 B", "1023 B", "1.50 KiB", "15.8 GiB"]);
    }
}
