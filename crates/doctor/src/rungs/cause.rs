//! Shared by several rungs: versions, times and the steps of the probe.

use crate::evidence::Evidence;
use warpup_protocol::{DeviceTimes, ProbeStep, StepKind, StepResult};

/// `3 s`, `0.25 s`.
pub(super) fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(1000) {
        format!("{} s", ms / 1000)
    } else {
        format!("{:.2} s", ms as f64 / 1000.0)
    }
}

/// The numbers of a version such as `12.8`, by which versions compare, up to the first part that is not a number; those of `9.0a` are 9 and 0.
pub(super) fn numbers(version: &str) -> Vec<u32> {
    let digits = |it: &str| {
        it.trim_end_matches(|it: char| it.is_ascii_alphabetic())
            .parse()
    };
    version.split('.').map_while(|it| digits(it).ok()).collect()
}

fn with_numbers(version: Option<&str>) -> Option<&str> {
    version.filter(|it| !numbers(it).is_empty())
}

impl Evidence {
    /// The CUDA that the worker was built with, from the probe or the notes.
    pub(super) fn built_cuda(&self) -> Option<&str> {
        let built = self.probe().map(|it| it.built.cuda.as_str());
        with_numbers(built).or(self.worker_notes.cuda.as_deref())
    }

    /// The compute capability of the worker's kernels, from the probe or the notes.
    pub(super) fn built_capability(&self) -> Option<&str> {
        let built = self.probe().map(|it| it.built.capability.as_str());
        with_numbers(built).or(self.worker_notes.capability.as_deref())
    }

    /// A step of the probe, if it got that far.
    pub(super) fn step(&self, what: StepKind) -> Option<&ProbeStep> {
        self.probe()?.steps.iter().find(|it| it.what == what)
    }

    /// What gives the times of operations on the card, if the probe got that far.
    pub(super) fn device_times(&self) -> Option<&DeviceTimes> {
        self.probe()?.device_times.as_ref()
    }

    /// Whether all steps of the probe succeeded.
    pub(super) fn all_steps_went_well(&self) -> bool {
        self.probe().is_some_and(|probe| {
            let mut steps = probe.steps.iter();
            !probe.steps.is_empty() && steps.all(|it| matches!(it.found, StepResult::Fine { .. }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(numbers("12.8") < numbers("13.0"));
        assert!(numbers("12.8") < numbers("12.10"));
        assert!(numbers("13.0") == numbers("13.0"));
        assert!(numbers("13.1") > numbers("13.0"));
        assert_eq!(numbers("9.0a"), vec![9, 0]);
        assert!(numbers("unknown").is_empty());
    }
}
