//! The memory pane of a lab: [`crate::lab::memory`] makes its rows, this file colours them.

use ratatui::text::Line;

use super::state::Lab;
use crate::lab::memory;
use crate::protocol::{Clock, Memory};
use crate::tui::page;
use crate::tui::session::Session;
use crate::tui::theme::Role;

impl Lab {
    /// The memory of the last run, if it held any.
    pub(super) fn held_memory(&self) -> Option<(&Memory, Clock)> {
        let report = self.run.as_ref()?.run.report.as_ref()?;
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
        let said = format!("{}: {}", word(clock), memory::in_one_line(held));
        let mut lines = page::paragraph(&said, theme.style(Role::Text), width);
        lines.push(theme.line("at the peak", Role::Dim));
        let rows = memory::at_peak(held, width);
        lines.extend(rows.iter().map(|it| theme.line(it, Role::Device)));
        lines.push(theme.line("in the course of the run", Role::Dim));
        let rows = memory::over_time(held, width);
        lines.extend(rows.iter().map(|it| theme.line(it, Role::Device)));
        lines
    }
}

/// How the numbers were obtained: on a real device, by counting tensor handles.
fn word(clock: Clock) -> &'static str {
    match clock {
        Clock::Measured => "counted",
        Clock::Modelled => "MODELLED",
    }
}
