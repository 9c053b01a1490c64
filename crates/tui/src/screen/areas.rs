//! The areas of a program and what is known of it, as in a lab: stacked, or side by side where there is room.

use ratatui::layout::{Constraint, Layout, Rect, Size};

use crate::frame;

/// From this width on, the panes may be beside the program.
const WIDE: u16 = 110;

/// Columns of the gutter with all of its times, so that a run does not move the program.
const GUTTER: u16 = 30;

/// Columns that text in a pane needs beside a program.
const READABLE: u16 = 48;

/// Columns of a program beside a pane: one long line takes none from the timeline.
const LINE: u16 = 79;

/// Columns of the longest line that may be cut beside a pane: the gutter is as wide only after a run on a card, and few lines are
/// that long.
const CUT: u16 = 10;

/// Columns between program and pane.
const GAP: u16 = 3;

/// The fewest rows of the result beside a program.
const STATUS: u16 = 3;

/// The fewest rows of a pane above those that are always visible.
const ABOVE_OTHERS: u16 = 10;

/// Rows that such a pane has for a shorter text.
const SHORT: u16 = 8;

/// From this height on, other panes are always visible below the chosen one, where it is beside a program.
const TALL: u16 = 28;

/// From this width on, the panes are beside any program.
const TOGETHER: u16 = 146;

/// The fewest rows of a pane that is always visible, with its rule.
const OTHER: u16 = 5;

/// From so many rows below a program on, panes are there, too.
const BELOW_PROGRAM: u16 = 8;

/// The fewest rows of a pane.
const PANE: u16 = 3;

/// Rows of a program on a low screen.
const LOW_PROGRAM: u16 = 3;

/// Rows of a pane on a low screen, where half of the rows would be a heading and two lines.
const LOW_PANE: u16 = 4;

/// Rows of a program beside a plot; below them the plot has its words on a screen of 24 rows.
const BESIDE_PLOT: u16 = 5;

/// Rows in which a plot is easy to read and has its words below it: what there is more goes to the program, up to half.
const WHOLE_PLOT: u16 = 16;

/// Rows of a program that can be read beside a list.
const PROGRAM: u16 = 6;

/// Rows of a pane in which a plot or a list can be used; where there are fewer for both, the program has less.
const PICTURE: u16 = 8;

/// The areas of a lab.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// A rule and a pane that is visible besides the chosen one, for each; those that have no room are empty.
    pub(super) others: Vec<(Rect, Rect)>,
}

/// Where a pane is that is visible besides the chosen one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    BelowPane,
    BelowProgram,
}

/// Which part gets most rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// The program, while it is edited.
    Program,
    /// Neither: the pane has half of the rows at most, and the program what a short text leaves.
    Even,
    /// The pane, while it asks something: a part of that says little.
    Whole,
    /// The pane, where the run has drawn a plot: a part of that says little.
    Plot,
    /// The pane, as long as the program stays readable: a list to choose from.
    List,
    /// The pane alone.
    Full,
}

/// What would show everything of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FullSize {
    /// Rows of the program.
    pub(super) program: usize,
    /// Columns of its longest line.
    pub(super) columns: usize,
    /// Rows of the result, where there is room for more than one.
    pub(super) result: u16,
    /// Rows of the pane.
    pub(super) pane: usize,
    /// Rows of each pane that may be visible besides the chosen one, and where.
    pub(super) others: Vec<(Side, usize)>,
}

/// Divides the body of a lab.
pub(super) fn areas(body: Rect, share: Share, wanted: &FullSize) -> Areas {
    let body = frame::full_width(body);
    match columns_beside(body, wanted.columns) {
        Some(columns) => beside(body, columns, wanted),
        None => stacked(body, share, wanted),
    }
}

fn stacked(body: Rect, share: Share, wanted: &FullSize) -> Areas {
    let status = if body.height >= 16 { wanted.result } else { 1 };
    let rest = body.height.saturating_sub(2 + status);
    // What is in the pane moves nothing while it is read: it has as many rows when the next one is chosen.
    let needed = |most: u16| rows_of(wanted.pane).clamp(PANE, most.max(PANE));
    let pane = match share {
        Share::Program => (rest / 3).max(PANE),
        Share::Even => {
            let half = (rest / 2).max(rest.saturating_sub(LOW_PROGRAM).min(LOW_PANE));
            rows_of(wanted.pane).clamp(SHORT.min(half), half)
        }
        Share::Plot if rest < PICTURE => rest,
        Share::Plot => {
            let enough = (rest / 2).max(WHOLE_PLOT);
            rest.saturating_sub(BESIDE_PLOT).min(enough).max(PICTURE)
        }
        Share::Whole => needed(rest * 7 / 10),
        Share::List => needed(rest.min(rest.saturating_sub(PROGRAM).max(PICTURE))),
        Share::Full => rest,
    };
    // One row more than the program has, so that its end is visible.
    let unused = rest.saturating_sub(rows_of(wanted.program.saturating_add(1)));
    let (head, program) = match share {
        Share::Full => (0, 0),
        Share::Program | Share::Even | Share::Whole | Share::Plot | Share::List => {
            (1, rest.saturating_sub(pane.max(unused)))
        }
    };
    let rows = [head, program, status, 1].map(Constraint::Length);
    let rows = Layout::vertical(rows.into_iter().chain([Constraint::Min(0)]));
    let [clocks, program, status, tabs, pane] = body.layout(&rows);
    Areas {
        clocks,
        program,
        status,
        tabs,
        pane,
        others: Vec::new(),
    }
}

