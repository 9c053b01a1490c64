//! Times of records that no clock of a class has shown.

use warpup_progress::Record;
use warpup_text::utc;

/// A day in milliseconds. Clocks of machines that work together differ by less.
const DAY_MS: u64 = 86_400_000;

/// The first day of 2000: a clock that is set shows a later one, and one that is not set often begins in 1970.
const EARLIEST_MS: u64 = 946_684_800_000;

/// What is strange about the times of records, if something is.
pub fn strange_dates(records: &[Record], now_ms: u64) -> Option<String> {
    let latest = now_ms.saturating_add(DAY_MS);
    let times = || records.iter().map(|it| it.at_ms);
    let early = times().filter(|it| *it < EARLIEST_MS).count();
    let late = times().filter(|it| *it > latest).count();
    let last = times().max().unwrap_or_default();
    let count = |it: usize| match it {
        1 => "1 record has a time".to_owned(),
        several => format!("{several} records have times"),
    };
    let mut said = Vec::new();
    if early > 0 {
        said.push(format!("{} before 2000", count(early)));
    }
    if late > 0 {
        said.push(format!(
            "{} in the future, the last {}",
            count(late),
            utc::day(last)
        ));
    }
    (!said.is_empty()).then(|| said.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_progress::Event;

    #[test]
    fn times_before_any_course_and_after_tomorrow_are_strange() {
        let now = 951_782_400_000;
        let told = |times: &[u64]| {
            let records = times.iter().map(|at_ms| Record {
                id: at_ms.to_string(),
                at_ms: *at_ms,
                course: "warpup".to_owned(),
                event: Event::Reset { lesson: None },
            });
            strange_dates(&records.collect::<Vec<_>>(), now).unwrap_or_default()
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
