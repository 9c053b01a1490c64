//! The areas of a lab: stacked, or side by side where there is room.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::frame;

/// From this width on, the panes are beside the program.
const WIDE: u16 = 120;

/// From this height on, the timeline is always visible beside a program.
const TALL: u16 = 28;

/// The fewest rows of a pane.
const PANE: u16 = 3;

/// Rows of the timeline that is always visible.
const TIMELINE: u16 = 11;

/// The areas of a lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Areas {
    /// The headings of the gutter.
    pub(super) clocks: Rect,
    /// The program and its gutter.
    pub(super) program: Rect,
    /// The result of the run.
    pub(super) status: Rect,
    /// The tabs of the panes.
    pub(super) tabs: Rect,
    /// The chosen pane.
    pub(super) pane: Rect,
    /// A rule and the timeline, where both have room beside the chosen pane.
    pub(super) timeline: Option<(Rect, Rect)>,
}

/// Which part gets most rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// The program, while it is edited.
    Program,
    /// Neither; a part that needs fewer rows leaves them to the other.
    Even,
    /// The pane, while it asks something or draws.
    Pane,
    /// The pane alone, where it needs all rows: a list to choose from.
    List,
}

/// The rows that would show everything of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) program: usize,
    pub(super) pane: usize,
}

impl Areas {
    /// The same without the timeline that is always visible: the chosen pane has its rows and shows it.
    pub(super) fn without_timeline(mut self) -> Self {
        if let Some((rule, below)) = self.timeline.take() {
            self.pane.height += rule.height + below.height;
        }
        self
    }
}

/// Divides the body of a lab.
pub(super) fn areas(body: Rect, share: Share, wanted: Wanted) -> Areas {
    if body.width >= WIDE {
        beside(frame::full_width(body))
    } else {
        stacked(frame::full_width(body), share, wanted)
    }
}

fn stacked(body: Rect, share: Share, wanted: Wanted) -> Areas {
    let status = if body.height >= 16 { 2 } else { 1 };
    let rest = body.height.saturating_sub(2 + status);
    let rows = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
    // The most rows of the pane when the program needs them, too.
    let most = match share {
        Share::Program => rest / 3,
        Share::Even => rest / 2,
        Share::Pane => rest * 7 / 10,
        Share::List => rest,
    };
    let pane = rows(wanted.pane).clamp(PANE, most.max(PANE));
    // One row more than the program has, so that its end is visible.
    let unused = rest.saturating_sub(rows(wanted.program.saturating_add(1)));
    let program = rest.saturating_sub(pane.max(unused));
    let rows = [1, program, status, 1].map(Constraint::Length);
    let rows = Layout::vertical(rows.into_iter().chain([Constraint::Min(0)]));
    let [clocks, program, status, tabs, pane] = body.layout(&rows);
    Areas {
        clocks,
        program,
        status,
        tabs,
        pane,
        timeline: None,
    }
}

fn beside(body: Rect) -> Areas {
    let left = Constraint::Length(body.width / 2 + body.width / 20);
    let columns = Layout::horizontal([left, Constraint::Min(0)]).spacing(3);
    let [left, right] = body.layout(&columns);
    let rows = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]);
    let [clocks, program] = left.layout(&rows);
    let is_tall = body.height >= TALL;
    let (rule, drawn) = if is_tall { (1, TIMELINE) } else { (0, 0) };
    let [status, tabs, pane, rule, drawn] = right.layout(&Layout::vertical([
        Constraint::Length(3),
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(rule),
        Constraint::Length(drawn),
    ]));
    Areas {
        clocks,
        program,
        status,
        tabs,
        pane,
        timeline: is_tall.then_some((rule, drawn)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(share: Share, program: usize, pane: usize) -> (u16, u16) {
        let areas = areas(Rect::new(0, 0, 80, 20), share, Wanted { program, pane });
        (areas.program.height, areas.pane.height)
    }

    #[test]
    fn a_program_has_the_rows_that_the_pane_does_not_need() {
        assert_eq!(rows(Share::Even, 30, 1), (13, 3));
        assert_eq!(rows(Share::Even, 30, 6), (10, 6));
        assert_eq!(rows(Share::Even, 30, 60), (8, 8));
        assert_eq!(rows(Share::Even, 3, 60), (4, 12));
        assert_eq!(rows(Share::Program, 30, 60), (11, 5));
    }
}
