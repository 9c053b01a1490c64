//! A device that waits for the host: for data, for launches of small kernels, for memory.

use super::per_step::PerStep;
use crate::analysis::{Cause, LateFunction};
use warpup_lab::findings::{
    Evidence, Finding, LAUNCH_BOUND, LaunchCost, LoadingCost, PLACE_NS, Page, counted, duration,
    launch_bound, loader_bound,
};

/// From this share of a step on, in percent, late launches are worth a word.
const LATE_PERCENT: i64 = 15;

/// The same for memory, and for what is used for the first time.
const ALLOCATION_PERCENT: i64 = 5;

/// The same for gaps before work that was queued in time.
const QUEUED_PERCENT: i64 = 10;

/// From this share of the gaps on, in percent, the function in which most of it went is worth a word.
const FUNCTION_PERCENT: i64 = 10;

/// From so many gaps in a step on, launches are the reason, and not one stretch of other work.
const MANY: f64 = 10.0;

/// More than the host takes from one launch to the next while PyTorch is profiled with stacks: beside an H100, gaps were 142 µs on
/// average (docs/measured/trace.md). Behind a kernel that takes longer, the host would run ahead.
const LAUNCH_NS: i64 = 300_000;

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
    let found = [
        loading(per_step),
        late,
        pauses,
        queued(per_step),
        first_use(per_step),
        allocation(per_step),
    ];
    found.into_iter().flatten().collect()
}

fn loading(per_step: &PerStep<'_>) -> Option<Finding> {
    let loading = per_step.analysis.loading.as_ref()?;
    let has_device = per_step.analysis.device.is_some();
    let host_ns = per_step.scale.ns(loading.host_ns);
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::DataLoading);
    let place = loading.line.clone();
    let function = per_step.analysis.gaps.loading_function.as_ref();
    let mut found = loader_bound(
        &per_step.scale,
        LoadingCost {
            idle_ns: has_device.then_some(idle_ns),
            gaps,
            host_ns,
            batches: per_step.scale.count(loading.batches),
            is_in_process: loading.is_in_process,
            place: place.or_else(|| Some("the DataLoader".to_owned())),
        },
    )?;
    name_function(per_step, function, idle_ns, &mut found);
    Some(found)
}

/// Adds the function in which the host was for most of an idle time, where that says something.
fn name_function(
    per_step: &PerStep<'_>,
    function: Option<&LateFunction>,
    idle_ns: i64,
    found: &mut Finding,
) {
    let Some(function) = function else {
        return;
    };
    let ns = per_step.scale.ns(function.ns);
    if ns * 100 >= idle_ns * FUNCTION_PERCENT {
        let said = format!(": {} of it in `{}`", duration(ns), function.name);
        found.sentence += &said;
        found
            .evidence
            .push(Evidence::ns("function_ns_per_step", ns));
    }
}

/// The host queues too late: for many short kernels, or because it does something else before.
fn late(per_step: &PerStep<'_>) -> Option<Finding> {
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::LateLaunch);
    if !per_step.scale.is_much(idle_ns, LATE_PERCENT) {
        return None;
    }
    let analysis = per_step.analysis;
    let mean_ns = per_step.mean_kernel_ns();
    let (place, place_ns) = longest(per_step, Cause::LateLaunch);
    if is_many(idle_ns, gaps, LAUNCH_NS) && mean_ns <= LAUNCH_NS {
        let cost = LaunchCost {
            idle_ns,
            gaps,
            kernels: per_step.scale.count(analysis.kernels_in_steps()),
            mean_ns,
            place,
        };
        let mut found = launch_bound(&per_step.scale, cost);
        found.evidence.push(place_ns);
        return Some(found);
    }
    let evidence = vec![
        place_ns,
        Evidence::ns("device_idle_ns_per_step", idle_ns),
        Evidence::new("gaps_per_step", gaps),
        Evidence::new(
            "kernels_per_step",
            per_step.scale.count(analysis.kernels_in_steps()),
        ),
        Evidence::ns("mean_kernel_ns", mean_ns),
    ];
    if is_of_one_step(per_step) {
        return None;
    }
    let mut found = Finding {
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
    };
    let function = analysis.gaps.late_function.as_ref();
    name_function(per_step, function, idle_ns, &mut found);
    Some(found)
}

