//! Where keys are pressed.

/// Where keys are pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    Everywhere,
    Map,
    Page,
    LabPage,
    Lab,
    Running,
    Editing,
    PredictChoice,
    PredictTyping,
    Single,
    Multi,
    Typing,
    Order,
    Match,
    Verdict,
    Results,
    Writing,
    Comparing,
    Doctor,
    Scroll,
    Ask,
}

#[cfg(test)]
impl Context {
    /// All contexts.
    pub(super) const ALL: &[Self] = &[
        Self::Everywhere,
        Self::Map,
        Self::Page,
        Self::LabPage,
        Self::Lab,
        Self::Running,
        Self::Editing,
        Self::PredictChoice,
        Self::PredictTyping,
        Self::Single,
        Self::Multi,
        Self::Typing,
        Self::Order,
        Self::Match,
        Self::Verdict,
        Self::Results,
        Self::Writing,
        Self::Comparing,
        Self::Doctor,
        Self::Scroll,
        Self::Ask,
    ];
}
