//! The machine that is looked at: its root folder, environment and programs.

use super::installed_by;
use crate::evidence::InstalledBy;
use rustix::fs::{Access, access};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use warpup_lab::engine::Launch;
use warpup_lab::engine::cards::{CardWorker, is_executable};
use warpup_protocol::Reason;

/// The time limit of a tool. A driver that wakes its cards needs less, one that hangs never answers.
const TOOL: Duration = Duration::from_secs(3);

/// The variable with folders for the loader.
const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";

/// The machine that is looked at.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The folder that serves as `/`.
    pub root: PathBuf,
    /// The system, such as `linux`.
    pub system: String,
    /// The environment, for evidence and for programs.
    pub environment: BTreeMap<OsString, OsString>,
    /// Whether this user may read and write a device node.
    pub can_use: fn(&Path) -> bool,
    /// The id of this user.
    pub user: u32,
    /// The program that asks NVML, with its arguments.
    pub nvml: (PathBuf, Vec<String>),
    /// How the worker for real cards is started, or why it is not.
    pub worker: Result<Launch, Reason>,
    /// What starts the launcher of that worker, if it has one, so that it ends with the doctor.
    pub guard: Option<Launch>,
    /// What installed the app.
    pub installed_by: InstalledBy,
    /// The time limits of programs.
    pub limits: TimeLimits,
}

/// How long programs may run before they are killed.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    /// NVML, `nvidia-smi`, and `nvcc` when it is asked for its version.
    pub tool: Duration,
    /// The worker's probe, in which the driver may wake cards and compile kernels.
    pub worker: Duration,
}

impl Machine {
    /// This machine, with the worker for real cards that labs would get.
    pub fn this(cards: &Result<CardWorker, Reason>) -> io::Result<Self> {
        let executable = std::env::current_exe()?;
        Ok(Self {
            root: PathBuf::from("/"),
            system: std::env::consts::OS.to_owned(),
            environment: std::env::vars_os().collect(),
            can_use,
            user: rustix::process::geteuid().as_raw(),
            installed_by: installed_by::find(&executable),
            nvml: (executable, vec!["nvml".to_owned()]),
            limits: TimeLimits {
                tool: TOOL,
                worker: cards.as_ref().map_or(TOOL, |it| it.ready_timeout),
            },
            guard: cards
                .as_ref()
                .is_ok_and(|it| it.launcher.is_some() && cfg!(target_os = "linux"))
                .then(Launch::this_executable),
            worker: cards
                .as_ref()
                .map(|it| it.launch.clone())
                .map_err(Clone::clone),
        })
    }

    /// An environment variable.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        let value = self.environment.get(OsStr::new(name))?;
        Some(value.to_string_lossy().into_owned())
    }

    /// The folders in which the loader searches first when it loads the worker.
    pub(super) fn library_path(&self) -> Vec<String> {
        let of_worker = self.worker.iter().flat_map(|it| &it.environment);
        let mut of_worker = of_worker.filter(|it| it.0 == LIBRARY_PATH);
        let folders = of_worker.next().map_or_else(
            || self.variable(LIBRARY_PATH).unwrap_or_default(),
            |it| it.1.to_string_lossy().into_owned(),
        );
        let folders = folders.split(':').filter(|it| !it.is_empty());
        folders.map(str::to_owned).collect()
    }

    /// The path of a program on `PATH`, inside the root.
    pub(super) fn on_path(&self, name: &str) -> Option<String> {
        let path = self.variable("PATH")?;
        let mut folders = path.split(':').filter(|it| it.starts_with('/'));
        folders.find_map(|folder| {
            let path = format!("{}/{name}", folder.trim_end_matches('/'));
            is_executable(&self.real(&path)).then_some(path)
        })
    }
}

/// Whether this user may read and write a file. It is not opened, since opening a device node wakes the card.
fn can_use(path: &Path) -> bool {
    access(path, Access::READ_OK | Access::WRITE_OK).is_ok()
}
