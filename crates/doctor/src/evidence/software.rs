//! The software above the driver: libraries, the worker, toolkits.

use serde::{Deserialize, Serialize};
use warpup_protocol::Probe;

/// Libraries in the folders of the loader, in its order.
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

impl Libraries {
    /// The driver's libraries: libcuda and NVML.
    pub(crate) fn of_driver(&self) -> impl Iterator<Item = &Library> {
        self.cuda.iter().chain(&self.nvml)
    }

    /// The paths of those that do not come from Windows: in WSL, they are in the way of those that do.
    pub(crate) fn of_linux_driver(&self) -> Vec<String> {
        let own = self.of_driver().filter(|it| !it.is_of_windows());
        own.map(|it| it.path.clone()).collect()
    }
}

/// A library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// The path at which the loader finds it.
    pub path: String,
    /// The name of its file after all links, such as `libcuda.so.580.159.03`.
    pub file: String,
    /// Why the loader looks there.
    pub from: LoaderPath,
}

impl Library {
    /// The version in the name of its file: the part after `.so.`, if it has more than one number.
    pub fn version(&self) -> Option<&str> {
        let version = self.file.split_once(".so.")?.1;
        version.contains('.').then_some(version)
    }

    /// Whether WSL brought it in from the driver of Windows.
    pub(crate) fn is_of_windows(&self) -> bool {
        self.path.starts_with("/usr/lib/wsl/")
    }

    /// Its path and its file, for a report.
    pub(crate) fn describe(&self) -> String {
        format!("{} ({})", self.path, self.file)
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

/// The probe of the worker for real cards.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum Worker {
    /// It was not started, or has not answered yet.
    #[default]
    NotAsked,
    /// There is none.
    Missing {
        /// Where it was searched.
        why: String,
    },
    /// The system did not start it.
    NotStarted {
        /// The executable.
        program: String,
        /// The system's message.
        why: String,
    },
    /// It did not answer and was killed.
    Hung {
        /// The executable.
        program: String,
        /// Its time limit in milliseconds.
        after_ms: u64,
    },
    /// It ended without an answer.
    Ended {
        /// The executable.
        program: String,
        /// How, such as `exit status 127`.
        how: String,
        /// The output of the worker or the loader.
        said: String,
    },
    /// It answered.
    Probed {
        /// The executable.
        program: String,
        /// The answer.
        probe: Probe,
    },
}

impl Worker {
    /// Whether a start was tried.
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

/// The notes that the build of a worker leaves beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerNotes {
    /// The CUDA that it was built with.
    pub cuda: Option<String>,
    /// The compute capability that its kernels are for.
    pub capability: Option<String>,
}

/// Installed toolkits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolkits {
    /// Folders such as `/usr/local/cuda-13.0`, in order of their names.
    pub installed: Vec<Toolkit>,
    /// The target of `/usr/local/cuda`.
    pub default: Option<String>,
    /// The first `nvcc` on `PATH`.
    pub nvcc: Option<Nvcc>,
    /// cuDNN's header.
    pub cudnn_header: Option<Header>,
    /// NCCL's header.
    pub nccl_header: Option<Header>,
}

/// A toolkit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolkit {
    /// Its folder.
    pub path: String,
    /// The version in its `version.json` or `version.txt`, else that of its header, runtime library or compiler.
    pub version: Option<String>,
}

/// A compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nvcc {
    /// Where it was found on `PATH`.
    pub path: String,
    /// Its release, as it prints it.
    pub version: Option<String>,
}

/// A header that defines a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Its path.
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
