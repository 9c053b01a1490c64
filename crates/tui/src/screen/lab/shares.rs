//! Which part of a lab gets how many rows: it depends on what the learner does and looks at.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::areas::{self, Areas, FullSize, Share};
use super::state::{Lab, Mode};
use crate::session::{Pane, Session};
use crate::theme::Theme;
use warpup_lab::timeline::Window;
use warpup_protocol::RunId;

/// The most rows of a result: two of its sentence, the figures of the run, and those of the run before.
const MOST_RESULT: u16 = 4;

/// Rows of a plot that is visible below another pane.
const PLOT: u16 = 14;

/// What the panes below the chosen one are drawn from: as long as it is the same, they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OthersKey {
    run: RunId,
    width: u16,
    is_wide: bool,
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
            // What a run shows stays beside the program until that is changed.
            Mode::Editing if !self.is_current() => Share::Program,
            Mode::Reading if self.is_full => Share::Full,
            Mode::Editing | Mode::Reading if self.plots().next().is_some() => Share::Plot,
            Mode::Editing | Mode::Reading => Share::Even,
            Mode::Predicting(_) => Share::Whole,
            Mode::ChoosingDevice(_) => Share::List,
        };
        let wanted = FullSize {
            program: self.editor.len(),
            columns: self.columns,
            result: self.result.clamp(2, MOST_RESULT),
            pane,
            others: self.others.iter().map(|(_, it)| it.len()).collect(),
        };
        areas::areas(body, share, &wanted)
    }

    /// The panes that are always visible where the chosen one is beside the program: the timeline, and from [`areas::TOGETHER`]
    /// columns on the plot, or else the memory. None before a run, nor the one that the pane shows.
    pub(super) fn lay_out_others(&mut self, session: &Session, body: Rect) {
        let of = self.others_key(session, body);
        if of == self.others_of {
            return;
        }
        self.others = of.map_or_else(Vec::new, |of| self.panes_beside(session, of));
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
            pane: self.pane,
            line: self.chosen_line(),
            window: self.window,
            theme: session.theme,
        })
    }

    fn panes_beside(
        &self,
        session: &Session,
        OthersKey { width, is_wide, .. }: OthersKey,
    ) -> Vec<(Pane, Vec<Line<'static>>)> {
        let third = if self.plots().next().is_some() {
            Pane::Plot
        } else {
            Pane::Memory
        };
        let more = [third, Pane::Findings].into_iter().filter(|_| is_wide);
        [Pane::Timeline]
            .into_iter()
            .chain(more)
            .filter(|it| *it != self.pane)
            .map(|it| (it, self.content(session, it, Rect::new(0, 0, width, PLOT))))
            .filter(|(_, lines)| !lines.is_empty())
            .collect()
    }
}
