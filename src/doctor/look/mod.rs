//! Looks at the machine: files, the environment, and a few programs that are given little time.
//!
//! The only impure part of the doctor beside [`super::nvml`]. It judges nothing but whether it is worth while
//! to go on. A [`Machine`] says where to look, so that tests look at made-up ones: a folder instead of `/`,
//! scripts instead of programs.

mod files;
mod libraries;
mod place;
mod process;
mod toolkits;
mod worker;

use super::evidence::{Evidence, Nvml, Smi};
use super::nvml_report::NvmlSaid;
use super::{ladder, smi};
use crate::lab::engine::Launch;
use crate::lab::engine::cards::CardWorker;
use crate::protocol::Reason;
use files::Files;
use process::{Ran, run};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a tool may take. A driver that wakes its cards answers in less, one that hangs never does.
const TOOL: Duration = Duration::from_secs(3);

/// The variables that are kept as evidence.
const VARIABLES: [&str; 17] = [
    "APPTAINER_CONTAINER",
    "CUDA_DEVICE_ORDER",
    "CUDA_HOME",
    "CUDA_MPS_PIPE_DIRECTORY",
    "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "NVIDIA_DRIVER_CAPABILITIES",
    "NVIDIA_VISIBLE_DEVICES",
    "PATH",
    "SINGULARITY_CONTAINER",
    "SLURM_GPUS_ON_NODE",
    "SLURM_JOB_GPUS",
    "SLURM_JOB_ID",
    "WSL_DISTRO_NAME",
    "container",
];

/// The variable that tells the loader of folders.
const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";

/// A machine to be looked at.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The folder that stands for `/`.
    pub root: PathBuf,
    /// The system, such as `linux`.
    pub system: String,
    /// The environment, for what is read and for the programs that are started.
    pub environment: BTreeMap<OsString, OsString>,
    /// Whether this user may read and write a device node.
    pub can_use: fn(&Path) -> bool,
    /// The number of this user.
    pub user: u32,
    /// The program that asks NVML, with its arguments.
    pub nvml: (PathBuf, Vec<String>),
    /// How the worker for real cards is started, or why it is not.
    pub worker: Result<Launch, Reason>,
    /// How long programs may take.
    pub limits: TimeLimits,
}

/// How long programs may take before they are ended.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    /// NVML, `nvidia-smi`, and `nvcc` when it is asked for its version.
    pub tool: Duration,
    /// The worker's probe: the driver may wake its cards and compile kernels.
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
            can_use: files::can_use,
            user: rustix::process::geteuid().as_raw(),
            nvml: (executable, vec!["nvml".to_owned()]),
            limits: TimeLimits {
                tool: TOOL,
                worker: cards.as_ref().map_or(TOOL, |it| it.ready),
            },
            worker: cards
                .as_ref()
                .map(|it| it.launch.clone())
                .map_err(Clone::clone),
        })
    }

    /// Looks at everything. What is known before the worker is started is handed out first: a worker may
    /// take a minute.
    pub fn look(&self, so_far: &mut dyn FnMut(&Evidence)) -> Evidence {
        let mut evidence = self.look_around();
        if ladder::bears_worker(&evidence) {
            so_far(&evidence);
            evidence.worker = worker::probe(self);
        }
        evidence
    }

    /// Looks at everything but the card itself: starts no worker and makes no context, and ends within the time
    /// of a tool or two.
    pub fn look_around(&self) -> Evidence {
        let files = Files::under(&self.root);
        let mut evidence = Evidence {
            warpup: env!("CARGO_PKG_VERSION").to_owned(),
            place: place::place(self, &files),
            driver: place::driver(self, &files),
            toolkits: toolkits::find(self, &files),
            libraries: libraries::find(&files, &self.library_path()),
            worker_notes: worker::notes(self),
            elsewhere: worker::elsewhere(self),
            variables: VARIABLES
                .into_iter()
                .filter_map(|name| Some((name.to_owned(), self.variable(name)?)))
                .collect(),
            ..Evidence::default()
        };
        if evidence.elsewhere.is_none() {
            evidence.nvml = self.ask_nvml(&files);
        }
        if let Nvml::Failed { .. } | Nvml::NotRun { .. } = evidence.nvml {
            evidence.smi = self.ask_smi();
        }
        evidence
    }

    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String> {
        let value = self.environment.get(OsStr::new(name))?;
        Some(value.to_string_lossy().into_owned())
    }

    /// The folders that the loader is told of when it loads the worker.
    fn library_path(&self) -> Vec<String> {
        let of_worker = self.worker.iter().flat_map(|it| &it.environment);
        let mut of_worker = of_worker.filter(|it| it.0 == LIBRARY_PATH);
        let folders = of_worker.next().map_or_else(
            || self.variable(LIBRARY_PATH).unwrap_or_default(),
            |it| it.1.to_string_lossy().into_owned(),
        );
        let folders = folders.split(':').filter(|it| !it.is_empty());
        folders.map(str::to_owned).collect()
    }

    /// A program by its name, as `PATH` finds it: its path inside the root.
    fn on_path(&self, name: &str) -> Option<String> {
        let path = self.variable("PATH")?;
        let mut folders = path.split(':').filter(|it| it.starts_with('/'));
        folders.find_map(|folder| {
            let path = format!("{}/{name}", folder.trim_end_matches('/'));
            files::is_program(&self.real(&path)).then_some(path)
        })
    }

    /// Where a path of the machine is on this one.
    fn real(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    fn ask_nvml(&self, files: &Files) -> Nvml {
        let (program, arguments) = &self.nvml;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = run(program, &arguments, &self.environment, self.limits.tool);
        let output = match ran {
            Ran::Ended { output, .. } => output,
            Ran::Hung { after_ms } => return Nvml::Hung { after_ms },
            Ran::NotStarted { why } => return Nvml::NotRun { why },
        };
        match serde_json::from_str(&output) {
            Ok(NvmlSaid::Read(mut report)) => {
                for process in report.cards.iter_mut().flat_map(|it| &mut it.processes) {
                    process.is_own = files
                        .owner(&format!("/proc/{}", process.pid))
                        .map(|it| it == self.user);
                }
                Nvml::Read(report)
            }
            Ok(NvmlSaid::Failed { fault, why }) => Nvml::Failed { fault, why },
            Err(_not_an_answer) => Nvml::NotRun {
                why: format!("`warpup nvml` said: {}", output.trim()),
            },
        }
    }

    fn ask_smi(&self) -> Smi {
        let Some(program) = self.on_path("nvidia-smi") else {
            return Smi::Missing;
        };
        let program = self.real(&program);
        match run(&program, &smi::QUERY, &self.environment, self.limits.tool) {
            Ran::Ended {
                status,
                output,
                errors,
                ..
            } => match smi::parse(&output) {
                Some(report) if status == Some(0) => Smi::Read(report),
                Some(_) | None => Smi::Said {
                    status,
                    output: output + &errors,
                },
            },
            Ran::Hung { after_ms } => Smi::Hung { after_ms },
            Ran::NotStarted { why } => Smi::Said {
                status: None,
                output: why,
            },
        }
    }
}
