//! A run as the finders see it.

use crate::findings::scale::Scale;
use crate::text::cut_line;
use std::collections::BTreeMap;
use warpup_protocol::{Clock, LineFacts, LineTime, ProgramFacts, Report};

/// From so many steps on, their mean is worth something.
const STEPS: u64 = 3;

/// Without steps, from so many times on, a line is in a loop.
const REPEATED: u64 = 5;

/// Columns of a line of the program in a place.
const COLUMNS: usize = 60;

/// What the finders share.
pub(super) struct RunFacts<'a> {
    pub(super) report: &'a Report,
    pub(super) facts: &'a ProgramFacts,
    pub(super) source: Vec<&'a str>,
    pub(super) scale: Scale,
    times: BTreeMap<u32, LineTime>,
}

impl<'a> RunFacts<'a> {
    /// Nothing of a worker that counts no facts.
    pub(super) fn new(report: &'a Report, source: &'a str) -> Option<Self> {
        let facts = report.facts.as_deref()?;
        let times = report.lines.iter().map(|it| (it.line, *it));
        Some(Self {
            report,
            facts,
            source: source.lines().collect(),
            scale: scale(report, facts),
            times: times.collect(),
        })
    }

    /// Whether its times are those of a model, and a card worked.
    pub(super) fn has_modelled_card(&self) -> bool {
        self.report.clock == Clock::Modelled && self.report.device_ns.is_some_and(|it| it > 0)
    }

    /// Whether the program trains, in steps that were counted.
    pub(super) fn has_steps(&self) -> bool {
        self.scale.whole.is_none()
    }

    /// Whether something happens so often that it is in the loop: in every other step.
    pub(super) fn is_in_loop(&self, times: u64) -> bool {
        if self.has_steps() {
            times.saturating_mul(2) >= self.facts.steps.count
        } else {
            times >= REPEATED
        }
    }

    /// The same for something of a line, which is no more often in the loop than the line itself.
    pub(super) fn is_line_in_loop(&self, line: u32, times: u64) -> bool {
        let time = self.line_time(line);
        self.is_in_loop(time.map_or(times, |it| it.hits.min(times)))
    }

    fn compile_ns(&self, line: u32) -> u64 {
        let lines = &self.facts.lines;
        let at = lines.binary_search_by_key(&line, |it| it.line);
        at.ok()
            .and_then(|it| lines.get(it))
            .map_or(0, |it| it.compile_ns)
    }

    /// How long the card was idle while the host ran these lines in the loop. The longest time of a line does not count, since it may
    /// be the start of something, nor does that in which code was compiled.
    pub(super) fn idle_in_loop_ns(&self, is_meant: impl Fn(u32) -> bool) -> u64 {
        let gaps = self.report.gaps.iter();
        let idle = gaps.flat_map(|it| &it.idle).filter(|it| is_meant(it.line));
        let idle = idle.filter(|it| self.is_line_in_loop(it.line, it.times));
        idle.map(|it| {
            it.ns
                .saturating_sub(it.longest_ns.max(self.compile_ns(it.line)))
        })
        .sum()
    }

    /// A sum over the facts of all lines.
    pub(super) fn sum(&self, of: impl Fn(&LineFacts) -> u64) -> u64 {
        self.facts.lines.iter().map(of).sum()
    }

    /// The line that has most of something, one that goes forward if there is any.
    pub(super) fn most(&self, of: impl Fn(&LineFacts) -> u64) -> Option<u32> {
        let lines = self.facts.lines.iter().filter(|it| of(it) > 0);
        let most = lines.max_by_key(|it| (it.backward == 0, of(it)));
        most.map(|it| it.line).filter(|it| *it > 0)
    }

    /// A time of all steps, for one.
    pub(super) fn per_step(&self, ns: u64) -> i64 {
        self.scale.ns(signed(ns))
    }

    pub(super) fn line_time(&self, line: u32) -> Option<&LineTime> {
        self.times.get(&line)
    }

    /// A line with its text.
    pub(super) fn place(&self, line: u32) -> Option<String> {
        if line == 0 {
            return None;
        }
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        let text = self.source.get(at).map_or("", |it| it.trim());
        let place = format!("line {line}: {}", cut_line(text, COLUMNS));
        Some(place.trim_end_matches([' ', ':']).to_owned())
    }
}

/// A time that is large only by mistake.
pub(super) fn signed(ns: u64) -> i64 {
    i64::try_from(ns).unwrap_or(i64::MAX)
}

/// A step is from the begin of one optimizer step to the next. Without enough of them, the whole run after the start of the card
/// counts as one.
pub(super) fn scale(report: &Report, facts: &ProgramFacts) -> Scale {
    let steps = facts.steps;
    if steps.count >= STEPS {
        let all = steps.last_ns.saturating_sub(steps.first_ns);
        let between = all.saturating_sub(steps.compiling_ns) / (steps.count - 1);
        // A host that runs ahead has its steps behind it long before the card.
        let kernel_ns: u64 = facts.lines.iter().map(|it| it.kernel_ns).sum();
        let between = between.max(kernel_ns / steps.count);
        return Scale {
            steps: signed(steps.count),
            step_ns: signed(between),
            whole: None,
        };
    }
    let done_ns = report.busy.as_ref().map_or(0, |it| it.done_ns);
    let first_use = report.gaps.as_ref().and_then(|it| it.first_use);
    let starting_ns = first_use.map_or(0, |it| it.ns);
    let compiling_ns: u64 = facts.lines.iter().map(|it| it.compile_ns).sum();
    let once_ns = starting_ns.saturating_add(compiling_ns);
    let all_ns = report
        .uninterrupted_ns()
        .max(done_ns)
        .saturating_sub(once_ns);
    Scale {
        steps: 1,
        step_ns: signed(all_ns),
        whole: Some("this run"),
    }
}
