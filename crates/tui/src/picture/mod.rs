//! A screen as a picture: the cells of a terminal become an SVG.
//!
//! It looks the same in every browser and on a code host, which shows it without scripts and without fonts of ours. Each
//! letter is placed in its column, so that neither the width of a font nor the rules for white space move it, and what has
//! to join, such as lines and bars, is drawn and not written. Pure: cells in, text out.

mod paper;
mod recording;
mod row;
mod shape;

use ratatui::buffer::{Buffer, Cell};

pub use paper::Paper;
pub use recording::{RecordedScreen, recording};
use row::{HEIGHT, WIDTH};

/// The empty space around the cells.
const EDGE: usize = 14;

/// The picture of a screen.
pub fn svg(screen: &Buffer, paper: Paper, title: &str) -> String {
    let mut out = head(screen, paper, title);
    out.push_str(&body(paper));
    for (at, cells) in rows(screen).enumerate() {
        let row = row::row(cells, paper);
        if !row.is_empty() {
            let top = at * HEIGHT;
            out.extend([format!("<g transform=\"translate(0 {top})\">{row}</g>\n")]);
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// The rows of a screen.
fn rows(screen: &Buffer) -> impl Iterator<Item = &[Cell]> {
    let width = usize::from(screen.area.width).max(1);
    screen.content.chunks(width)
}

/// How a picture of this screen begins: its size, its title and its background.
fn head(screen: &Buffer, paper: Paper, title: &str) -> String {
    let width = usize::from(screen.area.width) * WIDTH + 2 * EDGE;
    let height = usize::from(screen.area.height) * HEIGHT + 2 * EDGE;
    let title = row::escaped(title);
    let background = paper.background();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{background}\"/>\n"
    )
}

/// Begins the group with the cells.
fn body(paper: Paper) -> String {
    let text = paper.text();
    format!(
        "<g transform=\"translate({EDGE} {EDGE})\" fill=\"{text}\" font-size=\"13.3\" \
         font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace\">\n"
    )
}

#[cfg(test)]
mod tests;
