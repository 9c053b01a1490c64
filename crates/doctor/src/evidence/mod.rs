//! The evidence: plain data, gathered by [`super::look`] and judged by the rungs.
//!
//! Nothing here is a judgement. A missing file is `None` or an empty list, a failed program is its output; whether
//! that is an error depends on the rest, and the rungs decide.

mod driver;
mod installed_by;
mod software;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use warpup_protocol::Probe;

pub use driver::{
    ComputeMode, Driver, Node, Nvml, NvmlCard, NvmlFault, NvmlProcess, NvmlReport, PciCard, Smi,
};
pub use installed_by::InstalledBy;
pub use software::{
    Header, Libraries, Library, LoaderPath, Nvcc, Toolkit, Toolkits, Worker, WorkerNotes,
};

/// All evidence of one machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Evidence {
    /// The package version of the app.
    pub warpup: String,
    /// The operating system and what surrounds the process.
    pub host: HostInfo,
    /// The driver's kernel module and its device nodes.
    pub driver: Driver,
    /// The answer of NVML.
    pub nvml: Nvml,
    /// The answer of `nvidia-smi`, which is asked if NVML fails.
    pub smi: Smi,
    /// Libraries in the folders of the loader.
    pub libraries: Libraries,
    /// The probe of warpup's worker for real cards.
    pub worker: Worker,
    /// The notes of the build (`warpup-worker-cuda.toml`).
    pub worker_notes: WorkerNotes,
    /// What installed the app, which decides how to install the worker.
    pub installed_by: InstalledBy,
    /// The launcher that starts the worker on another machine, such as `ssh`; then the cards of this machine do not
    /// matter.
    pub elsewhere: Option<String>,
    /// The cards that the policy of the machine allows, by UUID; every card if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed_cards: Vec<String>,
    /// Installed toolkits.
    pub toolkits: Toolkits,
    /// The environment variables that CUDA, its tools and containers read.
    pub variables: BTreeMap<String, String>,
}

/// The operating system and what surrounds the process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostInfo {
    /// The operating system, such as `linux` or `macos`.
    pub os: String,
    /// The distribution, by `ID` in `/etc/os-release`, such as `ubuntu`.
    pub distribution: Option<String>,
    /// The first line of `/proc/version`.
    pub kernel: Option<String>,
    /// The signs of a container, such as `/.dockerenv`; empty outside of one.
    pub container: Vec<String>,
    /// The installed parts of NVIDIA's container toolkit.
    pub container_toolkit: Vec<String>,
    /// Programs that start containers, such as `/usr/bin/docker`.
    pub container_engines: Vec<String>,
    /// Whether WSL passes a card through (`/dev/dxg`).
    pub has_dxg: bool,
    /// The path of the control pipe of MPS, if there is one.
    pub mps: Option<String>,
}

impl Evidence {
    /// An environment variable; may be empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// Whether this is Linux inside Windows.
    pub fn is_wsl(&self) -> bool {
        let kernel = self.host.kernel.as_deref().unwrap_or_default();
        kernel.to_ascii_lowercase().contains("microsoft")
    }

    /// Whether this is inside a container.
    pub fn is_container(&self) -> bool {
        !self.host.container.is_empty()
    }

    /// The report of NVML, or of `nvidia-smi` in its place.
    pub fn report(&self) -> Option<&NvmlReport> {
        match (&self.nvml, &self.smi) {
            (Nvml::Read(report), _) | (_, Smi::Read(report)) => Some(report),
            (
                Nvml::NotAsked | Nvml::Failed { .. } | Nvml::Hung { .. } | Nvml::NotRun { .. },
                Smi::NotAsked | Smi::Missing | Smi::Said { .. } | Smi::Hung { .. },
            ) => None,
        }
    }

    /// The cards of that report.
    pub(super) fn nvml_cards(&self) -> &[NvmlCard] {
        self.report().map_or(&[], |it| it.cards.as_slice())
    }

    /// The result of the worker's probe.
    pub fn probe(&self) -> Option<&Probe> {
        match &self.worker {
            Worker::Probed { probe, .. } => Some(probe),
            Worker::NotAsked
            | Worker::Missing { .. }
            | Worker::NotStarted { .. }
            | Worker::Hung { .. }
            | Worker::Ended { .. } => None,
        }
    }
}
