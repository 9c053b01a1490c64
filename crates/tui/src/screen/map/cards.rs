//! The line of the map about each card of this machine: its name, memory, load and temperature, as NVML says them.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::styled;
use crate::theme::{Role, Theme};
use warpup_doctor::NvmlCard;
use warpup_lab::units::bytes;

/// More cards than this share a line.
const LINES: usize = 2;

/// What is before the figures of a card: the course's word for it.
const LABEL: &str = "card  ";

/// The lines for these cards in so many columns; none without a card. `doctor` is the key that opens the doctor.
pub(super) fn lines(
    cards: &[NvmlCard],
    doctor: &str,
    width: u16,
    theme: Theme,
) -> Vec<Line<'static>> {
    let shown = cards.iter().take(LINES);
    let mut lines: Vec<_> = shown.map(|it| line(it, doctor, width, theme)).collect();
    let more = cards.len().saturating_sub(LINES);
    if more > 0 {
        let noun = if more == 1 { "card" } else { "cards" };
        let said = format!("      and {more} more {noun}: {doctor} shows them");
        lines.push(theme.line(&said, Role::Dim));
    }
    lines
}

/// A card on one line. What has no room is left out, the least important first.
fn line(card: &NvmlCard, doctor: &str, width: u16, theme: Theme) -> Line<'static> {
    let mut figures = figures(card, doctor);
    loop {
        let said = figures.join(" · ");
        let is_narrow = said.chars().count() + LABEL.len() > usize::from(width);
        if is_narrow && figures.len() > 1 {
            figures.pop();
            continue;
        }
        let (said, _) =
            styled::split_str(&said, usize::from(width).saturating_sub(LABEL.len()).max(1));
        return Line::from(vec![
            theme.span(LABEL, Role::Key),
            styled::span(said, Style::new()),
        ]);
    }
}

/// What is known of a card, the most important first.
fn figures(card: &NvmlCard, doctor: &str) -> Vec<String> {
    let name = match &card.name {
        Some(name) => name.clone(),
        None => format!("number {}", card.index),
    };
    if card.lost.is_some() {
        return vec![name, format!("does not answer: {doctor} says more")];
    }
    let memory = card.memory_used.zip(card.memory_total);
    let memory = memory.map(|(used, total)| format!("{} of {}", bytes(used), bytes(total)));
    let busy = card.busy_percent.map(|it| format!("{it} % busy"));
    let warm = card.temperature.map(|it| format!("{it} °C"));
    let figures = [memory, busy, warm].into_iter().flatten();
    std::iter::once(name).chain(figures).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Colours, Letters};

    fn card() -> NvmlCard {
        NvmlCard {
            name: Some("NVIDIA H200".to_owned()),
            memory_used: Some(13 << 30),
            memory_total: Some(140 << 30),
            busy_percent: Some(37),
            temperature: Some(41),
            ..NvmlCard::default()
        }
    }

    fn said(cards: &[NvmlCard], width: u16) -> String {
        let theme = Theme {
            colours: Colours::None,
            letters: Letters::Unicode,
        };
        let lines = lines(cards, "d", width, theme);
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        lines.join("\n")
    }

    #[test]
    fn a_card_has_one_line_and_no_card_has_none() {
        assert_eq!(said(&[], 80), "");
        let widths = [80, 46, 36, 20, 10].map(|it| said(&[card()], it));
        insta::assert_snapshot!(widths.join("\n"), @"
        card  NVIDIA H200 · 13.0 GiB of 140 GiB · 37 % busy · 41 °C
        card  NVIDIA H200 · 13.0 GiB of 140 GiB
        card  NVIDIA H200
        card  NVIDIA H200
        card  NVID
        ");
    }

    #[test]
    fn what_a_card_does_not_say_is_left_out() {
        let silent = NvmlCard {
            index: 3,
            busy_percent: Some(0),
            ..NvmlCard::default()
        };
        let lost = NvmlCard {
            lost: Some("GPU is lost".to_owned()),
            ..card()
        };
        let eight = vec![card(); 8];
        let all = [said(&[silent], 80), said(&[lost], 80), said(&eight, 80)];
        insta::assert_snapshot!(all.join("\n"), @"
        card  number 3 · 0 % busy
        card  NVIDIA H200 · does not answer: d says more
        card  NVIDIA H200 · 13.0 GiB of 140 GiB · 37 % busy · 41 °C
        card  NVIDIA H200 · 13.0 GiB of 140 GiB · 37 % busy · 41 °C
              and 6 more cards: d shows them
        ");
    }
}