/// Program and pane side by side, the program as wide as it needs.
fn beside(body: Rect, columns: u16, wanted: &FullSize) -> Areas {
    let left = Constraint::Length(columns);
    let divided = Layout::horizontal([left, Constraint::Min(0)]).spacing(GAP);
    let [left, right] = body.layout(&divided);
    let on = |side: Side| {
        let others = wanted.others.iter().filter(move |it| it.0 == side);
        others.map(|it| it.1).collect::<Vec<_>>()
    };
    let below_program = rows_each(u16::MAX, &on(Side::BelowProgram));
    let program = match below_program.as_slice() {
        [] => body.height,
        [..] => rows_of(wanted.program.saturating_add(1)),
    };
    let lengths = [1, program].into_iter().chain(below_program);
    let areas = Layout::vertical(lengths.map(Constraint::Length)).split(left);
    let mut left = areas.iter().copied();
    let mut next = || left.next().unwrap_or_default();
    let (clocks, program) = (next(), next());
    let status = wanted.result.max(STATUS);
    let rest = body.height.saturating_sub(status + 1);
    let others = rows_of_others(rest, body.height, &on(Side::BelowPane));
    let below: u16 = others.iter().sum();
    // Some rows at least, so that a text of a few lines more or less moves nothing, as far as there is room.
    let pane = match below {
        0 => rest,
        below => rows_of(wanted.pane)
            .max(SHORT)
            .min(rest.saturating_sub(below)),
    };
    let lengths = [status, 1, pane].into_iter().chain(others);
    let areas = Layout::vertical(lengths.map(Constraint::Length)).split(right);
    let mut right = areas.iter().copied();
    let mut next = || right.next().unwrap_or_default();
    let (status, tabs, pane) = (next(), next(), next());
    let others = wanted.others.iter().map(|(side, _)| {
        let area = match side {
            Side::BelowPane => right.next(),
            Side::BelowProgram => left.next(),
        };
        let rows = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]);
        let [rule, drawn] = area.unwrap_or_default().layout(&rows);
        (rule, drawn)
    });
    Areas {
        clocks,
        program,
        status,
        tabs,
        pane,
        others: others.collect(),
    }
}

/// Rows of each of the other panes, with its rule: as many as it needs, the first before the next, as long as the chosen pane
/// keeps enough.
fn rows_of_others(rest: u16, height: u16, wanted: &[usize]) -> Vec<u16> {
    if height < TALL {
        return Vec::new();
    }
    rows_each(rest.saturating_sub(ABOVE_OTHERS), wanted)
}

/// The same of so many rows.
fn rows_each(mut left: u16, wanted: &[usize]) -> Vec<u16> {
    let given = wanted.iter().map_while(|rows| {
        let rows = rows_of(*rows).saturating_add(1).min(left);
        left -= rows;
        (rows >= OTHER).then_some(rows)
    });
    given.collect()
}

/// The columns of a program beside the pane: as many as its lines, up to [`LINE`], and its gutter need, or [`CUT`] fewer. `None` where
/// more would be cut on a screen that is not wide, or where the pane has too few.
fn columns_beside(body: Rect, text: usize) -> Option<u16> {
    if body.width < WIDE {
        return None;
    }
    let needed = rows_of(text).min(LINE) + GUTTER;
    let most = body.width.saturating_sub(GAP + READABLE);
    let least = body.width * 2 / 5;
    let fits = needed <= most.saturating_add(CUT);
    (fits || body.width >= TOGETHER).then_some(needed.max(least).min(most))
}

/// The columns of the pane beside a program whose longest line has so many; `None` if the pane is below it.
pub(super) fn pane_beside(body: Rect, text: usize) -> Option<u16> {
    let body = frame::full_width(body);
    let program = columns_beside(body, text)?;
    Some(body.width.saturating_sub(GAP + program))
}

/// The columns and rows below a program beside the pane; nothing where there are few.
pub(super) fn below_program(body: Rect, text: usize, lines: usize) -> Option<Size> {
    let body = frame::full_width(body);
    let width = columns_beside(body, text)?;
    // The headings, and an empty row below the program.
    let rows = body.height.saturating_sub(rows_of(lines).saturating_add(2));
    (rows >= BELOW_PROGRAM).then_some(Size::new(width, rows))
}

/// Whether a third pane has room beside a program.
pub(super) fn is_wide(body: Rect) -> bool {
    frame::full_width(body).width >= TOGETHER
}

/// The columns of the result: those of the pane.
pub(super) fn result_width(body: Rect, text: usize) -> u16 {
    pane_beside(body, text).unwrap_or_else(|| frame::full_width(body).width)
}

