//! The timeline of a trace: a row for each lane, an axis, and why devices were idle.

use ratatui::text::Line;

use crate::page;
use crate::session::ReadTrace;
use crate::theme::{Letters, Role, Theme};
use warpup_course::wrap;
use warpup_kineto::Trace;
use warpup_kineto::timeline::{self, RowContent, TimelineCell, TimelineRow};
use warpup_lab::text::cut_line;
use warpup_lab::timeline::Window;
use warpup_lab::units::{count, duration};

/// Columns of a lane's time.
const TIMES: usize = 9;

/// Gaps that are named below the timeline.
const GAPS: usize = 8;

/// What is visible before a zoom: from the first step to the end of what it launched, or all of it.
pub(super) fn whole(read: &ReadTrace) -> Window {
    let at = |ns: i64| u64::try_from(ns).unwrap_or(0);
    let end = at(read.analysis.span_ns).max(1);
    let Some(first) = read
        .analysis
        .steps
        .first()
        .filter(|_| read.analysis.has_steps)
    else {
        return Window::whole(end);
    };
    let start_ns = at(first.start_ns);
    let end_ns = at(read.analysis.stepped_end_ns).clamp(start_ns + 1, end.max(start_ns + 1));
    Window { start_ns, end_ns }
}

/// The timeline, and why devices were idle.
pub(super) fn lines(
    read: &ReadTrace,
    window: Option<Window>,
    theme: Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = picture(read, window, theme, width);
    if read.trace.is_some() {
        lines.push(Line::default());
        lines.extend(idle(read, theme, width));
    }
    lines
}

/// A row for each lane, the axis, and what the signs mean.
pub(super) fn picture(
    read: &ReadTrace,
    window: Option<Window>,
    theme: Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let shown = window.unwrap_or_else(|| whole(read));
    let Some(trace) = &read.trace else {
        let said = "The timeline of this file is not kept: the files before it have too many events. Open it alone to see it.";
        return page::paragraph(said, theme.style(Role::Dim), width);
    };
    let names = names_of(trace).clamp(12, (width / 3).clamp(12, 48));
    let room = width.saturating_sub(names + TIMES + 1).max(1);
    let steps = if read.analysis.has_steps {
        read.analysis.steps.as_slice()
    } else {
        &[]
    };
    let rows = timeline::draw(trace, steps, shown, room);
    let mut lines: Vec<_> = rows.iter().map(|it| row(it, names, theme)).collect();
    let [start, mut end] = [shown.start_ns, shown.end_ns].map(duration);
    if start == end {
        // So close that both have the same digits.
        end = format!("+{}", duration(shown.end_ns - shown.start_ns));
    }
    let axis = format!("{:names$}{start:<room$}{end}", "");
    lines.push(theme.line(&axis, Role::Dim));
    let signs = [
        (TimelineCell::Busy, "busy"),
        (TimelineCell::Some, "partly"),
        (TimelineCell::Waiting, "waiting for the device"),
        (TimelineCell::Idle, "no operator"),
    ];
    let of_host = |cell| sign(cell, RowContent::Host, theme.letters);
    let legend = signs
        .iter()
        .map(|(cell, word)| format!("{} {word}", of_host(*cell)));
    let begins = format!("{} a step begins", step_begins(theme.letters));
    let begins = read.analysis.has_steps.then_some(begins);
    let legend: Vec<_> = legend.chain(begins).collect();
    lines.extend(page::paragraph(
        &legend.join("  "),
        theme.style(Role::Dim),
        width,
    ));
    lines
}

/// Columns of the longest name of a lane, and one between.
fn names_of(trace: &Trace) -> usize {
    let names = timeline::names(trace);
    names.iter().map(|it| wrap::width(it)).max().unwrap_or(0) + 1
}

fn row(row: &TimelineRow, names: usize, theme: Theme) -> Line<'static> {
    let role = match row.what {
        RowContent::Host => Role::Host,
        RowContent::Kernels => Role::Device,
        RowContent::Copies => Role::Copy,
        RowContent::Steps => Role::Dim,
    };
    let cells: String = row
        .cells
        .iter()
        .map(|it| sign(*it, row.what, theme.letters))
        .collect();
    let time = match row.what {
        RowContent::Steps => String::new(),
        RowContent::Host | RowContent::Kernels | RowContent::Copies => duration(row.busy_ns),
    };
    let name = cut_line(&row.name, names - 1);
    Line::from(vec![
        theme.span(&format!("{name:<names$}"), Role::Text),
        theme.span(&cells, role),
        theme.span(&format!(" {time:>TIMES$}"), Role::Dim),
    ])
}

/// Why devices were idle in the steps.
fn idle(read: &ReadTrace, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let gaps = &read.analysis.gaps.by_cause;
    if gaps.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![theme.line(
        &format!("Why the device was idle{}", read.analysis.scope()),
        Role::Heading,
    )];
    for it in gaps.iter().take(GAPS) {
        let time = duration(u64::try_from(it.ns).unwrap_or(0));
        let place = it.line.as_ref().or(it.operator.as_ref());
        let place = place.map_or_else(String::new, |place| format!(", at {place}"));
        let said = format!(
            "{time:>9} in {}: {}{place}",
            count(usize::try_from(it.count).unwrap_or(0), "gap", "gaps"),
            it.cause.words()
        );
        lines.extend(page::coded(&said, theme.style(Role::Text), width, theme));
        if let Some(function) = it.late_function.as_ref().filter(|of| of.ns * 4 >= it.ns) {
            let time = duration(u64::try_from(function.ns).unwrap_or(0));
            let said = format!("          {time} of it in {}", function.name);
            lines.extend(page::paragraph(&said, theme.style(Role::Dim), width));
        }
    }
    lines
}

fn sign(cell: TimelineCell, of: RowContent, letters: Letters) -> char {
    if of == RowContent::Steps {
        return match (cell, letters) {
            (TimelineCell::Waiting, _) => step_begins(letters),
            (TimelineCell::Idle, _) => ' ',
            (TimelineCell::Busy | TimelineCell::Some, Letters::Unicode) => '─',
            (TimelineCell::Busy | TimelineCell::Some, Letters::Ascii) => '-',
        };
    }
    match (cell, letters) {
        (TimelineCell::Busy, Letters::Unicode) => '█',
        (TimelineCell::Some, Letters::Unicode) => '▒',
        (TimelineCell::Waiting, Letters::Unicode) => '░',
        (TimelineCell::Idle, Letters::Unicode) => '·',
        (TimelineCell::Busy, Letters::Ascii) => '#',
        (TimelineCell::Some, Letters::Ascii) => '=',
        (TimelineCell::Waiting, Letters::Ascii) => '~',
        (TimelineCell::Idle, Letters::Ascii) => '.',
    }
}

/// The sign of a column in which a step begins.
fn step_begins(letters: Letters) -> char {
    match letters {
        Letters::Unicode => '├',
        Letters::Ascii => '|',
    }
}
