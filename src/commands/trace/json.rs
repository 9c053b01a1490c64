//! Traces for programs. Scripts depend on the keys.

use super::analysed::TraceFigures;
use serde::Serialize;
use warpup_kineto::analysis::Analysis;
use warpup_kineto::findings::FindingsReport;
use warpup_kineto::{Comparison, Rank};

/// One trace as one object: figures, findings, and what the trace cannot show.
#[derive(Serialize)]
pub(super) struct TraceJson<'a> {
    #[serde(flatten)]
    analysis: &'a Analysis,
    #[serde(flatten)]
    report: &'a FindingsReport,
}

/// Two traces, and what changed.
#[derive(Serialize)]
pub(super) struct ComparedJson<'a> {
    comparison: &'a Comparison,
    before: TraceJson<'a>,
    after: TraceJson<'a>,
}

/// Ranks of one run.
#[derive(Serialize)]
pub(super) struct RanksJson<'a> {
    ranks: &'a [Rank],
    remarks: Vec<String>,
    traces: Vec<TraceJson<'a>>,
}

impl<'a> TraceJson<'a> {
    pub(super) fn of((analysis, report): &'a TraceFigures) -> Self {
        Self { analysis, report }
    }
}

impl<'a> ComparedJson<'a> {
    pub(super) fn of(
        before: &'a TraceFigures,
        after: &'a TraceFigures,
        comparison: &'a Comparison,
    ) -> Self {
        Self {
            comparison,
            before: TraceJson::of(before),
            after: TraceJson::of(after),
        }
    }
}

impl<'a> RanksJson<'a> {
    pub(super) fn of(all: &'a [TraceFigures], ranks: &'a [Rank]) -> Self {
        Self {
            ranks,
            remarks: Rank::remarks(ranks),
            traces: all.iter().map(TraceJson::of).collect(),
        }
    }
}
