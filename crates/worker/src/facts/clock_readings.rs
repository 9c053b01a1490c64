//! Readings of the clock by the program, and what happened from one to the next.

use std::collections::BTreeMap;
use warpup_protocol::ClockTotal;

/// The most pairs of lines in a report.
const MAX_PAIRS: usize = 100;

/// A reading of the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockReading {
    pub(crate) line: u32,
    pub(crate) now: u64,
    /// When the device will have done what it was given, if that is known.
    pub(crate) done_ns: Option<u64>,
}

#[derive(Debug, Default)]
pub(super) struct ClockReadings {
    /// Kernels and copies that were queued so far.
    pub(super) queued: u64,
    /// What the starts of the card and its libraries took so far.
    pub(super) starting_ns: u64,
    last: Option<Last>,
    pairs: BTreeMap<(u32, u32), ClockTotal>,
}

/// The last reading, and the counts then.
#[derive(Clone, Copy, Debug)]
struct Last {
    line: u32,
    now: u64,
    queued: u64,
    starting_ns: u64,
}

impl ClockReadings {
    pub(super) fn read(&mut self, reading: ClockReading) {
        let last = self.last.replace(Last {
            line: reading.line,
            now: reading.now,
            queued: self.queued,
            starting_ns: self.starting_ns,
        });
        let Some(last) = last else {
            return;
        };
        let key = (last.line, reading.line);
        if self.pairs.len() >= MAX_PAIRS && !self.pairs.contains_key(&key) {
            return;
        }
        let ns = reading.now.saturating_sub(last.now);
        let total = self.pairs.entry(key).or_insert(ClockTotal {
            from_line: last.line,
            line: reading.line,
            first_ns: ns,
            ..ClockTotal::default()
        });
        let queued = self.queued - last.queued;
        total.times += 1;
        total.ns += ns;
        total.queued += queued;
        total.starting_ns += self.starting_ns - last.starting_ns;
        let left_ns = reading
            .done_ns
            .map_or(0, |it| it.saturating_sub(reading.now));
        if queued > 0 && left_ns > 0 {
            total.unfinished += 1;
            total.unfinished_ns += left_ns;
        }
    }

    pub(super) fn report(&self) -> Vec<ClockTotal> {
        let with_work = self.pairs.values().filter(|it| it.queued > 0);
        with_work.copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_queued_between_two_readings_and_not_done_is_unfinished() {
        let mut clocks = ClockReadings::default();
        let mut read = |line, now, done_ns, queued| {
            clocks.queued += queued;
            clocks.read(ClockReading {
                line,
                now,
                done_ns: Some(done_ns),
            });
        };
        read(3, 100, 0, 0);
        read(7, 300, 900, 5);
        // What was queued before does not count again.
        read(3, 400, 900, 0);
        read(7, 600, 500, 5);
        let [both] = clocks.report().try_into().unwrap();
        let expected = ClockTotal {
            from_line: 3,
            line: 7,
            times: 2,
            ns: 400,
            first_ns: 200,
            starting_ns: 0,
            queued: 10,
            unfinished: 1,
            unfinished_ns: 600,
        };
        assert_eq!(both, expected);
    }
}