fn rows_of(lines: usize) -> u16 {
    u16::try_from(lines).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(share: Share, program: usize, pane: usize) -> (u16, u16) {
        let wanted = FullSize {
            program,
            pane,
            columns: 70,
            result: 2,
            others: Vec::new(),
        };
        let areas = areas(Rect::new(0, 0, 80, 20), share, &wanted);
        (areas.program.height, areas.pane.height)
    }

    #[test]
    fn a_program_has_the_same_rows_whatever_is_in_the_pane() {
        for pane in [1, 6, 60] {
            assert_eq!(rows(Share::Even, 30, pane), (8, 8));
            assert_eq!(rows(Share::Plot, 30, pane), (5, 11));
            // A short one leaves rows to the pane.
            assert_eq!(rows(Share::Even, 3, pane), (4, 12));
            assert_eq!(rows(Share::Program, 30, pane), (11, 5));
        }
    }

    #[test]
    fn a_program_stays_readable_above_a_list_and_leaves_rows_to_a_plot() {
        let rows = |share, height, result| {
            let wanted = FullSize {
                program: 30,
                pane: 60,
                columns: 70,
                result,
                others: Vec::new(),
            };
            let areas = areas(Rect::new(0, 0, 80, height), share, &wanted);
            (areas.program.height, areas.pane.height)
        };
        // 80 by 24, with a short and a long result.
        assert_eq!(rows(Share::Even, 20, 2), (8, 8));
        assert_eq!(rows(Share::Even, 20, 4), (7, 7));
        assert_eq!(rows(Share::List, 20, 2), (6, 10));
        assert_eq!(rows(Share::Whole, 20, 2), (5, 11));
        // 40 by 12: a list and a plot need all rows.
        assert_eq!(rows(Share::Even, 10, 2), (3, 4));
        assert_eq!(rows(Share::List, 10, 2), (0, 7));
        assert_eq!(rows(Share::Plot, 10, 2), (0, 7));
        assert_eq!(rows(Share::Even, 46, 2), (21, 21));
        assert_eq!(rows(Share::Plot, 46, 2), (21, 21));
        assert_eq!(rows(Share::Plot, 34, 2), (14, 16));
    }

    #[test]
    fn a_pane_is_beside_a_program_that_nearly_fits_and_below_any_other() {
        let width = |screen, text| pane_beside(Rect::new(0, 0, screen, 40), text);
        assert_eq!(width(100, 20), None);
        assert_eq!(width(120, 80), None);
        assert_eq!(width(160, 65), Some(58));
        // From here on the ends of long lines are cut.
        assert_eq!(width(160, 75), Some(48));
        assert_eq!(width(140, 65), Some(48));
        assert_eq!(width(140, 66), None);
        // So wide a screen has room for all, and a program can be scrolled.
        assert_eq!(width(160, 90), Some(48));
        assert_eq!(width(200, 110), width(200, 79));
        // A short program leaves the pane most columns.
        assert_eq!(width(160, 20), Some(91));
    }

    #[test]
    fn other_panes_beside_a_program_have_the_rows_that_they_need() {
        let rows = |height, pane, others: &[usize]| {
            let wanted = FullSize {
                program: 20,
                columns: 40,
                result: 2,
                pane,
                others: others.iter().map(|it| (Side::BelowPane, *it)).collect(),
            };
            let areas = areas(Rect::new(0, 0, 160, height), Share::Even, &wanted);
            let others = areas.others.iter().map(|(_, it)| it.height);
            let others = others.filter(|it| *it > 0);
            (areas.pane.height, others.collect::<Vec<_>>())
        };
        assert_eq!(rows(46, 90, &[14]), (27, vec![14]));
        assert_eq!(rows(46, 90, &[]), (42, vec![]));
        assert_eq!(rows(28, 90, &[30]), (10, vec![13]));
        assert_eq!(rows(20, 90, &[14]), (16, vec![]));
        // Short output above timeline and memory: what is left is below them.
        assert_eq!(rows(56, 3, &[14, 9]), (8, vec![14, 9]));
        // Memory where it has some rows, and not as a head without anything.
        assert_eq!(rows(46, 90, &[24, 20]), (10, vec![24, 6]));
        assert_eq!(rows(42, 90, &[24, 20]), (13, vec![24]));
    }

    #[test]
    fn panes_are_below_a_short_program_too() {
        let body = Rect::new(0, 0, 200, 58);
        assert_eq!(below_program(body, 40, 20), Some(Size::new(78, 36)));
        assert_eq!(below_program(body, 40, 50), None);
        let wanted = FullSize {
            program: 20,
            columns: 40,
            result: 2,
            pane: 60,
            others: vec![(Side::BelowPane, 14), (Side::BelowProgram, 9)],
        };
        let areas = areas(body, Share::Even, &wanted);
        let [timeline, memory] = areas.others[..] else {
            panic!("{areas:?}")
        };
        assert_eq!((timeline.1.x, timeline.1.height), (areas.pane.x, 14));
        assert_eq!((memory.1.x, memory.1.height), (areas.program.x, 9));
        assert_eq!(memory.0.y, areas.program.bottom());
    }
}
