//! The gaps between host and device: for which line's work the host waited, and which line the host ran while the
//! device was idle.
//!
//! Sums up each gap by line as it appears, since a loop makes more gaps than a message can hold. On a CPU nothing
//! is queued, and nothing is kept.

use crate::device::Interval;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use warpup_protocol::{FirstUse, Gaps, Idle, Lane, Wait, WaitCause};

/// The number of latest device activities that a wait can be blamed on, so that a program that never waits needs
/// little memory.
const REMEMBERED: usize = 65_536;

/// Lines in each list of the report: as many as can have 2 % of a run each.
const REPORTED: usize = 50;

#[derive(Debug, Default)]
pub(super) struct GapTracker {
    first_use: Option<FirstUse>,
    /// The latest activities of the device. Those that a wait has seen the end of are forgotten, but for the last.
    work: VecDeque<Work>,
    /// When the device ends all of it.
    done_ns: u64,
    /// Host time of each line since then, while the device was idle.
    host_alone: Vec<(u32, u64)>,
    /// The end of the last of it.
    seen_ns: u64,
    /// Idle times by the line that the host ran.
    idle: BTreeMap<u32, Idle>,
    waits: BTreeMap<WaitKey, LineWaits>,
    /// The last wait, and when it ended: what the device then waits for is the next launch after it.
    last_wait: Option<(WaitKey, u64)>,
}

/// An activity of the device.
#[derive(Clone, Copy, Debug)]
struct Work {
    when: Interval,
    /// The line that queued it.
    line: u32,
    lane: Lane,
}

/// The waits that are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct WaitKey {
    line: u32,
    cause: WaitCause,
    /// The line whose work ended the wait.
    until_line: u32,
}

/// The waits of one line for the work of another.
#[derive(Debug, Default)]
struct LineWaits {
    ns: u64,
    times: u64,
    /// How long the device had nothing to do afterwards.
    idle_ns: u64,
    /// How much of it the work of each line took, and what that was.
    by_line: BTreeMap<(u32, Lane), u64>,
}

impl GapTracker {
    /// A line used the card first, and its context took this long.
    pub(super) fn context_created(&mut self, line: u32, ns: u64) {
        self.prepared(FirstUse {
            line,
            ns,
            context_ns: ns,
            ..FirstUse::default()
        });
    }

    /// A line has the first product, for which cuBLAS started.
    pub(super) fn cublas_started(&mut self, line: u32, when: Interval) {
        let first_use = self.library_started(when);
        first_use.cublas_line = line;
        first_use.cublas_ns = when.ns();
    }

    /// A line has the first convolution or recurrent layer, for which cuDNN started.
    pub(super) fn cudnn_started(&mut self, line: u32, when: Interval) {
        let first_use = self.library_started(when);
        first_use.cudnn_line = line;
        first_use.cudnn_ns = when.ns();
    }

    /// The start of a library is a part of the first use of the card, and not of what a line ran while the card was idle.
    fn library_started(&mut self, when: Interval) -> &mut FirstUse {
        self.seen_ns = self.seen_ns.max(when.end_ns);
        self.last_wait = None;
        let first_use = self.first_use.get_or_insert_default();
        first_use.ns += when.ns();
        first_use
    }

    /// A line used the card first, which was made ready before.
    pub(super) fn prepared(&mut self, first_use: FirstUse) {
        self.first_use = Some(first_use);
    }

    /// The host ran a line. Time that was counted before is not counted again.
    pub(super) fn ran(&mut self, line: u32, when: Interval) {
        if self.work.is_empty() {
            return;
        }
        let start_ns = when.start_ns.max(self.done_ns).max(self.seen_ns);
        let ns = when.end_ns.saturating_sub(start_ns);
        self.seen_ns = self.seen_ns.max(when.end_ns);
        if ns == 0 {
            return;
        }
        match self.host_alone.iter_mut().find(|it| it.0 == line) {
            Some(known) => known.1 += ns,
            None => self.host_alone.push((line, ns)),
        }
    }

