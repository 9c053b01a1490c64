//! What crosses the boundary between the app and a lab worker, and nothing else.
//!
//! One JSON object a line in both directions ([`frame`]). The first request is always
//! [`Request::Hello`]; it is the only one that every version understands. Replies carry the number of
//! the run they belong to, so a late one can never change a newer run. The golden lines in
//! `tests/fixtures/protocol/v1/` show every message; a change of format is a change there. What an older
//! side can leave out or never asks for, such as plots, may be added within a version.

pub mod frame;
mod gaps;
mod memory;
mod plot;
mod probe;
mod report;

pub use gaps::{FirstUse, Gaps, Idle, Wait};
pub use memory::{Memory, Moment, Overflow, Purpose, Purposes};
pub use plot::{LogAxes, MAX_POINTS, MAX_SERIES, Plot, PlotSource, Series};
pub use probe::{Built, Found, Probe, ProbeStep, Probed, ProbedCard};
pub use report::{Busy, LineTime, Outcome, Raised, Reason, Report};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The version of the messages in this module.
pub const VERSION: u32 = 1;

/// Address space of a worker without CUDA, in bytes; CUDA reserves far more.
pub const HOST_MEMORY: u64 = 12 << 30;

/// The number of a run; later runs have larger ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub u64);

/// What the app asks of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Request {
    /// First of all: which version the app speaks.
    Hello {
        /// [`VERSION`] of the app.
        version: u32,
    },
    /// Runs a program. A worker does one at a time.
    Run(RunRequest),
    /// Stops a run at the next chance; a run that gives none is killed by the app.
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
    /// What tracebacks call the program, such as `placement.py`.
    pub name: String,
    /// Python.
    pub source: String,
    /// Python run after it in the same namespace, which calls `lab.check`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// What to run on.
    pub device: DeviceName,
    /// What it may use.
    pub limits: Limits,
    /// Whether spans and line times are recorded.
    pub trace: bool,
    /// Whether to run it or only to plan it.
    #[serde(default, skip_serializing_if = "Aim::is_run")]
    pub aim: Aim,
}

/// What a program is run for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// For what it does.
    #[default]
    Run,
    /// For what it would cost. On a modelled card only: few values are computed, one that is missing
    /// reads as `nan` (0 for whole numbers), and the card's capacity is noted instead of enforced.
    Plan,
}

impl Aim {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde asks for a reference"
    )]
    fn is_run(&self) -> bool {
        *self == Self::Run
    }
}

/// What a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time, in milliseconds. The app enforces it, on a real card from [`Reply::Started`] on.
    pub time_ms: u64,
    /// Bytes of printed output; the worker stops the program beyond.
    pub output_bytes: u64,
    /// Spans sent back; line totals go on beyond.
    pub spans: u32,
    /// Plots sent back. Absent from an app that does not know them, which is then sent none.
    #[serde(default, skip_serializing_if = "is_zero_u32")]
    pub plots: u32,
    /// Bytes of a real card's memory that the run may hold; all that there is when `None`. Modelled cards have
    /// the capacity of their model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card_bytes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time_ms: 20_000,
            output_bytes: 1 << 20,
            spans: 20_000,
            plots: 8,
            card_bytes: None,
        }
    }
}

/// What a worker says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum Reply {
    /// The answer to [`Request::Hello`].
    Hello {
        /// [`VERSION`] of the worker.
        version: u32,
        /// The package version of the worker.
        warpup: String,
        /// What it can run on.
        devices: Vec<DeviceInfo>,
    },
    /// A run has begun.
    Started {
        /// The run.
        run: RunId,
        /// What it runs on.
        device: DeviceInfo,
    },
    /// Printed text.
    Output {
        /// The run.
        run: RunId,
        /// Some of what was printed, in order.
        text: String,
    },
    /// The learner's program, or its check, called `lab.check`.
    Check {
        /// The run.
        run: RunId,
        /// The check.
        check: Check,
    },
    /// The program called `lab.metric`.
    Metric {
        /// The run.
        run: RunId,
        /// The metric.
        metric: Metric,
    },
    /// The program called `lab.plot`. Sent only to an app that asked for plots ([`Limits::plots`]).
    Plot {
        /// The run.
        run: RunId,
        /// The plot.
        plot: Plot,
    },
    /// Some of the run's spans, in order of their start on the host.
    Spans {
        /// The run.
        run: RunId,
        /// The spans.
        spans: Vec<Span>,
    },
    /// A run has ended; the last reply of a run.
    Finished {
        /// The run.
        run: RunId,
        /// How, and what it took.
        report: Report,
    },
    /// A request could not be understood or done; the worker goes on.
    Refused {
        /// The run it was about, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
        /// Why.
        why: String,
    },
}

