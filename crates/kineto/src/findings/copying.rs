//! Copies that cost more than they have to: many small ones, pageable memory, nothing beside them.

use super::per_step::PerStep;
use crate::analysis::{Cause, Copies, CopyDirection, HostMemory};
use warpup_lab::findings::{self, CopyCost, Evidence, Finding, MANY_COPIES, Page, WaitReason};

/// From this share of a step on, in percent, copies that only have nothing beside them are worth a word.
const ALONE_PERCENT: i64 = 10;

/// The findings about copies. A copy is in one of them at most.
pub(super) fn findings(per_step: &PerStep<'_>) -> Vec<Finding> {
    let to_and_from_host = |it: &&Copies| it.direction != CopyDirection::OnDevice && it.count > 0;
    let copies = per_step.analysis.copies.iter().filter(to_and_from_host);
    let (small, large): (Vec<&Copies>, Vec<&Copies>) =
        copies.partition(|it| is_small(per_step, it));
    let (pageable, other): (Vec<&Copies>, Vec<&Copies>) = large
        .into_iter()
        .partition(|it| it.host_memory == HostMemory::Pageable);
    let pageable: Vec<&Copies> = pageable
        .into_iter()
        .filter(|it| it.direction == CopyDirection::ToDevice)
        .collect();
    // Idle time after copies belongs to those whose calls take longer, and is not counted twice.
    let calls = |of: &[&Copies]| of.iter().map(|it| it.host_ns).sum::<i64>();
    let waits = |is_theirs: bool| if is_theirs { idle(per_step) } else { 0 };
    let is_of_small = calls(&small) > calls(&pageable);
    let found = [
        small_copies(per_step, &small, waits(is_of_small)),
        pageable_copies(per_step, &pageable, waits(!is_of_small)),
        copies_alone(per_step, &other),
    ];
    found.into_iter().flatten().collect()
}

/// Whether these are many small copies.
fn is_small(per_step: &PerStep<'_>, it: &Copies) -> bool {
    it.is_small && per_step.scale.count(it.count) >= MANY_COPIES
}

/// How many there are in a step.
fn count(per_step: &PerStep<'_>, copies: &[&Copies]) -> f64 {
    per_step.scale.count(copies.iter().map(|it| it.count).sum())
}

/// How long the device is idle in a step because of copies to it.
fn idle(per_step: &PerStep<'_>) -> i64 {
    let is_copy = |it| matches!(it, Cause::Copy | Cause::Wait(WaitReason::CopyToDevice));
    per_step.idle(is_copy).0
}

fn small_copies(per_step: &PerStep<'_>, copies: &[&Copies], idle_ns: i64) -> Option<Finding> {
    findings::small_copies(&per_step.scale, copy_cost(per_step, copies, idle_ns)?)
}

fn pageable_copies(per_step: &PerStep<'_>, copies: &[&Copies], idle_ns: i64) -> Option<Finding> {
    findings::pageable_copies(&per_step.scale, copy_cost(per_step, copies, idle_ns)?)
}

fn copy_cost(per_step: &PerStep<'_>, copies: &[&Copies], idle_ns: i64) -> Option<CopyCost> {
    let first = copies.first()?;
    let bytes: u64 = copies.iter().map(|it| it.bytes).sum();
    let copy_ns = per_step.scale.ns(copies.iter().map(|it| it.alone_ns).sum());
    Some(CopyCost {
        count: count(per_step, copies),
        each: bytes / copies.iter().map(|it| it.count).sum::<u64>().max(1),
        bytes: bytes / per_step.analysis.steps.len().max(1) as u64,
        rate: first.bytes_per_second,
        copy_ns,
        idle_ns,
        place: place(first),
        evidence: evidence(per_step, copies, copy_ns + idle_ns),
    })
}

fn copies_alone(per_step: &PerStep<'_>, copies: &[&Copies]) -> Option<Finding> {
    let most = copies.iter().max_by_key(|it| it.alone_ns)?;
    let alone_ns = per_step.scale.ns(copies.iter().map(|it| it.alone_ns).sum());
    per_step.scale.is_much(alone_ns, ALONE_PERCENT).then(|| Finding {
        id: "copies-alone",
        sentence: format!(
            "{} copies take {} while no kernel runs, although they could be beside kernels",
            per_step.scale.scope_of(count(per_step, copies)),
            per_step.scale.of_step(alone_ns)
        ),
        place: place(most),
        try_first: "copy the next batch while this one computes: pinned memory, `non_blocking=True`, another stream",
        page: Page::PREFETCH,
        saved_ns: alone_ns,
        evidence: evidence(per_step, copies, alone_ns),
    })
}

fn place(copies: &Copies) -> Option<String> {
    copies.line.clone().or_else(|| Some(copies.name.clone()))
}

fn evidence(per_step: &PerStep<'_>, copies: &[&Copies], cost_ns: i64) -> Vec<Evidence> {
    let sum = |of: fn(&Copies) -> i64| per_step.scale.ns(copies.iter().map(|it| of(it)).sum());
    let count = |of: fn(&Copies) -> u64| per_step.scale.count(copies.iter().map(|it| of(it)).sum());
    vec![
        Evidence::ns("cost_ns_per_step", cost_ns),
        Evidence::ns("device_ns_per_step", sum(|it| it.device_ns)),
        Evidence::ns("call_ns_per_step", sum(|it| it.host_ns)),
        Evidence::new("copies_per_step", count(|it| it.count)),
        Evidence::new("bytes_per_step", count(|it| it.bytes)),
    ]
}