/// Kernels that are queued in time, and so short that the device's pauses between them count: in a CUDA graph, for example.
fn pauses(per_step: &PerStep<'_>) -> Option<Finding> {
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::Pause);
    let mean_ns = per_step.mean_kernel_ns();
    let (place, place_ns) = longest(per_step, Cause::Pause);
    let are_pauses = gaps >= MANY && mean_ns <= SHORT_KERNEL_NS;
    (are_pauses && per_step.scale.is_much(idle_ns, PAUSE_PERCENT)).then(|| Finding {
        id: "short-kernels",
        sentence: format!(
            "{} the device is idle for {} in {}, although kernels are queued: they take {} on average, and the device pauses before each",
            per_step.scale.scope(),
            per_step.scale.of_step(idle_ns),
            counted(gaps, "gap", "gaps"),
            duration(mean_ns)
        ),
        place,
        try_first: LARGER,
        page: Page::FEWER_KERNELS,
        saved_ns: idle_ns,
        evidence: vec![
            place_ns,
            Evidence::ns("device_idle_ns_per_step", idle_ns),
            Evidence::new("gaps_per_step", gaps),
            Evidence::ns("mean_kernel_ns", mean_ns),
        ],
    })
}

/// Gaps that are longer than a pause, before work that was queued in time. A trace does not show what the device waited for; inside a
/// CUDA graph, and where kernels were left out, it may have been busy.
fn queued(per_step: &PerStep<'_>) -> Option<Finding> {
    let (idle_ns, gaps) = per_step.idle(|it| matches!(it, Cause::Queued | Cause::Graph));
    let (graph_ns, _) = per_step.idle(|it| it == Cause::Graph);
    let is_graph = graph_ns * 2 >= idle_ns;
    let (cause, before, try_first) = if is_graph {
        (
            Cause::Graph,
            "work of a CUDA graph that was launched in time",
            "count the kernels of one step without the graph: some of the graph's may be missing here, and then the device was busy",
        )
    } else {
        (
            Cause::Queued,
            "work that was queued in time",
            "look for what the trace lacks: kernels that were not recorded, or a stream that waits for another (`wait_stream`, `wait_event`)",
        )
    };
    let (place, place_ns) = longest(per_step, cause);
    per_step
        .scale
        .is_much(idle_ns, QUEUED_PERCENT)
        .then(|| Finding {
            id: "queued-gaps",
            sentence: format!(
                "{} the device is idle for {} in {} before {before}, as far as it was recorded",
                per_step.scale.scope_of(gaps),
                per_step.scale.of_step(idle_ns),
                counted(gaps, "gap", "gaps")
            ),
            place,
            try_first,
            page: Page::GAP,
            saved_ns: idle_ns,
            evidence: vec![
                place_ns,
                Evidence::ns("device_idle_ns_per_step", idle_ns),
                Evidence::ns("in_graphs_ns_per_step", graph_ns),
                Evidence::new("gaps_per_step", gaps),
            ],
        })
}

/// Calls that launch, load or make something and take long, as when it is done for the first time.
fn first_use(per_step: &PerStep<'_>) -> Option<Finding> {
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::SlowLaunch);
    let (place, place_ns) = longest(per_step, Cause::SlowLaunch);
    per_step.scale.is_much(idle_ns, ALLOCATION_PERCENT).then(|| Finding {
        id: "first-use",
        sentence: format!(
            "{} the device is idle for {} in {} during calls that launch or load for long: the first use of a kernel loads it",
            per_step.scale.scope_of(gaps),
            per_step.scale.of_step(idle_ns),
            counted(gaps, "gap", "gaps")
        ),
        place,
        try_first: "record later steps, when each kernel has run before: `schedule(wait=5, warmup=2, active=3)`",
        page: Page::WARM_UP,
        saved_ns: idle_ns,
        evidence: vec![
            place_ns,
            Evidence::ns("device_idle_ns_per_step", idle_ns),
            Evidence::new("gaps_per_step", gaps),
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

/// Where the device is idle longest for a cause, and for how long in a step.
fn longest(per_step: &PerStep<'_>, cause: Cause) -> (Option<String>, Evidence) {
    let longest = per_step.analysis.gaps.of_cause(cause).next();
    let place = longest.and_then(|it| it.line.clone().or_else(|| it.operator.clone()));
    let ns = longest.map_or(0, |it| it.ns);
    (place, Evidence::ns(PLACE_NS, per_step.scale.ns(ns)))
}

fn allocation(per_step: &PerStep<'_>) -> Option<Finding> {
    let (idle_ns, gaps) = per_step.idle(|it| it == Cause::Allocation);
    let (place, place_ns) = longest(per_step, Cause::Allocation);
    per_step.scale.is_much(idle_ns, ALLOCATION_PERCENT).then(|| Finding {
        id: "allocation",
        sentence: format!(
            "{} the device is idle for {}, while the host takes memory from it or gives it back",
            per_step.scale.scope_of(gaps),
            per_step.scale.of_step(idle_ns)
        ),
        place,
        try_first: "record later steps: the allocator keeps what the first steps took; and do not call `empty_cache()`",
        page: Page::WARM_UP,
        saved_ns: idle_ns,
        evidence: vec![
            place_ns,
            Evidence::ns("device_idle_ns_per_step", idle_ns),
            Evidence::new("gaps_per_step", gaps),
        ],
    })
}
