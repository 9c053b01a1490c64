//! What passing a quiz takes.

/// What share of a quiz's points passes. The gate is strict: more than the share, not the share itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassRule {
    /// The share, in percent: 75 means more than 75 % is needed.
    pub above_percent: u32,
}
