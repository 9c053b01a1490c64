//! The gaps between host and device: for which line's work the host waited, and which line the host ran while the
//! device was idle.
//!
//! Sums up each gap by line as it appears, since a loop makes more gaps than a message can hold. On a CPU nothing
//! is queued, and nothing is kept.

use crate::protocol::{FirstUse, Gaps, Idle, Wait};
use crate::worker::device::Interval;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

/// The number of latest device activities that a wait can be blamed on.
const REMEMBERED: usize = 256;

/// Lines in each list of the report.
const REPORTED: usize = 8;

#[derive(Debug, Default)]
pub(super) struct GapTracker {
    first_use: Option<FirstUse>,
    /// The latest activities of the device, and the line that queued each.
    work: VecDeque<(Interval, u32)>,
    /// When the device ends all of it.
    done_ns: u64,
    /// Host time of each line since then, while the device was idle.
    host_alone: Vec<(u32, u64)>,
    /// Idle time and the number of gaps, by the line that the host ran.
    idle: BTreeMap<u32, (u64, u64)>,
    /// By the line that waited, and the line whose work ended the wait.
    waits: BTreeMap<(u32, u32), Waited>,
}

/// The waits of one line for the work of another.
#[derive(Debug, Default)]
struct Waited {
    ns: u64,
    times: u64,
    /// How much of it the work of each line took.
    by_line: BTreeMap<u32, u64>,
}

impl GapTracker {
    /// A line used the card first, which took this long.
    pub(super) fn first_use(&mut self, line: u32, ns: u64) {
        self.first_use = Some(FirstUse { line, ns });
    }

    pub(super) fn ran(&mut self, line: u32, when: Interval) {
        if self.work.is_empty() {
            return;
        }
        let ns = when.end_ns.saturating_sub(when.start_ns.max(self.done_ns));
        if ns == 0 {
            return;
        }
        match self.host_alone.iter_mut().find(|it| it.0 == line) {
            Some(known) => known.1 += ns,
            None => self.host_alone.push((line, ns)),
        }
    }

    /// The device ran work that a line queued.
    pub(super) fn worked(&mut self, line: u32, when: Interval) {
        let gap = when.start_ns.saturating_sub(self.done_ns);
        let busy_with = self.host_alone.iter().max_by_key(|it| it.1);
        if let (Some((busy_with, _)), true) = (busy_with, gap > 0) {
            let (ns, times) = self.idle.entry(*busy_with).or_default();
            *ns += gap;
            *times += 1;
        }
        self.host_alone.clear();
        self.done_ns = self.done_ns.max(when.end_ns);
        if self.work.len() == REMEMBERED {
            self.work.pop_front();
        }
        self.work.push_back((when, line));
    }

    pub(super) fn waited(&mut self, line: u32, when: Interval) {
        let waited_for = self.work.iter().filter(|(it, _)| it.end_ns <= when.end_ns);
        let until = waited_for.max_by_key(|(it, _)| it.end_ns);
        let until = until.map_or(0, |(_, line)| *line);
        let sum = self.waits.entry((line, until)).or_default();
        sum.ns += when.ns();
        sum.times += 1;
        for (it, line) in &self.work {
            let end_ns = it.end_ns.min(when.end_ns);
            let during = end_ns.saturating_sub(it.start_ns.max(when.start_ns));
            if during > 0 {
                *sum.by_line.entry(*line).or_default() += during;
            }
        }
    }

    /// The longest gaps; `None` if no device ran beside the host.
    pub(super) fn report(&self) -> Option<Gaps> {
        if self.work.is_empty() && self.first_use.is_none() {
            return None;
        }
        let mut waits: Vec<Wait> = self.waits.iter().map(wait).collect();
        waits.sort_by_key(|it| (Reverse(it.ns), it.line));
        waits.truncate(REPORTED);
        let idle = self.idle.iter();
        let idle = idle.map(|(&line, &(ns, times))| Idle { line, ns, times });
        let mut idle: Vec<Idle> = idle.collect();
        idle.sort_by_key(|it| (Reverse(it.ns), it.line));
        idle.truncate(REPORTED);
        Some(Gaps {
            first_use: self.first_use,
            waits,
            idle,
        })
    }
}

fn wait((&(line, until_line), sum): (&(u32, u32), &Waited)) -> Wait {
    let most = sum.by_line.iter().max_by_key(|(_, ns)| **ns);
    let (most_line, most_ns) = most.map_or((0, 0), |(line, ns)| (*line, *ns));
    Wait {
        line,
        ns: sum.ns,
        times: sum.times,
        until_line,
        most_line,
        most_ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(start_ns: u64, end_ns: u64) -> Interval {
        Interval { start_ns, end_ns }
    }

    #[test]
    fn a_wait_names_the_line_that_queued_the_last_work_and_the_one_that_took_longest() {
        let mut gaps = GapTracker::default();
        gaps.worked(2, interval(0, 90));
        gaps.worked(3, interval(90, 100));
        gaps.waited(7, interval(20, 100));
        // What is queued after an event is not waited for.
        gaps.worked(4, interval(100, 300));
        gaps.waited(8, interval(150, 150));
        let waits = gaps.report().unwrap().waits;
        assert_eq!(
            waits[0],
            Wait {
                line: 7,
                ns: 80,
                times: 1,
                until_line: 3,
                most_line: 2,
                most_ns: 70
            }
        );
        assert_eq!((waits[1].line, waits[1].until_line), (8, 3));
    }

    #[test]
    fn a_device_is_idle_for_the_line_that_the_host_was_busy_with() {
        let mut gaps = GapTracker::default();
        gaps.ran(1, interval(0, 1_000));
        gaps.worked(2, interval(1_000, 1_100));
        gaps.ran(3, interval(1_010, 1_150));
        gaps.ran(4, interval(1_150, 1_500));
        gaps.worked(5, interval(1_500, 1_600));
        gaps.worked(5, interval(1_600, 1_700));
        let idle = gaps.report().unwrap().idle;
        assert_eq!(
            idle,
            [Idle {
                line: 4,
                ns: 400,
                times: 1
            }]
        );
    }

    #[test]
    fn a_cpu_has_no_gaps() {
        let mut gaps = GapTracker::default();
        gaps.ran(1, interval(0, 1_000));
        assert_eq!(gaps.report(), None);
    }
}
