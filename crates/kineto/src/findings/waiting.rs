//! Waits that leave the device idle: the host reads a value, and has nothing queued when it goes on.

use super::per_step::PerStep;
use crate::analysis::{Cause, Gaps, Wait};
use warpup_lab::findings::{Finding, WaitCost, WaitReason, wait};

/// A finding for each kind of wait that costs enough. Those for copies to the device are findings about copies.
pub(super) fn findings(per_step: &PerStep<'_>) -> Vec<Finding> {
    let reasons = [
        WaitReason::Item,
        WaitReason::Branch,
        WaitReason::Shape,
        WaitReason::Compare,
        WaitReason::CopyToHost,
        WaitReason::Synchronize,
        WaitReason::Operator,
    ];
    reasons
        .into_iter()
        .filter_map(|it| finding(per_step, it))
        .collect()
}

fn finding(per_step: &PerStep<'_>, reason: WaitReason) -> Option<Finding> {
    let analysis = per_step.analysis;
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::Wait(reason));
    let waits: Vec<&Wait> = analysis
        .waits
        .iter()
        .filter(|it| it.reason == reason)
        .collect();
    let count = per_step.scale.count(waits.iter().map(|it| it.count).sum());
    let wait_ns = per_step.scale.ns(waits.iter().map(|it| it.host_ns).sum());
    wait(
        &per_step.scale,
        WaitCost {
            reason,
            idle_ns,
            gaps,
            waits: count,
            wait_ns,
            saved_ns: idle_ns,
            place: place(analysis.gaps.by_cause.iter(), &waits, reason),
        },
    )
}

/// The line after which the device is idle longest; else the operator, else the call.
fn place<'a>(
    gaps: impl Iterator<Item = &'a Gaps>,
    waits: &[&Wait],
    reason: WaitReason,
) -> Option<String> {
    let longest = gaps.into_iter().find(|it| it.cause == Cause::Wait(reason));
    let line = longest.and_then(|it| it.line.clone());
    line.or_else(|| {
        let first = waits.first()?;
        first
            .line
            .clone()
            .or_else(|| first.operator.clone())
            .or_else(|| Some(first.call.clone()))
    })
}
