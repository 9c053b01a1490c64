//! The checklist as data. Scripts depend on the names of the fields.

use serde::Serialize;
use warpup_course::{LabId, LessonId};
use warpup_doctor::LadderVerdict;
use warpup_protocol::Clock;

/// A learner's checklist.
#[derive(Serialize)]
pub struct Checklist<'a> {
    pub(crate) course: &'a str,
    #[serde(skip)]
    pub(crate) title: &'a str,
    pub complete: bool,
    pub(crate) devices: Vec<UsedDevice<'a>>,
    pub machine: MachineState,
    pub(crate) measurement: Option<MeasuredIn<'a>>,
    pub(crate) memory: Option<MemoryIn<'a>>,
    pub(crate) explanations: Vec<ExplainedQuestion<'a>>,
    pub missing: Vec<MissingItem>,
}

/// A device that labs ran on.
#[derive(Serialize)]
pub(crate) struct UsedDevice<'a> {
    pub(crate) device: &'a str,
    pub(crate) title: Option<&'a str>,
    /// Where its times come from; unknown of runs that were noted by older versions.
    pub(crate) clock: Option<Clock>,
    /// How many labs ran on it last.
    pub(crate) labs: usize,
    pub(crate) at_ms: u64,
}

/// What the doctor finds without touching a card.
#[derive(Serialize)]
pub struct MachineState {
    pub(crate) verdict: LadderVerdict,
    pub says: String,
    pub(crate) next_step: Option<String>,
}

/// Which run a number is from.
#[derive(Serialize)]
pub(crate) struct RunSource<'a> {
    pub(crate) lesson: &'a LessonId,
    pub(crate) lab: &'a LabId,
    pub(crate) device: &'a str,
    pub(crate) title: Option<&'a str>,
    pub(crate) clock: Option<Clock>,
    pub(crate) at_ms: u64,
}

/// Where the measurement is from.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum MeasuredIn<'a> {
    /// A lab of the course.
    Lab(Measurement<'a>),
    /// A training run of the learner's own, which PyTorch's profiler recorded.
    Trace(TracedRun),
}

/// What is handed over from a training run of the learner's own.
#[derive(Default)]
pub struct OwnRun {
    /// What PyTorch's profiler recorded of it.
    pub traced: Option<TracedRun>,
    /// What a plan says of its memory.
    pub planned: Option<PlannedRun>,
}

/// What a trace shows of a training run. The time of a step ends with the work that it launched.
#[derive(Serialize)]
pub struct TracedRun {
    /// The file's name.
    pub(crate) trace: String,
    /// Whether a script made the trace: then nothing in it was measured.
    pub(crate) synthetic: bool,
    /// The card.
    pub(crate) title: Option<String>,
    /// How many steps the trace marks; without marks, the whole of it is one.
    pub(crate) steps: Option<usize>,
    pub(crate) step_ms: f64,
    /// The share of the steps in which the device works; none without a device.
    pub(crate) device_busy_percent: Option<f64>,
    pub(crate) finding: Option<FirstFinding>,
    pub(crate) top_operator: Option<TopOperator>,
    pub(crate) peaks: Vec<PeakMemory>,
}

impl TracedRun {
    /// Why nothing was measured on a card, if so.
    pub(super) fn is_no_measurement(&self) -> Option<&'static str> {
        if self.synthetic {
            Some("the trace is synthetic: a script computed its times")
        } else if self.device_busy_percent.is_none() {
            Some("the trace has no card: its times are the CPU's")
        } else {
            None
        }
    }
}

/// The finding that could save most.
#[derive(Serialize)]
pub(crate) struct FirstFinding {
    pub(crate) id: &'static str,
    pub(crate) sentence: String,
    pub(crate) place: Option<String>,
}

/// The operator whose own work takes longest in the whole trace.
#[derive(Serialize)]
pub(crate) struct TopOperator {
    pub(crate) name: String,
    /// Where that work is: `device` or `host`.
    pub(crate) side: &'static str,
    pub(crate) own_ms: f64,
}

