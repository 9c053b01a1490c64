//! What stands above the driver: libraries, the worker, toolkits.

use crate::protocol::Probe;
use serde::{Deserialize, Serialize};

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
        /// Where it was looked for.
        why: String,
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

impl Worker {
    /// Whether it was started, whatever came of it.
    pub fn was_started(&self) -> bool {
        match self {
            Self::NotAsked | Self::Missing { .. } => false,
            Self::NotStarted { .. }
            | Self::Hung { .. }
            | Self::Ended { .. }
            | Self::Probed { .. } => true,
        }
    }
}

/// The file that the build of a worker leaves beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerNotes {
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
