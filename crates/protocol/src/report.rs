//! How a run ended and what it took.

use super::contention::Contention;
use super::counts::RunCounts;
use super::device::Clock;
use super::device_times::{CudnnUse, DeviceTimes, HostWork};
use super::facts::ProgramFacts;
use super::host_range::HostRange;
use super::lane::Lane;
use super::memory::Memory;
use super::skip::is_default;
use super::wait::WaitCause;
use serde::{Deserialize, Serialize};

/// The total time of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineTime {
    /// The line, from 1.
    pub line: u32,
    /// How often the line was reached.
    pub hits: u64,
    /// Host time, waits included.
    pub host_ns: u64,
    /// Host time in which it waited for the device, or for a loader.
    pub wait_ns: u64,
    /// Host time in which it could have run, and another program had its core. Only measured, and only where the system counts it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub interrupted_ns: u64,
    /// Time that it ran in workers of loaders, which is beside the host's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub worker_ns: u64,
    /// Device time of the work that the line queued; `None` on a CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_ns: Option<u64>,
}

impl LineTime {
    /// The host's time without interruptions, which say nothing about the line.
    pub fn uninterrupted_ns(&self) -> u64 {
        self.host_ns.saturating_sub(self.interrupted_ns)
    }
}

/// The end of a run: its outcome, times and memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Where the times come from.
    pub clock: Clock,
    /// The length of the run on the host's clock.
    pub host_ns: u64,
    /// Time that the device was busy; `None` on a CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_ns: Option<u64>,
    /// Totals for each line that was reached.
    pub lines: Vec<LineTime>,
    /// What `torch.profiler` recorded; `None` if the program does not use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profiled: Option<Box<ProfilerReport>>,
    /// The number of spans beyond the limit.
    pub spans_dropped: u64,
    /// Memory, where the device counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Box<Memory>>,
    /// What limited a modelled card's work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<Box<Busy>>,
    /// How long the run takes with a faster and a slower host; only of a modelled card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_range: Option<Box<HostRange>>,
    /// Where host and device waited for each other; `None` on a CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gaps: Option<Box<Gaps>>,
    /// What was counted of the program; nothing of an older worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Box<ProgramFacts>>,
    /// What it did, counted by line: for checks, and for who asked for JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Box<RunCounts>>,
    /// Lines that read a value which was not computed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_read: Vec<u32>,
    /// What the run did otherwise than PyTorch, as sentences without a full stop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The first result of a modelled card that was not computed, if the program read such values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_computed: Option<NotComputed>,
    /// Whether the worker is unusable, as after an error that broke its CUDA context; the next run needs a new
    /// worker.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub worker_ends: bool,
    /// Where the device times come from; only of a real card whose operations are timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_times: Option<Box<DeviceTimes>>,
    /// What computed convolutions and recurrent layers; only of a real card, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cudnn: Option<Box<CudnnUse>>,
    /// What the host did for operations on a real card without being asked, the most bytes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host_work: Vec<HostWork>,
    /// Host time that recording took: a part of `host_ns`, and of no line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub recording_ns: u64,
    /// How much of `host_ns` another program had the core of the interpreter, in lines and between them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub interrupted_ns: u64,
    /// What others did on the card meanwhile, if it is known; nothing known does not mean that nobody was there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contended: Vec<Contention>,
}

/// What `torch.profiler` recorded in a program: the steps that its schedule names, or the block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfilerReport {
    /// The number of steps; 0 without a schedule.
    pub steps: u64,
    /// Its length, until host and device are done, in nanoseconds. That of all recordings, if there are several.
    pub ns: u64,
    /// Totals in that time for each line that was reached.
    pub lines: Vec<LineTime>,
}

/// The first result of a run that has a shape and no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotComputed {
    /// The line that made it; 0 if unknown.
    pub line: u32,
    /// Why it has no values.
    pub why: MissingValues,
}

