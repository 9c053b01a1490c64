//! Draws what a terminal shows as SVG, for `scripts/screenshots`: JSON on standard input, the picture on standard output.
//!
//! `{"title": "…", "paper": "dark", "columns": 80, "rows": 24, "screens": [{"text": "…", "shown_ms": 1000}]}`, where a text is
//! what `tmux capture-pane -e -p` prints. Several screens become an animated picture.

use std::io::{self, Write};
use std::num::NonZero;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use serde::Deserialize;
use warpup_tui::picture::{self, Paper, RecordedScreen};

/// What is asked for.
#[derive(Deserialize)]
struct Request {
    title: String,
    paper: String,
    columns: NonZero<u16>,
    rows: NonZero<u16>,
    screens: Vec<Captured>,
}

/// A screen as tmux prints it.
#[derive(Deserialize)]
struct Captured {
    text: String,
    #[serde(default)]
    shown_ms: u32,
}

fn main() -> io::Result<()> {
    let request: Request = serde_json::from_reader(io::stdin().lock())?;
    let paper = match request.paper.as_str() {
        "light" => Paper::Light,
        _ => Paper::Dark,
    };
    let screens = request.screens.iter().map(|it| RecordedScreen {
        screen: cells(&it.text, request.columns, request.rows),
        shown_ms: it.shown_ms,
    });
    let screens: Vec<_> = screens.collect();
    let drawn = match screens.as_slice() {
        [still] => picture::svg(&still.screen, paper, &request.title),
        screens => picture::recording(screens, paper, &request.title),
    };
    io::stdout().lock().write_all(drawn.as_bytes())
}

/// The cells of a captured screen.
fn cells(text: &str, columns: NonZero<u16>, rows: NonZero<u16>) -> Buffer {
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    for (row, line) in (1..=rows.get()).zip(text.lines()) {
        terminal.process(format!("\x1b[{row};1H{line}").as_bytes());
    }
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns.get(), rows.get()));
    for position in buffer.area.positions() {
        let shown = terminal.screen().cell(position.y, position.x);
        if let (Some(shown), Some(cell)) = (shown, buffer.cell_mut(position)) {
            if shown.has_contents() {
                cell.set_symbol(shown.contents());
            }
            cell.fg = colour(shown.fgcolor());
            cell.bg = colour(shown.bgcolor());
            for (has, modifier) in [
                (shown.bold(), Modifier::BOLD),
                (shown.dim(), Modifier::DIM),
                (shown.italic(), Modifier::ITALIC),
                (shown.underline(), Modifier::UNDERLINED),
                (shown.inverse(), Modifier::REVERSED),
            ] {
                cell.modifier.set(modifier, has);
            }
        }
    }
    buffer
}

fn colour(colour: vt100::Color) -> Color {
    match colour {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(index) => Color::Indexed(index),
        vt100::Color::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    }
}
