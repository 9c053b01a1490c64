//! The picture of the first screen: when host and card worked in the course's first program.
//!
//! It is the timeline of a run on a modelled card, as the worker reported it: `first_run.py` is the program, `first_run.jsonl` has the
//! replies, and the test `first_picture` runs the lab of the lesson and compares both. So nothing is invented, the first frame waits
//! for nothing, and no process starts before the learner asks for a run.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::text::{Line, Span as Words};

use crate::page;
use crate::screen::lane_signs;
use crate::session::Session;
use crate::styled;
use crate::theme::{Role, Theme};
use warpup_lab::run::Run;
use warpup_lab::timeline::{self, LaneCell};
use warpup_lab::units::duration;
use warpup_protocol::{Lane, RunId, Span, frame};

/// The lesson and the lab whose program was run.
const OF: (&str, &str) = ("two-workers", "first-run");

/// That program, and the replies of the worker.
const PROGRAM: &str = include_str!("first_run.py");
const REPLIES: &str = include_str!("first_run.jsonl");

/// A wider picture shows no more.
const WIDEST: u16 = 100;

/// From this width on, the program's lines have room beside the lanes: so many of 20 columns.
const WITH_CODE: u16 = 70;
const CODE: usize = 9;

/// Columns of a lane's name.
const NAMES: usize = 5;

/// The rows beside which the names are, and as many lines of the program.
const ROWS: usize = 3;

/// The lines of the picture, between two empty ones; none for a course that begins with another program.
pub(super) fn lines(session: &Session, width: u16) -> Vec<Line<'static>> {
    let first = session.course.lessons.first();
    let lab = first.and_then(|it| Some((it.id.as_str(), it.outline().labs.first()?.id.as_str())));
    if lab != Some(OF) {
        return Vec::new();
    }
    let (theme, width) = (session.theme, width.min(WIDEST));
    let ran = recorded();
    let columns = usize::from(width).saturating_sub(NAMES);
    let for_code = if width < WITH_CODE {
        0
    } else {
        usize::from(width) * CODE / 20
    };
    let code = code(&ran.spans, for_code, theme);
    let lanes = lanes(&ran.spans, columns.saturating_sub(for_code), theme);
    let rows = code.into_iter().zip(lanes);
    let rows = rows.map(|(code, lane)| Line::from([code, lane].concat()));
    let took = duration(timeline::total_ns(&ran.spans));
    let on = ran.device.map_or_else(String::new, |it| it.title);
    let busy = lane_signs::busy(theme.letters);
    let cells = [LaneCell::Waiting, LaneCell::Python, LaneCell::Idle];
    let [waiting, python, idle] = cells.map(|it| lane_signs::sign(it, theme.letters));
    let said = format!("{on}, {took}: {busy} works  {waiting} waits  {python} Python  {idle} idle");
    let said = page::paragraph(&said, theme.style(Role::Dim), width);
    let empty = || std::iter::once(Line::default());
    empty().chain(rows).chain(said).chain(empty()).collect()
}

/// The recorded run.
fn recorded() -> Run {
    let mut replies = REPLIES.as_bytes();
    let mut run = Run::new(RunId(1));
    while let Ok(Some(reply)) = frame::read(&mut replies) {
        run.apply(reply);
    }
    run
}

/// The first lines of the program that do work, each cut to `columns`; empty lines for no columns.
fn code(spans: &[Span], columns: usize, theme: Theme) -> Vec<Vec<Words<'static>>> {
    if columns == 0 {
        return vec![Vec::new(); ROWS];
    }
    let numbers: BTreeSet<u32> = spans.iter().map(|it| it.line).collect();
    let lines = (1..).zip(PROGRAM.lines());
    let lines = lines.filter(|(number, _)| numbers.contains(number));
    let rows = lines.take(ROWS).map(|(number, line)| {
        let whole = format!("{number:>2} {line}");
        let (head, rest) = styled::split_str(&whole, columns.saturating_sub(3));
        let end = if rest.is_empty() { "" } else { "…" };
        let row = format!("{:<columns$}", format!("{head}{end}"));
        vec![theme.span(&row, Role::Text)]
    });
    rows.collect()
}

/// Where the lines begin, the host, and the card with its copies.
fn lanes(spans: &[Span], columns: usize, theme: Theme) -> Vec<Vec<Words<'static>>> {
    let on_two_lanes = spans.iter().map(|it| Span {
        lane: if it.lane == Lane::Host {
            Lane::Host
        } else {
            Lane::Kernel
        },
        ..it.clone()
    });
    let on_two_lanes: Vec<_> = on_two_lanes.collect();
    let drawn = timeline::draw(&on_two_lanes, None, columns);
    let row = |name: &str, lane: Lane, role: Role| {
        let cells = drawn.lanes.iter().filter(|it| it.lane == lane);
        let cells = cells.flat_map(|it| &it.cells);
        let cells: String = cells
            .map(|it| lane_signs::sign(*it, theme.letters))
            .collect();
        vec![theme.span(&format!("{name:<NAMES$}{cells}"), role)]
    };
    vec![
        vec![theme.span(&numbers(spans, columns), Role::Dim)],
        row("host", Lane::Host, Role::Host),
        row("card", Lane::Kernel, Role::Device),
    ]
}

/// The numbers of the lines, each where the line begins. The first use of the card is not drawn.
fn numbers(spans: &[Span], columns: usize) -> String {
    let first_use = spans.iter().filter(|it| it.is_of_first_use());
    let first_use: u64 = first_use.map(|it| it.end_ns - it.start_ns).sum();
    let total = timeline::total_ns(spans).max(1);
    let mut begins = BTreeMap::new();
    for span in spans {
        begins
            .entry(span.line)
            .or_insert(span.start_ns.saturating_sub(first_use));
    }
    let mut row = "line".to_owned();
    for (line, at) in begins {
        let part = u128::from(at) * columns as u128 / u128::from(total);
        let column = NAMES + usize::try_from(part).unwrap_or(0);
        row = format!("{row:<column$}{line}");
    }
    row
}
