//! A plot as rows of text, ready for a screen of any size.
//!
//! Pure, and knows no colours: each piece of a row says which series it belongs to, and a screen that has colours gives
//! each series one. Without colours, marks tell the series apart; `sentences` say the same without a drawing.

mod axis;
mod bars;
mod canvas;
mod draw;
mod row;
mod sentences;

pub use draw::{Size, draw};
pub use row::{Ink, PlotRow, PlotRun};
pub use sentences::{heading, sentences, source};

#[cfg(test)]
mod tests;
