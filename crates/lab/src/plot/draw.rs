//! Draws a plot as rows: legend, axes and lines.

use super::axis::{Axis, Scale};
use super::bars::bars;
use super::canvas::Canvas;
use super::row::{Ink, PlotRow, cell, mark, several};
use crate::text::cut_line;
use unicode_width::UnicodeWidthStr;
use warpup_protocol::{LogAxes, Plot};
use warpup_text::shown::Letters;

/// Columns between two marks of one series, where its points are closer.
const MARK_EVERY: usize = 10;

/// Columns and rows that a plot is given at least and at most; it is cut, or has air, beyond.
pub(super) const COLUMNS: (usize, usize) = (24, 200);
const ROWS: (usize, usize) = (6, 40);

/// Below so many rows, what the axes are about is beside the legend, so that its rows are the lines'.
const LOW: usize = 10;

/// The room for a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: usize,
    /// Rows, the legend and the axes among them.
    pub rows: usize,
}

/// Draws a plot: legend, axes and lines, or bars, without its heading.
pub fn draw(plot: &Plot, size: Size, letters: Letters) -> Vec<PlotRow> {
    let columns = size.columns.clamp(COLUMNS.0, COLUMNS.1);
    let mut rows = legend(plot, columns, letters);
    let (x_scale, y_scale) = scales(plot.log);
    let is_low = size.rows < LOW && plot.names.is_empty();
    if is_low {
        name_axes(&mut rows, plot, columns, letters);
    } else if !plot.y_label.is_empty() {
        let label = label(&plot.y_label, y_scale, columns);
        rows.push(PlotRow::of(label, Ink::Text));
    }
    if !plot.names.is_empty() {
        rows.extend(bars(plot, columns, letters));
        return rows;
    }
    // Below the lines are the axis, its labels, and what it is about.
    let below = 2 + usize::from(!plot.x_label.is_empty() && !is_low);
    let height = size.rows.clamp(ROWS.0, ROWS.1);
    let height = height.saturating_sub(rows.len() + below).max(3);
    let y = Axis::upward(&values(plot, |it| it.1, y_scale), y_scale, height);
    let gutter = y.ticks.iter().map(|it| it.label.width()).max();
    let gutter = gutter.unwrap_or(0) + 1;
    let width = columns.saturating_sub(gutter + 1).max(2);
    let x = Axis::along(&values(plot, |it| it.0, x_scale), x_scale, width);
    let (lines, has_shared) = lines(plot, (&x, &y), (width, height), letters);
    if has_shared {
        explain_shared(&mut rows, columns, letters);
    }
    let [wall, y_tick, ..] = signs(letters);
    for (at, line) in lines.into_iter().enumerate() {
        let tick = y
            .ticks
            .iter()
            .find(|it| height - 1 - cell(it.at, height) == at);
        let label = tick.map_or("", |it| it.label.as_str());
        let sign = tick.map_or(wall, |_| y_tick);
        let mut row = PlotRow::of(format!("{label:>width$}", width = gutter - 1), Ink::Text);
        row.push(format!(" {sign}"), Ink::Axis);
        for part in line.parts {
            row.push(part.text, part.ink);
        }
        rows.push(row);
    }
    rows.extend(floor(&x, gutter, width, letters));
    if below > 2 {
        let label = label(&plot.x_label, x_scale, width);
        let before = gutter + 1 + (width - label.width()) / 2;
        rows.push(PlotRow::of(
            format!("{}{label}", " ".repeat(before)),
            Ink::Text,
        ));
    }
    rows
}

/// Says behind the legend what the axes are about, each with its direction.
fn name_axes(rows: &mut Vec<PlotRow>, plot: &Plot, columns: usize, letters: Letters) {
    let (x_scale, y_scale) = scales(plot.log);
    let (up, along) = match letters {
        Letters::Unicode => ('↑', '→'),
        Letters::Ascii => ('^', '>'),
    };
    let axes = [
        (&plot.y_label, y_scale, up),
        (&plot.x_label, x_scale, along),
    ];
    let named = axes.into_iter().filter(|it| !it.0.is_empty());
    let named =
        named.map(|(about, scale, sign)| format!("{} {sign}", label(about, scale, columns)));
    let said = named.collect::<Vec<_>>().join("   ");
    let said = cut_line(&said, columns);
    let has_room = |it: &&mut PlotRow| it.width() + 3 + said.width() <= columns;
    match rows.last_mut().filter(has_room) {
        Some(row) => row.push(format!("   {said}"), Ink::Text),
        None if said.is_empty() => {}
        None => rows.push(PlotRow::of(said, Ink::Text)),
    }
}

/// What an axis is about, in so many columns, and whether it is logarithmic.
fn label(about: &str, scale: Scale, room: usize) -> String {
    const LOG: &str = ", log";
    match scale {
        Scale::Log if !about.is_empty() => {
            format!("{}{LOG}", cut_line(about, room.saturating_sub(LOG.len())))
        }
        Scale::Linear | Scale::Log => cut_line(about, room),
    }
}

