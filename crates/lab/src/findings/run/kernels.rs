//! Work in the wrong place or in the wrong form: on the CPU, in `float64`, in odd sizes, in another order.

use super::run_facts::RunFacts;
use crate::findings::finding::{Evidence, Finding};
use crate::findings::page::Page;
use crate::findings::scale::counted;
use crate::units::bytes;

pub(super) const ON_HOST: &str = "work-on-cpu";

/// From this share of a step on, in percent.
const PERCENT: i64 = 5;

/// From this share of the kernels' time on, in percent, `float64` is more than one number.
const DOUBLE_PERCENT: u64 = 5;

/// From this share of a step on, in percent, work on the CPU is more than what a batch needs, if it makes the card idle.
const IDLE_PERCENT: i64 = 25;

/// From this share of the kernels' time on, in percent, products that tensor cores cannot take as they are.
const ODD_PERCENT: u64 = 10;

/// All of them.
pub(super) fn findings(program: &RunFacts<'_>) -> Vec<Finding> {
    let found = [
        on_host(program),
        double(program),
        odd_products(program),
        reorders(program),
    ];
    found.into_iter().flatten().collect()
}

/// Operations of the program on the CPU: those with a gradient, or else those for which the card is idle.
fn on_host(program: &RunFacts<'_>) -> Option<Finding> {
    let has_nodes = program.is_in_loop(program.sum(|it| it.host_nodes));
    let lines = program
        .facts
        .lines
        .iter()
        .filter(|it| it.host_operations > 0);
    let lines =
        lines.filter(|it| has_nodes || program.is_line_in_loop(it.line, it.host_operations));
    let lines: Vec<_> = lines.collect();
    let longest = lines
        .iter()
        .max_by_key(|it| (it.host_nodes > 0, it.host_operation_ns))?;
    let cost_ns = program.per_step(lines.iter().map(|it| it.host_operation_ns).sum());
    let idle_ns = program.idle_in_loop_ns(|line| lines.iter().any(|it| it.line == line));
    let idle_ns = program.per_step(idle_ns);
    let (ns, percent) = if has_nodes {
        (cost_ns, PERCENT)
    } else {
        (cost_ns.min(idle_ns), IDLE_PERCENT)
    };
    let (why, try_first) = if has_nodes {
        (
            "in operations with a gradient, while the card is there for them",
            "move this part of the model, or the labels, to the card, and compute there",
        )
    } else {
        (
            "and the card is idle meanwhile",
            "compute it on the card, or in the data set of a `DataLoader` with workers, which compute beside the loop",
        )
    };
    let operations = lines.iter().map(|it| it.host_operations).sum();
    program.scale.is_much(ns, percent).then(|| Finding {
        id: ON_HOST,
        sentence: format!(
            "{} the CPU computes {}, {why}",
            program.scale.scope(),
            program.scale.of_step(ns)
        ),
        place: program.place(longest.line),
        try_first,
        page: Page::SILENT_COPIES,
        saved_ns: ns,
        evidence: vec![
            Evidence::ns("host_ns_per_step", cost_ns),
            Evidence::ns("device_idle_ns_per_step", idle_ns),
            Evidence::new("operations_per_step", program.scale.count(operations)),
        ],
    })
}

fn double(program: &RunFacts<'_>) -> Option<Finding> {
    let steps = program.facts.lines.iter().map(|it| it.double_steps).max()?;
    let (ns, all_ns) = (
        program.sum(|it| it.double_ns),
        program.sum(|it| it.kernel_ns),
    );
    let share = ns.saturating_mul(100) / all_ns.max(1);
    if !program.has_steps() || !program.is_in_loop(steps) || share < DOUBLE_PERCENT {
        return None;
    }
    let kernels = program.scale.count(program.sum(|it| it.double_kernels));
    let line = program.most(|it| it.double_ns)?;
    Some(Finding {
        id: "float64",
        sentence: format!(
            "{} {} in `float64`, {share} % of the time of all kernels: twice the bytes, and on most cards a small part of the rate",
            program.scale.scope(),
            counted(kernels, "kernel computes", "kernels compute")
        ),
        place: program.place(line),
        try_first: "make the tensor `float32` where it comes from: `torch.from_numpy(array).float()`, and no `.double()`",
        page: Page::WHICH_TYPE,
        // With half of the bytes.
        saved_ns: program.per_step(ns / 2),
        evidence: vec![
            Evidence::ns("device_ns_per_step", program.per_step(ns)),
            Evidence::new("kernels_per_step", kernels),
        ],
    })
}

fn odd_products(program: &RunFacts<'_>) -> Option<Finding> {
    let products = program.sum(|it| it.odd_products);
    let ns = program.sum(|it| it.odd_product_ns);
    let all_ns = program.sum(|it| it.kernel_ns);
    let cost_ns = program.per_step(ns);
    let is_much = ns.saturating_mul(100) >= all_ns.saturating_mul(ODD_PERCENT)
        && program.scale.is_much(cost_ns, PERCENT);
    if !program.is_in_loop(products) || !is_much {
        return None;
    }
    let line = program.most(|it| it.odd_product_ns)?;
    let facts = program.facts.lines.iter().find(|it| it.line == line);
    let [rows, columns, inner] = facts.and_then(|it| it.odd_product)?;
    Some(Finding {
        id: "tensor-core-sizes",
        sentence: format!(
            "{} products in 16 bits take {}, with sizes that are no multiple of 8, such as {rows} × {inner} by {inner} × {columns}: tensor cores read them in small pieces",
            program.scale.scope(),
            program.scale.of_step(cost_ns)
        ),
        place: program.place(line),
        try_first: "round sizes up to a multiple of 8, better 64: a vocabulary of 50257 to 50304",
        page: Page::TILES,
        saved_ns: cost_ns / 2,
        evidence: vec![
            Evidence::ns("device_ns_per_step", cost_ns),
            Evidence::new("products_per_step", program.scale.count(products)),
        ],
    })
}

fn reorders(program: &RunFacts<'_>) -> Option<Finding> {
    let lines = program.facts.lines.iter();
    let lines: Vec<_> = lines.filter(|it| program.is_in_loop(it.reorders)).collect();
    let longest = lines.iter().max_by_key(|it| it.reorder_ns)?;
    let cost_ns = program.per_step(lines.iter().map(|it| it.reorder_ns).sum());
    let count: u64 = lines.iter().map(|it| it.reorders).sum();
    let moved: u64 = lines.iter().map(|it| it.reorder_bytes).sum();
    program.scale.is_much(cost_ns, PERCENT).then(|| Finding {
        id: "non-contiguous",
        sentence: format!(
            "{} {} of data in another order ({} each) take {}",
            program.scale.scope_of(program.scale.count(count)),
            counted(program.scale.count(count), "copy", "copies"),
            bytes(moved / count.max(1)),
            program.scale.of_step(cost_ns)
        ),
        place: program.place(longest.line),
        try_first: "put the data into this order once, before the loop",
        page: Page::FUSION,
        saved_ns: cost_ns,
        evidence: vec![
            Evidence::ns("device_ns_per_step", cost_ns),
            Evidence::new("copies_per_step", program.scale.count(count)),
        ],
    })
}
