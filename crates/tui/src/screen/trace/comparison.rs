//! Several traces: what a change changed, or what each rank of a run did.

use ratatui::text::Line;

use super::tables::{Table, drawn, time};
use crate::page;
use crate::session::{ReadTraces, TraceRelation};
use crate::theme::{Role, Theme};
use warpup_kineto::{Comparison, Difference, Rank, Unit};

pub(super) fn lines(read: &ReadTraces, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let tables = match &read.together {
        TraceRelation::Alone => Vec::new(),
        TraceRelation::Compared(changed) => compared(changed),
        TraceRelation::Ranks(ranks) => vec![of_ranks(ranks)],
    };
    let mut lines = Vec::new();
    for it in tables.iter().filter(|it| !it.rows.is_empty()) {
        lines.extend(drawn(it, theme, width));
    }
    if let TraceRelation::Ranks(ranks) = &read.together {
        for said in Rank::remarks(ranks) {
            lines.extend(page::paragraph(&said, theme.style(Role::Dim), width));
        }
    }
    lines
}

fn compared(changed: &Comparison) -> Vec<Table> {
    let head = ["before", "after", "ratio"];
    let of_step = changed.of_step().into_iter();
    let of_step = of_step.map(|(name, change, unit)| (name.to_owned(), cells(change, unit)));
    let operators = changed.changed_operators();
    let operators =
        operators.map(|(name, side, of)| (format!("{name}, {side}"), cells(of, Unit::Time)));
    let lines = changed.changed_lines();
    let lines = lines.map(|(name, side, of)| (format!("{name}, {side}"), cells(of, Unit::Time)));
    let findings = changed.findings.iter();
    let findings = findings.map(|it| (it.id.to_owned(), it.written().to_vec()));
    vec![
        Table::new("In a step", &head, of_step.collect()),
        Table::new(
            "Found, and what a step could save",
            &["before", "after"],
            findings.collect(),
        ),
        Table::new("Lines that changed most", &head, lines.collect()),
        Table::new("Operators that changed most", &head, operators.collect()),
    ]
}

fn cells(change: Difference, unit: Unit) -> Vec<String> {
    let ratio = change.ratio();
    vec![
        unit.written(change.before),
        unit.written(change.after),
        ratio.map_or(String::new(), |it| format!("{it:.2}")),
    ]
}

fn of_ranks(ranks: &[Rank]) -> Table {
    let mut head = vec!["step", "busy", "idle", "exchange", "alone"];
    // Only ranks with the same exchanges wait for each other.
    let are_compared = ranks.iter().any(|it| it.waits_for_others_ns.is_some());
    if are_compared {
        head.push("waits");
    }
    let rows = ranks.iter().map(|it| {
        let number = it.rank.map_or_else(|| "?".to_owned(), |it| it.to_string());
        let figures = [
            it.step_ns,
            it.device_busy_ns,
            it.device_idle_ns,
            it.communication_ns,
            it.communication_alone_ns,
            it.waits_for_others_ns.unwrap_or(0),
        ];
        let figures = figures.into_iter().take(head.len()).map(time);
        (format!("{number}  {}", it.file), figures.collect())
    });
    Table::new("Ranks", &head, rows.collect())
}
