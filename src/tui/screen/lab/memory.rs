//! What a run held in memory, on screen: [`crate::lab::memory`] says it, the colours are chosen here.

use ratatui::text::Line;

use super::state::Lab;
use crate::lab::memory;
use crate::protocol::{Clock, Memory};
use crate::tui::session::Session;
use crate::tui::theme::Role;
use crate::tui::{ink, page};

impl Lab {
    /// What the last run held, if it held anything.
    pub(super) fn held(&self) -> Option<(&Memory, Clock)> {
        let report = self.run.as_ref()?.run.report.as_ref()?;
        let held = report.memory.as_deref()?;
        (held.peak_live > 0).then_some((held, report.clock))
    }

    /// The peak in one line, by purpose, and the course of time.
    pub(super) fn memory_lines(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let Some((held, clock)) = self.held() else {
            return Vec::new();
        };
        let width = usize::from(width);
        let said = format!("{}: {}", word(clock), memory::in_one_line(held));
        let mut lines = page::paragraph(&said, theme.style(Role::Text), width);
        lines.push(ink::line("at the peak", theme.style(Role::Dim)));
        let rows = memory::at_peak(held, width);
        lines.extend(
            rows.iter()
                .map(|it| ink::line(it, theme.style(Role::Device))),
        );
        lines.push(ink::line(
            "in the course of the run",
            theme.style(Role::Dim),
        ));
        let rows = memory::over_time(held, width);
        lines.extend(
            rows.iter()
                .map(|it| ink::line(it, theme.style(Role::Device))),
        );
        lines
    }
}

/// On a CPU nothing is modelled and no clock is read: handles are counted.
fn word(clock: Clock) -> &'static str {
    match clock {
        Clock::Measured => "counted",
        Clock::Modelled => "MODELLED",
    }
}