/// The most that live tensors held, where the trace has memory.
#[derive(Serialize)]
pub(crate) struct PeakMemory {
    pub(crate) device: String,
    pub(crate) mib: f64,
}

/// A time with a synchronize, and one without if the run gave it.
#[derive(Serialize)]
pub(crate) struct Measurement<'a> {
    #[serde(flatten)]
    pub(crate) from: RunSource<'a>,
    pub(crate) synchronized_ms: f64,
    pub(crate) unsynchronized_ms: Option<f64>,
}

/// Where the memory is from.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum MemoryIn<'a> {
    /// A lab of the course.
    Lab(LabMemory<'a>),
    /// A plan of the learner's own program.
    Plan(PlannedRun),
}

/// The memory that a run of a lab gave.
#[derive(Serialize)]
pub(crate) struct LabMemory<'a> {
    #[serde(flatten)]
    pub(crate) from: RunSource<'a>,
    #[serde(flatten)]
    pub(crate) figures: MemoryFigures,
}

/// What a plan of a program says of its memory.
#[derive(Serialize)]
pub struct PlannedRun {
    /// The program's file.
    pub(crate) program: String,
    /// The modelled card.
    pub(crate) title: String,
    /// The line of the peak, if there is one.
    pub(crate) peak_line: Option<u32>,
    /// What tensors hold at the peak, by purpose.
    pub(crate) held: Vec<MemoryTerm>,
    #[serde(flatten)]
    pub(crate) figures: MemoryFigures,
}

/// What a training step needs, against what the card has, in MiB of 2^20 bytes.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct MemoryFigures {
    /// Weights, gradients and optimizer state.
    pub(crate) floor_mib: f64,
    /// The most that tensors held.
    pub(crate) peak_mib: f64,
    /// The rows of the batch with that peak.
    pub(crate) rows: Option<f64>,
    /// By how many KiB the peak grows with each row.
    pub(crate) row_kib: Option<f64>,
    /// What the card has for tensors.
    pub(crate) card_mib: Option<f64>,
}

/// What runs out first on the card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FirstLimit {
    /// The floor: no batch is small enough.
    Floor,
    /// What the peak holds beyond the floor: the batch is too large.
    Peak,
    /// What grows with the batch, beyond this many rows.
    Rows(f64),
}

impl MemoryFigures {
    /// What runs out first; nothing without the card's memory, or if it is not known how the peak grows.
    pub(crate) fn first_limit(&self) -> Option<FirstLimit> {
        let card_mib = self.card_mib.filter(|it| *it > 0.0)?;
        if self.floor_mib > card_mib {
            return Some(FirstLimit::Floor);
        }
        if self.peak_mib > card_mib {
            return Some(FirstLimit::Peak);
        }
        let row_kib = self.row_kib.filter(|it| *it > 0.0)?;
        let more = (card_mib - self.peak_mib) * 1024.0 / row_kib;
        Some(FirstLimit::Rows((self.rows? + more).floor()))
    }
}

/// One of the things that a step holds at its peak.
#[derive(Serialize)]
pub(crate) struct MemoryTerm {
    pub(crate) name: &'static str,
    pub(crate) mib: f64,
}

/// An explanation in the learner's own words.
#[derive(Serialize)]
pub(crate) struct ExplainedQuestion<'a> {
    pub(crate) lesson: &'a LessonId,
    pub(crate) question: &'a str,
    pub(crate) prompt: String,
    pub(crate) text: &'a str,
    pub(crate) parts: Vec<ExplainedPart>,
    pub(crate) at_ms: u64,
}

/// A part of a good explanation.
#[derive(Serialize)]
pub(crate) struct ExplainedPart {
    pub(crate) part: String,
    /// Whether the learner says that their words say it.
    pub(crate) said: bool,
}

/// The things on the checklist.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChecklistItem {
    Device,
    Measurement,
    Memory,
    Explanations,
}

/// What is missing, and the command that gives it.
#[derive(Serialize)]
pub struct MissingItem {
    pub(crate) item: ChecklistItem,
    pub what: String,
    pub todo: String,
}
