//! What a worker is asked for when a lab runs. Pure.

use super::memory_limit;
use super::units::milliseconds;
use warpup_course::Lab;
use warpup_protocol::{Aim, DeviceName, Limits, RunId, RunRequest};

/// A program of this lab with its check, on that device, within the lab's limits and with times by line.
pub fn of_lab(lab: &Lab, run: RunId, source: String, device: DeviceName) -> RunRequest {
    RunRequest {
        run,
        name: format!("{}.py", lab.id),
        source,
        modules: Vec::new(),
        place: None,
        arguments: Vec::new(),
        check: lab.check.clone(),
        device,
        limits: Limits {
            time_ms: milliseconds(lab.time_limit),
            host_bytes: memory_limit::of_lab(lab),
            ..Limits::default()
        },
        trace: true,
        aim: Aim::Run,
        timed: false,
    }
}