    /// The device ran work that a line queued. Each line that the host ran in the gap before has its part of it.
    pub(super) fn worked(&mut self, line: u32, on: Lane, when: Interval) {
        let mut gap = when.start_ns.saturating_sub(self.done_ns);
        if let Some((key, end_ns)) = self.last_wait.take()
            && end_ns >= self.done_ns
            && let Some(sum) = self.waits.get_mut(&key)
        {
            sum.idle_ns += gap;
        }
        for (line, alone) in self.host_alone.drain(..) {
            let part = alone.min(gap);
            gap -= part;
            if part > 0 {
                let idle = self.idle.entry(line).or_insert(Idle {
                    line,
                    ns: 0,
                    times: 0,
                    longest_ns: 0,
                });
                idle.ns += part;
                idle.times += 1;
                idle.longest_ns = idle.longest_ns.max(part);
            }
        }
        self.done_ns = self.done_ns.max(when.end_ns);
        if self.work.len() == REMEMBERED {
            self.work.pop_front();
        }
        self.work.push_back(Work {
            when,
            line,
            lane: on,
        });
    }

    pub(super) fn waited(&mut self, line: u32, cause: WaitCause, when: Interval) {
        let done = |it: &&Work| it.when.end_ns <= when.end_ns;
        let until = self.work.iter().filter(done);
        let until = until.max_by_key(|it| it.when.end_ns).copied();
        let key = WaitKey {
            line,
            cause,
            until_line: until.map_or(0, |it| it.line),
        };
        self.last_wait = Some((key, when.end_ns));
        let sum = self.waits.entry(key).or_default();
        sum.ns += when.ns();
        sum.times += 1;
        for it in &self.work {
            let end_ns = it.when.end_ns.min(when.end_ns);
            let during = end_ns.saturating_sub(it.when.start_ns.max(when.start_ns));
            if during > 0 {
                *sum.by_line.entry((it.line, it.lane)).or_default() += during;
            }
        }
        self.work.retain(|it| it.when.end_ns > when.end_ns);
        if let Some(until) = until {
            self.work.push_front(until);
        }
    }

    /// The next batch of a loader was not ready: no work of the device is the reason.
    pub(super) fn waited_for_loader(&mut self, line: u32, when: Interval) {
        let key = WaitKey {
            line,
            cause: WaitCause::Loader,
            until_line: 0,
        };
        self.last_wait = Some((key, when.end_ns));
        let sum = self.waits.entry(key).or_default();
        sum.ns += when.ns();
        sum.times += 1;
    }

    /// The gaps of the lines that have most of them; `None` if neither a device nor a loader ran beside the host.
    pub(super) fn report(&self) -> Option<Gaps> {
        if self.work.is_empty() && self.first_use.is_none() && self.waits.is_empty() {
            return None;
        }
        let mut idle: Vec<Idle> = self.idle.values().copied().collect();
        idle.sort_by_key(|it| (Reverse(it.ns), it.line));
        idle.truncate(REPORTED);
        Some(Gaps {
            first_use: self.first_use,
            waits: self.longest_waits(),
            idle,
        })
    }

    /// All waits of the lines that waited longest, line by line.
    fn longest_waits(&self) -> Vec<Wait> {
        let mut lines: BTreeMap<u32, (u64, Vec<Wait>)> = BTreeMap::new();
        for it in self.waits.iter().map(wait) {
            let (ns, of_line) = lines.entry(it.line).or_default();
            *ns += it.ns;
            of_line.push(it);
        }
        let mut lines: Vec<_> = lines.into_iter().collect();
        lines.sort_by_key(|&(line, (ns, _))| (Reverse(ns), line));
        lines.truncate(REPORTED);
        let by_length = lines.into_iter().flat_map(|(_, (_, mut waits))| {
            waits.sort_by_key(|it| Reverse(it.ns));
            waits
        });
        by_length.collect()
    }
}

