//! Times and sizes for people: three digits and a unit.
//!
//! Pure. Used wherever a time or a size is shown, so that the gutter, the table and the totals agree.

use std::time::Duration;

pub use warpup_text::count::count;
pub use warpup_text::number;

/// Formats nanoseconds: `840 ns`, `1.24 ms`, `12.4 s`. At most seven columns up to 1000 s.
pub fn duration(ns: u64) -> String {
    if ns < 1000 {
        return format!("{ns} ns");
    }
    scaled(ns as f64 / 1e3, 1000.0, &["µs", "ms", "s"])
}

/// Formats bytes: `12 B`, `1.50 KiB`, `14.9 GiB`.
pub fn bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    scaled(bytes as f64 / 1024.0, 1024.0, &["KiB", "MiB", "GiB", "TiB"])
}

/// Formats bytes in the unit of data sheets, 10^9 bytes: `16.00 GB`.
pub fn gb(bytes: u64) -> String {
    format!("{:.2} GB", bytes as f64 / 1e9)
}

/// Formats bytes in the unit of PyTorch's out-of-memory message, 2^30 bytes: `14.90 GiB`.
pub fn gib(bytes: u64) -> String {
    format!("{:.2} GiB", bytes as f64 / f64::from(1 << 30))
}

/// Bytes as MiB, which are 2^20 bytes each.
pub fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// A duration as whole milliseconds, as a request's time limit has it.
pub fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Bytes a second in powers of ten, as data sheets count them.
pub fn rate(bytes_per_second: f64) -> String {
    scaled(
        bytes_per_second,
        1e3,
        &["B/s", "kB/s", "MB/s", "GB/s", "TB/s"],
    )
}

/// The value in the first unit in which it is below `step` as shown, else in the last.
fn scaled(mut value: f64, step: f64, units: &[&str]) -> String {
    let mut units = units.iter().peekable();
    while let Some(unit) = units.next() {
        // 999.6 would be shown as 1000.
        if value.round() < step || units.peek().is_none() {
            return format!("{} {unit}", three_digits(value));
        }
        value /= step;
    }
    String::new()
}

/// Three digits, or more if the whole part has more.
fn three_digits(value: f64) -> String {
    // Where rounding would bring one more digit before the point.
    let decimals = usize::from(value < 9.995) + usize::from(value < 99.95);
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_have_three_digits_and_a_unit() {
        let shown = [
            0,
            840,
            999,
            1_000,
            1_240_000,
            12_449_999,
            999_600_000,
            61_000_000_000,
        ];
        insta::assert_snapshot!(shown.map(duration).join(", "), @"0 ns, 840 ns, 999 ns, 1.00 µs, 1.24 ms, 12.4 ms, 1.00 s, 61.0 s");
        assert_eq!(duration(999_999), "1.00 ms");
        assert_eq!(duration(9_996), "10.0 µs");
        assert_eq!(duration(3_600_000_000_000), "3600 s");
    }

    #[test]
    fn bytes_count_in_powers_of_two() {
        let shown = [0, 1023, 1536, 12 << 20, 16_000_000_000];
        insta::assert_snapshot!(shown.map(bytes).join(", "), @"0 B, 1023 B, 1.50 KiB, 12.0 MiB, 14.9 GiB");
    }

    #[test]
    fn data_sheets_count_in_powers_of_ten_and_error_messages_in_powers_of_two() {
        let floor = 16_000_000_000;
        assert_eq!(
            (gb(floor), gib(floor)),
            ("16.00 GB".into(), "14.90 GiB".into())
        );
    }

    #[test]
    fn rates_count_in_powers_of_ten() {
        let shown = [2.5e6, 54.44e9, 1_437.6e9, 999.7e9, 0.0];
        insta::assert_snapshot!(shown.map(rate).join(", "), @"2.50 MB/s, 54.4 GB/s, 1.44 TB/s, 1.00 TB/s, 0.00 B/s");
    }

    #[test]
    fn numbers_have_about_three_digits() {
        let shown = [
            0.0,
            -0.0,
            3.0,
            12.25,
            1234.5,
            0.0123,
            -2.5e-7,
            1e9,
            f64::NAN,
        ];
        insta::assert_snapshot!(shown.map(number).join(", "), @"0, 0, 3, 12.25, 1234.5, 0.0123, -2.500e-7, 1.000e9, NaN");
    }

    proptest! {
        #[test]
        fn a_duration_fits_its_column(ns in 0..1_000_000_000_000u64) {
            prop_assert!(duration(ns).chars().count() <= 7, "{}", duration(ns));
        }
    }
}
