//! How a run ended and what it took.

use super::{Clock, Gaps, Memory};
use serde::{Deserialize, Serialize};

/// What one line of the program took in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineTime {
    /// The line, from 1.
    pub line: u32,
    /// How often the line was reached.
    pub hits: u64,
    /// Time the host spent on it, waiting included.
    pub host_ns: u64,
    /// Of that, time the host waited for the device.
    pub wait_ns: u64,
    /// Time the device spent on work it asked for; nothing on a CPU, which is no separate device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_ns: Option<u64>,
}

/// How a run ended and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Where the times come from.
    pub clock: Clock,
    /// From start to end on the host's clock.
    pub host_ns: u64,
    /// Time the device was busy; nothing on a CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_ns: Option<u64>,
    /// Totals for each line that was reached.
    pub lines: Vec<LineTime>,
    /// Spans beyond the limit, which were not sent.
    pub spans_dropped: u64,
    /// Memory, where the device counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Box<Memory>>,
    /// What a modelled device's time was spent on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<Box<Busy>>,
    /// Where host and device waited for each other; nothing where there is no device apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gaps: Option<Box<Gaps>>,
    /// Lines that read a value which a plan does not compute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_read: Vec<u32>,
    /// Whether the worker can do nothing more, as after an error that has broken its CUDA context; the next
    /// run needs a new one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub worker_ends: bool,
}

/// What a device's time was spent on, by what limits it, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Busy {
    /// Kernels that the arithmetic units limit.
    pub compute_ns: u64,
    /// Kernels that the memory's bandwidth limits.
    pub bandwidth_ns: u64,
    /// Kernels so small that they take the shortest time a kernel can.
    pub smallest_ns: u64,
    /// Copies between host and device.
    pub copy_ns: u64,
    /// Nothing: the device waited for the host to queue something.
    pub idle_ns: u64,
    /// When the device has done all it was given, on the host's clock.
    pub done_ns: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Outcome {
    /// To its end.
    Done,
    /// By an exception that nobody caught.
    Raised(Raised),
    /// Because the learner asked.
    Cancelled,
    /// Because it took longer than [`Limits::time_ms`](super::Limits::time_ms).
    TimedOut,
    /// Because it printed more than [`Limits::output_bytes`](super::Limits::output_bytes).
    TooMuchOutput,
    /// By a fault of the worker's own; the text is for a bug report.
    Broken {
        /// What happened.
        what: String,
    },
    /// It could not be run, or not to its end, because the device cannot be had on this machine: no driver, a
    /// library that is missing, no such card. Says nothing about the program.
    Unavailable(Reason),
    /// It could not be run, or not to its end, because others have the device or its memory. Says nothing about
    /// the program, and may go well later.
    Busy(Reason),
}

/// What stands between a program and the device that it was to run on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// What is wrong, in a sentence without a full stop.
    pub why: String,
    /// What to try, in the same way.
    pub hint: String,
    /// What was said about it by others, such as the loader's line or CUDA's name for the error; empty if
    /// nothing was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

impl Outcome {
    /// Whether it is the program's own doing. A run that was stopped from outside, that a fault of ours ended
    /// or whose device could not be had says nothing about the program, and is no attempt.
    pub fn is_own(&self) -> bool {
        match self {
            Self::Done | Self::Raised(_) | Self::TimedOut | Self::TooMuchOutput => true,
            Self::Cancelled | Self::Broken { .. } | Self::Unavailable(_) | Self::Busy(_) => false,
        }
    }
}

impl Report {
    /// The report of a run of which nothing but its end is known.
    pub fn without_times(outcome: Outcome) -> Self {
        Self {
            outcome,
            clock: Clock::Measured,
            host_ns: 0,
            device_ns: None,
            lines: Vec::new(),
            spans_dropped: 0,
            memory: None,
            gaps: None,
            busy: None,
            unknown_read: Vec::new(),
            worker_ends: false,
        }
    }

    /// The report of a run that failed through no fault of the learner's program.
    pub fn broken(what: impl Into<String>) -> Self {
        Self::without_times(Outcome::Broken { what: what.into() })
    }
}

/// An exception that nobody caught.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// Its type, such as `RuntimeError`.
    pub kind: String,
    /// Its text.
    pub message: String,
    /// The line of the learner's program, from 1; 0 if it came from elsewhere.
    pub line: u32,
    /// As Python prints it, with the learner's frames and source lines only.
    pub traceback: String,
    /// Whether it came from the lab's check, not from the learner's program.
    #[serde(default)]
    pub in_check: bool,
}
