//! Which part of a lab gets how many rows: it depends on what the learner does and looks at.

use ratatui::layout::{Rect, Size};
use ratatui::text::Line;

use super::state::{Lab, Mode};
use crate::screen::areas::{self, Areas, FullSize, Share, Side};
use crate::session::{Pane, Session};
use crate::theme::Theme;
use warpup_lab::timeline::Window;
use warpup_protocol::RunId;

/// The most rows of a result: two of its sentence, the figures of the run, and those of the run before.
const MOST_RESULT: u16 = 4;

/// Rows of a plot that is visible below another pane.
const PLOT: u16 = 14;

/// From this height on, a plot leaves rows to the program.
const LOW: u16 = 14;

/// The fewest rows for a pane below a program.
const LEAST: u16 = 6;

/// A pane that is visible besides the chosen one.
#[derive(Debug)]
pub(super) struct OtherPane {
    pub(super) pane: Pane,
    pub(super) side: Side,
    pub(super) lines: Vec<Line<'static>>,
}

/// What the panes besides the chosen one are drawn from: as long as it is the same, they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OthersKey {
    run: RunId,
    width: u16,
    is_wide: bool,
    below_program: Option<Size>,
    pane: Pane,
    line: Option<u32>,
    window: Option<Window>,
    theme: Theme,
}

impl Lab {
    /// Whether the program is the one that ran last.
    pub(super) fn is_current(&self) -> bool {
        let ran = self.runs.last.as_ref();
        ran.is_some_and(|it| self.editor.has_text(&it.source))
    }

    /// Whether the program is off the screen, for the pane.
    pub(super) fn shows_only_pane(&self) -> bool {
        self.is_full && self.is_stacked && matches!(self.mode, Mode::Reading)
    }

    /// The areas where the pane has so many lines.
    pub(super) fn areas(&self, body: Rect, pane: usize) -> Areas {
        let share = match self.mode {
            // The same before and after the first letter, so that typing moves nothing.
            Mode::Editing => Share::Program,
            Mode::Reading if self.is_full => Share::Full,
            Mode::Reading if self.has_room_for_plot(body) => Share::Plot,
            Mode::Reading => Share::Even,
            Mode::Predicting(_) => Share::Whole,
            Mode::ChoosingDevice(_) => Share::List,
        };
        let wanted = FullSize {
            program: self.editor.len(),
            columns: self.columns,
            result: self.result.clamp(2, MOST_RESULT),
            pane,
            others: self
                .others
                .iter()
                .map(|it| (it.side, it.lines.len()))
                .collect(),
        };
        areas::areas(body, share, &wanted)
    }

    /// Whether a plot has more rows than other panes: on a low screen only while it is looked at, since it takes all of them.
    fn has_room_for_plot(&self, body: Rect) -> bool {
        let is_low = body.height < LOW;
        self.plots().next().is_some() && (!is_low || self.pane == Pane::Plot)
    }

    /// The panes that are always visible where the chosen one is beside the program: the timeline below it, and below a short
    /// program plot, memory and findings; on a wide screen also below the timeline, without the memory of a
    /// run that has a plot. None before a run, nor the one that the pane shows.
    pub(super) fn lay_out_others(&mut self, session: &Session, body: Rect) {
        let of = self.others_key(session, body);
        if of == self.others_of {
            return;
        }
        self.others = of.map_or_else(Vec::new, |of| self.others(session, of));
        self.others_of = of;
    }

    /// What they would be drawn from.
    fn others_key(&self, session: &Session, body: Rect) -> Option<OthersKey> {
        let ran = self.runs.last.as_ref().map(|it| &it.run);
        let ended = ran.filter(|it| it.report.is_some() && !it.spans.is_empty())?;
        Some(OthersKey {
            run: ended.id,
            width: areas::pane_beside(body, self.columns)?,
            is_wide: areas::is_wide(body),
            below_program: areas::below_program(body, self.columns, self.editor.len()),
            pane: self.pane,
            line: self.chosen_line(),
            window: self.window,
            theme: session.theme,
        })
    }

    fn others(&self, session: &Session, of: OthersKey) -> Vec<OtherPane> {
        let mut below_program = of.below_program.unwrap_or_default();
        let mut others = Vec::new();
        for pane in [Pane::Timeline, Pane::Plot, Pane::Memory, Pane::Findings] {
            let has_plot = self.plots().next().is_some();
            let (side, width) = if pane != Pane::Timeline && below_program.height >= LEAST {
                (Side::BelowProgram, below_program.width)
            } else if pane == Pane::Timeline || of.is_wide && !(has_plot && pane == Pane::Memory) {
                (Side::BelowPane, of.width)
            } else {
                continue;
            };
            let lines = self.content(session, pane, Rect::new(0, 0, width, PLOT));
            if pane == self.pane || lines.is_empty() {
                continue;
            }
            if side == Side::BelowProgram {
                let rows = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX);
                below_program.height = below_program.height.saturating_sub(rows);
            }
            others.push(OtherPane { pane, side, lines });
        }
        others
    }
}
