//! What a run used, on screen: its timeline, with a row for each lane, an axis, and what it means in words; and its memory,
//! whose rows [`warpup_lab::memory`] makes.

use ratatui::layout::Position;
use ratatui::text::Line;

use super::panes::NOTHING_YET;
use super::state::Lab;
use crate::page;
use crate::screen::lane_signs;
use crate::session::{Pane, Session};
use crate::theme::{Role, Theme};
use warpup_lab::first_use;
use warpup_lab::host_range;
use warpup_lab::host_work;
use warpup_lab::interruptions;
use warpup_lab::memory;
use warpup_lab::timeline::{self, LaneCell, LaneCells, Timeline, Window, Zoom};
use warpup_lab::units::{bytes, duration};
use warpup_lab::waits;
use warpup_protocol::{Clock, Lane, Memory, Report, Span};

/// Columns of a lane's name.
const NAMES: usize = 15;

/// A part of a lane's time below this fraction of it is not named.
const SMALL: u64 = 50;

/// Columns of the time that a lane was busy.
const BUSY: usize = 8;

impl Lab {
    pub(super) fn timeline(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let Some(ran) = &self.runs.last else {
            return vec![theme.line(NOTHING_YET, Role::Dim)];
        };
        let Some(report) = &ran.run.report else {
            return vec![theme.line("… drawn when the run has ended", Role::Dim)];
        };
        if ran.run.spans.is_empty() {
            let mut lines = vec![theme.line("the run recorded no work", Role::Dim)];
            let lost = interruptions::sentence(report);
            lines.extend(
                lost.iter()
                    .flat_map(|it| page::paragraph(it, theme.style(Role::Text), width)),
            );
            return lines;
        }
        let drawn = drawn_lanes(&ran.run.spans, self.window, width);
        let line = self.chosen_line();
        let mut lines = self.line_in_words(width, theme);
        lines.extend(
            drawn
                .lanes
                .iter()
                .flat_map(|it| lane(it, line, width, theme)),
        );
        let mut axis = String::new();
        for (column, label) in &drawn.ticks {
            axis = format!("{axis:<0$}{label}", NAMES + column);
        }
        lines.push(theme.line(&axis, Role::Dim));
        let clock = report.clock.label();
        let has_device = drawn.lanes.iter().any(|it| it.lane.is_device());
        let legend = [(LaneCell::Waiting, "waiting"), (LaneCell::Python, "Python")];
        let idle = has_device.then_some((LaneCell::Idle, "idle"));
        let legend = legend.into_iter().chain(idle);
        let legend =
            legend.map(|(cell, word)| format!("{} {word}", lane_signs::sign(cell, theme.letters)));
        let busy = format!("{} busy", lane_signs::busy(theme.letters));
        let legend: Vec<_> = std::iter::once(busy).chain(legend).collect();
        // The times beside the lanes are those of what is visible.
        let part = if self.window.is_some() {
            " · this part"
        } else {
            ""
        };
        let legend = format!("{}   {clock}{part}", legend.join("  "));
        lines.extend(page::paragraph(&legend, theme.style(Role::Dim), width));
        let first_use = first_use::sentence(report).map(|it| format!("not drawn: {it}"));
        let said = interruptions::sentence(report)
            .into_iter()
            .chain(first_use)
            .chain(host_range::sentence(report))
            .chain(waits::sentences(report))
            .chain(host_work::sentences(report))
            .chain(drawn.busiest);
        lines.extend(said.flat_map(|it| page::paragraph(&it, theme.style(Role::Text), width)));
        lines.extend(notes(report, width, theme));
        lines
    }

    /// The line of the program that the timeline marks: the chosen one, as long as the program is the one that ran.
    pub(super) fn chosen_line(&self) -> Option<u32> {
        self.is_current().then(|| self.editor.line())
    }

