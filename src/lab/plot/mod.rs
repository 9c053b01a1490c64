//! A plot as rows of text, ready for a screen of any size.
//!
//! Pure, and knows nothing of colours: each piece of a row says whose it is, and a screen that has
//! colours gives each series one. Whoever sees none tells the series apart by their marks, and whoever
//! sees nothing has [`sentences`].

mod axis;
mod canvas;
mod words;

pub use words::{heading, sentences, source};

use crate::protocol::{LogAxes, Plot};
use crate::shown::{Letters, Shown};
use axis::{Axis, Scale};
use canvas::Canvas;
use unicode_width::UnicodeWidthStr;

/// Marks of the series, in order.
const MARKS: [char; 6] = ['●', '▲', '■', '◆', '○', '□'];

/// The same where only ASCII can be drawn.
const ASCII_MARKS: [char; 6] = ['*', '+', 'x', 'o', '#', '@'];

/// Columns between two marks of one series, where its points are closer.
const MARK_EVERY: usize = 10;

/// Columns and rows that a plot is given at least and at most; it is cut, or has air, beyond.
const COLUMNS: (usize, usize) = (24, 200);
const ROWS: (usize, usize) = (8, 40);

/// The room for a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: usize,
    /// Rows, the legend and the axes among them.
    pub rows: usize,
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its pieces, from left to right. Safe to print.
    pub parts: Vec<Part>,
}

/// Some letters of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The letters.
    pub text: String,
    /// Whose they are.
    pub ink: Ink,
}

/// Whose a piece of a plot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Nobody's: labels, and places where series cross.
    Text,
    /// The axes'.
    Axis,
    /// That of the series at this place.
    Series(usize),
}

impl Row {
    fn of(text: impl Into<String>, ink: Ink) -> Self {
        let mut row = Self::default();
        row.push(text, ink);
        row
    }

    fn push(&mut self, text: impl Into<String>, ink: Ink) {
        let text = text.into();
        match self.parts.last_mut() {
            Some(last) if last.ink == ink => last.text.push_str(&text),
            Some(_) | None => self.parts.push(Part { text, ink }),
        }
    }

    /// Its letters without their inks.
    pub fn text(&self) -> String {
        let parts = self.parts.iter().map(|it| it.text.as_str());
        parts.collect::<String>().trim_end().to_owned()
    }
}

/// Draws a plot: legend, axes and lines, without its heading.
pub fn draw(plot: &Plot, size: Size, letters: Letters) -> Vec<Row> {
    let columns = size.columns.clamp(COLUMNS.0, COLUMNS.1);
    let mut rows = legend(plot, columns, letters);
    if !plot.y_label.is_empty() {
        rows.push(Row::of(cut(&plot.y_label, columns), Ink::Text));
    }
    // Below the lines are the axis, its labels, and what it is about.
    let below = 2 + usize::from(!plot.x_label.is_empty());
    let height = size.rows.clamp(ROWS.0, ROWS.1);
    let height = height.saturating_sub(rows.len() + below).max(3);
    let (x_scale, y_scale) = scales(plot.log);
    let y = Axis::upward(&values(plot, |it| it.1, y_scale), y_scale, height);
    let gutter = y.ticks.iter().map(|it| it.label.width()).max();
    let gutter = gutter.unwrap_or(0) + 1;
    let width = columns.saturating_sub(gutter + 1).max(2);
    let x = Axis::along(&values(plot, |it| it.0, x_scale), x_scale, width);
    let lines = lines(plot, (&x, &y), (width, height), letters);
    let signs = Signs::of(letters);
    for (at, line) in lines.into_iter().enumerate() {
        let tick = y
            .ticks
            .iter()
            .find(|it| height - 1 - cell(it.at, height) == at);
        let label = tick.map_or("", |it| it.label.as_str());
        let sign = tick.map_or(signs.wall, |_| signs.y_tick);
        let mut row = Row::of(format!("{label:>width$}", width = gutter - 1), Ink::Text);
        row.push(format!(" {sign}"), Ink::Axis);
        for part in line.parts {
            row.push(part.text, part.ink);
        }
        rows.push(row);
    }
    rows.extend(floor(&x, gutter, width, &signs));
    if below > 2 {
        let label = cut(&plot.x_label, width);
        let before = gutter + 1 + (width - label.width()) / 2;
        rows.push(Row::of(format!("{}{label}", " ".repeat(before)), Ink::Text));
    }
    rows
}

/// What the axes are drawn with.
struct Signs {
    wall: char,
    y_tick: char,
    corner: char,
    floor: char,
    x_tick: char,
}

impl Signs {
    fn of(letters: Letters) -> Self {
        match letters {
            Letters::Unicode => Self {
                wall: '│',
                y_tick: '┤',
                corner: '└',
                floor: '─',
                x_tick: '┬',
            },
            Letters::Ascii => Self {
                wall: '|',
                y_tick: '+',
                corner: '+',
                floor: '-',
                x_tick: '+',
            },
        }
    }
}

/// The axis along, and its labels.
fn floor(x: &Axis, gutter: usize, width: usize, signs: &Signs) -> [Row; 2] {
    let mut axis = vec![signs.floor; width];
    let mut labels = String::new();
    for tick in &x.ticks {
        let column = cell(tick.at, width);
        if let Some(sign) = axis.get_mut(column) {
            *sign = signs.x_tick;
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
    let axis = format!("{}{}{axis}", " ".repeat(gutter), signs.corner);
    [Row::of(axis, Ink::Axis), Row::of(labels, Ink::Text)]
}

/// Marks and names of the series; nothing where one series needs no name.
fn legend(plot: &Plot, columns: usize, letters: Letters) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut used = 0;
    for (at, series) in plot.series.iter().enumerate() {
        if series.name.is_empty() {
            continue;
        }
        let name = cut(&series.name, columns - 2);
        let wide = name.width() + 2;
        let gap = if used == 0 { 0 } else { 3 };
        match rows.last_mut().filter(|_| used + gap + wide <= columns) {
            Some(row) => row.push(" ".repeat(gap), Ink::Text),
            None => {
                rows.push(Row::default());
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

/// The lines of all series and the marks on them.
fn lines(
    plot: &Plot,
    (x, y): (&Axis, &Axis),
    (width, height): (usize, usize),
    letters: Letters,
) -> Vec<Row> {
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
    canvas.rows()
}

fn mark(series: usize, letters: Letters) -> char {
    let marks = match letters {
        Letters::Unicode => MARKS,
        Letters::Ascii => ASCII_MARKS,
    };
    marks.get(series % marks.len()).copied().unwrap_or('*')
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

/// The cell in which a share of an axis lies; the same one for its dots as for a mark on it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share from 0 to 1 of a few hundred cells"
)]
fn cell(share: f64, cells: usize) -> usize {
    let at = (share.clamp(0.0, 1.0) * cells as f64) as usize;
    at.min(cells.saturating_sub(1))
}

/// As much of a text as fits, on one line and safe to print.
fn cut(text: &str, columns: usize) -> String {
    let text = Shown::one_line(text).into_string();
    if text.width() <= columns {
        return text;
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        if kept.width() >= columns {
            kept.pop();
            break;
        }
    }
    format!("{kept}…")
}

#[cfg(test)]
mod tests;
