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

/// The numbers of a version. What is no number ends it.
pub(super) fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|it| it.parse().ok()).collect()
}

impl Evidence {
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
    }
}
