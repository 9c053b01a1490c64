//! Who waited for whom: which line's work the host waited for, and what the host did while the device had
//! nothing to do.
//!
//! Told of each piece of work as it is recorded, and summed up by line at once: a loop makes more gaps
//! than anybody could send. Reads no clock. On a CPU nothing is ever queued, and nothing is kept.

use super::device::model::Interval;
use crate::protocol::{FirstUse, Gaps, Idle, Wait};
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

/// Pieces of work that are remembered, to say whose a wait was for.
const REMEMBERED: usize = 256;

/// Lines that are told of in each list.
const TOLD: usize = 8;

/// What is known so far.
#[derive(Debug, Default)]
pub(super) struct Watch {
    first_use: Option<FirstUse>,
    /// The latest work of the device, with its lines.
    work: VecDeque<(Interval, u32)>,
    /// When the device will be done with all of it.
    done_ns: u64,
    /// What the host has spent on each line since then.
    alone: Vec<(u32, u64)>,
    idle: BTreeMap<u32, (u64, u64)>,
    waits: BTreeMap<(u32, u32), Waited>,
}

/// Waits on one line for work up to another.
#[derive(Debug, Default)]
struct Waited {
    ns: u64,
    times: u64,
    /// What the work of each line took of it.
    of: BTreeMap<u32, u64>,
}

impl Watch {
    /// The card was used for the first time.
    pub(super) fn first_use(&mut self, line: u32, ns: u64) {
        self.first_use = Some(FirstUse { line, ns });
    }

    /// The host was busy with a line.
    pub(super) fn ran(&mut self, line: u32, start_ns: u64, end_ns: u64) {
        if self.work.is_empty() {
            return;
        }
        let ns = end_ns.saturating_sub(start_ns.max(self.done_ns));
        if ns == 0 {
            return;
        }
        match self.alone.iter_mut().find(|it| it.0 == line) {
            Some(known) => known.1 += ns,
            None => self.alone.push((line, ns)),
        }
    }

    /// The device does something that a line has queued.
    pub(super) fn worked(&mut self, line: u32, when: Interval) {
        let gap = when.start_ns.saturating_sub(self.done_ns);
        let busy_with = self.alone.iter().max_by_key(|it| it.1);
        if let (Some((busy_with, _)), true) = (busy_with, gap > 0) {
            let (ns, times) = self.idle.entry(*busy_with).or_default();
            *ns += gap;
            *times += 1;
        }
        self.alone.clear();
        self.done_ns = self.done_ns.max(when.end_ns);
        if self.work.len() == REMEMBERED {
            self.work.pop_front();
        }
        self.work.push_back((when, line));
    }

    /// The host waited on a line.
    pub(super) fn waited(&mut self, line: u32, when: Interval) {
        let waited_for = self.work.iter().filter(|(it, _)| it.end_ns <= when.end_ns);
        let until = waited_for.max_by_key(|(it, _)| it.end_ns);
        let until = until.map_or(0, |(_, line)| *line);
        let sum = self.waits.entry((line, until)).or_default();
        sum.ns += when.end_ns.saturating_sub(when.start_ns);
        sum.times += 1;
        for (it, line) in &self.work {
            let end_ns = it.end_ns.min(when.end_ns);
            let during = end_ns.saturating_sub(it.start_ns.max(when.start_ns));
            if during > 0 {
                *sum.of.entry(*line).or_default() += during;
            }
        }
    }

    /// What is worth telling; nothing where there is no device apart.
    pub(super) fn told(&self) -> Option<Gaps> {
        if self.work.is_empty() && self.first_use.is_none() {
            return None;
        }
        let mut waits: Vec<Wait> = self.waits.iter().map(wait).collect();
        waits.sort_by_key(|it| (Reverse(it.ns), it.line));
        waits.truncate(TOLD);
        let idle = self.idle.iter();
        let idle = idle.map(|(&line, &(ns, times))| Idle { line, ns, times });
        let mut idle: Vec<Idle> = idle.collect();
        idle.sort_by_key(|it| (Reverse(it.ns), it.line));
        idle.truncate(TOLD);
        Some(Gaps {
            first_use: self.first_use,
            waits,
            idle,
        })
    }
}

fn wait((&(line, until_line), sum): (&(u32, u32), &Waited)) -> Wait {
    let most = sum.of.iter().max_by_key(|(_, ns)| **ns);
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
        let mut watch = Watch::default();
        watch.worked(2, interval(0, 90));
        watch.worked(3, interval(90, 100));
        watch.waited(7, interval(20, 100));
        // What is queued after an event is not waited for.
        watch.worked(4, interval(100, 300));
        watch.waited(8, interval(150, 150));
        let waits = watch.told().unwrap().waits;
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
        let mut watch = Watch::default();
        watch.ran(1, 0, 1_000);
        watch.worked(2, interval(1_000, 1_100));
        watch.ran(3, 1_010, 1_150);
        watch.ran(4, 1_150, 1_500);
        watch.worked(5, interval(1_500, 1_600));
        watch.worked(5, interval(1_600, 1_700));
        let idle = watch.told().unwrap().idle;
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
        let mut watch = Watch::default();
        watch.ran(1, 0, 1_000);
        assert_eq!(watch.told(), None);
    }
}