fn wait((key, sum): (&WaitKey, &LineWaits)) -> Wait {
    let &WaitKey {
        line,
        cause,
        until_line,
    } = key;
    let most = sum.by_line.iter().max_by_key(|(_, ns)| **ns);
    let (most_line, most_ns) = most.map_or((0, 0), |((line, _), ns)| (*line, *ns));
    Wait {
        line,
        cause,
        ns: sum.ns,
        times: sum.times,
        until_line,
        most_line,
        most_ns,
        most_lane: most.map(|((_, lane), _)| *lane),
        idle_ns: sum.idle_ns,
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
        gaps.worked(2, Lane::Kernel, interval(0, 90));
        gaps.worked(3, Lane::Kernel, interval(90, 100));
        gaps.waited(7, WaitCause::Synchronize, interval(20, 100));
        // What is queued after an event is not waited for.
        gaps.worked(4, Lane::Kernel, interval(100, 300));
        gaps.waited(8, WaitCause::Synchronize, interval(150, 150));
        let waits = gaps.report().unwrap().waits;
        assert_eq!(
            waits[0],
            Wait {
                line: 7,
                ns: 80,
                times: 1,
                until_line: 3,
                most_line: 2,
                most_ns: 70,
                most_lane: Some(Lane::Kernel),
                cause: WaitCause::Synchronize,
                idle_ns: 0,
            }
        );
        assert_eq!((waits[1].line, waits[1].until_line), (8, 3));
    }

    #[test]
    fn lines_are_in_the_order_of_all_that_they_waited() {
        let mut gaps = GapTracker::default();
        gaps.worked(2, Lane::Kernel, interval(0, 1_000));
        gaps.waited(7, WaitCause::Item, interval(0, 100));
        gaps.waited(8, WaitCause::Tolist, interval(100, 250));
        gaps.waited(7, WaitCause::CopyToHost, interval(250, 360));
        let waits = gaps.report().unwrap().waits;
        let waits: Vec<(u32, u64)> = waits.iter().map(|it| (it.line, it.ns)).collect();
        assert_eq!(waits, [(7, 110), (7, 100), (8, 150)]);
    }

    #[test]
    fn a_wait_behind_a_long_loop_is_the_loops() {
        let mut gaps = GapTracker::default();
        for at in 0..5_000 {
            gaps.worked(3, Lane::Kernel, interval(at * 10, at * 10 + 10));
        }
        gaps.worked(7, Lane::CopyToHost, interval(50_000, 50_001));
        gaps.waited(7, WaitCause::Item, interval(1_000, 50_001));
        let wait = gaps.report().unwrap().waits[0];
        assert_eq!((wait.until_line, wait.cause), (7, WaitCause::Item));
        assert_eq!((wait.most_line, wait.most_ns), (3, 49_000));
    }

    #[test]
    fn a_device_is_idle_for_each_line_that_the_host_ran_and_no_longer_than_it_took() {
        let mut gaps = GapTracker::default();
        gaps.ran(1, interval(0, 1_000));
        gaps.worked(2, Lane::Kernel, interval(1_000, 1_100));
        gaps.ran(3, interval(1_010, 1_150));
        // The part of a line before it queues something is reported before the line ends.
        gaps.ran(4, interval(1_150, 1_300));
        gaps.ran(4, interval(1_150, 1_490));
        gaps.worked(5, Lane::Kernel, interval(1_500, 1_600));
        gaps.worked(5, Lane::Kernel, interval(1_600, 1_700));
        let idle = gaps.report().unwrap().idle;
        let idle: Vec<(u32, u64, u64)> = idle.iter().map(|it| (it.line, it.ns, it.times)).collect();
        assert_eq!(idle, [(4, 340, 1), (3, 50, 1)]);
    }

    #[test]
    fn a_device_that_is_done_when_a_wait_ends_is_idle_because_of_it() {
        let mut gaps = GapTracker::default();
        gaps.worked(2, Lane::Kernel, interval(0, 100));
        gaps.waited(3, WaitCause::Item, interval(20, 100));
        gaps.worked(4, Lane::Kernel, interval(160, 200));
        gaps.worked(4, Lane::Kernel, interval(230, 400));
        // Work was queued beyond this wait.
        gaps.waited(5, WaitCause::Event, interval(240, 300));
        gaps.worked(6, Lane::Kernel, interval(420, 430));
        let waits = gaps.report().unwrap().waits;
        let idle: Vec<(u32, u64)> = waits.iter().map(|it| (it.line, it.idle_ns)).collect();
        assert_eq!(idle, [(3, 60), (5, 0)]);
    }

    #[test]
    fn a_cpu_has_no_gaps() {
        let mut gaps = GapTracker::default();
        gaps.ran(1, interval(0, 1_000));
        assert_eq!(gaps.report(), None);
    }
}
