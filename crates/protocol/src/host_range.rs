//! The time of a run with two hosts.

use serde::{Deserialize, Serialize};

/// The time of one run on a modelled card with a faster host, with which its clock runs, and with a slower one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostRange {
    /// With the host of the clock.
    pub faster: HostEnd,
    /// With the slower one.
    pub slower: HostEnd,
    /// How many steps of the first optimizer `step_ns` is the mean of; 0 without one.
    pub steps: u64,
}

/// The time of a run with one of the hosts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostEnd {
    /// What the host is, such as "a cloud machine".
    pub host: String,
    /// The length of the run on the host's clock.
    pub host_ns: u64,
    /// From the start until host and card are done.
    pub total_ns: u64,
    /// From one step of the optimizer to the next, without the first; `None` without two steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_ns: Option<u64>,
}
