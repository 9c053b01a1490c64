//! Gathers the evidence of a machine.

use super::machine::Machine;
use super::process::{ProgramResult, run};
use super::{driver, host, libraries, toolkits, worker};
use crate::evidence::{Evidence, Nvml, Smi};
use crate::{ladder, smi};

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

impl Machine {
    /// Gathers all evidence. `so_far` gets what is known before the worker starts, which may take a minute.
    pub fn look(&self, so_far: &mut dyn FnMut(&Evidence)) -> Evidence {
        let mut evidence = self.look_around();
        if ladder::can_start_worker(&evidence) {
            so_far(&evidence);
            evidence.worker = worker::probe(self);
        }
        evidence
    }

    /// Gathers all evidence but that of the card itself: starts no worker, creates no context, and ends within the
    /// time limit of a tool or two.
    pub fn look_around(&self) -> Evidence {
        let mut evidence = Evidence {
            warpup: env!("CARGO_PKG_VERSION").to_owned(),
            host: host::look(self),
            driver: driver::look(self),
            toolkits: toolkits::find(self),
            libraries: libraries::find(self),
            worker_notes: worker::notes(self),
            installed_by: self.installed_by.clone(),
            elsewhere: worker::elsewhere(self),
            allowed_cards: worker::allowed(self),
            variables: VARIABLES
                .into_iter()
                .filter_map(|name| Some((name.to_owned(), self.variable(name)?)))
                .collect(),
            ..Evidence::default()
        };
        if evidence.elsewhere.is_none() {
            evidence.nvml = self.ask_nvml();
        }
        if let Nvml::Failed { .. } | Nvml::NotRun { .. } = evidence.nvml {
            evidence.smi = self.ask_smi();
        }
        evidence
    }

    /// Asks NVML, in a process of its own that is killed after the time limit of a tool.
    pub fn ask_nvml(&self) -> Nvml {
        let (program, arguments) = &self.nvml;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = match run(program, &arguments, &self.environment, self.limits.tool) {
            ProgramResult::Ended { output, .. } => output,
            ProgramResult::Hung { after_ms } => return Nvml::Hung { after_ms },
            ProgramResult::NotStarted { why } => return Nvml::NotRun { why },
        };
        let Ok(mut answer) = serde_json::from_str(&output) else {
            let why = format!("`warpup nvml` said: {}", output.trim());
            return Nvml::NotRun { why };
        };
        if let Nvml::Read(report) = &mut answer {
            for process in report.cards.iter_mut().flat_map(|it| &mut it.processes) {
                let owner = self.owner(&format!("/proc/{}", process.pid));
                process.is_own = owner.map(|it| it == self.user);
            }
        }
        answer
    }

    fn ask_smi(&self) -> Smi {
        let Some(program) = self.on_path("nvidia-smi") else {
            return Smi::Missing;
        };
        let program = self.real(&program);
        match run(&program, &smi::QUERY, &self.environment, self.limits.tool) {
            ProgramResult::Ended {
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
            ProgramResult::Hung { after_ms } => Smi::Hung { after_ms },
            ProgramResult::NotStarted { why } => Smi::Said {
                status: None,
                output: why,
            },
        }
    }
}
