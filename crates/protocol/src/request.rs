//! What the app sends to a worker.

use super::device::DeviceName;
use super::skip::is_default;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The host memory that the program of a lab may use, in bytes.
pub const LAB_MEMORY: u64 = 1 << 30;

/// A request of the app.
#[expect(
    clippy::large_enum_variant,
    reason = "one request a run: its size costs nothing"
)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Request {
    /// The first request: the version of the app.
    Hello {
        /// `VERSION` of the app.
        version: u32,
    },
    /// Runs a program. A worker does one at a time.
    Run(RunRequest),
    /// Stops a run at the next line; the app kills a worker that does not stop.
    Cancel {
        /// The run to stop.
        run: RunId,
    },
}

/// A program and how to run it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// Its number, chosen by the app.
    pub run: RunId,
    /// The file name in tracebacks, such as `placement.py`.
    pub name: String,
    /// The program, in Python.
    pub source: String,
    /// The Python files beside the program that it can import.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<ModuleFile>,
    /// Where the program is; nothing for a lab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Box<ProgramFolders>>,
    /// What follows the program's name in `sys.argv`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Python that runs after it in the same namespace and calls `lab.check`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// The device to run on.
    pub device: DeviceName,
    /// What it may use.
    pub limits: Limits,
    /// Whether spans and line times are recorded.
    pub trace: bool,
    /// Whether to run it or only to plan it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub aim: Aim,
    /// Whether what it shows depends on measured time: on a real card it then takes its turn among such runs. An older
    /// worker takes none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timed: bool,
}

/// The folders that a program sees, the files there that it may read, and variables of the shell. It never writes to them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFolders {
    /// The absolute path of the folder that the program is in.
    pub folder: String,
    /// The absolute path of the working folder.
    pub working: String,
    /// The text files in the program's folder that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<DataFile>,
    /// The variables of the shell that it sees: a closed list, which the app keeps.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

/// A text file that a program may read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// Its path from the program's folder.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// A Python file beside the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleFile {
    /// Its path from the program's folder, such as `models/net.py`: `import models.net` finds it.
    pub path: String,
    /// What is in it.
    pub source: String,
}

/// The purpose of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// To execute the program.
    #[default]
    Run,
    /// To report what it would cost, on a modelled card only: few values are computed, a missing value reads as
    /// `nan` (0 for integers), and memory beyond the capacity is reported, not refused.
    Plan,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The worker's CPU time, in milliseconds. The app enforces it, on a real card from `Reply::Started` on; never
    /// before that much time has passed, and on a busy machine at ten times that.
    pub time_ms: u64,
    /// Bytes of printed output; beyond, the worker stops the program.
    pub output_bytes: u64,
    /// Spans in the replies; beyond, line totals still count.
    pub spans: u32,
    /// Plots in the replies. 0 from an app that does not know plots.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plots: u32,
    /// Bytes of a real card's memory that the run may hold; all of it if `None`. A modelled card has the capacity
    /// of its model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card_bytes: Option<u64>,
    /// Bytes of host memory that the program may use. 0, as from an app that does not know it, leaves `HOST_MEMORY`. A
    /// real card's driver reserves more than any limit, so a run on one has none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub host_bytes: u64,
    /// Bytes of this machine's memory that the values of all tensors of a run on a modelled card may hold; what would need more
    /// has a shape only. The app sets it to a share of what is free. 0, as from an app that does not know it, leaves 4 GiB.
    #[serde(default, skip_serializing_if = "is_default")]
    pub value_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time_ms: 20_000,
            output_bytes: 1 << 20,
            spans: 20_000,
            plots: 8,
            card_bytes: None,
            host_bytes: LAB_MEMORY,
            value_bytes: 0,
        }
    }
}

/// The number of a run; later runs have larger ones.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct RunId(pub u64);