    /// What the chosen line took and waited for: first, since the lanes may leave no row for it.
    fn line_in_words(&self, width: u16, theme: Theme) -> Vec<Line<'static>> {
        let report = self
            .runs
            .last
            .as_ref()
            .and_then(|it| it.run.report.as_ref());
        let said = self
            .chosen_line()
            .zip(report)
            .map(|(line, report)| waits::of_line(report, line));
        said.map_or_else(Vec::new, |it| {
            page::clauses(&it, theme.style(Role::Key), width)
        })
    }

    /// The line of the program whose work is at a place of the timeline, counted from its top.
    pub(super) fn line_at(&self, place: Position, width: u16, theme: Theme) -> Option<u32> {
        let spans = &self.runs.last.as_ref()?.run.spans;
        let column = usize::from(place.x).checked_sub(NAMES)?;
        let line = self.chosen_line();
        let mut rows = drawn_lanes(spans, self.window, width)
            .lanes
            .into_iter()
            .flat_map(|it| {
                let rows = lane(&it, line, width, theme).len();
                std::iter::repeat_n(it, rows)
            });
        let row = usize::from(place.y);
        let row = row.checked_sub(self.line_in_words(width, theme).len())?;
        rows.nth(row)?.lines.line(column)
    }

    /// Whether a pane is visible below the chosen one.
    pub(super) fn is_beside(&self, pane: Pane) -> bool {
        self.others.iter().any(|it| it.pane == pane)
    }

    /// Shows another part of the run.
    pub(super) fn zoom(&mut self, zoom: Zoom) {
        let Some(ran) = &self.runs.last else { return };
        let total_ns = timeline::total_ns(&ran.run.spans);
        let whole = Window::whole(total_ns);
        let window = self.window.unwrap_or(whole).after(zoom, total_ns);
        self.window = Some(window).filter(|it| *it != whole);
    }

    /// Whether a zoom would change what is visible of the timeline.
    pub(super) fn can_zoom(&self, zoom: Zoom) -> bool {
        let spans = self.runs.last.as_ref().map(|it| it.run.spans.as_slice());
        let is_visible = self.pane == Pane::Timeline || self.is_beside(Pane::Timeline);
        let Some(spans) = spans.filter(|it| is_visible && !self.is_running() && !it.is_empty())
        else {
            return false;
        };
        let total_ns = timeline::total_ns(spans);
        let now = self.window.unwrap_or(Window::whole(total_ns));
        now.after(zoom, total_ns) != now
    }

    /// Why a zoom changes nothing.
    pub(super) fn why_no_zoom(&self, zoom: Zoom) -> &'static str {
        let has_spans = self
            .runs
            .last
            .as_ref()
            .is_some_and(|it| !it.run.spans.is_empty());
        if self.is_running() {
            return "The timeline zooms when the run has ended.";
        }
        if !has_spans {
            return "There is no timeline yet: run the lab first.";
        }
        if self.pane != Pane::Timeline && !self.is_beside(Pane::Timeline) {
            return "Open the timeline first.";
        }
        match zoom {
            Zoom::In => "The timeline cannot be zoomed in further.",
            Zoom::Out => "The whole timeline is visible.",
            Zoom::Earlier | Zoom::Later if self.window.is_none() => {
                "The whole timeline is visible."
            }
            Zoom::Earlier => "This is the start of the timeline.",
            Zoom::Later => "This is the end of the timeline.",
        }
    }

    /// The memory of the last run, if it held any.
    pub(super) fn held_memory(&self) -> Option<(&Memory, Clock)> {
        let report = self.runs.last.as_ref()?.run.report.as_ref()?;
        let held = report.memory.as_deref()?;
        (held.peak_live > 0).then_some((held, report.clock))
    }

    /// The peak in one line, by purpose, and the course of time.
    pub(super) fn memory_lines(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let Some((held, clock)) = self.held_memory() else {
            return Vec::new();
        };
        let width = usize::from(width);
        let said = format!("{}: {}", clock.label_of_counts(), memory::in_one_line(held));
        let mut lines = page::paragraph(&said, theme.style(Role::Text), width);
        lines.push(theme.line("at the peak", Role::Dim));
        let rows = memory::at_peak(held, width);
        lines.extend(rows.iter().map(|it| theme.line(it, Role::Device)));
        for said in memory::of_libraries(held) {
            lines.extend(page::paragraph(&said, theme.style(Role::Dim), width));
        }
        let spans = self.runs.last.as_ref().map_or(&[][..], |it| &it.run.spans);
        let rows = memory::over_time(held, spans, width);
        if !rows.is_empty() {
            lines.push(theme.line("in the course of the run", Role::Dim));
        }
        lines.extend(rows.iter().map(|it| theme.line(it, Role::Device)));
        lines
    }
}

