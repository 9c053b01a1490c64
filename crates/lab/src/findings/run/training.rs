//! Mistakes of training loops that make results wrong, or keep what nobody needs.

use super::run_facts::RunFacts;
use crate::findings::finding::{Evidence, Finding};
use crate::findings::page::Page;
use crate::findings::scale::{counted, times};
use warpup_protocol::{LineFacts, LineTime};

pub(super) const UNCLEARED: &str = "gradients-not-cleared";
pub(super) const NO_EVAL: &str = "no-eval-mode";
pub(super) const UNDIVIDED: &str = "accumulation-undivided";
pub(super) const GRAPH_GROWS: &str = "graph-grows";
pub(super) const NO_NO_GRAD: &str = "grad-in-validation";

/// From so many passes on, a validation is no single look.
const PASSES: u64 = 2;

/// From so many counts in a row on, graphs do not grow by chance; with fewer counts, all but the first are enough.
const IN_A_ROW: u64 = 6;

/// The least of them.
const LEAST_IN_A_ROW: u64 = 3;

/// All of them.
pub(super) fn findings(program: &RunFacts<'_>) -> Vec<Finding> {
    let found = [
        uncleared(program),
        no_eval(program),
        undivided(program),
        graph_grows(program),
        no_no_grad(program),
        emptied(program),
    ];
    found.into_iter().flatten().collect()
}

/// The line that has most of a fact, if there are so many.
fn line_of(
    program: &RunFacts<'_>,
    least: u64,
    of: impl Fn(&LineFacts) -> u64,
) -> Option<LineFacts> {
    let lines = program.facts.lines.iter();
    let most = lines.max_by_key(|it| of(it))?;
    (of(most) >= least.max(1)).then_some(*most)
}

fn uncleared(program: &RunFacts<'_>) -> Option<Finding> {
    let line = line_of(program, PASSES, |it| it.uncleared)?;
    if line.uncleared.saturating_mul(2) < line.backward {
        return None;
    }
    Some(Finding {
        id: UNCLEARED,
        sentence: format!(
            "{} of {} backward passes add to gradients that an earlier step has used, and the next step uses the sum",
            line.uncleared, line.backward
        ),
        place: program.place(line.line),
        try_first: "`optimizer.zero_grad()` in each step, before `backward()`",
        page: Page::UPDATE,
        saved_ns: 0,
        evidence: vec![Evidence::new("passes", line.uncleared as f64)],
    })
}

fn no_eval(program: &RunFacts<'_>) -> Option<Finding> {
    let line = line_of(program, PASSES, |it| it.training_passes)?;
    if program.sum(|it| it.backward) == 0 {
        return None;
    }
    Some(Finding {
        id: NO_EVAL,
        sentence: format!(
            "in {} without gradients, whose result is read, a dropout or batch norm is in training mode: it draws, or takes its statistics from the batch",
            counted(line.training_passes as f64, "pass", "passes")
        ),
        place: program.place(line.line),
        try_first: "`model.eval()` before the validation, and `model.train()` after it",
        page: Page::VALIDATION,
        saved_ns: 0,
        evidence: vec![Evidence::new("passes", line.training_passes as f64)],
    })
}

fn undivided(program: &RunFacts<'_>) -> Option<Finding> {
    let line = line_of(program, PASSES, |it| it.undivided)?;
    let steps = program.facts.steps.count;
    let added = line.backward.saturating_sub(steps);
    // In most of the passes that follow another one of the same step.
    if steps == 0 || line.undivided.saturating_mul(2) < added || added.saturating_mul(2) < steps {
        return None;
    }
    let passes = line.backward as f64 / steps as f64;
    Some(Finding {
        id: UNDIVIDED,
        sentence: format!(
            "a step uses the sum of {} backward passes, each with the whole mean of its batch: gradients are {} times as large as those of one batch",
            times(passes),
            times(passes)
        ),
        place: program.place(line.line),
        try_first: "divide the loss by the number of passes: `(loss / passes).backward()`",
        page: Page::ACCUMULATE,
        saved_ns: 0,
        evidence: vec![Evidence::new("passes_per_step", passes)],
    })
}

fn graph_grows(program: &RunFacts<'_>) -> Option<Finding> {
    let growth = program.facts.graphs?;
    let least = growth.counts.saturating_sub(1).min(IN_A_ROW);
    if growth.in_a_row < least.max(LEAST_IN_A_ROW) {
        return None;
    }
    let each = growth.nodes / growth.in_a_row.max(1);
    Some(Finding {
        id: GRAPH_GROWS,
        sentence: format!(
            "in {} in a row the number of live nodes of graphs grows, by {each} in each: something keeps a result together with its graph for backward",
            counted(growth.in_a_row as f64, "step", "steps")
        ),
        place: program.place(growth.line),
        try_first: "keep the number, `loss.item()`, or `loss.detach()`; and `detach()` a state between two steps",
        page: Page::LEAK,
        saved_ns: 0,
        evidence: vec![
            Evidence::new("steps", growth.in_a_row as f64),
            Evidence::new("nodes_per_step", each as f64),
        ],
    })
}

fn no_no_grad(program: &RunFacts<'_>) -> Option<Finding> {
    let passes = program.sum(|it| it.unused_passes);
    let line = line_of(program, 1, |it| it.unused_passes)?;
    if passes < PASSES || program.sum(|it| it.backward) == 0 {
        return None;
    }
    Some(Finding {
        id: NO_NO_GRAD,
        sentence: format!(
            "{passes} results are read whose graphs for backward are never used: their activations take memory as long as they live"
        ),
        place: program.place(line.line),
        try_first: "`with torch.no_grad():` around the validation",
        page: Page::VALIDATION,
        saved_ns: 0,
        evidence: vec![Evidence::new("passes", passes as f64)],
    })
}

fn emptied(program: &RunFacts<'_>) -> Option<Finding> {
    let line = line_of(program, 1, |it| it.emptied)?;
    let steps = program.facts.steps.count;
    // Once in an epoch is no loop over batches.
    let is_in_loop = if program.has_steps() {
        line.emptied.saturating_mul(4) >= steps.saturating_mul(3)
    } else {
        program.is_in_loop(line.emptied)
    };
    if !is_in_loop {
        return None;
    }
    let host_ns = program
        .line_time(line.line)
        .map_or(0, LineTime::uninterrupted_ns);
    let cost_ns = program.per_step(host_ns);
    Some(Finding {
        id: "empty-cache-in-loop",
        sentence: format!(
            "{} `empty_cache()` gives memory back to the card, which the next step has to take again: the call takes {}",
            program.scale.scope(),
            program.scale.of_step(cost_ns)
        ),
        place: program.place(line.line),
        try_first: "leave it out: the allocator uses what it keeps for the next tensors",
        page: Page::DELETE,
        saved_ns: cost_ns,
        evidence: vec![
            Evidence::new("calls", line.emptied as f64),
            Evidence::ns("call_ns_per_step", cost_ns),
        ],
    })
}
