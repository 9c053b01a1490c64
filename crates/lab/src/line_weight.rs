//! Which lines of a program took most of its time, and which next to nothing. Pure.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use warpup_protocol::{Clock, LineTime, Report};

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

/// The weight of each line that has times. The first use of a card is left out: it takes longer than most programs.
pub fn weights(report: &Report) -> BTreeMap<u32, Weight> {
    let first_use = report.gaps.as_ref().and_then(|it| it.first_use);
    let first_use = first_use.filter(|_| report.clock == Clock::Modelled);
    let of_line = |it: &LineTime| {
        let first = first_use.filter(|first| first.line == it.line);
        let host = it.host_ns.saturating_sub(first.map_or(0, |it| it.ns));
        host.max(it.device_ns.unwrap_or(0))
    };
    let host = report
        .host_ns
        .saturating_sub(first_use.map_or(0, |it| it.ns));
    let all = host.max(report.device_ns.unwrap_or(0));
    let mut lines: Vec<(u32, u64)> = report
        .lines
        .iter()
        .map(|it| (it.line, of_line(it)))
        .collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{FirstUse, Gaps};

    #[test]
    fn the_slowest_lines_are_slow_whatever_the_first_use_took() {
        let line = |line, host_ns, device_ns| LineTime {
            line,
            hits: 1,
            host_ns,
            wait_ns: 0,
            worker_ns: 0,
            device_ns: Some(device_ns),
        };
        let report = Report {
            clock: Clock::Modelled,
            host_ns: 250_001_000,
            device_ns: Some(900),
            lines: vec![
                line(1, 250_000_005, 0),
                line(2, 90, 800),
                line(3, 400, 0),
                line(4, 95, 0),
            ],
            gaps: Some(Box::new(Gaps {
                first_use: Some(FirstUse {
                    line: 1,
                    ns: 250_000_000,
                    ..FirstUse::default()
                }),
                ..Gaps::default()
            })),
            ..Report::broken("")
        };
        let weights: Vec<Weight> = weights(&report).into_values().collect();
        assert_eq!(
            weights,
            [Weight::Little, Weight::Slow, Weight::Slow, Weight::Usual]
        );
    }
}
