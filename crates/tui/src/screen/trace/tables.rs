//! The tables of a trace: steps, operators, kernels, lines and memory, as far as it has them.

use ratatui::text::Line;

use crate::theme::{Role, Theme};
use warpup_course::wrap;
use warpup_kineto::analysis::{Analysis, Exchange};
use warpup_lab::text::cut_path;
use warpup_lab::units::{self, bytes, duration};

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
        let figures = [
            it.count.to_string(),
            time(it.own_ns),
            time(it.wait_ns),
            time(it.device_ns),
        ];
        (it.line.clone(), figures.to_vec())
    });
    tables.push(Table::new(
        "Lines of Python",
        &["calls", "host", "waited", "device"],
        of_lines.collect(),
    ));
    tables.push(waits(analysis));
    tables.push(copies(analysis));
    tables.extend(analysis.exchange.as_ref().map(exchange));
    tables.push(streams(analysis));
    tables.push(rates(analysis));
    tables.extend(memory(analysis));
    let mut lines = Vec::new();
    for it in tables.into_iter().filter(|it| !it.rows.is_empty()) {
        lines.extend(drawn(&it, theme, width));
    }
    lines
}

/// Memory of each device, and what was alive at its peak.
fn memory(analysis: &Analysis) -> [Table; 2] {
    let memory = analysis.memory.iter().map(|it| {
        let figures = [size(it.peak_bytes), size(it.reserved_bytes)];
        (format!("{}, {}", it.device, it.tensors()), figures.to_vec())
    });
    let memory = Table::new("Memory", &["peak", "reserved"], memory.collect());
    let alive = analysis.memory.iter().flat_map(|memory| {
        let rows = memory.alive_at_peak.iter();
        rows.map(|it| {
            let place = it.place.as_deref().unwrap_or("from before, or unknown");
            let figures = [size(it.bytes), it.tensors.to_string()];
            (format!("{}: {place}", memory.device), figures.to_vec())
        })
    });
    let alive = Table::new("Alive at the peak", &["bytes", "tensors"], alive.collect());
    [memory, alive]
}

fn waits(analysis: &Analysis) -> Table {
    let rows = analysis.waits.iter().map(|it| {
        let place = it
            .line
            .as_ref()
            .or(it.operator.as_ref())
            .unwrap_or(&it.call);
        let figures = [it.count.to_string(), time(it.host_ns)];
        (format!("{} ({place})", it.reason.words()), figures.to_vec())
    });
    Table::new("Waits of the host", &["times", "waited"], rows.collect())
}

fn copies(analysis: &Analysis) -> Table {
    let rows = analysis.copies.iter().map(|it| {
        let rate = it.bytes_per_second;
        let figures = [
            it.count.to_string(),
            size(it.bytes),
            time(it.device_ns),
            time(it.alone_ns),
            rate.map_or(String::new(), units::rate),
        ];
        (it.title(), figures.to_vec())
    });
    let head = ["count", "bytes", "time", "alone", "rate"];
    Table::new("Copies", &head, rows.collect())
}

fn exchange(exchange: &Exchange) -> Table {
    let rows = exchange.collectives.iter().map(|it| {
        let figures = [
            it.count.to_string(),
            size(it.bytes),
            time(it.ns),
            time(it.alone_ns),
            it.bus_bytes_per_second.map_or(String::new(), units::rate),
        ];
        (it.short_name().to_owned(), figures.to_vec())
    });
    let head = ["count", "bytes", "time", "alone", "sent"];
    Table::new("Exchange between ranks", &head, rows.collect())
}

fn streams(analysis: &Analysis) -> Table {
    let rows = analysis.streams.iter().map(|it| {
        let queues = &mut analysis.queues.iter();
        let queue = queues.find(|queue| (&queue.device, &queue.stream) == (&it.device, &it.stream));
        let figures = [
            it.work.to_string(),
            time(it.busy_ns),
            time(it.idle.host_wait_ns),
            queue.map_or(String::new(), |it| format!("{:.1}", it.mean_over_time)),
            queue.map_or(String::new(), |it| it.longest.to_string()),
        ];
        (format!("{} on {}", it.stream, it.device), figures.to_vec())
    });
    let head = ["work", "busy", "host late", "queued", "at most"];
    Table::new("Streams", &head, rows.collect())
}

fn rates(analysis: &Analysis) -> Table {
    let rows = analysis.rates.iter().map(|it| {
        let flops = it.flops_per_second;
        let figures = [
            it.count.to_string(),
            time(it.ns),
            flops.map_or(String::new(), |it| format!("{:.2} T", it / 1e12)),
            it.bytes_per_second.map_or(String::new(), units::rate),
        ];
        (format!("{} {}", it.operator, it.dims), figures.to_vec())
    });
    let head = ["calls", "time", "FLOP/s", "bytes/s"];
    Table::new("Operators with shapes", &head, rows.collect())
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

/// Figures are right-aligned; a name has the room that is left, or a line of its own where that is little.
pub(super) fn drawn(table: &Table, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let rows = table.rows.iter().take(ROWS);
    let columns: Vec<usize> = (0..table.head.len())
        .map(|at| {
            let figures = rows.clone().filter_map(|(_, it)| it.get(at));
            let figures = figures.map(|it| wrap::width(it)).max().unwrap_or(0);
            let head = table.head.get(at).map_or(0, |it| wrap::width(it));
            (figures.max(head) + 2).min(width / 2)
        })
        .collect();
    let figures: usize = columns.iter().sum();
    let is_beside = figures + NAME / 2 <= width;
    let name = if is_beside {
        (width - figures).min(NAME * 2)
    } else {
        width.max(2)
    };
    let cells = |cells: &mut dyn Iterator<Item = &str>| {
        let cells = cells.zip(&columns);
        let cells = cells.map(|(it, column)| {
            format!("{}{it}", " ".repeat(column.saturating_sub(wrap::width(it))))
        });
        cells.collect::<String>()
    };
    let row = |of: &str, figures: String, role| {
        let of = cut_path(of, name - 1);
        if is_beside {
            let pad = name - wrap::width(&of);
            return vec![theme.line(&format!("{of}{}{figures}", " ".repeat(pad)), role)];
        }
        vec![theme.line(&of, role), theme.line(&figures, role)]
    };
    let mut head = table.head.iter().copied();
    let mut lines = row(table.title, cells(&mut head), Role::Heading);
    for (of, figures) in rows {
        let mut figures = figures.iter().map(String::as_str);
        lines.extend(row(of, cells(&mut figures), Role::Text));
    }
    let more = table.rows.len().saturating_sub(ROWS);
    if more > 0 {
        lines.push(theme.line(&format!("… and {more} more, in `--json`"), Role::Dim));
    }
    lines.push(Line::default());
    lines
}

/// A time, and nothing for none.
pub(super) fn time(ns: i64) -> String {
    match u64::try_from(ns).unwrap_or(0) {
        0 => String::new(),
        ns => duration(ns),
    }
}

fn size(of: u64) -> String {
    match of {
        0 => String::new(),
        of => bytes(of),
    }
}