/// The lanes of a run in a pane.
fn drawn_lanes(spans: &[Span], window: Option<Window>, width: u16) -> Timeline {
    let room = usize::from(width).saturating_sub(NAMES + BUSY);
    timeline::draw(spans, window, room)
}

/// One lane: the lines of the program, with the work of the chosen one marked, then name, cells, busy time; and below it how much
/// it waited, if it did.
fn lane(cells: &LaneCells, chosen: Option<u32>, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let role = match cells.lane {
        Lane::Host | Lane::Pinning | Lane::Worker(_) => Role::Host,
        Lane::Kernel => Role::Device,
        Lane::CopyToDevice | Lane::CopyToHost => Role::Copy,
    };
    let drawn: String = cells
        .cells
        .iter()
        .map(|it| lane_signs::sign(*it, theme.letters))
        .collect();
    let busy = duration(cells.busy_ns);
    let mut lines: Vec<Line<'static>> = lines_above(cells, chosen, theme).into_iter().collect();
    lines.push(Line::from(vec![
        theme.span(&format!("{:<NAMES$}", cells.lane.word()), role),
        theme.span(&drawn, role),
        theme.span(&format!("{busy:>8}"), Role::Dim),
    ]));
    // The parts of a lane's time add up to that of the program's lines.
    let others = [(cells.waited_ns, "waited"), (cells.python_ns, "Python")];
    let all_ns = cells.busy_ns + cells.waited_ns + cells.python_ns;
    let others = others.into_iter().filter(|(ns, _)| ns * SMALL > all_ns);
    let others: Vec<_> = others
        .map(|(ns, what)| format!("{what} {}", duration(ns)))
        .collect();
    if !others.is_empty() {
        let said = format!("busy {busy} · {}", others.join(" · "));
        let indent = if NAMES + said.chars().count() <= usize::from(width) {
            NAMES
        } else {
            0
        };
        lines.push(theme.line(&format!("{:indent$}{said}", ""), Role::Dim));
    }
    lines
}

/// The numbers of the lines above a lane; what the chosen line has of it is underlined.
fn lines_above(cells: &LaneCells, chosen: Option<u32>, theme: Theme) -> Option<Line<'static>> {
    let has = |column| chosen.is_some_and(|it| cells.lines.has(column, it));
    let mut row: Vec<(char, bool)> = (0..cells.cells.len())
        .map(|column| {
            if has(column) {
                ('▁', true)
            } else {
                (' ', false)
            }
        })
        .collect();
    for (column, line) in cells.lines.labels() {
        let is_chosen = chosen == Some(line);
        for (cell, digit) in row.iter_mut().skip(column).zip(line.to_string().chars()) {
            *cell = (digit, is_chosen);
        }
    }
    while row.last().is_some_and(|(letter, _)| *letter == ' ') {
        row.pop();
    }
    if row.is_empty() {
        return None;
    }
    let mut spans = vec![theme.span(&format!("{:<NAMES$}", "line"), Role::Dim)];
    spans.extend(row.chunk_by(|one, other| one.1 == other.1).map(|part| {
        let text: String = part.iter().map(|(letter, _)| letter).collect();
        let is_chosen = part.first().is_some_and(|it| it.1);
        theme.span(&text, if is_chosen { Role::Key } else { Role::Dim })
    }));
    Some(Line::from(spans))
}

/// Memory, and how many spans are not drawn.
fn notes(report: &Report, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let mut said = Vec::new();
    if let Some(held) = report.memory.as_ref().filter(|it| it.peak_live > 0) {
        let of = match held.capacity {
            0 => String::new(),
            capacity => format!(" of {}", bytes(capacity)),
        };
        let reserved = match held.peak_reserved {
            0 => String::new(),
            peak => format!(
                "; reserved: peak {}, {} at the end",
                bytes(peak),
                bytes(held.reserved)
            ),
        };
        said.push(format!(
            "memory: peak {}{of}, {} held at the end{reserved}",
            bytes(held.peak_live),
            bytes(held.live),
        ));
        said.extend(memory::of_allocator(held));
    }
    if report.spans_dropped > 0 {
        said.push(format!("{} more spans are not drawn", report.spans_dropped));
    }
    let dim = theme.style(Role::Dim);
    said.iter()
        .flat_map(|it| page::paragraph(it, dim, width))
        .collect()
}
