//! A device that waits for the host: for data, for launches of small kernels, for memory.

use super::per_step::PerStep;
use crate::analysis::Cause;
use warpup_lab::findings::{
    Evidence, Finding, LAUNCH_BOUND, LaunchCost, LoadingCost, Page, counted, duration,
    launch_bound, loader_bound,
};

/// From this share of a step on, in percent, late launches are worth a word.
const LATE_PERCENT: i64 = 15;

/// The same for memory.
const ALLOCATION_PERCENT: i64 = 5;

/// From so many gaps in a step on, launches are the reason, and not one stretch of other work.
const MANY: f64 = 10.0;

/// More than the host takes from one launch to the next while PyTorch is profiled with stacks: beside an H100, gaps were 142 µs on
/// average (docs/measured/trace.md). Behind a kernel that takes longer, the host would run ahead.
const LAUNCH_NS: i64 = 300_000;

/// The usual pause of a device between two kernels that are queued is shorter.
const PAUSE_NS: i64 = 30_000;

/// The pause before a kernel that takes longer is no large part of its time.
const SHORT_KERNEL_NS: i64 = 50_000;

/// From this share of a step on, pauses between kernels are worth a word, in percent.
const PAUSE_PERCENT: i64 = 15;

/// The finding about other work of the host before launches.
pub(super) const LATE_LAUNCHES: &str = "late-launches";

/// What to try where kernels are short.
const LARGER: &str =
    "fewer and larger kernels: a larger batch, one operation for a whole tensor, `torch.compile`";

/// The findings about a device that is not fed.
pub(super) fn findings(per_step: &PerStep<'_>) -> Vec<Finding> {
    let late = late(per_step);
    // Both have the same reason and the same cure.
    let pauses = pauses(per_step).filter(|_| late.as_ref().is_none_or(|it| it.id != LAUNCH_BOUND));
    let found = [loading(per_step), late, pauses, allocation(per_step)];
    found.into_iter().flatten().collect()
}

fn loading(per_step: &PerStep<'_>) -> Option<Finding> {
    let loading = per_step.analysis.loading.as_ref()?;
    let has_device = per_step.analysis.device.is_some();
    let host_ns = per_step.scale.ns(loading.host_ns);
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::DataLoading);
    let place = loading.line.clone();
    loader_bound(
        &per_step.scale,
        LoadingCost {
            idle_ns: has_device.then_some(idle_ns),
            gaps,
            host_ns,
            batches: per_step.scale.count(loading.batches),
            is_in_process: loading.is_in_process,
            place: place.or_else(|| Some("the DataLoader".to_owned())),
        },
    )
}

/// The host queues too late: for many short kernels, or because it does something else before.
fn late(per_step: &PerStep<'_>) -> Option<Finding> {
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::LateLaunch);
    if !per_step.scale.is_much(idle_ns, LATE_PERCENT) {
        return None;
    }
    let analysis = per_step.analysis;
    let mean_ns = per_step.mean_kernel_ns();
    let place = longest(per_step, Cause::LateLaunch);
    if is_many(idle_ns, gaps, LAUNCH_NS) && mean_ns <= LAUNCH_NS {
        let cost = LaunchCost {
            idle_ns,
            gaps,
            kernels: per_step.scale.count(analysis.kernels_in_steps()),
            mean_ns,
            place,
        };
        return Some(launch_bound(&per_step.scale, cost));
    }
    let evidence = vec![
        Evidence::ns("device_idle_ns_per_step", idle_ns),
        Evidence::new("gaps_per_step", gaps),
        Evidence::new(
            "kernels_per_step",
            per_step.scale.count(analysis.kernels_in_steps()),
        ),
        Evidence::ns("mean_kernel_ns", mean_ns),
    ];
    // Without steps, most of it may be the program's start.
    if !analysis.has_steps || is_of_one_step(per_step) {
        return None;
    }
    Some(Finding {
        id: LATE_LAUNCHES,
        sentence: format!(
            "{} the device is idle for {} in {}, because the host does something else before it launches",
            per_step.scale.scope_of(gaps),
            per_step.scale.of_step(idle_ns),
            counted(gaps, "gap", "gaps")
        ),
        place,
        try_first: "look at what the host does before this launch, and do it beside the loop or after it",
        page: Page::GAP,
        saved_ns: idle_ns,
        evidence,
    })
}

/// Kernels that are queued in time, and so short that the device's pauses between them count: in a CUDA graph, for example.
fn pauses(per_step: &PerStep<'_>) -> Option<Finding> {
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::Queued);
    let mean_ns = per_step.mean_kernel_ns();
    let are_pauses = is_many(idle_ns, gaps, PAUSE_NS) && mean_ns <= SHORT_KERNEL_NS;
    (are_pauses && per_step.scale.is_much(idle_ns, PAUSE_PERCENT)).then(|| Finding {
        id: "short-kernels",
        sentence: format!(
            "{} the device is idle for {} in {}, although kernels are queued: they take {} on average, and the device pauses before each",
            per_step.scale.scope(),
            per_step.scale.of_step(idle_ns),
            counted(gaps, "gap", "gaps"),
            duration(mean_ns)
        ),
        place: longest(per_step, Cause::Queued),
        try_first: LARGER,
        page: Page::FEWER_KERNELS,
        saved_ns: idle_ns,
        evidence: vec![
            Evidence::ns("device_idle_ns_per_step", idle_ns),
            Evidence::new("gaps_per_step", gaps),
            Evidence::ns("mean_kernel_ns", mean_ns),
        ],
    })
}

/// Whether a time is many gaps that are so long at most, on average.
fn is_many(idle_ns: i64, gaps: f64, most_ns: i64) -> bool {
    gaps >= MANY && idle_ns as f64 <= gaps * most_ns as f64
}

/// Whether one long gap is nearly all that is late: then it is not what happens in each step.
fn is_of_one_step(per_step: &PerStep<'_>) -> bool {
    let others = per_step.analysis.step_count() - 1;
    let gaps = per_step.analysis.gaps.longest.iter();
    let late = gaps.filter(|it| it.cause == Cause::LateLaunch);
    let longest_ns = late.map(|it| it.ns).max().unwrap_or(0);
    let (all_ns, _) = per_step.analysis.gaps.sum(|it| it == Cause::LateLaunch);
    others > 0
        && !per_step
            .scale
            .is_much((all_ns - longest_ns) / others, LATE_PERCENT)
}

/// Where the device is idle longest for a cause.
fn longest(per_step: &PerStep<'_>, cause: Cause) -> Option<String> {
    let mut gaps = per_step.analysis.gaps.by_cause.iter();
    let longest = gaps.find(|it| it.cause == cause)?;
    longest.line.clone().or_else(|| longest.operator.clone())
}

fn allocation(per_step: &PerStep<'_>) -> Option<Finding> {
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::Allocation);
    per_step.scale.is_much(idle_ns, ALLOCATION_PERCENT).then(|| Finding {
        id: "allocation",
        sentence: format!(
            "{} the device is idle for {}, while the host takes memory from it or gives it back",
            per_step.scale.scope_of(gaps),
            per_step.scale.of_step(idle_ns)
        ),
        place: longest(per_step, Cause::Allocation),
        try_first: "record later steps: the allocator keeps what the first steps took; and do not call `empty_cache()`",
        page: Page::WARM_UP,
        saved_ns: idle_ns,
        evidence: vec![
            Evidence::ns("device_idle_ns_per_step", idle_ns),
            Evidence::new("gaps_per_step", gaps),
        ],
    })
}
