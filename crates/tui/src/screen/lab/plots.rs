//! The plot pane of a lab: [`warpup_lab::plot`] draws, this file colours.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::state::Lab;
use crate::page;
use crate::session::Session;
use crate::theme::Role;
use warpup_lab::plot::{self, Size};
use warpup_protocol::{Clock, Plot};

/// The fewest rows of a plot that can be read; a lower pane scrolls.
const LOWEST: u16 = 8;

/// The most rows of a plot.
const HIGHEST: u16 = 30;

/// From this height on, a sentence below a plot is visible without scrolling.
const ROOMY: u16 = 16;

impl Lab {
    /// The plots that the run has made so far.
    pub(super) fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.runs.last.iter().flat_map(|it| &it.run.plots)
    }

    /// All plots, each with its sentences, for a pane of this size.
    pub(super) fn plot_lines(&self, session: &Session, room: Rect) -> Vec<Line<'static>> {
        let theme = session.theme;
        let Some(ran) = &self.runs.last else {
            return Vec::new();
        };
        let said_by = ran.run.device.as_ref().map(|it| it.clock);
        let said_by = said_by.map_or("", Clock::label);
        let of = ran.run.plots.len();
        // The heading, and two lines of sentences.
        let around = if room.height < ROOMY { 1 } else { 3 };
        let size = Size {
            columns: usize::from(room.width),
            rows: usize::from(room.height.saturating_sub(around).clamp(LOWEST, HIGHEST)),
        };
        let mut lines = Vec::new();
        for (at, it) in ran.run.plots.iter().enumerate() {
            if at > 0 {
                lines.push(Line::default());
            }
            let heading = [
                theme.span(&plot::heading(it, at, of), Role::Strong),
                theme.span(&format!(" · {}", plot::source(it, said_by)), Role::Dim),
            ];
            lines.extend(page::wrap(&heading, room.width));
            let drawn = plot::draw(it, size, theme.letters);
            lines.extend(drawn.into_iter().map(|row| theme.plotted(row)));
            // Bars have their numbers beside them.
            let said = it.names.is_empty().then(|| plot::sentences(it));
            for said in said.into_iter().flatten() {
                let said = theme.span(&said, Role::Dim);
                lines.extend(page::wrap(&[said], room.width));
            }
        }
        lines
    }
}
