//! What NVML says, as it comes from the child process that asks it.
//!
//! Every figure is optional: virtual cards, MIG slices and consumer cards each refuse some of them.

use serde::{Deserialize, Serialize};

/// The one object that `warpup nvml` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum NvmlSaid {
    /// Everything that could be read.
    Read(NvmlReport),
    /// NVML could not be opened.
    Failed {
        /// The kind of refusal.
        fault: NvmlFault,
        /// Its words.
        why: String,
    },
}

/// Why NVML refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NvmlFault {
    /// `libnvidia-ml.so.1` is not found or cannot be loaded.
    NoLibrary,
    /// The kernel module does not answer.
    DriverNotLoaded,
    /// The library is of another version than the kernel module.
    VersionMismatch,
    /// The device nodes are not for this user.
    NoPermission,
    /// A card fell off the bus.
    GpuLost,
    /// The system keeps it from the card.
    OperatingSystem,
    /// Anything else.
    Other,
}

/// Everything that NVML said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NvmlReport {
    /// The driver's version.
    pub driver: Option<String>,
    /// The newest CUDA that it supports, such as `13.0`.
    pub cuda: Option<String>,
    /// The cards in NVML's order.
    pub cards: Vec<NvmlCard>,
}

/// A card as NVML sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NvmlCard {
    /// NVML's number for it, which need not be CUDA's.
    pub index: u32,
    /// Its name.
    pub name: Option<String>,
    /// Its UUID.
    pub uuid: Option<String>,
    /// Where it is on the bus.
    pub bus: Option<String>,
    /// Its compute capability.
    pub capability: Option<(u32, u32)>,
    /// All of its memory, in bytes.
    pub memory_total: Option<u64>,
    /// What is in use of it, in bytes.
    pub memory_used: Option<u64>,
    /// The share of the last moments in which a kernel ran, in percent.
    pub busy_percent: Option<u32>,
    /// Who may make contexts.
    pub compute_mode: Option<ComputeMode>,
    /// Whether the driver stays initialised while nobody uses the card.
    pub persistence: Option<bool>,
    /// Whether MIG is on; nothing where the card has none.
    pub mig: Option<bool>,
    /// MIG instances that there are.
    pub mig_instances: u32,
    /// Processes that compute on it. In a container these are numbers of the host, or none are told.
    pub processes: Vec<NvmlProcess>,
    /// Uncorrected memory errors since the driver was loaded.
    pub ecc_errors: Option<u64>,
    /// Why it could not be opened, if it could not.
    pub lost: Option<String>,
}

/// Who may make contexts on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComputeMode {
    /// Everybody.
    Default,
    /// One process at a time.
    ExclusiveProcess,
    /// Nobody.
    Prohibited,
}

/// A process that computes on a card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NvmlProcess {
    /// Its number.
    pub pid: u32,
    /// The name of its program.
    pub name: Option<String>,
    /// Memory that it holds on the card, in bytes.
    pub memory: Option<u64>,
    /// Whether it belongs to this user; nothing if that cannot be told.
    pub is_own: Option<bool>,
}
