//! What was looked at: plain data, gathered by [`super::look`] and judged by the rungs.
//!
//! Nothing here is a judgement. A missing file is `None` or an empty list, a program that failed is what it
//! said; which of that is a fault depends on the rest, and is decided in one place.

use crate::protocol::Probe;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::nvml_report::{NvmlFault, NvmlReport};

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
    pub worker_notes: Option<WorkerNotes>,
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

/// The kernel's half of the driver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Driver {
    /// NVIDIA's display and compute cards on the PCI bus.
    pub pci: Vec<PciCard>,
    /// Loaded modules that have to do with them: `nvidia`, `nvidia_uvm`, `nouveau`.
    pub modules: Vec<String>,
    /// The first line of `/proc/driver/nvidia/version`.
    pub version_line: Option<String>,
    /// The driver's module for the running kernel, where it is installed.
    pub module_file: Option<String>,
    /// Whether the firmware loads signed modules only; nothing if it does not say.
    pub secure_boot: Option<bool>,
    /// The device nodes that there are.
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
    /// Where it is, such as `0000:3b:00.0`.
    pub address: String,
    /// The number of its model, such as `0x2335`.
    pub device: String,
    /// The kernel module that has it, such as `nvidia`, `nouveau` or `vfio-pci`.
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

/// What NVML said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum Nvml {
    /// It was not asked.
    #[default]
    NotAsked,
    /// Everything that could be read.
    Read(NvmlReport),
    /// It refused.
    Failed {
        /// The kind of refusal.
        fault: NvmlFault,
        /// Its words.
        why: String,
    },
    /// It did not answer and was ended.
    Hung {
        /// How long it was waited for, in milliseconds.
        after_ms: u64,
    },
    /// It could not even be asked.
    NotRun {
        /// Why.
        why: String,
    },
}

/// What `nvidia-smi` said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum Smi {
    /// It was not asked.
    #[default]
    NotAsked,
    /// There is none on `PATH`.
    Missing,
    /// It listed the cards.
    Read(NvmlReport),
    /// It said something else.
    Said {
        /// Its exit status.
        status: Option<i32>,
        /// What it printed.
        output: String,
    },
    /// It did not answer and was ended.
    Hung {
        /// How long it was waited for, in milliseconds.
        after_ms: u64,
    },
}

/// Libraries in the folders where the loader looks, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Libraries {
    /// `libcuda.so.1`: the driver, for programs.
    pub cuda: Vec<Library>,
    /// `libnvidia-ml.so.1`: NVML.
    pub nvml: Vec<Library>,
    /// `libcudart.so.N`: the runtime of a toolkit.
    pub cudart: Vec<Library>,
    /// `libcudnn.so.N`.
    pub cudnn: Vec<Library>,
    /// `libnccl.so.N`.
    pub nccl: Vec<Library>,
}

/// A library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// Where the loader finds it.
    pub path: String,
    /// The name of the file that this is in the end, such as `libcuda.so.580.159.03`.
    pub file: String,
    /// Why the loader looks there.
    pub from: LoaderPath,
}

impl Library {
    /// The version at the end of the file's name: what follows `.so.`, if it is more than one number.
    pub fn version(&self) -> Option<&str> {
        let version = self.file.split_once(".so.")?.1;
        version.contains('.').then_some(version)
    }
}

/// Why the loader looks into a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoaderPath {
    /// `LD_LIBRARY_PATH` names it.
    Variable,
    /// It is one of the system's.
    System,
}

/// What became of the worker for real cards.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum Worker {
    /// It was not started: what it needs is not there, or it has not answered yet.
    #[default]
    NotAsked,
    /// There is none.
    Missing {
        /// Where it would be.
        looked_at: Vec<String>,
    },
    /// The system did not start it.
    NotStarted {
        /// The executable.
        program: String,
        /// The system's words.
        why: String,
    },
    /// It did not answer and was ended.
    Hung {
        /// The executable.
        program: String,
        /// How long it was waited for, in milliseconds.
        after_ms: u64,
    },
    /// It ended without an answer.
    Ended {
        /// The executable.
        program: String,
        /// How, such as `exit status 127`.
        how: String,
        /// What it, or the loader, said.
        said: String,
    },
    /// It looked around.
    Probed {
        /// The executable.
        program: String,
        /// What it found.
        probe: Probe,
    },
}

/// The file that the build of a worker leaves beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerNotes {
    /// Folders where its libraries are.
    pub library_path: Vec<String>,
    /// The CUDA that it was built with.
    pub cuda: Option<String>,
    /// The compute capability that its kernels are for.
    pub capability: Option<String>,
}

/// Toolkits and what belongs to them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolkits {
    /// Folders such as `/usr/local/cuda-13.0`, in order of their names.
    pub installed: Vec<Toolkit>,
    /// What `/usr/local/cuda` points to.
    pub default: Option<String>,
    /// The first `nvcc` on `PATH`.
    pub nvcc: Option<Nvcc>,
    /// cuDNN's version by its header, and where that is.
    pub cudnn_header: Option<Header>,
    /// NCCL's version by its header, and where that is.
    pub nccl_header: Option<Header>,
}

/// A toolkit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolkit {
    /// Its folder.
    pub path: String,
    /// Its version, by its own `version.json` or `version.txt`.
    pub version: Option<String>,
}

/// A compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nvcc {
    /// Where it was found on `PATH`.
    pub path: String,
    /// The release that it says it is.
    pub version: Option<String>,
}

/// A header that says a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Where it is.
    pub path: String,
    /// The version in it.
    pub version: String,
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

    #[test]
    fn a_librarys_version_is_that_of_its_file() {
        let library = |file: &str| Library {
            path: "/usr/lib/libcuda.so.1".to_owned(),
            file: file.to_owned(),
            from: LoaderPath::System,
        };
        assert_eq!(library("libcuda.so.580.95.05").version(), Some("580.95.05"));
        assert_eq!(library("libcuda.so.1").version(), None);
    }
}