/// The result of one `lab.check`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What was checked, as a sentence.
    pub name: String,
    /// Whether it holds.
    pub ok: bool,
    /// What to try if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// The value of one `lab.metric`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its unit, empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// Where the times of a run come from. No number is shown without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// From this machine's clocks.
    Measured,
    /// From the cost model of a card; nothing was timed.
    Modelled,
}

impl Clock {
    /// `measured` or `modelled`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Modelled => "modelled",
        }
    }
}

/// A device that a worker can run on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// What to ask for.
    pub name: DeviceName,
    /// What to show, such as `CPU, 2 threads` or `Tesla T4 (modelled)`.
    pub title: String,
    /// Where its times come from.
    pub clock: Clock,
    /// Memory of the device, in bytes; nothing for the CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
}

impl DeviceInfo {
    /// The CPU of this machine.
    pub fn cpu(threads: usize) -> Self {
        let plural = if threads == 1 { "" } else { "s" };
        Self {
            name: DeviceName::Cpu,
            title: format!("CPU, {threads} thread{plural}"),
            clock: Clock::Measured,
            memory_bytes: None,
        }
    }
}

/// The name of a device on the command line and in the protocol: `cpu`, `cuda`, `cuda:1`, `model:t4`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum DeviceName {
    /// The CPU of this machine.
    Cpu,
    /// A real card, by its CUDA ordinal.
    Cuda(u32),
    /// A modelled card, by its id in `assets/cards.toml`.
    Model(String),
}

/// A device name that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no device: use cpu, cuda, cuda:N or model:CARD")]
pub struct UnknownDevice(String);

impl FromStr for DeviceName {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownDevice(text.to_owned());
        match text.split_once(':') {
            None if text == "cpu" => Ok(Self::Cpu),
            None if text == "cuda" => Ok(Self::Cuda(0)),
            Some(("cuda", ordinal)) => ordinal
                .parse()
                .map(Self::Cuda)
                .map_err(|_not_a_number| unknown()),
            Some(("model", card)) if !card.is_empty() => Ok(Self::Model(card.to_owned())),
            None | Some(_) => Err(unknown()),
        }
    }
}

impl TryFrom<String> for DeviceName {
    type Error = UnknownDevice;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<DeviceName> for String {
    fn from(name: DeviceName) -> Self {
        name.to_string()
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(0) => f.write_str("cuda"),
            Self::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
            Self::Model(card) => write!(f, "model:{card}"),
        }
    }
}

/// The row of the timeline that a span stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// The host, queueing work or waiting.
    Host,
    /// A kernel on the device.
    Kernel,
    /// A copy from host to device.
    CopyToDevice,
    /// A copy from device to host.
    CopyToHost,
}

impl Lane {
    /// All lanes, in the order they are drawn.
    pub const ALL: [Self; 4] = [
        Self::Host,
        Self::Kernel,
        Self::CopyToDevice,
        Self::CopyToHost,
    ];

    /// The lane's name on screen.
    pub fn word(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Kernel => "kernel",
            Self::CopyToDevice => "copy to device",
            Self::CopyToHost => "copy to host",
        }
    }
}

/// One piece of work, in nanoseconds since the run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Where it is drawn.
    pub lane: Lane,
    /// The operation, such as `matmul`, or one of the names below.
    pub name: String,
    /// The line of the learner's program it was asked for by, from 1; 0 if there is none.
    pub line: u32,
    /// Start.
    pub start_ns: u64,
    /// End.
    pub end_ns: u64,
    /// Bytes it touched.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bytes: u64,
    /// Floating point operations it did.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub flops: u64,
}

impl Span {
    /// The name of a host span in which the host waits for the device.
    pub const WAIT: &'static str = "wait";

    /// The name of a host span in which the card is used for the first time, which is slow.
    pub const FIRST_USE: &'static str = "first use";
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_zero_u32(value: &u32) -> bool {
    *value == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_names_read_back_as_written() {
        for name in ["cpu", "cuda", "cuda:3", "model:t4"] {
            assert_eq!(name.parse::<DeviceName>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn other_device_names_are_refused_by_name() {
        for name in ["", "gpu", "cuda:", "cuda:x", "model:", "cpu:0"] {
            let refusal = name.parse::<DeviceName>().unwrap_err().to_string();
            assert!(refusal.contains(&format!("`{name}`")), "{refusal}");
        }
    }
}
