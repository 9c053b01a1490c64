//! The tables of a trace: steps, operators, kernels, lines and memory, as far as it has them.

use ratatui::text::Line;

use crate::course::wrap;
use crate::kineto::analysis::Analysis;
use crate::lab::text::cut_line;
use crate::lab::units::{bytes, duration};
use crate::tui::theme::{Role, Theme};

/// Rows of each table.
const ROWS: usize = 15;

/// Columns of a name.
const NAME: usize = 36;

pub(super) fn lines(analysis: &Analysis, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let mut tables = Vec::new();
    if analysis.has_steps {
        let rows = analysis.steps.iter().map(|it| {
            let figures = [
                time(it.duration_ns),
                time(it.device_ns),
                time(it.device_idle_ns),
                it.kernels.to_string(),
            ];
            (it.name.clone(), figures.to_vec())
        });
        tables.push(Table::new(
            "Steps",
            &["time", "device busy", "idle", "kernels"],
            rows.collect(),
        ));
    }
    let operators = analysis.operators.iter().map(|it| {
        let figures = [
            it.count.to_string(),
            time(it.self_ns),
            time(it.total_ns),
            time(it.device_ns),
        ];
        (it.name.clone(), figures.to_vec())
    });
    tables.push(Table::new(
        "Operators",
        &["calls", "host, own", "host", "device"],
        operators.collect(),
    ));
    let kernels = analysis.kernels.iter().map(|it| {
        let mean = it.total_ns / i64::try_from(it.count.max(1)).unwrap_or(1);
        let figures = [it.count.to_string(), time(it.total_ns), time(mean)];
        (it.name.clone(), figures.to_vec())
    });
    tables.push(Table::new(
        "Kernels and copies",
        &["count", "all", "mean"],
        kernels.collect(),
    ));
    let of_lines = analysis.lines.iter().map(|it| {
        let figures = [time(it.host_ns), time(it.wait_ns), time(it.device_ns)];
        (it.line.clone(), figures.to_vec())
    });
    tables.push(Table::new(
        "Lines of Python",
        &["host", "waiting", "device"],
        of_lines.collect(),
    ));
    let memory = analysis.memory.iter().map(|it| {
        let figures = [bytes(it.peak_bytes), bytes(it.reserved_bytes)];
        (it.device.clone(), figures.to_vec())
    });
    tables.push(Table::new(
        "Memory",
        &["peak", "reserved"],
        memory.collect(),
    ));
    let mut lines = Vec::new();
    for it in tables.into_iter().filter(|it| !it.rows.is_empty()) {
        lines.extend(drawn(&it, theme, width));
    }
    lines
}

/// A table: names at the left, figures in columns.
pub(super) struct Table {
    title: &'static str,
    head: Vec<&'static str>,
    pub(super) rows: Vec<(String, Vec<String>)>,
}

impl Table {
    /// A table with these rows.
    pub(super) fn new(
        title: &'static str,
        head: &[&'static str],
        rows: Vec<(String, Vec<String>)>,
    ) -> Self {
        Self {
            title,
            head: head.to_vec(),
            rows,
        }
    }
}

/// Times are right-aligned; a name has the room that is left.
pub(super) fn drawn(table: &Table, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let column = 12;
    let name = width
        .saturating_sub(column * table.head.len())
        .clamp(NAME / 3, NAME * 2);
    let cells = |cells: Vec<String>| {
        let cells = cells.into_iter().map(|it| format!("{it:>column$}"));
        cells.collect::<String>()
    };
    let head = table.head.iter().map(|it| (*it).to_owned()).collect();
    let mut lines = vec![theme.line(
        &format!("{:<name$}{}", table.title, cells(head)),
        Role::Heading,
    )];
    for (of, figures) in table.rows.iter().take(ROWS) {
        let of = cut_line(of, name - 1);
        let pad = name - wrap::width(&of);
        lines.push(theme.line(
            &format!("{of}{}{}", " ".repeat(pad), cells(figures.clone())),
            Role::Text,
        ));
    }
    let more = table.rows.len().saturating_sub(ROWS);
    if more > 0 {
        lines.push(theme.line(&format!("… and {more} more, in `--json`"), Role::Dim));
    }
    lines.push(Line::default());
    lines
}

pub(super) fn time(ns: i64) -> String {
    duration(u64::try_from(ns).unwrap_or(0))
}
