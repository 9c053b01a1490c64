//! Times of the day for people: names of log files and dates of attempts, always in UTC.
//!
//! No time zones: a class compares its screens, and a learner's server is often elsewhere.

/// Formats milliseconds since 1970 as `2026-03-01 14:05`.
pub(crate) fn minute(at_ms: u64) -> String {
    let Moment {
        year,
        month,
        day,
        hour,
        minute,
        ..
    } = Moment::of(at_ms);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

/// Formats milliseconds since 1970 as `2026-03-01`.
pub(crate) fn day(at_ms: u64) -> String {
    let Moment {
        year, month, day, ..
    } = Moment::of(at_ms);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Formats milliseconds since 1970 as `20260301T140509Z`, which sorts as text and suits a file name.
pub(crate) fn compact(at_ms: u64) -> String {
    let Moment {
        year,
        month,
        day,
        hour,
        minute,
        second,
    } = Moment::of(at_ms);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

struct Moment {
    year: u64,
    month: u64,
    day: u64,
    hour: u64,
    minute: u64,
    second: u64,
}

impl Moment {
    fn of(at_ms: u64) -> Self {
        let seconds = at_ms / 1000;
        let (year, month, day) = civil(seconds / 86_400);
        Self {
            year,
            month,
            day,
            hour: seconds / 3600 % 24,
            minute: seconds / 60 % 60,
            second: seconds % 60,
        }
    }
}

/// The date of a day since 1970. Years begin in March here, so that the leap day is a year's last.
fn civil(days_since_1970: u64) -> (u64, u64, u64) {
    let days = days_since_1970 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
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
    }
}
