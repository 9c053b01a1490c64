//! Copies to the card that cost more than they have to.

use super::run_facts::RunFacts;
use crate::findings::copying::{CopyCost, MANY_COPIES, SMALL_BYTES, pageable_copies, small_copies};
use crate::findings::finding::{Evidence, Finding};
use crate::findings::page::Page;
use warpup_protocol::{CopyTotal, Lane, WaitCause};

/// Below it, copies from pageable memory are not worth a word.
const LARGE_BYTES: u64 = 256 << 10;

/// From this share of a step on, in percent, `pin_memory()` costs more than it saves.
const PERCENT: i64 = 5;

/// All of them. A copy is in one at most.
pub(super) fn findings(program: &RunFacts<'_>) -> Vec<Finding> {
    let copies = program.facts.copies.iter();
    let to_device = copies.filter(|it| it.lane == Lane::CopyToDevice);
    let in_loop = to_device.filter(|it| program.is_line_in_loop(it.line, it.times));
    let (small, large): (Vec<&CopyTotal>, Vec<&CopyTotal>) =
        in_loop.partition(|it| it.bytes / it.times.max(1) < SMALL_BYTES);
    let mut found = Vec::new();
    let count: u64 = small.iter().map(|it| it.times).sum();
    if program.scale.count(count) >= MANY_COPIES && program.has_steps() {
        let lines = lines(&small);
        let idle = program.idle_in_loop_ns(|it| lines.contains(&it));
        found.extend(small_copies(&program.scale, cost(program, &small, idle)));
    }
    let pageable: Vec<&CopyTotal> = large
        .into_iter()
        .filter(|it| !it.is_pinned && it.bytes / it.times.max(1) >= LARGE_BYTES)
        .collect();
    found.extend(pins(program));
    if !pageable.is_empty() {
        let idle = idle_after(program, &lines(&pageable));
        found.extend(pageable_copies(
            &program.scale,
            cost(program, &pageable, idle),
        ));
    }
    found
}

/// Copies to page-locked memory that the loop makes itself, while the card waits for them.
fn pins(program: &RunFacts<'_>) -> Option<Finding> {
    let lines = program.facts.lines.iter();
    let lines: Vec<_> = lines.filter(|it| program.is_in_loop(it.pins)).collect();
    let longest = lines.iter().max_by_key(|it| it.pin_ns)?;
    let pin_ns: u64 = lines.iter().map(|it| it.pin_ns).sum();
    let idle_ns = program.idle_in_loop_ns(|line| lines.iter().any(|it| it.line == line));
    let cost_ns = program.per_step(pin_ns.min(idle_ns));
    program.scale.is_much(cost_ns, PERCENT).then(|| Finding {
        id: "pin-in-loop",
        sentence: format!(
            "{} `pin_memory()` takes the host {} while the device is idle: it locks pages and copies the data to them, before the copy to the device begins",
            program.scale.scope(),
            program.scale.of_step(cost_ns)
        ),
        place: program.place(longest.line),
        try_first: "let a loader pin beside the loop, `DataLoader(…, num_workers=4, pin_memory=True)`, or copy from pageable memory",
        page: Page::PINNED,
        saved_ns: cost_ns,
        evidence: vec![
            Evidence::ns("pin_ns_per_step", program.per_step(pin_ns)),
            Evidence::ns("device_idle_ns_per_step", program.per_step(idle_ns)),
        ],
    })
}

fn lines(copies: &[&CopyTotal]) -> Vec<u32> {
    copies.iter().map(|it| it.line).collect()
}

/// How long the card was idle after the host had waited for the copies of these lines.
fn idle_after(program: &RunFacts<'_>, lines: &[u32]) -> u64 {
    let gaps = program.report.gaps.iter();
    let waits = gaps.flat_map(|it| &it.waits);
    let is_copy = |it| matches!(it, WaitCause::CopyToDevice | WaitCause::Tensor);
    let waits = waits.filter(|it| is_copy(it.cause) && lines.contains(&it.line));
    waits.map(|it| it.idle_ns).sum()
}

fn cost(program: &RunFacts<'_>, copies: &[&CopyTotal], idle_ns: u64) -> CopyCost {
    let sum = |of: fn(&CopyTotal) -> u64| copies.iter().map(|it| of(it)).sum::<u64>();
    let (count, bytes, ns) = (sum(|it| it.times), sum(|it| it.bytes), sum(|it| it.ns));
    let steps = program.scale.steps.unsigned_abs().max(1);
    let (copy_ns, idle_ns) = (program.per_step(ns), program.per_step(idle_ns));
    let most = copies.iter().max_by_key(|it| it.ns);
    CopyCost {
        count: program.scale.count(count),
        each: bytes / count.max(1),
        bytes: bytes / steps,
        rate: (ns > 0).then(|| bytes as f64 * 1e9 / ns as f64),
        copy_ns,
        idle_ns,
        place: most.and_then(|it| program.place(it.line)),
        evidence: vec![
            Evidence::ns("cost_ns_per_step", copy_ns + idle_ns),
            Evidence::ns("device_ns_per_step", copy_ns),
            Evidence::new("copies_per_step", program.scale.count(count)),
            Evidence::new("bytes_per_step", (bytes / steps) as f64),
            Evidence::ns("device_idle_ns_per_step", idle_ns),
        ],
    }
}
