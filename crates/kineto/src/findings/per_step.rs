//! Times and counts of all steps as those of one.

use crate::analysis::{Analysis, Cause};
use warpup_lab::units;

/// What the finders share.
pub(super) struct PerStep<'a> {
    pub(super) analysis: &'a Analysis,
    /// The mean time of a step.
    pub(super) step_ns: i64,
}

impl<'a> PerStep<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        Self {
            analysis,
            step_ns: analysis.stepped_ns / analysis.step_count(),
        }
    }

    /// Where something happens so often: in each step, or in a trace without steps.
    pub(super) fn scope(&self) -> &'static str {
        if self.analysis.has_steps {
            "in each step"
        } else {
            "in this trace"
        }
    }

    /// As [`Self::scope`], for something that may happen in only some of the steps: how often in a step, on average.
    pub(super) fn scope_of(&self, count: f64) -> &'static str {
        if self.analysis.has_steps && count < 0.95 {
            "in a step, on average,"
        } else {
            self.scope()
        }
    }

    /// A time of all steps, for one.
    pub(super) fn ns(&self, of_all: i64) -> i64 {
        of_all / self.analysis.step_count()
    }

    /// A count of all steps, for one.
    pub(super) fn count(&self, of_all: u64) -> f64 {
        of_all as f64 / self.analysis.step_count() as f64
    }

    /// How long the device is idle in a step, for causes of a kind, and in how many gaps.
    pub(super) fn idle(&self, is_meant: impl Fn(Cause) -> bool) -> (i64, f64) {
        let (ns, count) = self.analysis.gaps.sum(is_meant);
        (self.ns(ns), self.count(count))
    }

    /// The mean time of a kernel.
    pub(super) fn mean_kernel_ns(&self) -> i64 {
        let (ns, count) = self.analysis.kernel_time();
        ns / i64::try_from(count).unwrap_or(1).max(1)
    }

    /// Whether a time is at least so many percent of a step.
    pub(super) fn is_much(&self, ns: i64, percent: i64) -> bool {
        ns > 0 && ns.saturating_mul(100) >= self.step_ns.saturating_mul(percent)
    }

    /// A time of one step in words, with its share: `2.10 ms of 8.30 ms`.
    pub(super) fn of_step(&self, ns: i64) -> String {
        format!("{} of {}", duration(ns), duration(self.step_ns))
    }
}

/// A time in words.
pub(super) fn duration(ns: i64) -> String {
    units::duration(u64::try_from(ns).unwrap_or(0))
}

/// A count with its noun, whole where it is nearly: `1 gap`, `2.5 gaps`.
pub(super) fn counted(count: f64, one: &str, many: &str) -> String {
    let number = times(count);
    let noun = if number == "1" { one } else { many };
    format!("{number} {noun}")
}

/// A count in words: whole where it is nearly.
pub(super) fn times(count: f64) -> String {
    if count >= 9.95 || (count - count.round()).abs() < 0.05 {
        format!("{count:.0}")
    } else {
        format!("{count:.1}")
    }
}
