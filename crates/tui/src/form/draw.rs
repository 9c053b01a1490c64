//! What a screen asks of every form, and how a form looks.

use std::fmt;

use ratatui::crossterm::event::KeyEvent;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::keymap::{Action, Context};
use crate::scroll::VisibleLines;
use crate::theme::Theme;
use crate::{page, styled};
use warpup_grade::{Answer, NoVerdict};

/// An answer in the making.
pub(crate) trait Form: fmt::Debug {
    /// Which keys it takes in a quiz.
    fn context(&self) -> Context;

    /// The answer so far.
    fn answer(&self) -> Result<Answer, NoVerdict>;

    /// Does what a key asks for; says whether it was for the form.
    fn act(&mut self, action: Action) -> bool;

    /// Takes a letter or digit.
    fn key(&mut self, key: KeyEvent);

    /// Takes a click on one of its rows.
    fn pick(&mut self, _row: usize) {}

    /// Takes pasted text.
    fn paste(&mut self, _text: &str) {}

    /// Draws the answer in the making.
    fn draw(&self, width: u16, theme: Theme) -> VisibleLines;
}

/// A text behind a head, its further lines under its first.
pub(crate) fn hanging(
    head: &[Span<'static>],
    text: &warpup_course::Text,
    width: u16,
    theme: Theme,
) -> Vec<Line<'static>> {
    let indent: usize = head.iter().map(Span::width).sum();
    let room = width
        .saturating_sub(u16::try_from(indent).unwrap_or(u16::MAX))
        .max(1);
    let blank = [styled::span(&" ".repeat(indent), Style::new())];
    page::text(text, room, theme)
        .into_iter()
        .enumerate()
        .map(|(at, line)| {
            let front: &[Span<'static>] = if at == 0 { head } else { &blank };
            front.iter().cloned().chain(line.spans).collect()
        })
        .collect()
}