/// Why a modelled card's result has no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingValues {
    /// Its values do not fit into the memory that values may take.
    TooLarge,
    /// The time for values is used up, or the operation alone would take more than is left.
    OutOfTime,
    /// A plan computes few values.
    Planned,
}

impl NotComputed {
    /// The line of output that says so; `None` for a plan, which is expected to compute few.
    pub fn notice(self) -> Option<String> {
        let why = match self.why {
            MissingValues::Planned => return None,
            MissingValues::TooLarge => {
                "its result does not fit into the memory for values; a smaller batch needs less"
            }
            MissingValues::OutOfTime => {
                "the time for it is used up; `warpup run FILE.py --limit SECONDS` gives a file more"
            }
        };
        let line = match self.line {
            0 => String::new(),
            line => format!(" from line {line} on"),
        };
        Some(format!(
            "[warpup] Values are NOT COMPUTED{line}: {why}. Time and memory stay modelled; what is read is nan, or 0 and False where there is no nan."
        ))
    }
}

/// A modelled card's time by what limited its work, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Busy {
    /// Kernels limited by arithmetic.
    pub compute_ns: u64,
    /// Kernels limited by memory bandwidth.
    pub bandwidth_ns: u64,
    /// Kernels so small that they take the minimum time of a kernel.
    pub smallest_ns: u64,
    /// Copies between host and device.
    pub copy_ns: u64,
    /// Idle: the device waited for the host to queue work.
    pub idle_ns: u64,
    /// When the device ended all its work, on the host's clock.
    pub done_ns: u64,
}

/// Where the host or the device was idle, for a run on a card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gaps {
    /// The first use of the card, which creates its context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_use: Option<FirstUse>,
    /// Waits of the host for the device or a loader, the longest first.
    pub waits: Vec<Wait>,
    /// Idle times of the device after its first work, the longest first.
    pub idle: Vec<Idle>,
}

/// The first use of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstUse {
    /// The line that used it; 0 if there is none.
    pub line: u32,
    /// Its length in nanoseconds, with the starts of libraries.
    pub ns: u64,
    /// How much of it the CUDA context took.
    #[serde(default, skip_serializing_if = "is_default")]
    pub context_ns: u64,
    /// How much of it took to load the kernels, on a real card.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kernels_ns: u64,
    /// How much of it took the start of cuBLAS, in the first product.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cublas_ns: u64,
    /// The line of the first product, on a modelled card.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cublas_line: u32,
    /// How much of it took the start of cuDNN, in the first convolution or recurrent layer of a modelled card.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cudnn_ns: u64,
    /// The line of that.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cudnn_line: u32,
}

/// The waits of one line for the work of another, for one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The line that waited.
    pub line: u32,
    /// Total length in nanoseconds.
    pub ns: u64,
    /// The number of them.
    pub times: u64,
    /// The line that queued the work which ended the wait; 0 if unknown.
    pub until_line: u32,
    /// The line whose work took most of the wait; 0 if unknown. Of a wait for a loader: the line that took its workers
    /// longest in the whole run, and [`Wait::most_ns`] is 0.
    pub most_line: u32,
    /// How much of the wait that work took, in nanoseconds.
    pub most_ns: u64,
    /// What that work was; unknown to an older worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_lane: Option<Lane>,
    /// What made the host wait.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cause: WaitCause,
    /// How long the device had nothing to do after these waits, since the host had queued nothing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub idle_ns: u64,
}

/// The idle time of the device while the host ran one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idle {
    /// The line that the host ran for most of it.
    pub line: u32,
    /// Total length in nanoseconds.
    pub ns: u64,
    /// The number of them.
    pub times: u64,
    /// The longest of them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub longest_ns: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Outcome {
    /// The program ran to its end.
    Done,
    /// An uncaught exception ended it.
    Raised(UncaughtException),
    /// The learner cancelled it.
    Cancelled,
    /// It took longer than [`Limits::time_ms`](super::Limits::time_ms).
    TimedOut,
    /// It printed more than [`Limits::output_bytes`](super::Limits::output_bytes).
    TooMuchOutput,
    /// An internal error of the worker ended it; the text is for a bug report.
    Broken {
        /// What happened.
        what: String,
    },
    /// It did not run, or not to its end, because this machine has no usable device: no driver, a missing library,
    /// no such card. Says nothing about the program.
    Unavailable(Reason),
    /// It did not run, or not to its end, because other processes hold the device, its memory or the CPU. Says nothing
    /// about the program, and may succeed later.
    Busy(Reason),
}

