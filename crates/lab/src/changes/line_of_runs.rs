//! The lines of a program in two runs, matched by their text, since it may have been edited in between.

use super::ProgramRun;
use super::pace::{Pace, factor};
use crate::first_use;
use crate::line_diff::{DiffStretch, lines, parts};
use std::collections::BTreeMap;
use warpup_protocol::LineTime;

/// What became of a line between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The same text.
    Same,
    /// Another text in the same place.
    Edited,
    /// It was not there before.
    Added,
    /// It is not there any more.
    Removed,
}

/// A line in both runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineOfRuns<'a> {
    pub(super) change: Change,
    /// Its number now, or the one that it had.
    pub(super) line: u32,
    pub(super) text: &'a str,
    pub(super) before: Option<LineTime>,
    pub(super) now: Option<LineTime>,
}

impl LineOfRuns<'_> {
    /// Its time before and now, of the host or of the device, whichever changed more.
    fn times(&self) -> [u64; 2] {
        let of = |time: fn(&LineTime) -> u64| {
            [&self.before, &self.now].map(|it| it.as_ref().map_or(0, time))
        };
        let (host, device) = (of(|it| it.host_ns), of(|it| it.device_ns.unwrap_or(0)));
        let change = |[before, now]: [u64; 2]| before.abs_diff(now);
        if change(device) > change(host) {
            device
        } else {
            host
        }
    }

    /// By how much that time has changed.
    pub(super) fn change_ns(&self) -> u64 {
        let [before, now] = self.times();
        before.abs_diff(now)
    }

    /// Whether it became shorter or longer.
    pub(super) fn pace(&self) -> Option<Pace> {
        let [before, now] = self.times();
        factor(before, now).map(|it| it.1)
    }
}

impl Change {
    pub(super) fn sign(self) -> char {
        match self {
            Self::Same => ' ',
            Self::Edited => '~',
            Self::Added => '+',
            Self::Removed => '-',
        }
    }
}

/// The lines of both programs that either run reached, in the order of the program as it is now.
pub(super) fn rows<'a>(before: ProgramRun<'a>, now: ProgramRun<'a>) -> Vec<LineOfRuns<'a>> {
    let (old, new) = (lines(before.source), lines(now.source));
    let times = |run: ProgramRun<'_>| -> BTreeMap<u32, LineTime> {
        let lines = run.report.lines.iter();
        let rest = |it: &LineTime| LineTime {
            host_ns: it
                .host_ns
                .saturating_sub(first_use::of_line(run.report, it.line)),
            ..*it
        };
        lines.map(|it| (it.line, rest(it))).collect()
    };
    let (old_times, new_times) = (times(before), times(now));
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let mut rows = Vec::new();
    for (was, is) in matched(&old, &new) {
        let was = was.map(|at| (number(at), old.get(at).copied().unwrap_or_default()));
        let is = is.map(|at| (number(at), new.get(at).copied().unwrap_or_default()));
        let (change, (line, text)) = match (was, is) {
            (Some(was), Some(is)) if was.1 == is.1 => (Change::Same, is),
            (Some(_), Some(is)) => (Change::Edited, is),
            (None, Some(is)) => (Change::Added, is),
            (Some(was), None) => (Change::Removed, was),
            (None, None) => continue,
        };
        let row = LineOfRuns {
            change,
            line,
            text,
            before: was.and_then(|it| old_times.get(&it.0)).copied(),
            now: is.and_then(|it| new_times.get(&it.0)).copied(),
        };
        if row.before.is_some() || row.now.is_some() {
            rows.push(row);
        }
    }
    rows
}

/// Pairs of lines, by index: those with the same text, and between these the others in their order.
fn matched(old: &[&str], new: &[&str]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut pairs = Vec::new();
    for part in parts(old, new) {
        let (DiffStretch::Same(was, is) | DiffStretch::Changed(was, is)) = part;
        let rows = was.len().max(is.len());
        pairs.extend((0..rows).map(|at| (was.clone().nth(at), is.clone().nth(at))));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_matched_by_their_text() {
        let pairs = matched(&["a", "b", "c"], &["b", "x", "c", "d"]);
        let pairs: Vec<String> = pairs
            .iter()
            .map(|it| format!("{:?}-{:?}", it.0, it.1))
            .collect();
        insta::assert_snapshot!(pairs.join(" "), @"Some(0)-None Some(1)-Some(0) None-Some(1) Some(2)-Some(2) None-Some(3)");
    }
}
