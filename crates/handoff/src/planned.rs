//! What a plan says of the memory of the learner's own program, as far as a handoff needs it.
//!
//! The figures are those of `warpup plan`; only the growth of a row is computed here, from two plans.

use super::model::{MemoryFigures, MemoryTerm, PlannedRun};
use warpup_lab::run::Run;
use warpup_lab::units::mib;
use warpup_protocol::{Memory, Purpose};

/// A second plan of the same program, with more rows in a batch.
pub struct LargerBatch<'a> {
    /// Its run.
    pub run: &'a Run,
    /// The rows of the first plan.
    pub few: u64,
    /// The rows of this one.
    pub many: u64,
}

/// The memory of a program on a card that is called `title`; nothing if a run gave none.
pub fn of(
    program: &str,
    title: &str,
    run: &Run,
    larger: Option<&LargerBatch<'_>>,
) -> Option<PlannedRun> {
    let held = memory(run)?;
    let row_kib = match larger {
        Some(larger) => Some(row_kib(held, memory(larger.run)?, larger)),
        None => None,
    };
    let terms = Purpose::ALL.into_iter().map(|it| MemoryTerm {
        name: it.word(),
        mib: mib(held.peak.of(it)),
    });
    Some(PlannedRun {
        program: program.to_owned(),
        title: title.to_owned(),
        peak_line: (held.peak_line > 0).then_some(held.peak_line),
        held: terms.filter(|it| it.mib > 0.0).collect(),
        figures: MemoryFigures {
            floor_mib: mib(held.floor),
            peak_mib: mib(held.peak_live),
            rows: larger.map(|it| it.few as f64),
            row_kib,
            card_mib: Some(mib(held.capacity.saturating_sub(held.workspace))),
        },
    })
}

fn memory(run: &Run) -> Option<&Memory> {
    run.report.as_ref()?.memory.as_deref()
}

/// By how many KiB the peak grows with each row.
fn row_kib(few: &Memory, many: &Memory, rows: &LargerBatch<'_>) -> f64 {
    let more = (mib(many.peak_live) - mib(few.peak_live)) * 1024.0;
    more / rows.many.saturating_sub(rows.few).max(1) as f64
}
