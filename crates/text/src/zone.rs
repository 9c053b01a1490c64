//! Dates and times for one reader, in their own time zone.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A time zone.
#[derive(Clone, Debug)]
pub struct Zone(TimeZone);

impl Zone {
    /// Coordinated Universal Time.
    pub const UTC: Self = Self(TimeZone::UTC);

    /// That of this process: `TZ`, else that of the machine, else UTC.
    pub fn system() -> Self {
        Self(TimeZone::try_system().unwrap_or(TimeZone::UTC))
    }

    /// The zone of a name such as `Europe/Berlin`, if the machine knows it.
    pub fn named(name: &str) -> Option<Self> {
        TimeZone::get(name).ok().map(Self)
    }

    /// Formats milliseconds since 1970 as `2026-03-01 14:05`.
    pub fn minute(&self, at_ms: u64) -> String {
        let at = self.date_time(at_ms);
        format!("{} {:02}:{:02}", at.date(), at.hour(), at.minute())
    }

    /// Formats milliseconds since 1970 as `2026-03-01`.
    pub fn day(&self, at_ms: u64) -> String {
        self.date_time(at_ms).date().to_string()
    }

    /// The date and time, in the year 9999 at the latest.
    pub(super) fn date_time(&self, at_ms: u64) -> DateTime {
        let at = i64::try_from(at_ms).map_or(Ok(Timestamp::MAX), Timestamp::from_millisecond);
        self.0.to_datetime(at.unwrap_or(Timestamp::MAX))
    }

    /// What it is called: `Europe/Berlin`, or "this machine" where only its rules are known.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("this machine")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_that_of_the_zone_in_summer_and_in_winter() {
        assert_eq!(Zone::UTC.minute(1_709_251_200_000), "2024-03-01 00:00");
        assert_eq!(Zone::UTC.name(), "UTC");
        // Machines without a database of zones know only UTC.
        let Some(berlin) = Zone::named("Europe/Berlin") else {
            return;
        };
        assert_eq!(berlin.minute(1_709_251_200_000), "2024-03-01 01:00");
        assert_eq!(berlin.day(1_719_784_800_000), "2024-07-01");
        assert_eq!(berlin.name(), "Europe/Berlin");
    }
}