/// Why a program could not use its device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The cause, as a sentence without a full stop.
    pub why: String,
    /// What to try, written the same way.
    pub hint: String,
    /// The original message, such as the loader's line or CUDA's name of the error; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

impl Outcome {
    /// Whether the program caused it. A run that was stopped from outside, that an internal error ended or whose
    /// device was not usable says nothing about the program, and is not an attempt.
    pub fn is_own(&self) -> bool {
        match self {
            Self::Done | Self::Raised(_) | Self::TimedOut | Self::TooMuchOutput => true,
            Self::Cancelled | Self::Broken { .. } | Self::Unavailable(_) | Self::Busy(_) => false,
        }
    }

    /// Why the device was not to be had, if that ended it.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Unavailable(reason) | Self::Busy(reason) => Some(reason),
            Self::Done
            | Self::Raised(_)
            | Self::Cancelled
            | Self::TimedOut
            | Self::TooMuchOutput
            | Self::Broken { .. } => None,
        }
    }
}

impl Report {
    /// The host's time in which it waited for the device, or for a loader.
    pub fn waited_ns(&self) -> u64 {
        let waits = self.lines.iter().map(|it| it.wait_ns);
        waits.fold(0, u64::saturating_add)
    }

    /// The host's time without interruptions.
    pub fn uninterrupted_ns(&self) -> u64 {
        self.host_ns.saturating_sub(self.interrupted_ns)
    }

    /// The host's time that belongs to no line of the program, such as what Python does before the first; nothing if it is
    /// less than a hundredth of the run.
    pub fn outside_lines_ns(&self) -> Option<u64> {
        let lines = self.lines.iter().map(|it| it.host_ns);
        let outside = self
            .host_ns
            .saturating_sub(self.recording_ns)
            .saturating_sub(lines.fold(0, u64::saturating_add));
        let is_noticed = !self.lines.is_empty() && outside.saturating_mul(100) >= self.host_ns;
        Some(outside).filter(|it| is_noticed && *it > 0)
    }

    /// The report of a run of which only the outcome is known.
    pub fn without_times(outcome: Outcome) -> Self {
        Self {
            outcome,
            clock: Clock::Measured,
            host_ns: 0,
            device_ns: None,
            lines: Vec::new(),
            profiled: None,
            spans_dropped: 0,
            memory: None,
            gaps: None,
            facts: None,
            counts: None,
            busy: None,
            host_range: None,
            unknown_read: Vec::new(),
            notes: Vec::new(),
            not_computed: None,
            worker_ends: false,
            device_times: None,
            cudnn: None,
            host_work: Vec::new(),
            recording_ns: 0,
            interrupted_ns: 0,
            contended: Vec::new(),
        }
    }

    /// The report of a run that an internal error ended.
    pub fn broken(what: impl Into<String>) -> Self {
        Self::without_times(Outcome::Broken { what: what.into() })
    }
}

/// An uncaught exception.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UncaughtException {
    /// Its type, such as `RuntimeError`.
    pub kind: String,
    /// Its message.
    pub message: String,
    /// The line of the learner's program, from 1; 0 if it came from elsewhere.
    pub line: u32,
    /// The traceback as Python prints it, with the learner's frames only.
    pub traceback: String,
    /// Whether the lab's check raised it, not the learner's program.
    #[serde(default)]
    pub in_check: bool,
    /// The exit status that a `SystemExit` asks for with a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u8>,
}
