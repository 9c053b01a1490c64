//! Dates and times in UTC: a class compares its screens, and a server is often elsewhere.

use crate::zone::Zone;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Formats milliseconds since 1970 as `2026-03-01 14:05`.
pub fn minute(at_ms: u64) -> String {
    Zone::UTC.minute(at_ms)
}

/// Formats milliseconds since 1970 as `2026-03-01`.
pub fn day(at_ms: u64) -> String {
    Zone::UTC.day(at_ms)
}

/// Formats milliseconds since 1970 as `20260301T140509Z`, which sorts as text and suits a file name.
pub fn compact(at_ms: u64) -> String {
    let at = Zone::UTC.date_time(at_ms);
    let day = day(at_ms).replace('-', "");
    let (hour, minute, second) = (at.hour(), at.minute(), at.second());
    format!("{day}T{hour:02}{minute:02}{second:02}Z")
}

/// Reads `2026-12-01T18:00:00+01:00` as milliseconds since 1970; nothing without an offset, and nothing before 1970.
pub fn at_ms(text: &str) -> Option<u64> {
    let at: Timestamp = text.parse().ok()?;
    u64::try_from(at.as_millisecond()).ok()
}

/// Reads what [`compact`] writes; nothing for another text and for a time that no clock shows.
pub fn of_compact(text: &str) -> Option<u64> {
    let at = DateTime::strptime("%Y%m%dT%H%M%SZ", text).ok()?;
    let at = TimeZone::UTC.to_timestamp(at).ok()?;
    u64::try_from(at.as_millisecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(minute(0), "1970-01-01 00:00");
        assert_eq!(minute(951_782_399_000), "2000-02-28 23:59");
        assert_eq!(minute(951_782_400_000), "2000-02-29 00:00");
        assert_eq!(minute(1_709_251_200_000), "2024-03-01 00:00");
        assert_eq!(compact(1_767_225_599_999), "20251231T235959Z");
        assert_eq!(day(u64::MAX), "9999-12-30");
        assert_eq!(at_ms("2024-03-01T01:00:00+01:00"), Some(1_709_251_200_000));
        assert_eq!(at_ms("2024-03-01T00:00:00Z"), Some(1_709_251_200_000));
        assert_eq!(at_ms("2024-03-01T00:00:00"), None);
        assert_eq!(at_ms("1969-12-31T00:00:00Z"), None);
        assert_eq!(of_compact("20000229T000000Z"), Some(951_782_400_000));
        assert_eq!(of_compact("20001329T000000Z"), None);
    }
}
