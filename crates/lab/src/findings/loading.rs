//! A loop that waits for its next batch.

use super::finding::{Evidence, Finding};
use super::page::Page;
use super::scale::Scale;

/// From this share of a step on, in percent.
const PERCENT: i64 = 5;

/// The same where no device waits: then loading and computing take turns.
const PERCENT_CPU: i64 = 15;

/// A batch that takes no longer is made sooner by the loop itself than received from a worker: 0.9 ms for one tensor, 1.2 for two
/// (`[host.loader]` in `assets/cards.toml`).
const WORKER_NS: f64 = 1e6;

/// What loading costs in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadingCost {
    /// How long the device is idle meanwhile; nothing without one.
    pub idle_ns: Option<i64>,
    /// In how many gaps.
    pub gaps: f64,
    /// How long the loop is in it.
    pub host_ns: i64,
    /// How many batches.
    pub batches: f64,
    /// Whether the loop's own process loads (`num_workers=0`).
    pub is_in_process: bool,
    /// The line that fetches.
    pub place: Option<String>,
}

/// The finding of a loader that costs enough.
pub fn loader_bound(scale: &Scale, cost: LoadingCost) -> Option<Finding> {
    let (cost_ns, percent, count) = match cost.idle_ns {
        Some(idle_ns) => (idle_ns, PERCENT, cost.gaps),
        None => (cost.host_ns, PERCENT_CPU, cost.batches),
    };
    if !scale.is_much(cost_ns, percent) {
        return None;
    }
    let has_device = cost.idle_ns.is_some();
    let (scope, of_step) = (scale.scope_of(count), scale.of_step(cost_ns));
    let sentence = if has_device {
        format!(
            "{scope} the loop waits for its next batch, and leaves the device idle for {of_step}"
        )
    } else {
        format!("{scope} the loop waits {of_step} for its next batch")
    };
    let is_quick = cost.host_ns as f64 <= cost.batches * WORKER_NS;
    let try_first = if cost.is_in_process && is_quick {
        "take whole batches from tensors, without a loader: `x[order[at : at + size]]`; to receive a batch from a worker costs about 1 ms, more than this one takes"
    } else if cost.is_in_process && has_device {
        "load in processes beside the loop: `DataLoader(…, num_workers=4, pin_memory=True)`"
    } else if cost.is_in_process {
        "load in processes beside the loop: `DataLoader(…, num_workers=4)`"
    } else {
        "more workers, or less work for each example: decode, resize and tokenize once, before training"
    };
    Some(Finding {
        id: "loader-bound",
        sentence,
        place: cost.place,
        try_first,
        page: Page::LOADER,
        saved_ns: cost_ns,
        evidence: vec![
            Evidence::ns("device_idle_ns_per_step", cost.idle_ns.unwrap_or(0)),
            Evidence::ns("loading_ns_per_step", cost.host_ns),
            Evidence::new("batches_per_step", cost.batches),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_advised_only_where_a_batch_costs_more_than_a_worker() {
        let scale = Scale {
            steps: 100,
            step_ns: 2_000_000,
            whole: None,
        };
        let advice = |host_ns| {
            let cost = LoadingCost {
                idle_ns: Some(300_000),
                gaps: 1.0,
                host_ns,
                batches: 1.0,
                is_in_process: true,
                place: None,
            };
            loader_bound(&scale, cost).map_or("", |it| it.try_first)
        };
        assert!(advice(400_000).starts_with("take whole batches from tensors"));
        assert!(advice(5_000_000).contains("num_workers=4"));
    }
}
