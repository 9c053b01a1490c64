//! Readings of the clock by the program, and what happened from one to the next.

use std::collections::BTreeMap;
use warpup_protocol::ClockTotal;

/// The most pairs of lines in a report.
const MAX_PAIRS: usize = 100;

/// A reading of the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockReading {
    pub(crate) line: u32,
    /// The line that called the function which reads it, if one does.
    pub(crate) caller: Option<LineVisit>,
    pub(crate) now: u64,
    /// When the device will have done what it was given, if that is known.
    pub(crate) done_ns: Option<u64>,
}

/// A line, and how often it was reached by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineVisit {
    pub(crate) line: u32,
    pub(crate) hits: u64,
}

impl ClockReading {
    /// The lines of two readings. Those of a function that only reads the clock, such as `now()`, are on the lines that call it.
    fn lines(self, next: Self) -> (u32, u32) {
        match (self.caller, next.caller) {
            (Some(from), Some(to)) if self.line == next.line && from != to => (from.line, to.line),
            _ => (self.line, next.line),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct ClockReadings {
    /// Kernels and copies that were queued so far.
    pub(super) queued: u64,
    /// What the starts of the card and its libraries took so far.
    pub(super) starting_ns: u64,
    last: Option<Last>,
    /// The last pair, if something was not done at its second reading: its lines, and how long that took.
    early: Option<((u32, u32), u64)>,
    pairs: BTreeMap<(u32, u32), ClockTotal>,
}

/// The last reading, and the counts then.
#[derive(Clone, Copy, Debug)]
struct Last {
    reading: ClockReading,
    queued: u64,
    starting_ns: u64,
}

impl ClockReadings {
    pub(super) fn read(&mut self, reading: ClockReading) {
        let last = self.last.replace(Last {
            reading,
            queued: self.queued,
            starting_ns: self.starting_ns,
        });
        let Some(last) = last else {
            return;
        };
        let key = last.reading.lines(reading);
        let left_ns = reading
            .done_ns
            .map_or(0, |it| it.saturating_sub(reading.now));
        let queued = self.queued - last.queued;
        self.forgive(key.1, queued + left_ns);
        if self.pairs.len() >= MAX_PAIRS && !self.pairs.contains_key(&key) {
            return;
        }
        let ns = reading.now.saturating_sub(last.reading.now);
        let total = self.pairs.entry(key).or_insert(ClockTotal {
            from_line: key.0,
            line: key.1,
            first_ns: ns,
            ..ClockTotal::default()
        });
        total.times += 1;
        total.ns += ns;
        total.queued += queued;
        total.starting_ns += self.starting_ns - last.starting_ns;
        if queued > 0 && left_ns > 0 {
            total.unfinished += 1;
            total.unfinished_ns += left_ns;
            self.early = Some((key, left_ns));
        }
    }

    /// A reading between the first one and another behind a wait is early on purpose: it tells how long the host took. One on the
    /// line of the first begins again.
    fn forgive(&mut self, line: u32, not_done: u64) {
        let early = self
            .early
            .take()
            .filter(|((from, _), _)| not_done == 0 && *from != line);
        if let Some((key, left_ns)) = early
            && let Some(total) = self.pairs.get_mut(&key)
        {
            total.unfinished -= 1;
            total.unfinished_ns -= left_ns;
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
                caller: None,
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
    #[test]
    fn a_reading_before_the_one_behind_the_wait_is_early_on_purpose() {
        let unfinished = |lines: [u32; 3]| {
            let mut clocks = ClockReadings::default();
            for (at, line) in (0..).zip(lines) {
                clocks.queued += u64::from(at == 1);
                clocks.read(ClockReading {
                    line,
                    caller: None,
                    now: 1_000 * at,
                    done_ns: Some(2_000),
                });
            }
            clocks.report().iter().map(|it| it.unfinished).sum::<u64>()
        };
        assert_eq!(unfinished([3, 7, 9]), 0);
        assert_eq!(unfinished([3, 7, 3]), 1);
    }

    #[test]
    fn readings_of_a_function_are_those_of_its_callers_unless_it_reads_again_itself() {
        let pairs = |callers: [(u32, u64); 3]| {
            let mut clocks = ClockReadings::default();
            for (line, hits) in callers {
                clocks.queued += 1;
                clocks.read(ClockReading {
                    line: 2,
                    caller: Some(LineVisit { line, hits }),
                    now: 0,
                    done_ns: None,
                });
            }
            let pairs = clocks.report();
            let pairs = pairs.iter().map(|it| (it.from_line, it.line));
            pairs.collect::<Vec<_>>()
        };
        assert_eq!(pairs([(5, 1), (8, 1), (5, 2)]), [(5, 8), (8, 5)]);
        assert_eq!(pairs([(5, 1), (5, 2), (5, 3)]), [(5, 5)]);
        assert_eq!(pairs([(5, 1), (5, 1), (5, 1)]), [(2, 2)]);
    }
}
