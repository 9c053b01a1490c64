//! Where host and device waited for each other, summed up by line.

use serde::{Deserialize, Serialize};

/// Where the host or the device was idle, for a run on a card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gaps {
    /// The first use of the card, which creates its context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_use: Option<FirstUse>,
    /// Waits of the host for the device, the longest first.
    pub waits: Vec<Wait>,
    /// Idle times of the device after its first work, the longest first.
    pub idle: Vec<Idle>,
}

/// The first use of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstUse {
    /// The line that used it; 0 if there is none.
    pub line: u32,
    /// Its length in nanoseconds.
    pub ns: u64,
}

/// The waits of one line for the work of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The line that waited.
    pub line: u32,
    /// Total length in nanoseconds.
    pub ns: u64,
    /// The number of them.
    pub times: u64,
    /// The line that queued the work which ended the wait; 0 if unknown.
    pub until_line: u32,
    /// The line whose work took most of the wait; 0 if unknown.
    pub most_line: u32,
    /// How much of the wait that work took, in nanoseconds.
    pub most_ns: u64,
}

/// The idle time of the device while the host ran one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idle {
    /// The line that the host ran for most of it.
    pub line: u32,
    /// Total length in nanoseconds.
    pub ns: u64,
    /// The number of them.
    pub times: u64,
}
