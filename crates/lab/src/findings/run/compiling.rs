//! Code that is compiled again and again.

use super::run_facts::{RunFacts, signed};
use crate::findings::finding::{Evidence, Finding};
use crate::findings::page::Page;
use crate::findings::scale::duration;

pub(super) const RECOMPILES: &str = "recompiles";

/// So often is more than a last batch that is smaller, or a model in another mode.
const TIMES: u64 = 3;

/// The line that most of the time was compiled for again.
pub(super) fn finding(program: &RunFacts<'_>) -> Option<Finding> {
    let lines = program.facts.lines.iter();
    let often = lines.filter(|it| it.recompiles >= TIMES);
    let it = often.max_by_key(|it| it.recompile_ns)?;
    Some(Finding {
        id: RECOMPILES,
        sentence: format!(
            "after the first call, `torch.compile` compiles {} times more, {} in all: what it has compiled does not fit the new inputs",
            it.recompiles,
            duration(signed(it.recompile_ns))
        ),
        place: program.place(it.line),
        try_first: "leave out `dynamic=False`, so that sizes may change; pass no numbers or texts that differ from call to call",
        page: Page::RECOMPILES,
        saved_ns: program.per_step(it.recompile_ns),
        evidence: vec![
            Evidence::ns("recompile_ns", signed(it.recompile_ns)),
            Evidence::new("recompiles", it.recompiles as f64),
        ],
    })
}
