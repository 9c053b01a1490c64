//! A program of the learner's own: what a run of it needs. Pure; who opens it reads the files.

use super::timed;
use std::time::Duration;
use warpup_course::DeviceWish;
use warpup_protocol::{Aim, DeviceName, Limits, ModuleFile, ProgramFolders, RunId, RunRequest};

/// The time limit without `--limit`: a training script of many small steps takes minutes.
pub const TIME_LIMIT: Duration = Duration::from_mins(5);

/// A program of the learner's own.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnProgram {
    /// The name of its file, as tracebacks say it.
    pub name: String,
    /// What is in the file.
    pub source: String,
    /// The files beside it that it can import.
    pub modules: Vec<ModuleFile>,
    /// Where it is, and what it may read there.
    pub place: Option<Box<ProgramFolders>>,
    /// How long it may compute.
    pub time_limit: Duration,
}

impl OwnProgram {
    /// The device that it asks for. A program that names `cuda` and never asks `is_available()` stops on a machine without a card.
    pub fn wish(&self) -> DeviceWish {
        if self.source.contains("cuda") && !self.source.contains("is_available") {
            DeviceWish::Cuda
        } else {
            DeviceWish::Any
        }
    }

    /// A run of it, with this text in place of its source, with times by line. It is no lab: it may use all the memory that its
    /// process may.
    pub fn request(&self, run: RunId, source: String, device: DeviceName) -> RunRequest {
        RunRequest {
            run,
            name: self.name.clone(),
            timed: timed::names_a_clock(&source, None),
            source,
            modules: self.modules.clone(),
            place: self.place.clone(),
            arguments: Vec::new(),
            check: None,
            device,
            limits: Limits {
                time_ms: super::units::milliseconds(self.time_limit),
                host_bytes: 0,
                ..Limits::default()
            },
            trace: true,
            aim: Aim::Run,
        }
    }
}
