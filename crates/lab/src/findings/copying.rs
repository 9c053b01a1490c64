//! Copies that cost more than they have to: many small ones, pageable memory.

use super::finding::{Evidence, Finding};
use super::page::Page;
use super::scale::{Scale, duration, times};
use crate::units;

pub(super) const SMALL_COPIES: &str = "copy-small";

/// From this share of a step on, in percent.
const PERCENT: i64 = 5;

/// Below it, most of a copy's time is the fixed part that every copy has.
pub const SMALL_BYTES: u64 = 64 << 10;

/// From so many small copies in a step on.
pub const MANY_COPIES: f64 = 10.0;

/// What copies to the device cost.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyCost {
    /// How many in a step.
    pub count: f64,
    /// Bytes of one.
    pub each: u64,
    /// Bytes of a step.
    pub bytes: u64,
    /// Bytes a second, where it is known.
    pub rate: Option<f64>,
    /// Time of a step in which the device copies and runs no kernel.
    pub copy_ns: i64,
    /// Time of a step in which the device is idle because of the copies.
    pub idle_ns: i64,
    /// Where most of them are.
    pub place: Option<String>,
    /// The numbers behind it.
    pub evidence: Vec<Evidence>,
}

impl CopyCost {
    /// Time of a step in which the device does nothing else: copies, or waits for them.
    pub fn cost_ns(&self) -> i64 {
        self.copy_ns + self.idle_ns
    }
}

/// The finding of many small copies, if they cost enough.
pub fn small_copies(scale: &Scale, cost: CopyCost) -> Option<Finding> {
    let cost_ns = cost.cost_ns();
    scale.is_much(cost_ns, PERCENT).then(|| Finding {
        id: SMALL_COPIES,
        sentence: format!(
            "{} {} copies of {} each take {}: nearly all of it is the fixed part of a copy",
            scale.scope(),
            times(cost.count),
            units::bytes(cost.each),
            scale.of_step(cost_ns)
        ),
        place: cost.place,
        try_first: "put the pieces together on the host (`torch.stack`), and copy once",
        page: Page::PACK,
        saved_ns: cost_ns,
        evidence: cost.evidence,
    })
}

/// The finding of copies from pageable memory, if they cost enough.
pub fn pageable_copies(scale: &Scale, cost: CopyCost) -> Option<Finding> {
    let rate = cost.rate.map(|it| format!(" at {}", units::rate(it)));
    let cost_ns = cost.cost_ns();
    let idle = if cost.idle_ns > 0 {
        format!(
            ", and the device is idle for {} around it",
            duration(cost.idle_ns)
        )
    } else {
        String::new()
    };
    let much = if cost.bytes > 0 {
        units::bytes(cost.bytes)
    } else {
        "batches".to_owned()
    };
    scale.is_much(cost_ns, PERCENT).then(|| Finding {
        id: "copy-pageable",
        sentence: format!(
            "{} {much} are copied from pageable memory{}: that takes {} while no kernel runs{idle}",
            scale.scope_of(cost.count),
            rate.unwrap_or_default(),
            scale.of_step(cost.copy_ns)
        ),
        place: cost.place,
        try_first: "`DataLoader(…, pin_memory=True)` with workers, and `.to(device, non_blocking=True)`",
        page: Page::PINNED,
        saved_ns: cost_ns,
        evidence: cost.evidence,
    })
}
