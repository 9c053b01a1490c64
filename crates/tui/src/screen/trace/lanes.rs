//! The timeline of a trace: a row for each lane, an axis, and why devices were idle.

use ratatui::text::Line;

use crate::keymap::Sideways;
use crate::page;
use crate::session::ReadTrace;
use crate::theme::{Letters, Role, Theme};
use warpup_course::wrap;
use warpup_kineto::timeline::{self, RowContent, TimelineCell, TimelineRow};
use warpup_kineto::{TimelinePoint, Trace};
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

/// What of the timeline is visible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TimelinePart {
    /// The visible part; all of the steps if there is none.
    pub(super) window: Option<Window>,
    /// The moment at which the cursor is.
    pub(super) cursor_ns: Option<u64>,
}

/// What a timeline is drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TimelineKey {
    /// The number of the file, and of its events.
    of: (usize, u64),
    part: TimelinePart,
    width: usize,
    theme: Theme,
}

/// The timeline as it was drawn last. All events are looked at to draw it, so it is kept as long as it is the same.
#[derive(Debug, Default)]
pub(super) struct DrawnTimeline {
    key: Option<TimelineKey>,
    /// A row for each lane, the axis, what the signs mean, and what is at the cursor.
    pub(super) lines: Vec<Line<'static>>,
    /// Columns of its time.
    columns: usize,
}

impl DrawnTimeline {
    /// Draws it, unless it is drawn.
    pub(super) fn draw(
        &mut self,
        (file, read): (usize, &ReadTrace),
        part: TimelinePart,
        theme: Theme,
        width: usize,
    ) {
        let key = TimelineKey {
            of: (file, read.analysis.events),
            part,
            width,
            theme,
        };
        if self.key == Some(key) {
            return;
        }
        self.key = Some(key);
        let Some(trace) = &read.trace else {
            let said = "The timeline of this file is not kept: the files before it have too many events. Open it alone to see it.";
            self.lines = page::paragraph(said, theme.style(Role::Dim), width);
            return;
        };
        let names = names_of(trace).clamp(12, (width / 3).clamp(12, 48));
        self.columns = width.saturating_sub(names + TIMES + 1).max(1);
        self.lines = picture(trace, read, part, (names, self.columns), theme);
        self.lines.extend(page::paragraph(
            &legend(read, theme),
            theme.style(Role::Dim),
            width,
        ));
        if let Some(at) = part.cursor_ns {
            let at = i64::try_from(at).unwrap_or(i64::MAX);
            for it in TimelinePoint::of(trace, &read.analysis, at).sentences() {
                self.lines
                    .extend(page::coded(&it, theme.style(Role::Text), width, theme));
            }
        }
    }

    /// The moment one column from the cursor; the middle where there is none in sight.
    pub(super) fn moment(&self, read: &ReadTrace, part: TimelinePart, to: Sideways) -> u64 {
        let shown = part.window.unwrap_or_else(|| whole(read));
        let column = shown.ns().div_ceil(self.columns.max(1) as u64).max(1);
        let last = shown.end_ns.saturating_sub(1);
        let is_visible = |at: &u64| (shown.start_ns..=last).contains(at);
        match (part.cursor_ns.filter(is_visible), to) {
            (None, _) => {
                let middle = self.columns as u64 / 2;
                (shown.start_ns + middle * column + column / 2).min(last)
            }
            (Some(at), Sideways::Left) => at.saturating_sub(column).max(shown.start_ns),
            (Some(at), Sideways::Right) => at.saturating_add(column).min(last),
        }
    }
}

/// The timeline, and why devices were idle.
pub(super) fn lines(
    read: &ReadTrace,
    picture: &[Line<'static>],
    theme: Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = picture.to_vec();
    if read.trace.is_some() {
        lines.push(Line::default());
        lines.extend(idle(read, theme, width));
    }
    lines
}

/// A row for each lane, the cursor, and the axis.
fn picture(
    trace: &Trace,
    read: &ReadTrace,
    part: TimelinePart,
    (names, room): (usize, usize),
    theme: Theme,
) -> Vec<Line<'static>> {
    let shown = part.window.unwrap_or_else(|| whole(read));
    let steps = if read.analysis.has_steps {
        read.analysis.steps.as_slice()
    } else {
        &[]
    };
    let rows = timeline::draw(trace, steps, shown, room);
    let mut lines: Vec<_> = rows.iter().map(|it| row(it, names, theme)).collect();
    let is_visible = |at: &u64| (shown.start_ns..shown.end_ns).contains(at);
    if let Some(at) = part.cursor_ns.filter(is_visible) {
        let column = shown.ns().div_ceil(room.max(1) as u64).max(1);
        let column = usize::try_from((at - shown.start_ns) / column).unwrap_or(0);
        let sign = match theme.letters {
            Letters::Unicode => '▲',
            Letters::Ascii => '^',
        };
        let column = names + column;
        lines.push(theme.line(&format!("{:column$}{sign}", ""), Role::Key));
    }
    let [start, mut end] = [shown.start_ns, shown.end_ns].map(duration);
    if start == end {
        // So close that both have the same digits.
        end = format!("+{}", duration(shown.end_ns - shown.start_ns));
    }
    let axis = format!("{:names$}{start:<room$}{end}", "");
    lines.push(theme.line(&axis, Role::Dim));
    lines
}

/// What the signs mean.
fn legend(read: &ReadTrace, theme: Theme) -> String {
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
    legend.join("  ")
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
