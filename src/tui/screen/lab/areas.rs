//! Where the parts of a lab are: under each other, or side by side where there is room.

use ratatui::layout::Rect;

use crate::tui::frame;

/// From this width on the panes stand beside the program.
const WIDE: u16 = 120;

/// From this height on the timeline is always seen beside a program.
const TALL: u16 = 28;

/// Rows of the timeline that is always seen.
const TIMELINE: u16 = 10;

/// The parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Areas {
    /// The words over the gutter.
    pub(super) clocks: Rect,
    /// The program and its gutter.
    pub(super) program: Rect,
    /// What the run has come to.
    pub(super) status: Rect,
    /// The names of the panes.
    pub(super) tabs: Rect,
    /// The chosen pane.
    pub(super) pane: Rect,
    /// A rule and the timeline, where both have room beside the chosen pane.
    pub(super) timeline: Option<(Rect, Rect)>,
}

/// Who gets most of the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// The program, while it is edited.
    Program,
    /// Nobody.
    Even,
    /// The pane, while it asks something.
    Pane,
}

/// Divides the body of a lab.
pub(super) fn areas(body: Rect, share: Share) -> Areas {
    if body.width >= WIDE {
        beside(frame::whole(body))
    } else {
        stacked(frame::whole(body), share)
    }
}

fn stacked(body: Rect, share: Share) -> Areas {
    let status = if body.height >= 16 { 2 } else { 1 };
    let rest = body.height.saturating_sub(2 + status);
    let program = match share {
        Share::Program => rest * 7 / 10,
        Share::Even => rest * 11 / 20,
        Share::Pane => rest * 3 / 10,
    };
    let mut rows = Rows(body);
    Areas {
        clocks: rows.take(1),
        program: rows.take(program),
        status: rows.take(status),
        tabs: rows.take(1),
        pane: rows.0,
        timeline: None,
    }
}

fn beside(body: Rect) -> Areas {
    let gap = 3;
    let left = Rect {
        width: body.width / 2 + body.width / 20,
        ..body
    };
    let right = Rect {
        x: left.right() + gap,
        width: body.width - left.width - gap,
        ..body
    };
    let mut program = Rows(left);
    let mut panes = Rows(right);
    let clocks = program.take(1);
    let status = panes.take(3);
    let tabs = panes.take(1);
    let timeline = if body.height >= TALL { TIMELINE + 1 } else { 0 };
    let pane = panes.take(panes.0.height.saturating_sub(timeline));
    Areas {
        clocks,
        program: program.0,
        status,
        tabs,
        pane,
        timeline: (timeline > 0).then(|| (panes.take(1), panes.0)),
    }
}

/// What is left of an area from which rows are taken.
struct Rows(Rect);

impl Rows {
    fn take(&mut self, rows: u16) -> Rect {
        let rows = rows.min(self.0.height);
        let taken = Rect {
            height: rows,
            ..self.0
        };
        self.0.y += rows;
        self.0.height -= rows;
        taken
    }
}
