//! All findings of a trace, the one that could save most first.

use super::not_recorded;
use super::per_step::PerStep;
use super::{copying, device_starvation, over_steps, waiting};
use crate::analysis::Analysis;
use serde::Serialize;
use std::cmp::Reverse;
use warpup_lab::findings::Finding;

/// What was found, and what cannot be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FindingsReport {
    /// The findings, the one that could save most first.
    pub findings: Vec<Finding>,
    /// What the trace cannot show, a sentence each.
    pub cannot_show: Vec<String>,
}

/// From this share of the time on, a report without a finding says for how long the device was idle, in percent.
const IDLE_PERCENT: i64 = 10;

impl FindingsReport {
    /// What a report without findings says.
    pub fn nothing_found(analysis: &Analysis) -> String {
        let costs = if analysis.has_steps {
            "a step much time"
        } else {
            "much time"
        };
        let percent = analysis.stepped_idle_ns * 100 / analysis.stepped_ns.max(1);
        let idle = if percent >= IDLE_PERCENT {
            format!(
                " The device was idle for {percent} % of the time, for no single reason that is much of it."
            )
        } else {
            String::new()
        };
        format!("Nothing found that costs {costs}.{idle}")
    }

    /// The report of an analysis.
    pub fn of(analysis: &Analysis) -> Self {
        let per_step = PerStep::new(analysis);
        let mut findings = waiting::findings(&per_step);
        findings.extend(copying::findings(&per_step));
        findings.extend(device_starvation::findings(&per_step));
        findings.extend(over_steps::findings(&per_step));
        findings.sort_by_key(|it| Reverse(it.saved_ns));
        Self {
            cannot_show: not_recorded::sentences(analysis, &findings),
            findings,
        }
    }
}
