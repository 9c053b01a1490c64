//! Time in which the card is idle: after waits, while the loop loads, before late launches.

use super::ProgramKind;
use super::run_facts::{RunFacts, signed};
use crate::findings::finding::Finding;
use crate::findings::launching::{LaunchCost, launch_bound};
use crate::findings::loading::{LoadingCost, loader_bound};
use crate::findings::waiting::{WaitCost, WaitReason, wait};
use std::collections::BTreeMap;
use warpup_protocol::{Wait, WaitCause};

/// When launches are the reason that the card is idle, and not that a model is small: so many kernels in a step, their mean time in
/// nanoseconds at most, and the idle share of the step in percent. Kernels of the second kind take less time than their launches, so
/// that a card is never idle for much more.
const LAUNCHES: [(f64, i64, i64); 3] = [(100.0, 50_000, 50), (50.0, 5_000, 30), (20.0, 10_000, 80)];

/// The same for a program of the learner's own that makes steps. In the sound ones of `tests/fixtures/findings` a T4 and an H100 are
/// idle for 13 % at most.
const OWN_LAUNCHES: [(f64, i64, i64); 2] = [(10.0, 15_000, 30), LAUNCHES[0]];

/// A run without steps needs so many times as many kernels.
const WITHOUT_STEPS: f64 = 20.0;

/// Up to here, `torch.tensor` makes a constant, and no data of a step.
const CONSTANT_BYTES: u64 = 64;

/// All of them.
pub(super) fn findings(program: &RunFacts<'_>, kind: ProgramKind) -> Vec<Finding> {
    let reasons = [
        WaitReason::Item,
        WaitReason::Print,
        WaitReason::Branch,
        WaitReason::Shape,
        WaitReason::Compare,
        WaitReason::Constant,
        WaitReason::CopyToHost,
        WaitReason::Synchronize,
    ];
    let mut found: Vec<Finding> = reasons
        .into_iter()
        .filter_map(|it| waits(program, it))
        .collect();
    found.extend(loading(program));
    found.extend(late(program, kind));
    found
}

fn reason(program: &RunFacts<'_>, wait: &Wait) -> Option<WaitReason> {
    match wait.cause {
        WaitCause::Item | WaitCause::Tolist => Some(WaitReason::Item),
        WaitCause::Branch => Some(WaitReason::Branch),
        WaitCause::Print => Some(WaitReason::Print),
        WaitCause::Nonzero => Some(WaitReason::Shape),
        WaitCause::Compare => Some(WaitReason::Compare),
        WaitCause::Tensor if has_constants(program, wait.line) => Some(WaitReason::Constant),
        WaitCause::CopyToHost => Some(WaitReason::CopyToHost),
        WaitCause::Synchronize | WaitCause::Event | WaitCause::Stream => {
            Some(WaitReason::Synchronize)
        }
        // These are findings about copies, loaders and the allocator, or no loop with a `GradScaler` can do without.
        WaitCause::Tensor
        | WaitCause::CopyToDevice
        | WaitCause::Scaler
        | WaitCause::LaunchBlocking
        | WaitCause::Allocator
        | WaitCause::Loader
        | WaitCause::Unknown => None,
    }
}

/// Whether what a line copies to the card is no more than a few numbers.
fn has_constants(program: &RunFacts<'_>, line: u32) -> bool {
    let copies = program.facts.copies.iter().filter(|it| it.line == line);
    let largest = copies.map(|it| it.bytes / it.times.max(1)).max();
    largest.is_some_and(|it| it <= CONSTANT_BYTES)
}

/// The waits of a line, together.
#[derive(Clone, Copy, Debug, Default)]
struct LineWaits {
    times: u64,
    ns: u64,
}

/// The waits of some causes, by line, where they are in the loop.
fn by_line(program: &RunFacts<'_>, is_meant: impl Fn(&Wait) -> bool) -> BTreeMap<u32, LineWaits> {
    let gaps = program.report.gaps.iter();
    let waits = gaps.flat_map(|it| &it.waits);
    let mut lines: BTreeMap<u32, LineWaits> = BTreeMap::new();
    for it in waits.filter(|it| is_meant(it)) {
        let line = lines.entry(it.line).or_default();
        line.times += it.times;
        line.ns += it.ns;
    }
    lines.retain(|_, it| program.is_in_loop(it.times));
    lines
}

