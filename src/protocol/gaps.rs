//! Where host and device waited for each other, summed up by line.

use serde::{Deserialize, Serialize};

/// Where one of the two stood still. Only a run with a device apart has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gaps {
    /// The first use of the card, which makes its context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_use: Option<FirstUse>,
    /// The host waited for the device, the longest first.
    pub waits: Vec<Wait>,
    /// The device had nothing to do although it had begun, the longest first.
    pub idle: Vec<Idle>,
}

/// The first use of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstUse {
    /// The line it was on; 0 if there is none.
    pub line: u32,
    /// What it took.
    pub ns: u64,
}

/// The host's waiting on one line for the work of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The line that waited.
    pub line: u32,
    /// How long in all.
    pub ns: u64,
    /// How often.
    pub times: u64,
    /// The line that had queued the last work that was waited for; 0 if that is not known.
    pub until_line: u32,
    /// The line whose work took most of that time; 0 if that is not known.
    pub most_line: u32,
    /// What its work took of it.
    pub most_ns: u64,
}

/// The device's idleness while the host was busy with one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idle {
    /// The line that the host spent most of the time on.
    pub line: u32,
    /// How long in all.
    pub ns: u64,
    /// How often.
    pub times: u64,
}
