//! What was looked at: plain data, gathered by [`super::look`] and judged by the rungs.
//!
//! Nothing here is a judgement. A missing file is `None` or an empty list, a program that failed is what it
//! said; which of that is a fault depends on the rest, and is decided in one place.

mod driver;
mod software;

use super::nvml_report::NvmlReport;
use crate::protocol::Probe;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use driver::{Driver, Node, Nvml, PciCard, Smi};
pub use software::{
    Header, Libraries, Library, LoaderPath, Nvcc, Toolkit, Toolkits, Worker, WorkerNotes,
};

/// Everything that was looked at on one machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Evidence {
    /// The package version of the app.
    pub warpup: String,
    /// What kind of machine it is.
    pub place: Place,
    /// The kernel's half of the driver.
    pub driver: Driver,
    /// The driver's own figures.
    pub nvml: Nvml,
    /// `nvidia-smi`, asked where NVML gave nothing.
    pub smi: Smi,
    /// Libraries in the folders where the loader looks.
    pub libraries: Libraries,
    /// warpup's worker for real cards.
    pub worker: Worker,
    /// What `warpup-worker-cuda.toml` beside the worker says.
    pub worker_notes: WorkerNotes,
    /// What starts the worker on another machine, such as `ssh`; then this one's cards are beside the point.
    pub elsewhere: Option<String>,
    /// Toolkits and what belongs to them.
    pub toolkits: Toolkits,
    /// The variables of the environment that CUDA, its tools and containers read.
    pub variables: BTreeMap<String, String>,
}

impl Evidence {
    /// A variable, if it is set; it may be empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// Whether this is Linux inside Windows.
    pub fn is_wsl(&self) -> bool {
        let kernel = self.place.kernel.as_deref().unwrap_or_default();
        kernel.to_ascii_lowercase().contains("microsoft")
    }

    /// Whether this is inside a container.
    pub fn is_container(&self) -> bool {
        !self.place.container.is_empty()
    }

    /// What NVML said, or `nvidia-smi` in its place.
    pub fn report(&self) -> Option<&NvmlReport> {
        match (&self.nvml, &self.smi) {
            (Nvml::Read(report), _) | (_, Smi::Read(report)) => Some(report),
            (
                Nvml::NotAsked | Nvml::Failed { .. } | Nvml::Hung { .. } | Nvml::NotRun { .. },
                Smi::NotAsked | Smi::Missing | Smi::Said { .. } | Smi::Hung { .. },
            ) => None,
        }
    }

    /// What the worker's probe found.
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

/// What kind of machine it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// The system, such as `linux` or `macos`.
    pub system: String,
    /// The first line of `/proc/version`.
    pub kernel: Option<String>,
    /// What says that this is inside a container, such as `/.dockerenv`.
    pub container: Vec<String>,
    /// Parts of NVIDIA's container toolkit that are installed here.
    pub container_toolkit: Vec<String>,
    /// Programs that start containers, such as `/usr/bin/docker`.
    pub container_engines: Vec<String>,
    /// Whether Windows lends its card (`/dev/dxg`).
    pub has_dxg: bool,
    /// Whether the control pipe of MPS is there, and where.
    pub mps: Option<String>,
}
