//! What a run used, on screen: its timeline, with a row for each lane, an axis, and what it means in words; and its memory,
//! whose rows [`warpup_lab::memory`] makes.

use ratatui::text::Line;

use super::panes::NOTHING_YET;
use super::state::Lab;
use crate::page;
use crate::session::{Pane, Session};
use crate::theme::{Letters, Role, Theme};
use warpup_lab::host_range;
use warpup_lab::host_work;
use warpup_lab::memory;
use warpup_lab::timeline::{self, LaneCell, LaneCells, Window, Zoom};
use warpup_lab::units::{bytes, duration};
use warpup_lab::waits;
use warpup_protocol::{Clock, Lane, Memory, Report};

/// Columns of a lane's name.
const NAMES: usize = 15;

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
            return vec![theme.line("the run recorded no work", Role::Dim)];
        }
        let busy = 8;
        let room = usize::from(width).saturating_sub(NAMES + busy);
        let drawn = timeline::draw(&ran.run.spans, self.window, room);
        let mut lines: Vec<_> = drawn
            .lanes
            .iter()
            .flat_map(|it| lane(it, width, theme))
            .collect();
        let mut axis = String::new();
        for (column, label) in &drawn.ticks {
            axis = format!("{axis:<0$}{label}", NAMES + column);
        }
        lines.push(theme.line(&axis, Role::Dim));
        let clock = report.clock.label();
        let has_device = drawn.lanes.iter().any(|it| it.lane.is_device());
        let idle = if has_device {
            "Python (host) or idle"
        } else {
            "Python between calls"
        };
        let legend = [
            (LaneCell::Busy, "busy"),
            (LaneCell::Some, "partly"),
            (LaneCell::Waiting, "waiting"),
            // The host is not idle where its lane is empty: Python itself runs, and no call of torch.
            (LaneCell::Idle, idle),
        ];
        let legend = legend.map(|(cell, word)| format!("{} {word}", sign(cell, theme.letters)));
        // The times beside the lanes are those of what is visible.
        let part = if self.window.is_some() {
            " · this part"
        } else {
            ""
        };
        let legend = format!("{}   {clock}{part}", legend.join("  "));
        lines.extend(page::paragraph(&legend, theme.style(Role::Dim), width));
        let found = ran.found.iter().map(|it| {
            let place = it.place.as_deref().unwrap_or("the program");
            let page = format!("{}#{}", it.page.lesson, it.page.page);
            format!("{place}: {}. Try: {} ({page})", it.sentence, it.try_first)
        });
        let first_use = waits::first_use(report).map(|it| format!("not drawn: {it}"));
        let said = found
            .chain(first_use)
            .chain(host_range::sentence(report))
            .chain(waits::sentences(report))
            .chain(host_work::sentences(report))
            .chain(drawn.busiest);
        lines.extend(said.flat_map(|it| page::paragraph(&it, theme.style(Role::Text), width)));
        lines.extend(notes(report, width, theme));
        lines
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
        let is_visible = self.pane == Pane::Timeline || !self.beside.is_empty();
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
        if self.pane != Pane::Timeline && self.beside.is_empty() {
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
        lines.push(theme.line("in the course of the run", Role::Dim));
        let rows = memory::over_time(held, width);
        lines.extend(rows.iter().map(|it| theme.line(it, Role::Device)));
        lines
    }
}

/// The sign of a cell. An ASCII terminal has four that differ, too.
fn sign(cell: LaneCell, letters: Letters) -> char {
    match (cell, letters) {
        (LaneCell::Busy, Letters::Unicode) => '█',
        (LaneCell::Some, Letters::Unicode) => '▒',
        (LaneCell::Waiting, Letters::Unicode) => '░',
        (LaneCell::Idle, Letters::Unicode) => '·',
        (LaneCell::Busy, Letters::Ascii) => '#',
        (LaneCell::Some, Letters::Ascii) => '+',
        (LaneCell::Waiting, Letters::Ascii) => 'w',
        (LaneCell::Idle, Letters::Ascii) => '.',
    }
}

/// One lane: the lines of the program, then name, cells, busy time; and below it how much it waited, if it did.
fn lane(cells: &LaneCells, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let role = match cells.lane {
        Lane::Host | Lane::Pinning | Lane::Worker(_) => Role::Host,
        Lane::Kernel => Role::Device,
        Lane::CopyToDevice | Lane::CopyToHost => Role::Copy,
    };
    let drawn: String = cells
        .cells
        .iter()
        .map(|it| sign(*it, theme.letters))
        .collect();
    let (busy, waited) = (duration(cells.busy_ns), duration(cells.waited_ns));
    let mut numbers = String::new();
    for (column, line) in &cells.lines {
        numbers = format!("{numbers:<0$}{line}", NAMES + column);
    }
    let mut lines: Vec<Line<'static>> = Vec::new();
    if !numbers.is_empty() {
        lines.push(theme.line(
            &format!("line{}", numbers.get(4..).unwrap_or_default()),
            Role::Dim,
        ));
    }
    lines.push(Line::from(vec![
        theme.span(&format!("{:<NAMES$}", cells.lane.word()), role),
        theme.span(&drawn, role),
        theme.span(&format!("{busy:>8}"), Role::Dim),
    ]));
    if cells.waited_ns > 0 {
        let said = format!("busy {busy} · waited {waited}");
        let indent = if NAMES + said.chars().count() <= usize::from(width) {
            NAMES
        } else {
            0
        };
        lines.push(theme.line(&format!("{:indent$}{said}", ""), Role::Dim));
    }
    lines
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
