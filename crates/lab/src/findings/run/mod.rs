//! The findings of a run, from the facts that its worker counted.
//!
//! Mistakes that make results wrong come first, then those that make a measurement wrong, then what costs time, most first.

mod clocks;
mod compiling;
mod copies;
mod device_idle;
mod kernels;
mod run_facts;
mod training;

use super::copying::SMALL_COPIES;
use super::finding::Finding;
use super::scale::Scale;
use super::waiting::WaitReason;
use run_facts::RunFacts;
use std::cmp::Reverse;
use warpup_protocol::{Outcome, Report};

/// What comes first, whatever it costs.
const FIRST: [&str; 7] = [
    training::UNCLEARED,
    training::NO_EVAL,
    training::UNDIVIDED,
    training::GRAPH_GROWS,
    clocks::NO_WAIT,
    clocks::FIRST_ITERATION,
    training::NO_NO_GRAD,
];

/// A run that could save less than this, all steps together, is too short to tell.
const LEAST_NS: i64 = 250_000;

/// Whose program it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramKind {
    /// One of the course, which is small on purpose: a card that waits for its launches is no mistake of a learner.
    Lab,
    /// The learner's own.
    Own,
}

/// What was found in a run of a program with this text that came to its end.
pub fn of_run(report: &Report, source: &str, kind: ProgramKind) -> Vec<Finding> {
    let (Outcome::Done, Some(program)) = (&report.outcome, RunFacts::new(report, source)) else {
        return Vec::new();
    };
    let mut found = training::findings(&program);
    found.extend(clocks::findings(&program));
    if program.has_modelled_card() {
        found.extend(device_idle::findings(&program, kind));
        found.extend(copies::findings(&program));
        found.extend(kernels::findings(&program));
        found.extend(compiling::finding(&program));
    }
    // The CPU that computes a part of the model is what the copies of this part are for.
    if found.iter().any(|it| it.id == kernels::ON_HOST) {
        found.retain(|it| it.id != WaitReason::CopyToHost.id());
    }
    // Many constants are many small copies.
    if found.iter().any(|it| it.id == SMALL_COPIES) {
        found.retain(|it| it.id != WaitReason::Constant.id());
    }
    let is_worth = |it: &Finding| it.saved_ns.saturating_mul(program.scale.steps) >= LEAST_NS;
    found.retain(|it| it.saved_ns == 0 || is_worth(it));
    let place = |it: &Finding| FIRST.iter().position(|id| *id == it.id);
    found.sort_by_key(|it| (place(it).unwrap_or(FIRST.len()), Reverse(it.saved_ns)));
    found
}

/// The steps of a run that trains, from the begin of one optimizer step to the next; nothing where there are few.
pub fn steps_of(report: &Report) -> Option<Scale> {
    let scale = run_facts::scale(report, report.facts.as_deref()?);
    Some(scale).filter(|it| it.whole.is_none())
}

#[cfg(test)]
mod tests;
