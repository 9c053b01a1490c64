//! All findings of a trace, the one that could save most first.

use super::not_recorded;
use super::per_step::PerStep;
use super::{copying, device_starvation, exchange, nothing_found, over_steps, waiting};
use crate::analysis::Analysis;
use serde::Serialize;
use std::cmp::Reverse;
use warpup_lab::findings::{Evidence, Finding};

/// What was found, and what cannot be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FindingsReport {
    /// The findings, the one that could save most first.
    pub findings: Vec<Finding>,
    /// Without a finding: how near its limit a step is, or what costs most.
    pub nothing_found: Option<String>,
    /// What the trace cannot show, a sentence each.
    pub cannot_show: Vec<String>,
}

impl FindingsReport {
    /// The report of an analysis.
    pub fn of(analysis: &Analysis) -> Self {
        let per_step = PerStep::new(analysis);
        let mut findings = waiting::findings(&per_step);
        findings.extend(copying::findings(&per_step));
        findings.extend(device_starvation::findings(&per_step));
        findings.extend(exchange::finding(&per_step));
        findings.extend(over_steps::findings(&per_step));
        findings.sort_by_key(|it| Reverse(it.saved_ns));
        // What its time is a share of.
        for it in findings.iter_mut().filter(|it| it.saved_ns > 0) {
            let step_ns = Evidence::ns("step_ns", per_step.scale.step_ns);
            it.evidence.push(step_ns);
        }
        let is_nothing = findings.is_empty();
        Self {
            nothing_found: is_nothing.then(|| nothing_found::sentence(analysis)),
            cannot_show: not_recorded::sentences(analysis, &findings),
            findings,
        }
    }
}
