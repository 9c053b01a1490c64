//! Requests to run a program.

use warpup_protocol::{Aim, DeviceName, Limits, RunId, RunRequest};

/// A request to run a program on the CPU, without a check, with the limits that labs usually have.
pub(crate) fn python(source: impl Into<String>) -> RunRequest {
    RunRequest {
        run: RunId(0),
        name: "lab.py".to_owned(),
        source: source.into(),
        check: None,
        device: DeviceName::Cpu,
        limits: Limits::default(),
        trace: true,
        modules: Vec::new(),
        place: None,
        arguments: Vec::new(),
        aim: Aim::Run,
        timed: false,
    }
}

/// The same on another device, such as `model:t4` or `cuda`.
pub(crate) fn python_on(device: &str, source: impl Into<String>) -> RunRequest {
    RunRequest {
        device: device.parse().unwrap(),
        ..python(source)
    }
}
