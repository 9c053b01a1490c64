//! The driver: its kernel module, and the answers of NVML and `nvidia-smi`.

use crate::doctor::nvml_report::{NvmlFault, NvmlReport};
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

/// The answer of NVML.
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
