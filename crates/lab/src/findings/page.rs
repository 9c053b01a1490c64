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
    /// One kernel in place of many.
    pub const FEWER_KERNELS: Self = Self::new("fewer-kernels", "nine");
    /// What makes the compiler start again.
    pub const RECOMPILES: Self = Self::new("fewer-kernels", "again");
    /// Pack first, copy once.
    pub const PACK: Self = Self::new("what-a-copy-costs", "pack");
    /// Pageable and pinned memory.
    pub const PINNED: Self = Self::new("what-a-copy-costs", "pinned");
    /// Fetch the next batch early.
    pub const PREFETCH: Self = Self::new("streams-and-overlap", "prefetch");
    /// How to see that a step waits for its loader.
    pub const LOADER: Self = Self::new("the-loader", "tell");
    /// Warm up first.
    pub const WARM_UP: Self = Self::new("honest-timing", "warm-up");
    /// A clock needs a wait at both ends.
    pub const BOTH_ENDS: Self = Self::new("honest-timing", "both-ends");
    /// What the update of the weights leaves.
    pub const UPDATE: Self = Self::new("one-training-step", "update");
    /// Several small batches as one.
    pub const ACCUMULATE: Self = Self::new("make-it-fit", "accumulate");
    /// Which type for which card.
    pub const WHICH_TYPE: Self = Self::new("make-it-fit", "which-type");
    /// A validation that keeps nothing for backward.
    pub const VALIDATION: Self = Self::new("the-memory-floor", "validation");
    /// A leak.
    pub const LEAK: Self = Self::new("what-nvidia-smi-cannot-tell-you", "leak");
    /// What the allocator keeps.
    pub const DELETE: Self = Self::new("what-nvidia-smi-cannot-tell-you", "del");
    /// Tiles of a product.
    pub const TILES: Self = Self::new("bytes-or-arithmetic", "tiles");
    /// Fewer passes over the same bytes.
    pub const FUSION: Self = Self::new("bytes-or-arithmetic", "fusion");
    /// Exchange behind the backward pass.
    pub const OVERLAP: Self = Self::new("several-gpus", "overlap");
    /// Copies without an error.
    pub const SILENT_COPIES: Self = Self::new("where-a-tensor-lives", "silent-copies");

    /// All pages that findings name.
    pub const ALL: [Self; 23] = [
        Self::EVERY_STEP,
        Self::HIDDEN,
        Self::RULE,
        Self::GAP,
        Self::LAUNCH_BOUND,
        Self::FEWER_KERNELS,
        Self::RECOMPILES,
        Self::PACK,
        Self::PINNED,
        Self::PREFETCH,
        Self::LOADER,
        Self::WARM_UP,
        Self::BOTH_ENDS,
        Self::UPDATE,
        Self::ACCUMULATE,
        Self::WHICH_TYPE,
        Self::VALIDATION,
        Self::LEAK,
        Self::DELETE,
        Self::TILES,
        Self::FUSION,
        Self::OVERLAP,
        Self::SILENT_COPIES,
    ];

    const fn new(lesson: &'static str, page: &'static str) -> Self {
        Self { lesson, page }
    }
}
