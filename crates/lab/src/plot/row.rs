//! A row of a drawn plot: pieces of text, and which series each belongs to.

use unicode_width::UnicodeWidthStr;
use warpup_text::shown::Letters;

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlotRow {
    /// Its pieces, from left to right. Safe to print.
    pub parts: Vec<PlotRun>,
}

/// Some letters of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotRun {
    /// The letters.
    pub text: String,
    /// Whose they are.
    pub ink: Ink,
}

/// Whose a piece of a plot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Nobody's: labels, and a mark of several series.
    Text,
    /// The axes'.
    Axis,
    /// That of the series at this place.
    Series(usize),
}

impl PlotRow {
    pub(super) fn of(text: impl Into<String>, ink: Ink) -> Self {
        let mut row = Self::default();
        row.push(text, ink);
        row
    }

    pub(super) fn push(&mut self, text: impl Into<String>, ink: Ink) {
        let text = text.into();
        match self.parts.last_mut() {
            Some(last) if last.ink == ink => last.text.push_str(&text),
            Some(_) | None => self.parts.push(PlotRun { text, ink }),
        }
    }

    /// Its columns, with the spaces at its end.
    pub(super) fn width(&self) -> usize {
        self.parts.iter().map(|it| it.text.width()).sum()
    }

    /// Its letters without their inks.
    pub fn text(&self) -> String {
        let parts = self.parts.iter().map(|it| it.text.as_str());
        parts.collect::<String>().trim_end().to_owned()
    }
}

/// The cell in which a share of an axis lies; the same one for its dots as for a mark on it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share from 0 to 1 of a few hundred cells"
)]
pub(super) fn cell(share: f64, cells: usize) -> usize {
    let at = (share.clamp(0.0, 1.0) * cells as f64) as usize;
    at.min(cells.saturating_sub(1))
}

/// The mark of a series.
pub(super) fn mark(series: usize, letters: Letters) -> char {
    let marks = match letters {
        Letters::Unicode => ['●', '▲', '■', '◆', '○', '□'],
        Letters::Ascii => ['*', '+', 'x', 'o', '#', '@'],
    };
    marks.get(series % marks.len()).copied().unwrap_or('*')
}

/// The mark of points of several series in one cell.
pub(super) fn several(letters: Letters) -> char {
    match letters {
        Letters::Unicode => '*',
        Letters::Ascii => '%',
    }
}
