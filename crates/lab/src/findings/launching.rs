//! Kernels that are so short that the host cannot launch them in time.

use super::finding::{Evidence, Finding};
use super::page::Page;
use super::scale::{Scale, counted, duration};

/// The finding about launches that are the reason why a device is idle.
pub const LAUNCH_BOUND: &str = "launch-bound";

/// What late launches cost in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchCost {
    /// How long the device is idle.
    pub idle_ns: i64,
    /// In how many gaps.
    pub gaps: f64,
    /// How many kernels.
    pub kernels: f64,
    /// The mean time of a kernel.
    pub mean_ns: i64,
    /// Where most of it is.
    pub place: Option<String>,
}

/// The finding of late launches. The caller has asked whether they cost enough.
pub fn launch_bound(scale: &Scale, cost: LaunchCost) -> Finding {
    Finding {
        id: LAUNCH_BOUND,
        sentence: format!(
            "{} late launches leave the device idle for {} in {}: its kernels take {} on average, and the host takes longer to launch the next",
            scale.scope(),
            scale.of_step(cost.idle_ns),
            counted(cost.gaps, "gap", "gaps"),
            duration(cost.mean_ns)
        ),
        try_first: "fewer and larger kernels: a larger batch, one operation for a whole tensor, `torch.compile`, a CUDA graph",
        page: Page::LAUNCH_BOUND,
        saved_ns: cost.idle_ns,
        evidence: vec![
            Evidence::ns("device_idle_ns_per_step", cost.idle_ns),
            Evidence::new("gaps_per_step", cost.gaps),
            Evidence::new("kernels_per_step", cost.kernels),
            Evidence::ns("mean_kernel_ns", cost.mean_ns),
        ],
        place: cost.place,
    }
}