fn sum(lines: &BTreeMap<u32, LineWaits>) -> LineWaits {
    lines
        .values()
        .fold(LineWaits::default(), |sum, it| LineWaits {
            times: sum.times + it.times,
            ns: sum.ns + it.ns,
        })
}

fn waits(program: &RunFacts<'_>, of: WaitReason) -> Option<Finding> {
    // Who reads a clock waits for it.
    let is_timed = program.facts.clocks.iter().any(|it| it.unfinished == 0);
    if of == WaitReason::Synchronize && is_timed {
        return None;
    }
    let lines = by_line(program, |it| reason(program, it) == Some(of));
    let all = sum(&lines);
    let longest = lines.iter().max_by_key(|(_, it)| it.ns);
    let place = longest.and_then(|(line, _)| program.place(*line));
    let scale = &program.scale;
    // Without the waits the host would be ahead by what it waits, and no more; it is late for more launches than the next one.
    let saved_ns = program.per_step(all.ns.min(program.idle_in_loop_ns(|_| true)));
    wait(
        scale,
        WaitCost {
            reason: of,
            idle_ns: saved_ns,
            gaps: scale.count(all.times),
            waits: scale.count(all.times),
            wait_ns: program.per_step(all.ns),
            saved_ns,
            place,
        },
    )
}

fn loading(program: &RunFacts<'_>) -> Option<Finding> {
    let waits = by_line(program, |it| it.cause == WaitCause::Loader);
    let waited = sum(&waits);
    let own = program.facts.lines.iter();
    let own: Vec<_> = own.filter(|it| program.is_in_loop(it.batches)).collect();
    let batches: u64 = own.iter().map(|it| it.batches).sum();
    let idle_ns = program.idle_in_loop_ns(|it| waits.contains_key(&it))
        + own.iter().map(|it| it.batch_idle_ns).sum::<u64>();
    let host_ns = waited.ns + own.iter().map(|it| it.batch_ns).sum::<u64>();
    let line = match own.iter().max_by_key(|it| it.batch_ns) {
        Some(it) => it.line,
        None => *waits.keys().next()?,
    };
    let scale = &program.scale;
    loader_bound(
        scale,
        LoadingCost {
            idle_ns: Some(program.per_step(idle_ns)),
            gaps: scale.count(batches + waited.times),
            host_ns: program.per_step(host_ns),
            batches: scale.count(batches + waited.times),
            is_in_process: batches > 0,
            place: program.place(line),
        },
    )
}

/// Many short kernels, before which the host is late.
fn late(program: &RunFacts<'_>, kind: ProgramKind) -> Option<Finding> {
    let gaps = program.report.gaps.as_deref()?;
    let waits = gaps.waits.iter();
    let waits = waits.filter(|it| program.is_line_in_loop(it.line, it.times));
    let after_waits: u64 = waits.map(|it| it.idle_ns).sum();
    let loading = program.sum(|it| it.batch_idle_ns);
    let idle_ns = program.idle_in_loop_ns(|_| true);
    let idle_ns = idle_ns.saturating_sub(after_waits + loading);
    let idle_ns = program.per_step(idle_ns);
    let kernels = program.sum(|it| it.kernels);
    let mean_ns = signed(program.sum(|it| it.kernel_ns) / kernels.max(1));
    let scale = &program.scale;
    let count = scale.count(kernels);
    let times = if program.has_steps() {
        1.0
    } else {
        WITHOUT_STEPS
    };
    let is_bound = |(least, longest_ns, percent): &(f64, i64, i64)| {
        count >= least * times && mean_ns <= *longest_ns && scale.is_much(idle_ns, *percent)
    };
    let mut limits = match kind {
        ProgramKind::Own if program.has_steps() => OWN_LAUNCHES.iter(),
        ProgramKind::Own | ProgramKind::Lab => LAUNCHES.iter(),
    };
    limits.any(is_bound).then(|| {
        launch_bound(
            scale,
            LaunchCost {
                idle_ns,
                gaps: scale.count(gaps.idle.iter().map(|it| it.times).sum()),
                kernels: count,
                mean_ns,
                place: program
                    .most(|it| it.kernels)
                    .and_then(|it| program.place(it)),
            },
        )
    })
}
