//! A row of cells as SVG.
//!
//! Letters of one style are one element, and each letter has its own `x`. Spaces are never written: a browser may collapse
//! them.

use std::collections::BTreeMap;

use ratatui::buffer::Cell;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use super::paper::Paper;
use super::shape;

/// The size of a cell: a letter of 13.3 in the usual fonts is as wide.
pub(super) const WIDTH: usize = 8;
pub(super) const HEIGHT: usize = 17;

/// Where letters stand.
const BASE: usize = 13;

/// How much of dim text is seen.
const DIM: f64 = 0.65;

/// What is drawn in a row, one below the other.
#[derive(Default)]
struct Layers {
    /// Paths by their attributes.
    grounds: BTreeMap<String, Path>,
    shapes: BTreeMap<String, Path>,
    letters: BTreeMap<String, Letters>,
    /// What has more than one code point, or is wider than a cell.
    others: String,
}

/// A path, which joins rectangles that touch.
#[derive(Default)]
struct Path {
    done: String,
    /// Left, top, width and height of the last rectangle, in tenths.
    open: Option<[usize; 4]>,
}

/// Letters, and the column of each.
#[derive(Default)]
struct Letters {
    columns: String,
    text: String,
}

/// A row as SVG, whose top left corner is at the origin; empty if nothing is on it.
pub(super) fn row(cells: &[Cell], paper: Paper) -> String {
    let mut layers = Layers::default();
    let mut covered = 0;
    for (column, cell) in cells.iter().enumerate() {
        // What is under the second half of a wide character is not shown.
        if column < covered {
            continue;
        }
        let width = cell.symbol().width().max(1);
        covered = column + width;
        layers.add(column, width, cell, paper);
    }
    layers.svg()
}

/// Text between two tags. What XML forbids is the sign of what cannot be shown.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ if letter.is_control() => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}

impl Layers {
    /// Adds a cell.
    fn add(&mut self, column: usize, width: usize, cell: &Cell, paper: Paper) {
        let has = |modifier| cell.modifier.contains(modifier);
        let (mut ink, mut ground) = (paper.colour(cell.fg), paper.colour(cell.bg));
        if has(Modifier::REVERSED) {
            let text = ink.unwrap_or_else(|| paper.text().to_owned());
            ink = Some(ground.unwrap_or_else(|| paper.background().to_owned()));
            ground = Some(text);
        }
        let (left, wide) = (column * WIDTH, width * WIDTH);
        if let Some(ground) = ground {
            let look = format!(" fill=\"{ground}\"");
            let whole = [left, 0, wide, HEIGHT].map(|it| 10 * it);
            self.grounds.entry(look).or_default().rectangle(whole);
        }
        let dim = if has(Modifier::DIM) { DIM } else { 1.0 };
        let look = |opacity: f64| {
            let ink = ink.as_ref().map(|it| format!(" fill=\"{it}\""));
            let seen = (opacity < 1.0).then(|| format!(" fill-opacity=\"{opacity:.2}\""));
            ink.into_iter().chain(seen).collect::<String>()
        };
        for (modifier, top) in [(Modifier::UNDERLINED, 15), (Modifier::CROSSED_OUT, 8)] {
            if has(modifier) {
                let path = self.shapes.entry(look(dim)).or_default();
                path.rectangle([left, top, wide, 1].map(|it| 10 * it));
            }
        }
        let mut letters = cell.symbol().chars();
        let (Some(letter), others) = (letters.next(), letters.next()) else {
            return;
        };
        if letter.is_whitespace() && others.is_none() {
            return;
        }
        if let Some(shape) = shape::shape(letter) {
            let path = self.shapes.entry(look(dim * shape.opacity)).or_default();
            for [x, y, wide, high] in shape.parts {
                path.rectangle([10 * left + x, y, wide, high]);
            }
            path.drawn(left, shape.path);
            return;
        }
        let mut style = look(dim);
        for (modifier, attribute) in [
            (Modifier::BOLD, " font-weight=\"bold\""),
            (Modifier::ITALIC, " font-style=\"italic\""),
        ] {
            if has(modifier) {
                style.push_str(attribute);
            }
        }
        // Outside of the basic plane, browsers disagree about what one character of a list of columns is.
        if width > 1 || letter.len_utf16() > 1 || others.is_some() {
            return self.other(left, wide, cell.symbol(), &style);
        }
        let run = self.letters.entry(style).or_default();
        run.columns.extend([format!(" {left}")]);
        run.text.push_str(&escaped(cell.symbol()));
    }

    /// Adds what is an element of its own, as wide as its cells.
    fn other(&mut self, left: usize, wide: usize, text: &str, look: &str) {
        let text = escaped(text.trim());
        if !text.is_empty() {
            self.others.extend([format!(
                "<text x=\"{left}\" y=\"{BASE}\" textLength=\"{wide}\" lengthAdjust=\"spacingAndGlyphs\"{look}>{text}</text>"
            )]);
        }
    }

    fn svg(self) -> String {
        let mut out = String::new();
        for (look, path) in self.grounds.into_iter().chain(self.shapes) {
            let path = path.end();
            out.extend([format!("<path d=\"{path}\"{look}/>")]);
        }
        for (look, Letters { columns, text }) in self.letters {
            let columns = columns.trim_start();
            out.extend([format!(
                "<text y=\"{BASE}\" x=\"{columns}\"{look}>{text}</text>"
            )]);
        }
        out + &self.others
    }
}

impl Path {
    /// Adds a rectangle.
    fn rectangle(&mut self, [left, top, wide, high]: [usize; 4]) {
        if let Some([x, y, width, height]) = &mut self.open
            && (*y, *height) == (top, high)
            && *x + *width == left
        {
            *width += wide;
            return;
        }
        self.close();
        self.open = Some([left, top, wide, high]);
    }

    /// Adds a path that begins at the top of a column.
    fn drawn(&mut self, left: usize, path: &str) {
        if !path.is_empty() {
            self.close();
            self.done.extend([format!("M{left} 0{path}")]);
        }
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            let [left, top, wide, high] = open.map(tenths);
            let drawn = format!("M{left} {top}h{wide}v{high}h-{wide}z");
            self.done.push_str(&drawn);
        }
    }

    fn end(mut self) -> String {
        self.close();
        self.done
    }
}

/// A number of tenths.
fn tenths(number: usize) -> String {
    match (number / 10, number % 10) {
        (whole, 0) => whole.to_string(),
        (whole, tenths) => format!("{whole}.{tenths}"),
    }
}
