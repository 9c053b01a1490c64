//! The figures of an analysis as those of one step.

use crate::analysis::{Analysis, Cause};
use warpup_lab::findings::Scale;

/// What the finders share.
pub(super) struct PerStep<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) scale: Scale,
}

impl<'a> PerStep<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        let steps = analysis.step_count();
        Self {
            analysis,
            scale: Scale {
                steps,
                step_ns: analysis.stepped_ns / steps,
                whole: (!analysis.has_steps).then_some("this trace"),
            },
        }
    }

    /// How long the device is idle in a step, for causes of a kind, and in how many gaps.
    pub(super) fn idle(&self, is_meant: impl Fn(Cause) -> bool) -> (i64, f64) {
        let (ns, count) = self.analysis.gaps.sum(is_meant);
        (self.scale.ns(ns), self.scale.count(count))
    }

    /// The mean time of a kernel.
    pub(super) fn mean_kernel_ns(&self) -> i64 {
        let (ns, count) = self.analysis.kernel_time();
        ns / i64::try_from(count).unwrap_or(1).max(1)
    }
}
