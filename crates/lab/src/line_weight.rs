//! Which lines of a program took most of its time, and which next to nothing. Pure.

use super::first_use;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use warpup_protocol::{LineTime, Report};

/// How many lines are slow at most.
const SLOW: usize = 3;

/// From this share of the run on, in percent, a line is slow.
const MUCH: u64 = 10;

/// Below this share of the run, in percent, a line takes next to nothing.
const LITTLE: u64 = 1;

/// A line's part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Among the slowest.
    Slow,
    /// Neither.
    Usual,
    /// Below a hundredth.
    Little,
}

/// The line that took most, if one is slow.
pub fn slowest(report: &Report) -> Option<u32> {
    let weights = weights(report);
    let slow = report
        .lines
        .iter()
        .filter(|it| weights.get(&it.line) == Some(&Weight::Slow));
    slow.max_by_key(|it| of_line(report, it)).map(|it| it.line)
}

/// The weight of each line that has times. The first use of a card is left out: it takes longer than most programs. So are
/// interruptions, which are not the line's.
pub fn weights(report: &Report) -> BTreeMap<u32, Weight> {
    let all = of_run(report);
    let lines = report.lines.iter();
    let mut lines: Vec<(u32, u64)> = lines.map(|it| (it.line, of_line(report, it))).collect();
    lines.sort_by_key(|(_, ns)| Reverse(*ns));
    let weighed = lines.into_iter().enumerate().map(|(rank, (line, ns))| {
        let percent = u128::from(ns) * 100;
        let is_at_least = |share: u64| percent >= u128::from(all) * u128::from(share);
        let weight = if rank < SLOW && is_at_least(MUCH) {
            Weight::Slow
        } else if is_at_least(LITTLE) {
            Weight::Usual
        } else {
            Weight::Little
        };
        (line, weight)
    });
    weighed.collect()
}

/// A slow line's part of the run, in words, such as `42 % of the run`.
pub fn share(report: &Report, time: &LineTime) -> Option<String> {
    let is_slow = weights(report).get(&time.line) == Some(&Weight::Slow);
    let percent = u128::from(of_line(report, time)) * 100 / u128::from(of_run(report).max(1));
    let rest = match first_use::of_run(report) {
        0 => "",
        _ => " without first use",
    };
    is_slow.then(|| format!("{percent} % of the run{rest}"))
}

/// A run's time on the host or on the device, whichever is longer, without the first use of the card.
fn of_run(report: &Report) -> u64 {
    let first_ns = first_use::of_run(report);
    let host = report.uninterrupted_ns().saturating_sub(first_ns);
    host.max(report.device_ns.unwrap_or(0))
}

/// The same of a line.
fn of_line(report: &Report, it: &LineTime) -> u64 {
    let first_ns = first_use::of_line(report, it.line);
    let host = it.uninterrupted_ns().saturating_sub(first_ns);
    host.max(it.device_ns.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{Clock, FirstUse, Gaps};

    #[test]
    fn the_slowest_lines_are_slow_whatever_the_first_use_took() {
        let line = |line, host_ns, device_ns| LineTime {
            line,
            hits: 1,
            host_ns,
            wait_ns: 0,
            interrupted_ns: 0,
            worker_ns: 0,
            device_ns: Some(device_ns),
        };
        let report = Report {
            clock: Clock::Modelled,
            host_ns: 366_001_000,
            device_ns: Some(900),
            lines: vec![
                line(1, 250_000_005, 0),
                line(2, 90, 800),
                line(3, 116_000_400, 0),
                line(4, 95, 0),
            ],
            gaps: Some(Box::new(Gaps {
                first_use: Some(FirstUse {
                    line: 1,
                    ns: 366_000_000,
                    cublas_line: 3,
                    cublas_ns: 116_000_000,
                    ..FirstUse::default()
                }),
                ..Gaps::default()
            })),
            ..Report::broken("")
        };
        assert_eq!(slowest(&report), Some(2));
        let weights: Vec<Weight> = weights(&report).into_values().collect();
        assert_eq!(
            weights,
            [Weight::Little, Weight::Slow, Weight::Slow, Weight::Usual]
        );
    }

    #[test]
    fn a_line_is_not_slow_because_it_was_interrupted() {
        let line = |line, host_ns, interrupted_ns| LineTime {
            line,
            host_ns,
            interrupted_ns,
            ..LineTime::default()
        };
        let report = Report {
            host_ns: 10_000,
            interrupted_ns: 9_000,
            lines: vec![line(1, 900, 0), line(2, 9_050, 9_000), line(3, 5, 0)],
            ..Report::broken("")
        };
        let weights: Vec<Weight> = weights(&report).into_values().collect();
        assert_eq!(weights, [Weight::Slow, Weight::Usual, Weight::Little]);
    }
}
