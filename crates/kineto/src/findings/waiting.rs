//! Waits that leave the device idle: the host reads a value, and has nothing queued when it goes on.

use super::finding::{Evidence, Finding, Page};
use super::per_step::{PerStep, counted};
use crate::analysis::{Cause, Gaps, Reason, Wait};

/// From this share of a step on, in percent.
const PERCENT: i64 = 5;

/// A finding for each kind of wait that costs enough. Those for copies to the device are findings about copies.
pub(super) fn findings(per_step: &PerStep<'_>) -> Vec<Finding> {
    let reasons = [
        Reason::Item,
        Reason::Branch,
        Reason::Shape,
        Reason::Compare,
        Reason::CopyToHost,
        Reason::Synchronize,
        Reason::Operator,
    ];
    reasons
        .into_iter()
        .filter_map(|it| finding(per_step, it))
        .collect()
}

fn finding(per_step: &PerStep<'_>, reason: Reason) -> Option<Finding> {
    let analysis = per_step.analysis;
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::Wait(reason));
    let waits: Vec<&Wait> = analysis
        .waits
        .iter()
        .filter(|it| it.reason == reason)
        .collect();
    let count = per_step.count(waits.iter().map(|it| it.count).sum());
    // One in a while is what the course recommends.
    if !per_step.is_much(idle_ns, PERCENT) || count < 0.5 {
        return None;
    }
    let wait_ns = per_step.ns(waits.iter().map(|it| it.host_ns).sum());
    Some(Finding {
        id: id(reason),
        sentence: format!(
            "{} the device is idle for {}: the host waits for it {} ({}), and has queued nothing when it goes on",
            per_step.scope_of(gaps),
            per_step.of_step(idle_ns),
            counted(count, "time", "times"),
            reason.words()
        ),
        place: place(analysis.gaps.by_cause.iter(), &waits, reason),
        try_first: try_first(reason),
        page: match reason {
            Reason::Item | Reason::Operator => Page::EVERY_STEP,
            Reason::Branch | Reason::Shape | Reason::Compare => Page::HIDDEN,
            Reason::CopyToHost | Reason::CopyToDevice => Page::RULE,
            Reason::Synchronize => Page::GAP,
        },
        saved_ns: idle_ns,
        evidence: vec![
            Evidence::ns("device_idle_ns_per_step", idle_ns),
            Evidence::ns("host_wait_ns_per_step", wait_ns),
            Evidence::new("waits_per_step", count),
            Evidence::new("gaps_per_step", gaps),
        ],
    })
}

/// The line after which the device is idle longest; else the operator, else the call.
fn place<'a>(
    gaps: impl Iterator<Item = &'a Gaps>,
    waits: &[&Wait],
    reason: Reason,
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

fn id(reason: Reason) -> &'static str {
    match reason {
        Reason::Item => "wait-item",
        Reason::Branch => "wait-branch",
        Reason::Shape => "wait-shape",
        Reason::Compare => "wait-compare",
        Reason::CopyToHost => "wait-copy-to-host",
        Reason::CopyToDevice => "wait-copy-to-device",
        Reason::Synchronize => "wait-synchronize",
        Reason::Operator => "wait-operator",
    }
}

fn try_first(reason: Reason) -> &'static str {
    match reason {
        Reason::Item => "keep `loss.detach()` on the device, and read it in every hundredth step",
        Reason::Branch => {
            "let a kernel choose (`torch.where`, `clamp`), or test in every hundredth step"
        }
        Reason::Shape => "use `torch.where` or a product with the mask, whose shape is known",
        Reason::Compare => "compare in a test, not in the loop",
        Reason::CopyToHost => "leave the values on the device, and copy them once, after the loop",
        Reason::CopyToDevice => "pin the batch, and copy with `non_blocking=True`",
        Reason::Synchronize => {
            "remove `synchronize()` from the loop; time a whole loop, with a wait at both ends"
        }
        Reason::Operator => "ask whether the host needs this value now, and in every step",
    }
}
