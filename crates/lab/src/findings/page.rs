//! The pages of the course that findings name.

use serde::Serialize;

/// A page of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Page {
    /// The id of the lesson.
    pub lesson: &'static str,
    /// The id of the page.
    pub page: &'static str,
}

impl Page {
    /// What a wait costs, if it is in every step.
    pub const EVERY_STEP: Self = Self::new("the-queue", "every-step");
    /// Waits that do not look like one.
    pub const HIDDEN: Self = Self::new("the-queue", "hidden");
    /// What calls that wait have in common.
    pub const RULE: Self = Self::new("the-queue", "rule");
    /// What gaps are worth.
    pub const GAP: Self = Self::new("the-queue", "gap");
    /// When the host cannot run ahead.
    pub const LAUNCH_BOUND: Self = Self::new("the-queue", "launch-bound");
    /// Pack first, copy once.
    pub const PACK: Self = Self::new("what-a-copy-costs", "pack");
    /// Pageable and pinned memory.
    pub const PINNED: Self = Self::new("what-a-copy-costs", "pinned");
    /// Fetch the next batch early.
    pub const PREFETCH: Self = Self::new("streams-and-overlap", "prefetch");
    /// A run that is slow.
    pub const SLOW: Self = Self::new("first-line-debugging", "slow");
    /// Warm up first.
    pub const WARM_UP: Self = Self::new("honest-timing", "warm-up");
    /// A clock needs a wait at both ends.
    pub const BOTH_ENDS: Self = Self::new("honest-timing", "both-ends");
    /// The rows of a training step.
    pub const FIVE_ROWS: Self = Self::new("one-training-step", "five-rows");
    /// Several small batches as one.
    pub const ACCUMULATE: Self = Self::new("make-it-fit", "accumulate");
    /// Which type for which card.
    pub const WHICH_TYPE: Self = Self::new("make-it-fit", "which-type");
    /// What a batch adds to memory.
    pub const LINE: Self = Self::new("the-memory-floor", "line");
    /// A leak.
    pub const LEAK: Self = Self::new("what-nvidia-smi-cannot-tell-you", "leak");
    /// What the allocator keeps.
    pub const DELETE: Self = Self::new("what-nvidia-smi-cannot-tell-you", "del");
    /// Tiles of a product.
    pub const TILES: Self = Self::new("bytes-or-arithmetic", "tiles");
    /// Fewer passes over the same bytes.
    pub const FUSION: Self = Self::new("bytes-or-arithmetic", "fusion");
    /// Copies without an error.
    pub const SILENT_COPIES: Self = Self::new("where-a-tensor-lives", "silent-copies");

    /// All pages that findings name.
    pub const ALL: [Self; 20] = [
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
        Self::BOTH_ENDS,
        Self::FIVE_ROWS,
        Self::ACCUMULATE,
        Self::WHICH_TYPE,
        Self::LINE,
        Self::LEAK,
        Self::DELETE,
        Self::TILES,
        Self::FUSION,
        Self::SILENT_COPIES,
    ];

    const fn new(lesson: &'static str, page: &'static str) -> Self {
        Self { lesson, page }
    }
}
