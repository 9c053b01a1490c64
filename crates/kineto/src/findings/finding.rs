//! What a finding is.

use serde::Serialize;

/// Something in a trace that costs time and can be changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What it is, the same in every trace.
    pub id: &'static str,
    /// One sentence with its number.
    pub sentence: String,
    /// The line, the operator or the call; the most exact that the trace shows.
    pub place: Option<String>,
    /// What to try first.
    pub try_first: &'static str,
    /// The page that explains it.
    pub page: Page,
    /// Time that a step could save at most; 0 where it costs none in a step.
    pub saved_ns: i64,
    /// The numbers behind it.
    pub evidence: Vec<Evidence>,
}

/// A page of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Page {
    /// The id of the lesson.
    pub lesson: &'static str,
    /// The id of the page.
    pub page: &'static str,
}

impl Page {
    pub(super) const EVERY_STEP: Self = Self::new("the-queue", "every-step");
    pub(super) const HIDDEN: Self = Self::new("the-queue", "hidden");
    pub(super) const RULE: Self = Self::new("the-queue", "rule");
    pub(super) const GAP: Self = Self::new("the-queue", "gap");
    pub(super) const LAUNCH_BOUND: Self = Self::new("the-queue", "launch-bound");
    pub(super) const PACK: Self = Self::new("what-a-copy-costs", "pack");
    pub(super) const PINNED: Self = Self::new("what-a-copy-costs", "pinned");
    pub(super) const PREFETCH: Self = Self::new("streams-and-overlap", "prefetch");
    pub(super) const SLOW: Self = Self::new("first-line-debugging", "slow");
    pub(super) const WARM_UP: Self = Self::new("honest-timing", "warm-up");

    /// All pages that findings name.
    pub const ALL: [Self; 10] = [
        Self::EVERY_STEP,
        Self::HIDDEN,
        Self::RULE,
        Self::GAP,
        Self::LAUNCH_BOUND,
        Self::PACK,
        Self::PINNED,
        Self::PREFETCH,
        Self::SLOW,
        Self::WARM_UP,
    ];

    const fn new(lesson: &'static str, page: &'static str) -> Self {
        Self { lesson, page }
    }
}

/// A number behind a finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// What it is, with its unit where it has one.
    pub name: &'static str,
    /// The number.
    pub value: f64,
}

impl Evidence {
    /// A number.
    pub(super) fn new(name: &'static str, value: f64) -> Self {
        Self { name, value }
    }

    /// A time in nanoseconds.
    pub(super) fn ns(name: &'static str, value: i64) -> Self {
        Self::new(name, value as f64)
    }
}
