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
const LOWEST: usize = 7;

/// Rows of a plot above its words, where the pane has so many.
const ABOVE_WORDS: usize = 9;

/// The most rows of a plot.
const HIGHEST: usize = 30;

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
            // Bars have their numbers beside them.
            let said = it.names.is_empty().then(|| plot::sentences(it));
            let said = said.into_iter().flatten();
            let said = said.flat_map(|it| page::paragraph(&it, theme.style(Role::Dim), room.width));
            let said: Vec<Line<'static>> = said.collect();
            let below_heading = usize::from(room.height).saturating_sub(1);
            let above_words = below_heading.saturating_sub(said.len());
            // On the whole screen the words are below the plot, a key away.
            let rows = if self.shows_only_pane() {
                below_heading
            } else {
                above_words.max(below_heading.min(ABOVE_WORDS))
            };
            let size = Size {
                columns: usize::from(room.width),
                rows: rows.clamp(LOWEST, HIGHEST),
            };
            let drawn = plot::draw(it, size, theme.letters);
            lines.extend(drawn.into_iter().map(|row| theme.plotted(row)));
            lines.extend(said);
        }
        lines
    }
}
