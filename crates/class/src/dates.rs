//! Times of records that no clock of a class has shown.

use warpup_text::utc;

/// A day in milliseconds. Clocks of machines that work together differ by less.
const DAY_MS: u64 = 86_400_000;

/// The first day of 2000: a clock that is set shows a later one, and one that is not set often begins in 1970.
const EARLIEST_MS: u64 = 946_684_800_000;

/// The times of the records of one learner.
#[derive(Debug)]
pub(super) struct Dates {
    /// A later time is in the future.
    latest_ms: u64,
    early: usize,
    late: usize,
    last_ms: u64,
}

impl Dates {
    pub(super) fn new(now_ms: u64) -> Self {
        Self {
            latest_ms: now_ms.saturating_add(DAY_MS),
            early: 0,
            late: 0,
            last_ms: 0,
        }
    }

    pub(super) fn take(&mut self, at_ms: u64) {
        self.early += usize::from(at_ms < EARLIEST_MS);
        self.late += usize::from(at_ms > self.latest_ms);
        self.last_ms = self.last_ms.max(at_ms);
    }

    /// What is strange about them, if something is.
    pub(super) fn strange(&self) -> Option<String> {
        let count = |it: usize| match it {
            1 => "1 record has a time".to_owned(),
            several => format!("{several} records have times"),
        };
        let mut said = Vec::new();
        if self.early > 0 {
            said.push(format!("{} before 2000", count(self.early)));
        }
        if self.late > 0 {
            said.push(format!(
                "{} in the future, the last {}",
                count(self.late),
                utc::day(self.last_ms)
            ));
        }
        (!said.is_empty()).then(|| said.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_before_any_course_and_after_tomorrow_are_strange() {
        let now = 951_782_400_000;
        let told = |times: &[u64]| {
            let mut dates = Dates::new(now);
            for at_ms in times {
                dates.take(*at_ms);
            }
            dates.strange().unwrap_or_default()
        };
        let all = [
            told(&[now, now + DAY_MS, EARLIEST_MS]),
            told(&[0, now]),
            told(&[1, 2, now + DAY_MS + 1]),
            told(&[u64::MAX, u64::MAX - 1]),
        ];
        insta::assert_snapshot!(all.join("\n"), @"
        1 record has a time before 2000
        2 records have times before 2000; 1 record has a time in the future, the last 2000-03-01
        2 records have times in the future, the last 9999-12-30
        ");
    }
}
