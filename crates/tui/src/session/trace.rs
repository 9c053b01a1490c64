//! The traces that are on the screen, as last reported by the shell.

use warpup_kineto::analysis::Analysis;
use warpup_kineto::findings::FindingsReport;
use warpup_kineto::{Comparison, FileRelation, MAX_EVENTS, Rank, Trace};

/// A learner's own traces.
#[derive(Clone, Debug, Default)]
pub(crate) enum TraceState {
    /// No trace was opened.
    #[default]
    None,
    /// They are being read.
    Reading {
        /// The file.
        file: String,
        /// How much of it was read, in percent, where its size is known.
        percent: Option<u64>,
    },
    /// They were read.
    Read(Box<ReadTraces>),
    /// One cannot be read.
    Failed {
        /// Why.
        why: String,
        /// What to try.
        hint: Option<&'static str>,
    },
}

/// One trace, or several that belong together.
#[derive(Clone, Debug)]
pub(crate) struct ReadTraces {
    /// In the order in which they were named; at least one.
    pub(crate) all: Vec<ReadTrace>,
    pub(crate) together: TraceRelation,
}

/// What several traces are to each other.
#[derive(Clone, Debug)]
pub(crate) enum TraceRelation {
    /// There is one.
    Alone,
    /// Before a change and after it.
    Compared(Box<Comparison>),
    /// Ranks of one run.
    Ranks(Vec<Rank>),
}

/// A trace and what it shows.
#[derive(Clone, Debug)]
pub(crate) struct ReadTrace {
    /// Its events, for the timeline; none if there are too many.
    pub(crate) trace: Option<Trace>,
    pub(crate) analysis: Analysis,
    pub(crate) report: FindingsReport,
    /// The learner's own files that have lines in it, the one that costs most first.
    pub(crate) sources: Vec<OwnSource>,
}

/// A file of the learner's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnSource {
    /// Its path, as the trace writes it.
    pub(crate) path: String,
    /// What is in it now.
    pub(crate) text: SourceText,
}

/// What is in a file now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SourceText {
    /// It was not found.
    Missing,
    /// It is as old as the trace, or older.
    Recorded(String),
    /// It was written after the trace.
    Newer(String),
}

impl ReadTrace {
    /// A trace with its figures and findings.
    pub(crate) fn of(trace: Trace) -> Self {
        let analysis = Analysis::of(&trace);
        let report = FindingsReport::of(&analysis);
        let mut sources: Vec<OwnSource> = Vec::new();
        for it in &analysis.lines {
            if !sources.iter().any(|known| known.path == it.file) {
                sources.push(OwnSource {
                    path: it.file.clone(),
                    text: SourceText::Missing,
                });
            }
        }
        Self {
            trace: Some(trace),
            analysis,
            report,
            sources,
        }
    }
}

impl ReadTraces {
    /// No trace yet.
    pub(crate) fn none() -> Self {
        Self {
            all: Vec::new(),
            together: TraceRelation::Alone,
        }
    }

    /// Adds a trace. Its events, and with them its timeline, are dropped if all files together would have more than one may have.
    pub(crate) fn push(&mut self, mut it: ReadTrace) {
        let events = |it: &ReadTrace| it.trace.as_ref().map_or(0, |it| it.events.len());
        let held: usize = self.all.iter().map(events).sum();
        if held + events(&it) > MAX_EVENTS {
            it.trace = None;
        }
        self.all.push(it);
    }

    /// All have been added: says what they are to each other.
    pub(crate) fn compare(&mut self) {
        let abouts: Vec<_> = self.all.iter().map(|it| &it.analysis.about).collect();
        self.together = match (self.all.as_slice(), FileRelation::of(&abouts)) {
            ([] | [_], _) => TraceRelation::Alone,
            ([before, after], FileRelation::BeforeAndAfter) => {
                let compared = Comparison::of(
                    (&before.analysis, &before.report),
                    (&after.analysis, &after.report),
                );
                TraceRelation::Compared(Box::new(compared))
            }
            (all, _) => TraceRelation::Ranks(Rank::all(all.iter().map(|it| &it.analysis))),
        };
    }
}

impl TraceState {
    /// The traces, if they were read.
    pub(crate) fn read(&self) -> Option<&ReadTraces> {
        match self {
            Self::Read(it) => Some(it),
            Self::None | Self::Reading { .. } | Self::Failed { .. } => None,
        }
    }
}
