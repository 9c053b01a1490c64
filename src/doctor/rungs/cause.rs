//! What several rungs need to tell causes apart: versions, times, the steps of a probe.

use crate::doctor::evidence::Evidence;
use crate::protocol::{Found, ProbeStep, Probed};

/// `3 s`, `0.25 s`.
pub(super) fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(1000) {
        format!("{} s", ms / 1000)
    } else {
        format!("{:.2} s", ms as f64 / 1000.0)
    }
}

/// Whether one version such as `12.8` is older than another, number by number.
pub(super) fn is_older(version: &str, other: &str) -> bool {
    numbers(version) < numbers(other)
}

/// The numbers of a version; of `9.0a`, 9 and 0. What is no number ends it.
pub(super) fn numbers(version: &str) -> Vec<u32> {
    let digits = |it: &str| {
        it.trim_end_matches(|it: char| it.is_ascii_alphabetic())
            .parse()
    };
    version.split('.').map_while(|it| digits(it).ok()).collect()
}

impl Evidence {
    /// The CUDA that the worker was built with, if somebody noted it.
    pub(super) fn built_cuda(&self) -> Option<&str> {
        let told = self.probe().map(|it| it.built.cuda.as_str());
        let told = told.filter(|it| !numbers(it).is_empty());
        told.or(self.worker_notes.cuda.as_deref())
    }

    /// The compute capability that the worker's kernels are for, if somebody noted it.
    pub(super) fn built_capability(&self) -> Option<&str> {
        let told = self.probe().map(|it| it.built.capability.as_str());
        let told = told.filter(|it| !numbers(it).is_empty());
        told.or(self.worker_notes.capability.as_deref())
    }

    /// A step of the probe, if it came that far.
    pub(super) fn step(&self, what: Probed) -> Option<&ProbeStep> {
        self.probe()?.steps.iter().find(|it| it.what == what)
    }

    /// Whether the probe went through to its end.
    pub(super) fn all_steps_went_well(&self) -> bool {
        self.probe().is_some_and(|probe| {
            !probe.steps.is_empty()
                && probe
                    .steps
                    .iter()
                    .all(|it| matches!(it.found, Found::Fine { .. }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(is_older("12.8", "13.0"));
        assert!(is_older("12.8", "12.10"));
        assert!(!is_older("13.0", "13.0"));
        assert!(!is_older("13.1", "13.0"));
        assert_eq!(numbers("9.0a"), vec![9, 0]);
        assert!(numbers("unknown").is_empty());
    }
}
