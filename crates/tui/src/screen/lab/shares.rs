//! Which part of a lab gets how many rows: it depends on what the learner does and looks at.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::areas::{self, Areas, FullSize, Share};
use super::state::{Lab, Mode};
use crate::session::{Pane, Session};

/// The most rows of a result: two of its sentence, the figures of the run, and those of the run before.
const MOST_RESULT: u16 = 4;

/// A picture needs rows to be of use, and the runs repeat what of the program matters.
fn share(pane: Pane) -> Share {
    match pane {
        // Only its upper rows would say nothing: the axis is its last one.
        Pane::Plot => Share::Plot,
        Pane::Timeline | Pane::Memory | Pane::Runs | Pane::Diff => Share::Picture,
        // The page has just said it.
        Pane::Task => Share::Program,
        Pane::Output | Pane::Checks | Pane::Hints | Pane::Candle => Share::Even,
    }
}

impl Lab {
    /// Whether the program is the one that ran last.
    fn is_current(&self) -> bool {
        let ran = self.runs.last.as_ref();
        ran.is_some_and(|it| it.source == self.editor.text())
    }

    /// Whether the program is off the screen, for the pane.
    pub(super) fn shows_only_pane(&self) -> bool {
        self.is_full && self.is_stacked && matches!(self.mode, Mode::Reading)
    }

    /// The areas where the pane has so many lines.
    pub(super) fn areas(&self, body: Rect, pane: usize) -> Areas {
        let share = match self.mode {
            // What a run shows stays beside the program until that is changed.
            Mode::Editing if self.is_current() => Share::Even,
            Mode::Editing => Share::Program,
            Mode::Reading if self.is_full => Share::Full,
            Mode::Reading => share(self.pane),
            Mode::Predicting(_) => Share::Whole,
            Mode::ChoosingDevice(_) => Share::List,
        };
        let wanted = FullSize {
            program: self.editor.len(),
            columns: self.columns,
            result: self.result.clamp(2, MOST_RESULT),
            pane,
            timeline: self.beside.len(),
        };
        areas::areas(body, share, wanted)
    }

    /// The timeline that is always visible where the pane is beside the program; nothing before a run, nor where the pane
    /// shows it.
    pub(super) fn timeline_beside(&self, session: &Session, body: Rect) -> Vec<Line<'static>> {
        let has_run = self
            .runs
            .last
            .as_ref()
            .is_some_and(|it| it.run.report.is_some() && !it.run.spans.is_empty());
        let width = areas::pane_beside(body, self.columns);
        match width.filter(|_| has_run && self.pane != Pane::Timeline) {
            Some(width) => self.timeline(session, width),
            None => Vec::new(),
        }
    }
}
