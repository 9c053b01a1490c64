//! What only several steps show: memory that grows, and a first step that is not typical.

use super::per_step::PerStep;
use crate::analysis::{Memory, Step};
use crate::trace_metadata::TraceMetadata;
use warpup_lab::findings::{Evidence, Finding, Page, duration};
use warpup_lab::units;

/// Below it, a step may hold more than the one before.
const GROWTH_BYTES: u64 = 1 << 20;

/// From so many steps on, growth is no chance.
const STEPS: usize = 3;

/// The finding that the first step is not typical.
pub const SLOW_FIRST_STEP: &str = "slow-first-step";

/// The findings that several steps show.
pub(super) fn findings(per_step: &PerStep<'_>) -> Vec<Finding> {
    let analysis = per_step.analysis;
    let mut found: Vec<Finding> = analysis.memory.iter().filter_map(growth).collect();
    if analysis.has_steps {
        found.extend(slow_first(&analysis.steps, &analysis.about));
    }
    found
}

fn growth(memory: &Memory) -> Option<Finding> {
    let ends = &memory.at_step_ends;
    let (first, last) = (*ends.first()?, *ends.last()?);
    let mut pairs = ends.iter().zip(ends.iter().skip(1));
    let grows = pairs.all(|(before, after)| *after >= *before + GROWTH_BYTES);
    if ends.len() < STEPS || !grows {
        return None;
    }
    let each = (last - first) / (ends.len() as u64 - 1);
    Some(Finding {
        id: "memory-growth",
        sentence: format!(
            "each step ends with {} more in live tensors on {} than the step before",
            units::bytes(each),
            memory.device
        ),
        place: Some(memory.device.clone()),
        try_first: "look for what keeps tensors: a list of losses needs `loss.detach()`, or else it keeps the whole graph; a cache of keys and values grows by design",
        page: Page::GAP,
        saved_ns: 0,
        evidence: vec![
            Evidence::new("bytes_per_step", each as f64),
            Evidence::new("steps", ends.len() as f64),
        ],
    })
}

fn slow_first(steps: &[Step], about: &TraceMetadata) -> Option<Finding> {
    let (first, others) = steps.split_first()?;
    let mut times: Vec<i64> = others.iter().map(|it| it.duration_ns).collect();
    times.sort_unstable();
    let middle = times.get((times.len().saturating_sub(1)) / 2..=times.len() / 2)?;
    let median = middle.iter().sum::<i64>() / i64::try_from(middle.len()).ok()?;
    if times.len() + 1 < STEPS || first.duration_ns < 2 * median {
        return None;
    }
    let try_first = if about.skipped_steps.is_some() {
        "record later steps: `warpup record --skip N` lets N pass, 10 if you do not say"
    } else {
        "record later steps: `warpup record --skip 20 -- python train.py`, or `schedule(wait=5, warmup=2, active=3)` in the program"
    };
    Some(Finding {
        id: SLOW_FIRST_STEP,
        sentence: format!(
            "the first step takes {}, the others {}: it is not typical",
            duration(first.duration_ns),
            duration(median)
        ),
        place: Some(first.name.clone()),
        try_first,
        page: Page::WARM_UP,
        saved_ns: 0,
        evidence: vec![
            Evidence::ns("first_ns", first.duration_ns),
            Evidence::ns("median_of_others_ns", median),
        ],
    })
}
