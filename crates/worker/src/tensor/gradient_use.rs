//! What has become of a gradient: whether a step used it, and whether it was cleared since.

use super::graph::Tensor;

/// The gradient in some memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GradientUse {
    /// Backward made it, or added to one that it made.
    #[default]
    Unused,
    /// It was set to zero.
    Cleared,
    /// A step used it.
    Stepped,
    /// Backward added to it after a step had used it.
    AddedAfterStep,
}

impl Tensor {
    /// Backward adds to this gradient; whether to one of another backward that no step has used yet.
    pub(crate) fn add_to_gradient(&self) -> bool {
        let state = self.state();
        let known = state.storage.gradient();
        let (next, adds) = match known.get() {
            GradientUse::Unused => (GradientUse::Unused, true),
            GradientUse::Cleared => (GradientUse::Unused, false),
            GradientUse::Stepped | GradientUse::AddedAfterStep => {
                (GradientUse::AddedAfterStep, false)
            }
        };
        known.set(next);
        adds
    }

    /// All of its memory has one value: a gradient there is cleared.
    pub(crate) fn clear_gradient(&self) {
        self.state().storage.gradient().set(GradientUse::Cleared);
    }

    /// The program changes the memory of a leaf, as a step does, be it by its `.data`; whether the leaf has a gradient that was
    /// added to one which the step before had used.
    pub(crate) fn step_with_gradient(&self) -> bool {
        let Some(memory) = self.state().storage.gradient_memory().borrow().upgrade() else {
            return false;
        };
        let before = memory.gradient().replace(GradientUse::Stepped);
        before == GradientUse::AddedAfterStep
    }
}
