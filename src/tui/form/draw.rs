//! How an answer in the making looks.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::state::{Entry, Form, Row, letters};
use crate::tui::scroll::Drawn;
use crate::tui::theme::{Role, Theme};
use crate::tui::{page, styled};

impl Form {
    /// Draws the answer in the making.
    pub(crate) fn draw(&self, width: u16, theme: Theme) -> Drawn {
        let mut drawn = Drawn::default();
        match &self.entry {
            Entry::One(rows) => {
                for (at, row) in rows.iter().enumerate() {
                    let mark = if at == self.row { "●" } else { "○" };
                    self.row(&mut drawn, (at, mark), row, (width, theme));
                }
            }
            Entry::Many(rows, chosen) => {
                for (at, row) in rows.iter().enumerate() {
                    let mark = if chosen.contains(&row.id) {
                        "[x]"
                    } else {
                        "[ ]"
                    };
                    self.row(&mut drawn, (at, mark), row, (width, theme));
                }
            }
            Entry::Order(rows) => {
                for (at, row) in rows.iter().enumerate() {
                    self.row(&mut drawn, (at, "↕"), row, (width, theme));
                }
            }
            Entry::Match(lefts, rights, chosen) => {
                for (at, (left, right)) in lefts.iter().zip(chosen).enumerate() {
                    self.row(&mut drawn, (at, "·"), left, (width, theme));
                    let right = right.and_then(|it| lettered(rights).nth(it));
                    drawn.lines.extend(beside(right, width, theme));
                    if at == self.row {
                        drawn.focus.end = drawn.lines.len();
                    }
                }
                drawn.lines.push(Line::default());
                let head = "A letter chooses for the marked row:";
                drawn.lines.push(styled::line(head, theme.style(Role::Dim)));
                for (letter, right) in lettered(rights) {
                    let head = [styled::span(
                        &format!("  {letter}  "),
                        theme.style(Role::Key),
                    )];
                    drawn
                        .lines
                        .extend(hanging(&head, &right.text, width, theme));
                }
            }
            Entry::Number(field, unit) => {
                let unit = unit.as_deref().unwrap_or_default();
                typed(&mut drawn, &field.text(), field.column(), unit, theme);
            }
            Entry::Text(field) => typed(&mut drawn, &field.text(), field.column(), "", theme),
        }
        drawn
    }

    fn row(&self, drawn: &mut Drawn, place: (usize, &str), row: &Row, look: (u16, Theme)) {
        let (at, mark) = place;
        let (width, theme) = look;
        let chosen = at == self.row;
        let start = drawn.lines.len();
        let pointer = if chosen { "▸ " } else { "  " };
        let head = [
            styled::span(pointer, theme.style(Role::Key)),
            styled::span(&format!("{} ", at + 1), theme.style(Role::Dim)),
            styled::span(&format!("{mark} "), theme.style(Role::Key)),
        ];
        drawn.lines.extend(hanging(&head, &row.text, width, theme));
        if chosen {
            drawn.focus = start..drawn.lines.len();
        }
    }
}

/// A text behind a head, its further lines under its first.
pub(crate) fn hanging(
    head: &[Span<'static>],
    text: &crate::course::Text,
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

/// The right sides, each with its letter.
fn lettered(rights: &[Row]) -> impl Iterator<Item = (char, &Row)> {
    letters().zip(rights)
}

/// The right side that stands beside a left side.
fn beside(right: Option<(char, &Row)>, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let arrow = styled::span("       → ", theme.style(Role::Key));
    match right {
        Some((letter, row)) => {
            let letter = styled::span(&format!("{letter}  "), theme.style(Role::Key));
            hanging(&[arrow, letter], &row.text, width, theme)
        }
        None => vec![Line::from(vec![
            arrow,
            styled::span("?", theme.style(Role::Dim)),
        ])],
    }
}

fn typed(drawn: &mut Drawn, text: &str, column: usize, unit: &str, theme: Theme) {
    drawn.lines.push(Line::from(vec![
        styled::span("› ", theme.style(Role::Key)),
        styled::span(text, theme.style(Role::Strong)),
        styled::span(" ", Style::new()),
        styled::span(unit, theme.style(Role::Dim)),
    ]));
    drawn.focus = 0..1;
    drawn.cursor = Some((0, 2 + column));
}
