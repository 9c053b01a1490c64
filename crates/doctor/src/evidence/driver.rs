//! The driver: its kernel module, and the answers of NVML and `nvidia-smi`.
//!
//! Every figure of NVML is optional: virtual cards, MIG instances and consumer cards lack some of them.

use serde::{Deserialize, Serialize};

/// The driver's kernel module and its device nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Driver {
    /// NVIDIA's display and compute cards on the PCI bus.
    pub pci: Vec<PciCard>,
    /// Loaded modules for them: `nvidia`, `nvidia_uvm`, `nouveau`.
    pub modules: Vec<String>,
    /// The first line of `/proc/driver/nvidia/version`.
    pub version_line: Option<String>,
    /// The path of the driver's module for the running kernel, if it is installed.
    pub module_file: Option<String>,
    /// Whether Secure Boot is on, so that only signed modules load; `None` if unknown.
    pub secure_boot: Option<bool>,
    /// The device nodes in `/dev`.
    pub nodes: Vec<Node>,
}

impl Driver {
    /// The version of the loaded module, such as `580.159.03`.
    pub fn version(&self) -> Option<&str> {
        let line = self.version_line.as_deref()?;
        line.split_whitespace().find(|word| {
            let mut parts = word.split('.');
            parts.clone().count() >= 2
                && parts.all(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
        })
    }

    /// A device node, by its path.
    pub fn node(&self, path: &str) -> Option<&Node> {
        self.nodes.iter().find(|it| it.path == path)
    }
}

/// A card of NVIDIA's on the PCI bus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PciCard {
    /// Its address, such as `0000:3b:00.0`.
    pub address: String,
    /// Its device id, such as `0x2335`.
    pub device: String,
    /// The kernel module that drives it, such as `nvidia`, `nouveau` or `vfio-pci`.
    pub module: Option<String>,
}

/// A device node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its path.
    pub path: String,
    /// Whether this user may read and write it.
    pub can_use: bool,
}

/// The answer of NVML; `warpup nvml` prints [`Nvml::Read`] or [`Nvml::Failed`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum Nvml {
    /// It was not asked.
    #[default]
    NotAsked,
    /// The readable figures.
    Read(NvmlReport),
    /// It reported an error.
    Failed {
        /// The kind of error.
        fault: NvmlFault,
        /// Its message.
        why: String,
    },
    /// It did not answer and was killed.
    Hung {
        /// Its time limit in milliseconds.
        after_ms: u64,
    },
    /// The process that asks it did not run.
    NotRun {
        /// Why.
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
    /// Its temperature in degrees Celsius.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<u32>,
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

/// The answer of `nvidia-smi`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum Smi {
    /// It was not asked.
    #[default]
    NotAsked,
    /// It is not on `PATH`.
    Missing,
    /// It listed the cards.
    Read(NvmlReport),
    /// It printed something else.
    Said {
        /// Its exit status.
        status: Option<i32>,
        /// What it printed.
        output: String,
    },
    /// It did not answer and was killed.
    Hung {
        /// Its time limit in milliseconds.
        after_ms: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(line: &str) -> Option<String> {
        let driver = Driver {
            version_line: Some(line.to_owned()),
            ..Driver::default()
        };
        driver.version().map(str::to_owned)
    }

    #[test]
    fn the_modules_version_is_read_in_both_forms_of_the_line() {
        let closed = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024";
        assert_eq!(version(closed).as_deref(), Some("535.183.01"));
        let open = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (dvs-builder@U22)";
        assert_eq!(version(open).as_deref(), Some("580.95.05"));
        assert_eq!(version("nothing of the kind"), None);
    }
}
