//! The timeline of a run on screen: a row for each lane, an axis, and what it means in words.

use ratatui::text::{Line, Span};

use super::panes::NOTHING_YET;
use super::state::Lab;
use super::verdict::clock;
use crate::lab::timeline::{self, Cell, LaneCells};
use crate::lab::units::{bytes, duration};
use crate::lab::waits;
use crate::protocol::{Lane, Report};
use crate::tui::session::Session;
use crate::tui::theme::{Role, Theme};
use crate::tui::{ink, page};

impl Lab {
    pub(super) fn timeline(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let Some(ran) = &self.run else {
            return vec![theme.line(NOTHING_YET, Role::Dim)];
        };
        let Some(report) = &ran.run.report else {
            return vec![theme.line("… drawn when the run has ended", Role::Dim)];
        };
        if ran.run.spans.is_empty() {
            return vec![theme.line("the run recorded no work", Role::Dim)];
        }
        let names = 15;
        let busy = 8;
        let room = usize::from(width).saturating_sub(names + busy);
        let drawn = timeline::draw(&ran.run.spans, room);
        let mut lines: Vec<_> = drawn.lanes.iter().map(|it| lane(it, theme)).collect();
        let mut axis = String::new();
        for (column, label) in &drawn.ticks {
            let gap = (names + column).saturating_sub(axis.chars().count());
            axis.push_str(&" ".repeat(gap));
            axis.push_str(label);
        }
        let dim = theme.style(Role::Dim);
        lines.push(ink::line(&axis, dim));
        let legend = format!(
            "█ busy  ▒ partly  ░ waiting  · idle   {}",
            clock(report.clock)
        );
        lines.push(ink::line(&legend, dim));
        let first_use = waits::first_use(report).map(|it| format!("not drawn: {it}"));
        let said = first_use
            .into_iter()
            .chain(waits::sentences(report))
            .chain(drawn.busiest);
        lines.extend(said.flat_map(|it| page::paragraph(&it, theme.style(Role::Text), width)));
        lines.extend(notes(report, width, theme));
        lines
    }
}

/// One lane: name, cells, busy time.
fn lane(cells: &LaneCells, theme: Theme) -> Line<'static> {
    let role = match cells.lane {
        Lane::Host => Role::Host,
        Lane::Kernel => Role::Device,
        Lane::CopyToDevice | Lane::CopyToHost => Role::Copy,
    };
    let drawn: String = cells
        .cells
        .iter()
        .map(|it| match it {
            Cell::Idle => '·',
            Cell::Some => '▒',
            Cell::Busy => '█',
            Cell::Waiting => '░',
        })
        .collect();
    let spans: Vec<Span<'static>> = vec![
        theme.span(&format!("{:<15}", cells.lane.word()), role),
        theme.span(&drawn, role),
        theme.span(&format!("{:>8}", duration(cells.busy_ns)), Role::Dim),
    ];
    Line::from(spans)
}

/// Memory, and how many spans are not drawn.
fn notes(report: &Report, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let mut said = Vec::new();
    if let Some(memory) = report.memory.as_ref().filter(|it| it.peak_live > 0) {
        let of = match memory.capacity {
            0 => String::new(),
            capacity => format!(" of {}", bytes(capacity)),
        };
        let reserved = match memory.peak_reserved {
            0 => String::new(),
            peak => format!(
                "; reserved: peak {}, {} at the end",
                bytes(peak),
                bytes(memory.reserved)
            ),
        };
        said.push(format!(
            "memory: peak {}{of}, {} held at the end{reserved}",
            bytes(memory.peak_live),
            bytes(memory.live),
        ));
    }
    if report.spans_dropped > 0 {
        said.push(format!("{} more spans are not drawn", report.spans_dropped));
    }
    let dim = theme.style(Role::Dim);
    said.iter()
        .flat_map(|it| page::paragraph(it, dim, width))
        .collect()
}
