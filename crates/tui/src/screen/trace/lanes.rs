//! The timeline of a trace: a row for each lane, an axis, and why devices were idle.

use ratatui::text::Line;

use crate::keymap::Sideways;
use crate::page;
use crate::screen::lane_signs;
use crate::session::ReadTrace;
use crate::theme::{Letters, Role, Theme};
use warpup_course::wrap;
use warpup_kineto::timeline::{self, RowContent, TimelineRow};
use warpup_kineto::{TimelinePoint, Trace};
use warpup_lab::text::cut_line;
use warpup_lab::timeline::{LaneCell, Window};
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
    /// The visible part; without one, all of the steps are visible.
    pub(super) window: Option<Window>,
    /// The moment at which the cursor is.
    pub(super) cursor_ns: Option<u64>,
}

/// What the rows of a timeline are drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TimelineKey {
    /// The number of the file, and of its events.
    of: (usize, u64),
    window: Option<Window>,
    width: usize,
    theme: Theme,
}

/// The timeline as it was drawn last. All events are looked at to draw its rows, so they are kept as long as they are the same.
#[derive(Debug, Default)]
pub(super) struct DrawnTimeline {
    key: Option<TimelineKey>,
    cursor_ns: Option<u64>,
    /// A row for each lane.
    rows: Vec<Line<'static>>,
    /// The rows, the cursor, the axis, what the signs mean, and what is at the cursor.
    pub(super) lines: Vec<Line<'static>>,
    /// The rows for them: no fewer than before, so that a cursor that moves moves nothing else.
    pub(super) height: usize,
    /// Columns of the names, and of the time.
    columns: (usize, usize),
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
            window: part.window,
            width,
            theme,
        };
        let are_drawn = self.key == Some(key);
        let is_same_size = self
            .key
            .is_some_and(|it| (it.of, it.width) == (key.of, key.width));
        if are_drawn && self.cursor_ns == part.cursor_ns {
            return;
        }
        (self.key, self.cursor_ns) = (Some(key), part.cursor_ns);
        let Some(trace) = &read.trace else {
            let said = "The timeline of this file is not kept: the files before it have too many events. Open it alone to see it.";
            self.lines = page::paragraph(said, theme.style(Role::Dim), width);
            self.height = self.lines.len();
            return;
        };
        let shown = part.window.unwrap_or_else(|| whole(read));
        if !are_drawn {
            let names = names_of(trace).clamp(12, (width / 3).clamp(12, 48));
            self.columns = (names, width.saturating_sub(names + TIMES + 1).max(1));
            let steps = read.analysis.steps.as_slice();
            let steps = if read.analysis.has_steps { steps } else { &[] };
            let rows = timeline::draw(trace, steps, shown, self.columns.1);
            self.rows = rows.iter().map(|it| row(it, names, theme)).collect();
        }
        self.lines.clone_from(&self.rows);
        self.lines.extend(self.cursor(shown, theme));
        self.lines.push(self.axis(shown, theme));
        let legend = page::paragraph(&legend(read, theme), theme.style(Role::Dim), width);
        self.lines.extend(legend);
        if let Some(at) = part.cursor_ns {
            let at = i64::try_from(at).unwrap_or(i64::MAX);
            for it in TimelinePoint::of(trace, &read.analysis, at).sentences() {
                self.lines
                    .extend(page::coded(&it, theme.style(Role::Text), width, theme));
            }
        }
        let keeps = part.cursor_ns.is_some() && is_same_size;
        let least = if keeps { self.height } else { 0 };
        self.height = self.lines.len().max(least);
    }

    /// The row with the cursor, if it is in sight.
    fn cursor(&self, shown: Window, theme: Theme) -> Option<Line<'static>> {
        let (names, columns) = self.columns;
        let is_visible = |at: &u64| (shown.start_ns..shown.end_ns).contains(at);
        let at = self.cursor_ns.filter(is_visible)?;
        let column = shown.ns().div_ceil(columns.max(1) as u64).max(1);
        let before = names + usize::try_from((at - shown.start_ns) / column).unwrap_or(0);
        let sign = match theme.letters {
            Letters::Unicode => '▲',
            Letters::Ascii => '^',
        };
        Some(theme.line(&format!("{:before$}{sign}", ""), Role::Key))
    }

    fn axis(&self, shown: Window, theme: Theme) -> Line<'static> {
        let (names, columns) = self.columns;
        let [start, mut end] = [shown.start_ns, shown.end_ns].map(duration);
        if start == end {
            // So close that both have the same digits.
            end = format!("+{}", duration(shown.end_ns - shown.start_ns));
        }
        let axis = format!("{:names$}{start:<columns$}{end}", "");
        theme.line(&axis, Role::Dim)
    }

    /// The moment one column from the cursor; where the cursor is not in sight, the middle of what is visible.
    pub(super) fn moment(&self, read: &ReadTrace, part: TimelinePart, to: Sideways) -> u64 {
        let shown = part.window.unwrap_or_else(|| whole(read));
        let column = shown.ns().div_ceil(self.columns.1.max(1) as u64).max(1);
        let last = shown.end_ns.saturating_sub(1);
        let is_visible = |at: &u64| (shown.start_ns..=last).contains(at);
        match (part.cursor_ns.filter(is_visible), to) {
            (None, _) => {
                let middle = self.columns.1 as u64 / 2;
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

/// What the signs mean.
fn legend(read: &ReadTrace, theme: Theme) -> String {
    let letters = theme.letters;
    let [waiting, idle] =
        [LaneCell::Waiting, LaneCell::Idle].map(|it| lane_signs::sign(it, letters));
    let busy = lane_signs::busy(letters);
    let legend = format!("{busy} busy  {waiting} waiting for the device  {idle} no operator");
    if read.analysis.has_steps {
        let begins = lane_signs::sign(LaneCell::StepBegin, letters);
        format!("{legend}  {begins} a step begins")
    } else {
        legend
    }
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
        .map(|it| lane_signs::sign(*it, theme.letters))
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
