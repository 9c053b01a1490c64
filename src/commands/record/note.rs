//! What each process of the program has noted, and what came of the recording as a whole. Pure.

use serde::Deserialize;
use std::path::{Path, PathBuf};

/// How far a process came. The later ones say more about why nothing was recorded.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RecorderState {
    /// Python is too old for the recorder.
    OldPython,
    /// torch was not imported.
    NoTorch,
    /// PyTorch is too old.
    OldTorch,
    /// Another process of the program had begun to record.
    OtherProcess,
    /// Steps were counted, and not yet recorded.
    Waiting,
    /// The program has a profiler of its own.
    OwnProfiler,
    /// The recorder gave up.
    Failed,
    /// The profiler ran, and the process ended before there was a trace.
    Recording,
    /// There is a trace.
    Recorded,
}

/// What one process has noted.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ProcessNote {
    /// How far it came.
    pub(super) state: RecorderState,
    /// The version of Python.
    pub(super) python: String,
    /// The version of PyTorch.
    #[serde(default)]
    pub(super) torch: Option<String>,
    /// What was counted: steps, backwards, calls or seconds.
    #[serde(default)]
    pub(super) counts: Option<String>,
    /// How many of them.
    #[serde(default)]
    pub(super) seen: u64,
    /// Whether an optimizer was made.
    #[serde(default)]
    pub(super) has_optimizer: bool,
    /// The rank, if there are several.
    #[serde(default)]
    pub(super) rank: Option<u64>,
    /// Times of steps without the profiler.
    #[serde(default)]
    pub(super) plain_ns: Vec<u64>,
    /// Times of those that were recorded.
    #[serde(default)]
    pub(super) recorded_ns: Vec<u64>,
    /// How long the program waited for its trace to be written.
    #[serde(default)]
    pub(super) stall_ns: u64,
    /// The trace.
    #[serde(default)]
    pub(super) trace: Option<PathBuf>,
    /// Why the recorder gave up.
    #[serde(default)]
    pub(super) error: Option<String>,
}

/// What came of the recording.
#[derive(Debug)]
pub(super) enum RecordingOutcome {
    /// The processes that have a trace, by rank.
    Recorded(Vec<ProcessNote>),
    /// Of those without, the one that came furthest.
    Nothing(ProcessNote),
    /// No process loaded the recorder.
    NoPython,
}

impl RecordingOutcome {
    /// The outcome of what all processes noted.
    pub(super) fn of(mut notes: Vec<ProcessNote>) -> Self {
        notes.sort_by_key(|it| (it.state, it.seen, std::cmp::Reverse(it.rank)));
        match notes.pop() {
            None => Self::NoPython,
            Some(furthest) if furthest.state == RecorderState::Recorded => {
                notes.retain(|it| it.state == RecorderState::Recorded);
                notes.push(furthest);
                notes.sort_by_key(|it| it.rank);
                Self::Recorded(notes)
            }
            Some(furthest) => Self::Nothing(furthest),
        }
    }

    /// The traces.
    pub(super) fn traces(&self) -> impl Iterator<Item = &Path> {
        let notes = match self {
            Self::Recorded(notes) => notes.as_slice(),
            Self::Nothing(_) | Self::NoPython => &[],
        };
        notes.iter().filter_map(|it| it.trace.as_deref())
    }
}
