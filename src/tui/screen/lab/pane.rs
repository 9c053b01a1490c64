//! The panes of a lab, in the order of their tabs.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pane {
    Output,
    Checks,
    Timeline,
    Memory,
    Plot,
    Hints,
    Candle,
}

impl Pane {
    pub(super) const ALL: [Self; 7] = [
        Self::Output,
        Self::Checks,
        Self::Timeline,
        Self::Memory,
        Self::Plot,
        Self::Hints,
        Self::Candle,
    ];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Checks => "checks",
            Self::Timeline => "timeline",
            Self::Memory => "memory",
            Self::Plot => "plot",
            Self::Hints => "hints",
            Self::Candle => "in Rust",
        }
    }
}
