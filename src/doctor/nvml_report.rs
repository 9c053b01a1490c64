//! The figures of NVML, as the child process prints them.
//!
//! Every figure is optional: virtual cards, MIG instances and consumer cards lack some of them.

use serde::{Deserialize, Serialize};

/// The one object that `warpup nvml` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum NvmlSaid {
    /// The readable figures.
    Read(NvmlReport),
    /// NVML could not be opened.
    Failed {
        /// The kind of error.
        fault: NvmlFault,
        /// Its message.
        why: String,
    },
}

/// The kind of an error of NVML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NvmlFault {
    /// `libnvidia-ml.so.1` is not found or cannot be loaded.
    NoLibrary,
    /// The kernel module does not answer.
    DriverNotLoaded,
    /// The library and the kernel module have different versions.
    VersionMismatch,
    /// This user may not open the device nodes.
    NoPermission,
    /// A card fell off the bus.
    GpuLost,
    /// The operating system blocks the card.
    OperatingSystem,
    /// Anything else.
    Other,
}

/// All figures of NVML.
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
    /// NVML's number of the card, which may differ from CUDA's.
    pub index: u32,
    /// Its name.
    pub name: Option<String>,
    /// Its UUID.
    pub uuid: Option<String>,
    /// Its PCI address.
    pub bus: Option<String>,
    /// Its compute capability.
    pub capability: Option<(u32, u32)>,
    /// Its memory in bytes.
    pub memory_total: Option<u64>,
    /// Used memory in bytes.
    pub memory_used: Option<u64>,
    /// GPU utilization: the share of recent time in which a kernel ran, in percent.
    pub busy_percent: Option<u32>,
    /// Who may create contexts.
    pub compute_mode: Option<ComputeMode>,
    /// Whether the driver stays initialised while nobody uses the card.
    pub persistence: Option<bool>,
    /// Whether MIG is on; `None` for a card without MIG.
    pub mig: Option<bool>,
    /// The number of MIG instances.
    pub mig_instances: u32,
    /// Processes that compute on it. In a container these have ids of the host, or are hidden.
    pub processes: Vec<NvmlProcess>,
    /// Uncorrected memory errors since the driver was loaded.
    pub ecc_errors: Option<u64>,
    /// Why it could not be opened, if it could not.
    pub lost: Option<String>,
}

/// Who may create contexts on a card.
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
    /// Its process id.
    pub pid: u32,
    /// The name of its program.
    pub name: Option<String>,
    /// Memory that it holds on the card, in bytes.
    pub memory: Option<u64>,
    /// Whether it belongs to this user; `None` if unknown.
    pub is_own: Option<bool>,
}