/// What the axes are drawn with: wall, tick on the wall, corner, floor, tick on the floor.
fn signs(letters: Letters) -> [char; 5] {
    match letters {
        Letters::Unicode => ['│', '┤', '└', '─', '┬'],
        Letters::Ascii => ['|', '+', '+', '-', '+'],
    }
}

/// The axis along, and its labels.
fn floor(x: &Axis, gutter: usize, width: usize, letters: Letters) -> [PlotRow; 2] {
    let [.., corner, floor, x_tick] = signs(letters);
    let mut axis = vec![floor; width];
    let mut labels = String::new();
    for tick in &x.ticks {
        let column = cell(tick.at, width);
        if let Some(sign) = axis.get_mut(column) {
            *sign = x_tick;
        }
        let start = (gutter + 1 + column).saturating_sub(tick.label.width() / 2);
        let start = start.min((gutter + 1 + width).saturating_sub(tick.label.width()));
        // A label at the right end is moved in, and may meet the one before it.
        let meets = !labels.is_empty() && start <= labels.width();
        if meets {
            continue;
        }
        let gap = start.saturating_sub(labels.width());
        labels.push_str(&" ".repeat(gap));
        labels.push_str(&tick.label);
    }
    let axis: String = axis.into_iter().collect();
    let axis = format!("{}{}{axis}", " ".repeat(gutter), corner);
    [PlotRow::of(axis, Ink::Axis), PlotRow::of(labels, Ink::Text)]
}

/// Marks and names of the series; nothing where one series needs no name.
fn legend(plot: &Plot, columns: usize, letters: Letters) -> Vec<PlotRow> {
    let mut rows: Vec<PlotRow> = Vec::new();
    let mut used = 0;
    for (at, series) in plot.series.iter().enumerate() {
        if series.name.is_empty() {
            continue;
        }
        let name = cut_line(&series.name, columns - 2);
        let wide = name.width() + 2;
        let gap = if used == 0 { 0 } else { 3 };
        match rows.last_mut().filter(|_| used + gap + wide <= columns) {
            Some(row) => row.push(" ".repeat(gap), Ink::Text),
            None => {
                rows.push(PlotRow::default());
                used = 0;
            }
        }
        if let Some(row) = rows.last_mut() {
            row.push(mark(at, letters), Ink::Series(at));
            row.push(format!(" {name}"), Ink::Text);
        }
        used += if used == 0 { wide } else { gap + wide };
    }
    rows
}

/// The lines of all series and the marks on them, and whether points of several share a mark.
fn lines(
    plot: &Plot,
    (x, y): (&Axis, &Axis),
    (width, height): (usize, usize),
    letters: Letters,
) -> (Vec<PlotRow>, bool) {
    let mut canvas = Canvas::new(width, height, letters);
    for (at, series) in plot.series.iter().enumerate() {
        let points: Vec<(f64, f64)> = series
            .points
            .iter()
            .filter_map(|(along, up)| Some((x.share(*along)?, y.share(*up)?)))
            .collect();
        canvas.series(at, &points);
    }
    // Marks come last, so that no line hides one.
    for (at, series) in plot.series.iter().enumerate() {
        let mut last: Option<usize> = None;
        let end = series.points.len().saturating_sub(1);
        for (number, (along, up)) in series.points.iter().enumerate() {
            let (Some(along), Some(up)) = (x.share(*along), y.share(*up)) else {
                continue;
            };
            let column = cell(along, width);
            let is_far = last.is_none_or(|it| it.abs_diff(column) >= MARK_EVERY);
            if is_far || number == end || end < width / 4 {
                canvas.mark(at, (along, up), mark(at, letters));
                last = Some(column);
            }
        }
    }
    (canvas.rows(), canvas.has_shared())
}

/// Says at the first row with room what the mark of several series means.
fn explain_shared(rows: &mut [PlotRow], columns: usize, letters: Letters) {
    let said = format!("   {} several points", several(letters));
    let has_room = |it: &&mut PlotRow| it.width() + said.width() <= columns;
    if let Some(row) = rows.iter_mut().find(has_room) {
        row.push(said, Ink::Text);
    }
}

fn scales(log: LogAxes) -> (Scale, Scale) {
    match log {
        LogAxes::None => (Scale::Linear, Scale::Linear),
        LogAxes::X => (Scale::Log, Scale::Linear),
        LogAxes::Y => (Scale::Linear, Scale::Log),
        LogAxes::Both => (Scale::Log, Scale::Log),
    }
}

/// One side of all points that can be drawn on a scale.
fn values(plot: &Plot, side: impl Fn(&(f64, f64)) -> f64, scale: Scale) -> Vec<f64> {
    let points = plot.series.iter().flat_map(|it| &it.points);
    points
        .map(side)
        .filter(|it| scale.place(*it).is_some())
        .collect()
}
