//! What a trace shows over time: the launch queue and the memory.

use ratatui::text::Line;

use crate::page;
use crate::theme::{Role, Theme};
use warpup_kineto::analysis::Analysis;
use warpup_kineto::curves;
use warpup_lab::plot::{self, Size};

/// Rows of a curve, its axis among them.
const ROWS: usize = 12;

pub(super) fn lines(analysis: &Analysis, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let size = Size {
        columns: width,
        rows: ROWS,
    };
    let mut lines = Vec::new();
    for it in curves::of(analysis) {
        lines.push(theme.line(&it.title, Role::Heading));
        let rows = plot::draw(&it, size, theme.letters);
        lines.extend(rows.into_iter().map(|row| theme.plotted(row)));
        lines.push(Line::default());
    }
    if lines.is_empty() {
        let said = "The trace has no launches of single kernels or copies on a card, and no memory (`profile_memory=True`), so there is nothing to draw over time.";
        lines.extend(page::paragraph(said, theme.style(Role::Dim), width));
    }
    lines
}
